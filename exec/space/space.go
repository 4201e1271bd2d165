// Package space is the contract between launches and execution spaces.
//
// A [Space] decides who reduces which part of a launch's reduction tree, and nothing else. It
// knows neither the functor nor its value types: a [Job] hides both behind small integers.
//
//	must    Space and Job: three methods each. A space needs nothing more.
//	should  What makes launches cheaper and no bit different: [Hints], [Divider].
//	may     What only some spaces have a use for: [Stepper] for devices that take leaves
//	        apart, [Folder], [Caller] and [Scanner] for those that run code of their own,
//	        [Carrier] for those over several processes, a [TeamSpace], and a [Memory]. Where the
//	        host cannot touch that: [MemoryFolder], [MemoryScanner], [TensorFolder], [RandomFiller].
//
// Optional parts are interfaces of their own, which a job or a space has if it has the
// methods: whoever wants a part asks with a type assertion, and does without if there is
// none. A space that wraps another, or hands a job of its own to another, passes on the
// parts that it wants to be seen.
//
// # Code of its own
//
// A device cannot call a Go functor. A job tells it what the launch comes to instead: a
// [Folder] which values in memory it reduces, and with which operations; a [Caller] which
// functor it calls, on which indices, so that the device can find code that was attached to it
// by [AttachCode]; a [Scanner] which values it scans. The device computes nodes of the tree and
// hands them in by [Accepter.Accept]. What it does not know it leaves to Run, node by node, or returns an error that names the functor, see
// [Functor.Without].
//
//	f, ok := job.Fold()                            // before Open
//	j.Open(workers, slots)
//	job.Accept(worker, first, last, slot, value)  // in place of Run
//	j.Join(dst, src)                               // as ever
//
// The bits are those of the rule in docs/determinism.md: item k of a leaf is joined into lane
// k mod Lanes of a column, the lanes are joined as a butterfly, and leaves in pairs. A column
// that is Exact may be joined in any order.
//
// A panic is the functor's: code that cannot compute a node leaves memory as it was, and the
// space runs the node, so that the functor panics where it does on every space. A device with a
// memory that the functor cannot touch says in which item it would panic, see [Failer].
//
// # How a launch ends
//
// What goes wrong decides how a launch ends, and not when it does: the order in which leaves run,
// the number of workers and that of processes make no difference. The first of these that there
// is counts:
//
//  1. What went wrong in the items: a panic of the functor or of a reducer, an error of a team, a
//     policy that breaks its contract, a goroutine that was ended. Of several, that of the lowest
//     leaf, which for a join is the first leaf of the node: this is why a space must still run
//     the leaves below. Joins of a scan's prefixes come behind all leaves.
//  2. What the space did against this contract; of several, what it did first.
//  3. The launch is cancelled.
//  4. What Launch returned. It is joined to the error of 2 or 3, and else told alone.
//
// In several processes, see [Carrier], 2 and 3 are those that SetFault was first called with, so
// that the launch ends alike in all of them. What Launch returned is known where it returned only,
// unless the space tells the others.
//
// A functor that ends the goroutine of the caller does so at once, whatever else goes wrong. In
// several processes that is known later, goes by the rule above, and is an error where the functor
// did not run.
//
// A new space is one type with the three methods; exectest.TestSpace checks it and tells
// which optional parts it has.
package space

import "errors"

// ErrClosed is returned by a launch on a space that has been closed, of those that can be.
var ErrClosed = errors.New("space: the space is closed")

// A Space runs launches.
//
// The tree of a launch has g.Leaves leaves, numbered from 0. A node is an aligned range of
// them: first is a multiple of some power of two w, and last is first+w or, at the right
// edge, g.Leaves if that comes before.
type Space interface {
	// Name names the space in messages. It must not be empty.
	Name() string
	// Concurrency returns the number of workers that may run at one time. It must be at
	// least 1.
	Concurrency() int
	// Launch reduces the whole tree and returns when nothing of the job is running any
	// more. It
	//
	//   - must call Open once, before any other of the three methods of the job;
	//   - must Run nodes that together hold each leaf exactly once, and Join
	//     neighbouring nodes until the root is in slot 0;
	//   - must not join a node for which Run or Join returned false, and must still
	//     run all the leaves below it. Leaves above it may be left out;
	//   - must not call the job once it has returned: the job then serves another launch;
	//   - must be usable again, and must not wait for ever, after a functor ended
	//     the goroutine that Run or Join was called on, by runtime.Goexit;
	//   - should return an error only if it could not run the job at all. What
	//     goes wrong inside the job, the job keeps;
	//   - may call Run and Join at the same time for different workers and slots.
	//
	// A functor may launch on the space it runs on, so Launch must not wait for a worker
	// that has not yet begun on the job.
	Launch(g Grid, j Job) error
}

// A Job is a launch as a space sees it. A slot holds the partial result of one node. Slots
// and workers are numbered from 0. The methods do not panic.
type Job interface {
	// Open makes room for slots 0 to slots-1 and workers 0 to workers-1. At any time a
	// worker may be in one Run at most.
	Open(workers, slots int)
	// Run reduces the node of the leaves first to last-1 into a slot, replacing what it
	// held, such as a node whose neighbour has no result. It returns false if there is no
	// result.
	Run(worker, first, last, slot int) bool
	// Join joins slot src into slot dst and leaves src free for use again. The two must
	// hold neighbouring halves of one node, dst the left one.
	Join(dst, src int) bool
}

// Alone runs a launch on the calling goroutine, as one node: what a space does for which
// more than that does not pay.
func Alone(g Grid, j Job) {
	j.Open(1, 1)
	if g.Leaves > 0 {
		j.Run(0, 0, g.Leaves, 0)
	}
}
