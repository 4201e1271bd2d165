package loops

import (
	"github.com/gokkos/gokkos/exec/internal/launch"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
)

// A Code is the loop of a compiled functor, see package kernel, with the types of the accumulators hidden. It
// joins into the lanes of the worker.
type Code interface {
	// spans reports whether the code runs integers, and boxes whether it runs runs.
	spans() bool
	boxes() bool
	// Span runs the integers begin to end-1, the first of which is item item. It returns the first integer
	// that it has not run.
	Span(w *launch.Walk, begin, end, item int) (next int)
	// Runs runs runs from item item on, over leaves of leaf items. The worker has the lanes of the first
	// item's leaf. It returns the number of runs done, and of items done of the next run.
	Runs(w *launch.Walk, runs []policy.Run, item, leaf int) (done, items int)
	// leaves returns the loop that runs several leaves of integers in one call, or nil.
	leaves() codeOfLeaves
	// loop returns the loop, as what it is.
	loop() any
}

// codeOfLeaves is a [compiled.ReduceLeaves] with the type of the accumulator hidden.
type codeOfLeaves interface {
	joins() compiled.Op
	leaves(begin, end, leaf int, all, sums reduce.Lanes) (next int)
}

// codeFor is the code of a functor without accumulators.
type codeFor struct {
	code  compiled.For
	inRun compiled.ForRuns
	lanes int // items that it runs at a time
}

// of finds the code of a functor, and reports whether there is any.
func (c *codeFor) of(f any) bool {
	found := compiled.Of(f)
	if found == nil {
		return false
	}
	c.code, _ = found.(compiled.For)
	c.inRun, _ = found.(compiled.ForRuns)
	c.lanes = 1
	if l, ok := found.(interface{ Lanes() int }); ok {
		c.lanes = l.Lanes()
	}
	return true
}

func (c *codeFor) spans() bool          { return c.code != nil }
func (c *codeFor) boxes() bool          { return c.inRun != nil }
func (c *codeFor) leaves() codeOfLeaves { return nil }
func (c *codeFor) loop() any            { return oneOf(c.code, c.inRun) }

// oneOf returns x, or y if x is nil.
func oneOf(x, y any) any {
	if x == nil {
		return y
	}
	return x
}

func (c *codeFor) Span(_ *launch.Walk, begin, end, _ int) (next int) { return c.code.Span(begin, end) }

func (c *codeFor) Runs(_ *launch.Walk, runs []policy.Run, _, _ int) (done, items int) {
	return c.inRun.Runs(runs)
}

// Code1 is the code of a functor with one accumulator. It calls methods through interfaces of their types: a
// linker drops methods that nothing calls so.
type Code1[A any] struct {
	code  compiled.Reduce[A]
	inRun compiled.ReduceRuns[A]
	whole wholeLeaves[A]
}

// Of sets c to the code of f and returns c, or nil if there is none.
func (c *Code1[A]) Of(f any) Code {
	found := compiled.Of(f)
	if found == nil {
		return nil
	}
	c.code, _ = typed.As[compiled.Reduce[A]](found)
	c.inRun, _ = typed.As[compiled.ReduceRuns[A]](found)
	c.whole.code, _ = typed.As[compiled.ReduceLeaves[A]](found)
	return c
}

func (c *Code1[A]) spans() bool { return c.code != nil }
func (c *Code1[A]) boxes() bool { return c.inRun != nil }
func (c *Code1[A]) loop() any   { return oneOf(c.code, c.inRun) }

func (c *Code1[A]) leaves() codeOfLeaves {
	if c.whole.code == nil {
		return nil
	}
	return &c.whole
}

func (c *Code1[A]) Span(w *launch.Walk, begin, end, item int) (next int) {
	return c.code.Span(begin, end, item, reduce.Of[A](w.Lanes[0]))
}

func (c *Code1[A]) Runs(w *launch.Walk, runs []policy.Run, item, leaf int) (done, items int) {
	return c.inRun.Runs(runs, item, leaf, reduce.Of[A](w.Lanes[0]))
}

// wholeLeaves implements codeOfLeaves for accumulators of type A.
type wholeLeaves[A any] struct{ code compiled.ReduceLeaves[A] }

func (c *wholeLeaves[A]) joins() compiled.Op { return c.code.Joins() }

func (c *wholeLeaves[A]) leaves(begin, end, leaf int, all, sums reduce.Lanes) (next int) {
	var into []A
	if sums.At != nil {
		into = reduce.Of[A](sums)
	}
	return c.code.Leaves(begin, end, leaf, all.N, reduce.All[A](all), into)
}
