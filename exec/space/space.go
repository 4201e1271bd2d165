// Package space is the contract between launches and execution spaces.
//
// A [Space] decides which worker reduces which part of a launch's reduction tree, and nothing else. It
// knows neither the functor nor its value types: a [Job] hides both behind small integers.
//
//	must    Space and Job: three methods each. A space needs nothing more.
//	should  Parts that make launches cheaper and change no bit: [Hints], [Divider].
//	may     Parts for some spaces only: a [TeamSpace] decides how teams run. Package device has those of
//	        spaces with code or a memory of their own, package ranks those of spaces over several processes.
//
// Optional parts are interfaces of their own, which a job or a space implements by having the methods.
// Callers test for a part with a type assertion, and do without a missing part. A space that wraps
// another, or hands a job of its own to another, passes on the parts that it wants to be seen.
//
// # How a launch ends
//
// The end of a launch depends on which faults occur, and not on when. The order in which leaves run, the
// number of workers and the number of processes make no difference. The first fault of this list that
// occurs counts:
//
//  1. A fault in the items: a panic of the functor or of a reducer, an error of a team, a
//     policy that breaks its contract, a goroutine that was ended. Of several, the fault in
//     the lowest leaf counts; a join counts as the first leaf of its node. This is why a space
//     must still run the leaves below. Joins of a scan's prefixes come behind all leaves.
//  2. A breach of this contract by the space; of several, the first in time.
//  3. The cancellation of the launch.
//  4. The error that Launch returned. It is joined to the error of 2 or 3, or else returned
//     alone.
//
// In several processes, see ranks.Carrier, the launch ends alike in all of them: faults 2 and 3 are the
// arguments of the first call of SetFault. An error of Launch is known only in the process where Launch
// returned it, unless the space tells the others.
//
// A functor that ends the goroutine of the caller does so at once, whatever else goes wrong. In several
// processes the fault is known later and goes by the rule above. It is an error in processes where the
// functor did not run.
//
// A new space is one type with the three methods. spacetest.TestSpace checks it and reports its optional
// parts.
package space

import "errors"

// ErrClosed is the error of launches on a closed space, if the space can be closed.
var ErrClosed = errors.New("space: the space is closed")

// A Space runs launches.
//
// The tree of a launch has g.Leaves leaves, numbered from 0. A node is an aligned range of leaves: first
// is a multiple of some power of two w, and last is first+w or, at the right edge, g.Leaves if that is
// less.
type Space interface {
	// Name returns the name of the space for messages. It must not be empty.
	Name() string
	// Concurrency returns the number of workers that may run at one time. It must be at
	// least 1.
	Concurrency() int
	// Launch reduces the whole tree and returns when nothing of the job is running any more. It
	//
	//   - must call Open once, before any other of the three methods of the job;
	//   - must Run nodes that together hold each leaf exactly once, and Join
	//     neighbouring nodes until the root is in slot 0;
	//   - must not join a node for which Run or Join returned false, and must still
	//     run all leaves with lower numbers. Leaves with higher numbers may be left out;
	//   - must not call the job once it has returned: the job then serves another launch;
	//   - must be usable again, and must not wait for ever, after a functor ended
	//     the goroutine that Run or Join was called on, by runtime.Goexit;
	//   - should return an error only if it could not run the job at all. The job
	//     itself keeps the faults of its items;
	//   - may call Run and Join at the same time for different workers and slots.
	//
	// A functor may launch on the space it runs on, so Launch must not wait for a worker that has not
	// yet begun on the job.
	Launch(g Grid, j Job) error
}

// A Job is a launch as a space sees it. A slot holds the partial result of one node. Slots
// and workers are numbered from 0. The methods do not panic.
type Job interface {
	// Open makes room for slots 0 to slots-1 and workers 0 to workers-1. At any time a
	// worker may be in one Run at most.
	Open(workers, slots int)
	// Run reduces the node of the leaves first to last-1 into a slot. It replaces the slot's old value,
	// which may be a node whose neighbour has no result. It returns false if the node has no result.
	Run(worker, first, last, slot int) bool
	// Join joins slot src into slot dst and leaves src free for use again. The slots must hold
	// neighbouring halves of one node, dst the left half.
	Join(dst, src int) bool
}

// Alone runs a launch on the calling goroutine, as one node, for spaces that do not parallelise this
// launch.
func Alone(g Grid, j Job) {
	j.Open(1, 1)
	if g.Leaves > 0 {
		j.Run(0, 0, g.Leaves, 0)
	}
}
