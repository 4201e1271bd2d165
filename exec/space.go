package exec

import "github.com/gokkos/gokkos/internal/tree"

// A Space decides who reduces which part of the reduction tree, and nothing
// else. It knows neither the kernel nor its value types: a [Job] hides both
// behind small integers. Space, [Job] and [Grid] are the whole contract; a new
// space is one type with these three methods, and exectest.TestSpace checks it.
//
// The tree has g.Leaves leaves, numbered from 0. A node is an aligned range of
// them: first is a multiple of some power of two w, and last is first+w or, at
// the right edge, g.Leaves if that comes before.
type Space interface {
	// Name names the space in messages.
	Name() string
	// Concurrency returns the number of workers that may run at one time.
	Concurrency() int
	// Launch reduces the whole tree and returns when nothing of the job is
	// running any more. It
	//
	//   - must call Open once, before any other method of the job;
	//   - must Run nodes that together hold each leaf exactly once, and Join
	//     neighbouring nodes until the root is in slot 0;
	//   - must not join a node for which Run or Join returned false, and must still
	//     run all the leaves below it. Leaves above it may be left out;
	//   - may call Run and Join at the same time for different workers and slots;
	//   - must be usable again, and must not wait for ever, after a functor ended
	//     the goroutine that Run or Join was called on, by runtime.Goexit;
	//   - should return an error only if it could not run the job at all. What
	//     goes wrong inside the job, the job keeps.
	//
	// A functor may launch on the space it runs on, so Launch must not wait for a
	// worker that has not yet begun on the job.
	Launch(g Grid, j Job) error
}

// A Job is a launch as a space sees it. A slot holds the partial result of one
// node. Slots and workers are numbered from 0. The methods do not panic.
type Job interface {
	// Open makes room for slots 0 to slots-1 and workers 0 to workers-1. At any
	// time a worker may be in one Run at most.
	Open(workers, slots int)
	// Run reduces the node of the leaves first to last-1 into a slot, replacing
	// what it held, such as a node whose neighbour has no result. It returns false
	// if there is no result.
	Run(worker, first, last, slot int) bool
	// Join joins slot src into slot dst and leaves src free for use again. The
	// two must hold neighbouring halves of one node, dst the left one.
	Join(dst, src int) bool
}

// Grid is the shape of a launch: a number of items in leaves of equal length, of which
// the last may be shorter. It has the fields Items, Leaf (items per leaf, a power of two),
// Leaves (at most 4096) and Lanes (partial results that a leaf is reduced in, a power of
// two), and depends on the policy alone.
type Grid = tree.Grid
