package folds

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
)

// compiledValues is the loop of a compiled functor that returns the value of an integer.
type compiledValues[T any] struct {
	f    func(int) T
	code compiled.Values[T]
}

func (c *compiledValues[T]) Span(w *launch.Walk, dst []T, i int) {
	for len(dst) > 0 {
		next := i + c.code.Values(i, dst)
		to := loops.Resume(c.f, next, i, i+len(dst), i)
		mapInts[T](c.f).Span(w, dst[next-i:to-i], next)
		dst, i = dst[to-i:], to
	}
}

func (c *compiledValues[T]) Runs(w *launch.Walk, dst []T, runs []policy.Run) {
	for n := range runs {
		r := &runs[n]
		c.Span(w, dst[:r.Len], r.At[0])
		dst = dst[r.Len:]
	}
}

// compiledValuesRuns is the loop of a compiled functor that returns the value of a point.
type compiledValuesRuns[I, T any] struct {
	mapEach[I, T]
	code compiled.ValuesRuns[T]
}

func (c *compiledValuesRuns[I, T]) Runs(w *launch.Walk, dst []T, runs []policy.Run) {
	for len(runs) > 0 {
		n := c.code.Runs(runs, dst)
		if uint(n) > uint(len(dst)) {
			panic(launch.Breach("exec: the loop of %v returned %d values of %d items", device.Functor{Func: c.mapEach}, n, len(dst)))
		}
		if dst = dst[n:]; len(dst) == 0 {
			return
		}
		for ; n >= runs[0].Len; runs = runs[1:] {
			n -= runs[0].Len
		}
		items.Advance(&runs[0], n)
		alone := runs[0]
		alone.Len = min(loops.AloneItems, alone.Len)
		c.mapEach.Runs(w, dst[:alone.Len], items.One(&alone))
		dst = dst[alone.Len:]
		if items.Advance(&runs[0], alone.Len); runs[0].Len == 0 {
			runs = runs[1:]
		}
	}
}
