package exec

import (
	"fmt"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// compiledValues is the loop of a functor that is compiled and returns the value of an index.
type compiledValues[T any] struct {
	f    func(int) T
	code compiled.Values[T]
}

func (c *compiledValues[T]) span(w *walk, dst []T, i int) {
	for len(dst) > 0 {
		next := i + c.code.Values(i, dst)
		to := resume(c.f, next, i, i+len(dst), i)
		mapInts[T](c.f).span(w, dst[next-i:to-i], next)
		dst, i = dst[to-i:], to
	}
}

func (c *compiledValues[T]) runs(w *walk, dst []T, runs []policy.Run) {
	for n := range runs {
		r := &runs[n]
		c.span(w, dst[:r.Len], r.At[0])
		dst = dst[r.Len:]
	}
}

// compiledValuesRuns is the loop of a functor that is compiled and returns the value of a point.
type compiledValuesRuns[I, T any] struct {
	mapEach[I, T]
	code compiled.ValuesRuns[T]
}

func (c *compiledValuesRuns[I, T]) runs(w *walk, dst []T, runs []policy.Run) {
	for len(runs) > 0 {
		n := c.code.Runs(runs, dst)
		if uint(n) > uint(len(dst)) {
			panic(breach{fmt.Errorf("exec: the loop of %v returned %d values of %d items", space.Functor{Func: c.mapEach}, n, len(dst))})
		}
		if dst = dst[n:]; len(dst) == 0 {
			return
		}
		for ; n >= runs[0].Len; runs = runs[1:] {
			n -= runs[0].Len
		}
		advance(&runs[0], n)
		alone := runs[0]
		alone.Len = min(aloneItems, alone.Len)
		c.mapEach.runs(w, dst[:alone.Len], one(&alone))
		dst = dst[alone.Len:]
		if advance(&runs[0], alone.Len); runs[0].Len == 0 {
			runs = runs[1:]
		}
	}
}
