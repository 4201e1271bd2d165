package device

import "github.com/gokkos/gokkos/reducers/concept"

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
	// Identity has the bytes of what each lane of a leaf begins as, in that layout. Only a functor's columns have it.
	Identity []byte
}
