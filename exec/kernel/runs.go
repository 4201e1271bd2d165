package kernel

import "github.com/gokkos/gokkos/policy"

// ForRuns is the loop of a functor whose index has several coordinates, such as a func(at
// policy.Index2), or is a row of these, such as a func(r policy.Row[policy.Index2]).
type ForRuns interface {
	// Runs runs the functor's work for the items of runs, which all grow along the same
	// dimension, and returns how many runs it has done, and how many items of the run behind
	// these. What follows must be left to the functor; nothing of it has been done. See [For] for
	// what holds of the effects and of the time that it takes.
	//
	// A functor of rows gets a run as a whole: of such a one items is 0.
	Runs(runs []policy.Run) (done, items int)
}

// ForPlanes is a ForRuns that runs the rows of planes together, where that is faster than to run them one by
// one.
type ForPlanes interface {
	ForRuns
	// Planes runs the functor's work for the items of planes, which all grow along the same dimensions, and
	// returns how many planes it has done, and how many rows of the plane behind these. What follows must be
	// left to Runs; nothing of it has been done. It may do nothing where Runs would.
	Planes(planes []policy.Plane) (done, rows int)
}

// ReduceRuns is a ForRuns with an accumulator.
type ReduceRuns[A any] interface {
	// Runs joins the contributions of the items of runs into lanes: the first of runs[0] has
	// that number, and item k of the launch has the accumulator a[k&(len(a)-1)], as in [Reduce],
	// up to the end of its leaf. Leaves have that many items, a power of two; each has as many lanes,
	// which lie behind those of the leaf before, see [NextLeaf]. Runs may stop in front of a leaf, and is
	// called again for that one then.
	//
	// A functor of rows has the accumulator a[0], and gets the runs of one leaf.
	Runs(runs []policy.Run, item, leaf int, a []A) (done, items int)
}

// ReduceRuns2 is [ReduceRuns] with two accumulators, which need not have as many lanes as each other.
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

// NextLeaf returns the lanes of the leaf behind that with the lanes a: they are in the array of a, or there is no such
// leaf, and no lane.
func NextLeaf[A any](a []A) []A { return a[len(a):min(2*len(a), cap(a))] }
