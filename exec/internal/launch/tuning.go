package launch

import (
	"time"

	"github.com/gokkos/gokkos/internal/tree"
)

// Numbers that trade one cost for another. None of them changes a bit of a result. Behind
// each stands the benchmark that shows it: go test ./exec -run xxx -bench NAME.
const (
	// BlockItems is the number of indices asked of a policy at a time: enough to make the
	// call cheap, few enough to stay in the L1 cache. It is a multiple of the number of
	// lanes, so that each block begins at lane 0. [Item]
	BlockItems = 4 * tree.MaxLanes

	// BlockRuns is the number of runs asked of a policy at a time: finding the first one
	// takes some divisions. [Box]
	BlockRuns = 16

	// FoldItems is the number of values that pass through all the folds of a launch before
	// the next ones are read: they stay in the L1 cache, so memory is read once. It is a
	// multiple of the number of lanes. [Fold]
	FoldItems = 1024

	// NodeItems is the most items that a fold reduces in one call, beside tree.NodeLeaves:
	// fewer calls, but longer until another worker finds work, or a cancel is heard. [Fold]
	NodeItems = 1 << 18
	// NodeBytes is the bound where there are several folds, which find the values in the L1
	// cache after the first one. [Fold]
	NodeBytes = 1 << 15

	// ScanItems is about how many items of a scan a worker takes at a time: few, since it is
	// best to compute the results soon after the sums, but more than what it takes to take
	// them. [Scan]
	ScanItems = 1024

	// LateItems is the most items of a worker in a scan that computes the results only once all
	// is read: 16 bytes for each of them are in a cache of its own then. [Scan]
	LateItems = 1 << 16

	// MaxGroup is how many leaves a scan runs at once. In one leaf each join waits for the
	// one before it; those of several leaves do not wait for each other. [Scan]
	MaxGroup = 4
	// MostInStep is the same of a policy that scans leaves itself, where there are enough of them. [Scan]
	MostInStep = 8

	// MaxWaiting is how many units of several leaves a worker keeps the sums of, until what
	// comes before them is known. Those of others are learned anew. [Scan]
	MaxWaiting = 4

	// slotStride is how many slots next to each other one worker uses, so that those of two
	// workers are mostly in lines of their own; a value of LineBytes fills a line. Larger:
	// more memory for each worker. [Launch]
	slotStride = 8
	LineBytes  = 64

	// pollEvery is about how much work a worker does between two looks at whether its launch
	// is cancelled. A look takes 50 nanoseconds. Items may be fifty times as heavy as those
	// before them, and the next look still comes within a millisecond. [Cancellable]
	pollEvery = 20 * time.Microsecond
	// PollItems is the most items between two looks. [Cancellable]
	PollItems = 4096
	// rowItems is a number of items that ends at a last lane, however many lanes there are.
	rowItems = tree.MaxLanes

	// maxKept is how many kernels, kinds of accumulators and kinds of policies a job keeps for launches to come: a launch
	// looks through all of them. [Launch]
	maxKept = 24

	// maxKeptWalks is of how many workers the lanes are kept from one launch to the next. To let go of them writes to the
	// caches of all. [Launch]
	maxKeptWalks = 32

	// MaxCarriers is how many coroutines an engine may have to be kept: each has a stack of
	// some kilobytes.
	MaxCarriers = 2048
)

// DefaultSubGroup is the number of lanes of sub-groups on spaces that are no device.
const DefaultSubGroup = 32
