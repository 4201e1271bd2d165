package device

import "github.com/gokkos/gokkos/exec/space"

// A Job is a launch that describes itself, so that a space can compute its nodes with code of its own. A job
// should be one.
//
// The space asks Functor, Fold or Scan before Open. It then calls Accept in place of [space.Job.Run], for as
// many nodes as it likes.
type Job interface {
	space.Job
	// Functor returns the functor that the job calls. A space may have code for it, see [AttachCode].
	Functor() Functor
	// Fold returns the values that the job folds. It is false if they are in no slices: only Run knows them
	// then. It is false, too, if this process has the values of some items only.
	Fold() (f Fold, ok bool)
	// FoldOf is Fold of the items begin to end-1: X and Y are their values, and First is the location of item
	// begin. It is false if this process does not have the values of all these items. An array over several
	// processes is such a case.
	FoldOf(begin, end int) (f Fold, ok bool)
	// Scan returns the values that the job scans. It is false if they are in no array: Run and the functor know
	// them then, and a space with code for the functor takes the Scan of [Functor]. A space that uses the scan must store all results, and Accept the root. The value of the root is
	// the sum of all items without the initial value. The space must not call Run and Join, nor Accept other
	// nodes.
	Scan() (s Scan, ok bool)
	// Accept takes the value of the node of the leaves first to last-1 into a slot. The value is the bytes of
	// each column in turn, as its Layout says, and none of a job that reduces nothing. Workers, slots and the
	// result are those of Run. Accept does not keep value. The value of one leaf may be
	// that of each of its lanes that have an item, one behind the other, of those columns that have so many lanes: the job
	// joins them then. Of teams of several members it may be the values of all members of the leaf's first team, of the
	// second team, and so on. A value of another length, or of a node of a scan
	// that is not the root, is an error of the launch.
	Accept(worker, first, last, slot int, value []byte) bool
	// Cancelled reports whether the launch is cancelled. A space should ask before it changes memory: Accept
	// reports a cancel after the change. The space then opens the job and returns.
	Cancelled() bool
}

// A Failer is a job that takes reports of panics. A space reports them if it cannot run the functor, since the
// functor needs the memory of a device. A job should be one.
type Failer interface {
	Job
	// Fail reports that the functor would panic with that value, in that item: the node that has the
	// item has no result. The launch then ends with the panic of the lowest of all items that have
	// failed. Fail may be called between Open and the end of Launch, at any time and from any goroutine.
	Fail(item int, value any)
}
