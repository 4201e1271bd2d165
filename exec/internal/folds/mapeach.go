package folds

import (
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// mapInts is the loop of a functor that gets an integer.
type mapInts[T any] func(i int) T

// Span is unrolled for the reason that forInts of package loops gives.
func (f mapInts[T]) Span(w *launch.Walk, dst []T, i int) {
	w.Form = launch.AtInt
	for ; len(dst) >= 4; dst = dst[4:] {
		four := (*[4]T)(dst)
		w.I = i
		four[0] = f(i)
		w.I = i + 1
		four[1] = f(i + 1)
		w.I = i + 2
		four[2] = f(i + 2)
		w.I = i + 3
		four[3] = f(i + 3)
		i += 4
	}
	for n := range dst {
		w.I = i + n
		dst[n] = f(i + n)
	}
	w.Form = launch.Nowhere
}

func (f mapInts[T]) Runs(w *launch.Walk, dst []T, runs []policy.Run) {
	for n := range runs {
		r := &runs[n]
		f.Span(w, dst[:r.Len], r.At[0])
		dst = dst[r.Len:]
	}
}

// mapEach is the loop of a functor that gets an index.
type mapEach[I, T any] func(i I) T

// Block sets dst to the values of the indices of a block, and returns their number.
func (f mapEach[I, T]) Block(w *launch.Walk, dst []T, b launch.Block) int {
	w.AtBlock(b)
	for n, i := range launch.IndicesOf[I](b) {
		w.I = n
		dst[n] = f(i)
	}
	w.LeaveBlock()
	return b.N
}

// Runs is unrolled for the reason that forInts of package loops gives.
func (f mapEach[I, T]) Runs(w *launch.Walk, dst []T, runs []policy.Run) {
	launch.AtPoints[I](w)
	for n := range runs {
		at, x := launch.PointAt[I](w, &runs[n])
		i, end := *x, *x+runs[n].Len
		for ; end-i >= 4; i += 4 {
			four := (*[4]T)(dst)
			*x = i
			four[0] = f(*at)
			*x = i + 1
			four[1] = f(*at)
			*x = i + 2
			four[2] = f(*at)
			*x = i + 3
			four[3] = f(*at)
			dst = dst[4:]
		}
		for ; i < end; i++ {
			*x = i
			dst[0] = f(*at)
			dst = dst[1:]
		}
	}
	w.Form = launch.Nowhere
}
