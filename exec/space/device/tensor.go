package device

import (
	"context"

	"github.com/gokkos/gokkos/exec/space"
)

// A TensorFolder is a space that folds parts of arrays in its memory, which the host cannot touch, with code of its own. It
// needs no job: it stores nothing but what it returns.
type TensorFolder interface {
	MemoryOwner
	// FoldTensor returns for each column the bytes of all results as the column's Layout says, one result after the other.
	//
	// Errors: it cannot fold such values or columns, the memory is none of its own, it is closed, or the context is done.
	FoldTensor(ctx context.Context, t Tensor) (columns [][]byte, err error)
}

// A Tensor is values in memory, which are reduced to several results: each of its own values, along the tree of a fold of
// these.
type Tensor struct {
	X      any // a slice of type []T whose element 0 is at place 0
	Memory Memory
	Format Format
	// Kept are the loops over the results, and Walked those over the values of one, the outermost first. The value of
	// result k and item i is at the place that k comes to in Kept and i in Walked, together. The location of item i is i.
	Kept, Walked []Loop
	Grid         space.Grid // of the items of a result, of which there is one at least
	Columns      []Result   // Layout is never empty
}

// A Loop is the extent of a dimension and how many elements apart its neighbours are.
type Loop struct{ Extent, Stride int }

// A Format is what a value is, where it is not a number of its type in Go.
type Format uint8

// The formats, and what values of them are converted to before they are folded.
const (
	Plain    Format = iota
	Float16         // of IEEE 754, in 16 bits: float32
	BFloat16        // the upper half of a float32: float32
	Single          // a float32: float64
)
