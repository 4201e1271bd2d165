package space

import "github.com/gokkos/gokkos/reducers/concept"

// An Accepter is a job whose nodes a space may compute with code of its own. The space then
// calls Accept in place of [Job.Run], for as many nodes as it likes. It must know by then what
// the job computes, from a [Folder] or a [Caller], which it has asked before Open.
type Accepter interface {
	Job
	// Accept takes the value of the node of the leaves first to last-1 into a slot: the bytes
	// of each column in turn, as its Layout says, and none of a job that reduces nothing. It
	// is Run in all else: whose workers and slots they are, and what false means. It does not
	// keep value. A value of another length, or of a job whose nodes are more than their
	// values, is an error of the launch.
	Accept(worker, first, last, slot int, value []byte) bool
	// Cancelled reports whether the launch is cancelled. A space should ask before it begins what changes memory: it
	// is told by Accept only when that is done. It then opens the job and returns.
	Cancelled() bool
}

// A Folder is a job that may be a fold, whose values are in memory.
type Folder interface {
	Accepter
	// Fold returns what the job folds. It is false if that is no slice, or no product of two:
	// such values have to be asked for. It is false, too, if this process has not the values of all
	// items. A space that uses it must ask before Open.
	Fold() (f Fold, ok bool)
}

// A PartFolder is a Folder that tells of some of its items alone. This process may have the values of
// no others: those of an array that is distributed over several.
type PartFolder interface {
	Folder
	// FoldOf is Fold of the items begin to end-1: X and Y are their values, and First is the
	// location of item begin. It is false if this process has not the values of all of these.
	FoldOf(begin, end int) (f Fold, ok bool)
}

// A Fold is a reduction of values in memory. Item k has the value X[k], or X[k]*Y[k], rounded.
type Fold struct {
	X, Y    any    // slices of one type []T, of as many values as there are items; Y may be nil
	Memory  Memory // that X and Y are in; nil is the host's. Run is an error where the host cannot touch it
	First   int    // the location of item 0; item k has First+k
	Columns []Result
}

// A MemoryFolder is a space that folds values in its memory, which the host cannot touch, with code of its own.
// Only such a space is given folds of these.
type MemoryFolder interface {
	MemoryOwner
	FoldsMemory()
}

// A Result is a column whose values a space can compute.
type Result struct {
	Column
	// Operation is how values are joined, and of a fold what they are made of. A space runs
	// nodes of a job whose columns have operations that it does not know.
	Operation concept.Operation
	// Layout describes the bytes of a value, see concept.Form. It is empty if a value has
	// none: Accept is an error then.
	Layout string
}
