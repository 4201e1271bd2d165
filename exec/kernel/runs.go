package kernel

import "github.com/gokkos/gokkos/policy"

// ForRuns is the loop of a functor whose index has several coordinates, such as a func(at
// policy.Index2). The index may also be a row of points, as in a func(r policy.Row[policy.Index2]).
type ForRuns interface {
	// Runs runs the functor's work for the items of runs, which all grow along the same dimension. It
	// returns how many runs are done, and how many items of the run behind them. The rest must be left
	// to the functor; nothing of it has been done. See [For] for the rules on effects and time.
	//
	// A functor of rows gets each run as a whole: items is 0.
	Runs(runs []policy.Run) (done, items int)
}

// ForPlanes is a ForRuns that can run the rows of planes together, if that is faster than row by row.
type ForPlanes interface {
	ForRuns
	// Planes runs the functor's work for the items of planes, which all grow along the same dimensions.
	// It returns how many planes are done, and how many rows of the plane behind them. The rest must be
	// left to Runs; nothing of it has been done. Planes may do nothing even if Runs would do something.
	Planes(planes []policy.Plane) (done, rows int)
}

// ReduceRuns is a ForRuns with an accumulator.
type ReduceRuns[A any] interface {
	// Runs joins the contributions of the items of runs into lanes. The first item of runs[0] has the
	// number item. Item k of the launch has the accumulator a[k&(len(a)-1)], as in [Reduce], up to the
	// end of its leaf. Leaves have leaf items, a power of two. Each leaf has as many lanes, which lie
	// behind the lanes of the leaf before, see [NextLeaf]. Runs may stop before a leaf; it is then
	// called again for that leaf.
	//
	// A functor of rows has the accumulator a[0], and gets the runs of one leaf.
	Runs(runs []policy.Run, item, leaf int, a []A) (done, items int)
}

// ReduceRuns2 is [ReduceRuns] with two accumulators, which may have different numbers of lanes.
type ReduceRuns2[A, B any] interface {
	Runs(runs []policy.Run, item, leaf int, a []A, b []B) (done, items int)
}

// ReduceRuns3 is [ReduceRuns2] with three accumulators.
type ReduceRuns3[A, B, C any] interface {
	Runs(runs []policy.Run, item, leaf int, a []A, b []B, c []C) (done, items int)
}

// ReduceRuns4 is [ReduceRuns2] with four accumulators.
type ReduceRuns4[A, B, C, D any] interface {
	Runs(runs []policy.Run, item, leaf int, a []A, b []B, c []C, d []D) (done, items int)
}

// NextLeaf returns the lanes of the next leaf, given the lanes a of a leaf. They follow a in its array;
// if there is no next leaf, NextLeaf returns no lanes.
func NextLeaf[A any](a []A) []A { return a[len(a):min(2*len(a), cap(a))] }
