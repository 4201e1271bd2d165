package launch

import (
	"time"

	"github.com/gokkos/gokkos/internal/tree"
)

// These numbers trade one cost for another. None of them changes a bit of a result. The name in brackets is
// the benchmark that shows the trade: go test ./exec -run xxx -bench NAME.
const (
	// BlockItems is the number of indices asked of a policy at a time: enough to make the call cheap, few
	// enough for the L1 cache. It is a multiple of all numbers of lanes, so that each block begins at lane 0.
	// [Item]
	BlockItems = 4 * tree.MaxLanes

	// BlockRuns is the number of runs asked of a policy at a time: finding the first run takes some
	// divisions. [Box]
	BlockRuns = 16

	// FoldItems is the number of values that pass through all folds of a launch before the next values are
	// read. They stay in the L1 cache, so memory is read once. It is a multiple of all numbers of lanes.
	// [Fold]
	FoldItems = 1024

	// NodeItems is the most items that a fold or a reduction runs in one call, beside tree.NodeLeaves.
	// Larger: fewer calls, but other workers wait longer for work, and a cancel is seen later. [Fold]
	NodeItems = 1 << 18
	// NodeBytes is the most bytes of a node in a launch of several folds: all folds but the first then find
	// the values in the L1 cache. [Fold]
	NodeBytes = 1 << 15

	// ScanItems is about how many items of a scan a worker takes at a time. It is small, so that results
	// follow sums while the data is in cache, and large enough to outweigh the cost of a claim. [Scan]
	ScanItems = 1024

	// LateItems is the most items of a worker in a scan that computes results only after reading all items.
	// At 16 bytes each, they fit the worker's own cache. [Scan]
	LateItems = 1 << 16

	// MaxGroup is how many leaves a scan runs at once. Within a leaf each join waits for the one before it;
	// joins of different leaves do not wait. [Scan]
	MaxGroup = 4
	// MostInStep is MaxGroup for a policy that scans leaves itself, in a launch with enough leaves. [Scan]
	MostInStep = 8

	// MaxWaiting is how many units of several leaves a worker keeps the sums of, until their prefix is known.
	// Sums of further units are computed again. [Scan]
	MaxWaiting = 4

	// slotStride is how many adjacent slots one worker uses, so that the slots of two workers are mostly in
	// different lines. A value of LineBytes fills a line. Larger: more memory for each worker. [Launch]
	slotStride = 8
	LineBytes  = 64

	// pollEvery is about the time between a worker's two looks at whether its launch is cancelled. A look
	// takes 50 ns. If items become fifty times as heavy, the next look still comes within a millisecond.
	// [Cancellable]
	pollEvery = 20 * time.Microsecond
	// PollItems is the most items between two looks. [Cancellable]
	PollItems = 4096
	// rowItems is a multiple of all numbers of lanes: item rowItems-1 is at a last lane. [Cancellable]
	rowItems = tree.MaxLanes

	// maxKept is how many kernels, kinds of accumulators and kinds of policies a job keeps for later
	// launches. Larger: each launch searches a longer list. [Launch]
	maxKept = 24

	// maxKeptWalks is the most workers of a launch whose lanes walks keep for the next launch. Dropping them
	// writes to the caches of all workers. [Launch]
	maxKeptWalks = 32

	// MaxCarriers is the most coroutines of an engine that is kept: each has a stack of some kilobytes.
	MaxCarriers = 2048
)

// DefaultSubGroup is the number of lanes of sub-groups on spaces that are no device.
const DefaultSubGroup = 32
