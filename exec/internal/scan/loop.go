package scan

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
)

// A scanLoop runs a block of indices that the policy has listed one by one.
type scanLoop interface {
	Block(w *launch.Walk, b launch.Block, a loops.Accumulator, final bool)
}

// scanInts is the loop of a functor that gets an integer.
type scanInts func(i int, a loops.Accumulator, final bool)

func (f scanInts) Span(w *launch.Walk, i, end int, a loops.Accumulator, final bool) {
	w.Form = launch.AtInt
	for ; i < end; i++ {
		w.I = i
		f(i, a, final)
	}
	w.Form = launch.Nowhere
}

func (f scanInts) Block(w *launch.Walk, b launch.Block, a loops.Accumulator, final bool) {
	scanEach[int](f).Block(w, b, a, final)
}

// scanEach is the loop of a functor that gets an index.
type scanEach[I any] func(i I, a loops.Accumulator, final bool)

func (f scanEach[I]) Block(w *launch.Walk, b launch.Block, a loops.Accumulator, final bool) {
	w.AtBlock(b)
	for n, i := range launch.IndicesOf[I](b) {
		w.I = n
		f(i, a, final)
	}
	w.LeaveBlock()
}

// erasedScan returns a functor with the type of its accumulator hidden, see loops.Accumulator.
func erasedScan[I, A any](f func(I, *A, bool)) func(I, loops.Accumulator, bool) {
	return *(*func(I, loops.Accumulator, bool))(unsafe.Pointer(&f))
}
