package loops

import (
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// Gokkosc copies the bodies of some functors to loops as they stand. Such a loop has a method Each. It runs
// all items and panics as the functor does, so it takes the place of the loop that calls the functor. It
// notes each item first, because a panic tells the index of its item.

// A bodyOfInts runs the integers begin to end-1.
type bodyOfInts interface{ Each(at *int, begin, end int) }

// A bodyOfPoints runs the points of a run. Coordinate x of the point at grows from begin to end-1.
type bodyOfPoints[I any] interface {
	Each(at *I, x *int, begin, end int)
}

// A sumOfInts and a sumOfPoints have accumulators, in n[k] lanes from a[k] on. The first item is number item.
// The types of accumulators are hidden, so that programs have one loop for all types.
type (
	sumOfInts interface {
		Each(at *int, begin, end, item int, a *[4]Accumulator, n *[4]int)
	}
	sumOfPoints[I any] interface {
		Each(at *I, x *int, begin, end, item int, a *[4]Accumulator, n *[4]int)
	}
)

// lanesOf returns the lanes of a worker.
func lanesOf(w *launch.Walk) (a [4]Accumulator, n [4]int) {
	for k := range w.Lanes {
		a[k], n[k] = w.Lanes[k].At, w.Lanes[k].N
	}
	return a, n
}

// A bodyLoop is a Loop of integers with a functor's body. The embedded Loop calls the functor, for blocks.
type bodyLoop struct {
	Loop
	span func(w *launch.Walk, begin, end, item int)
}

func (l *bodyLoop) Span(w *launch.Walk, begin, end, item int) {
	w.Form = launch.AtInt
	l.span(w, begin, end, item)
	w.Form = launch.Nowhere
}

func (l *bodyLoop) Runs(w *launch.Walk, runs []policy.Run, item int) { runsOfInts(l, w, runs, item) }

// A bodyPoints is bodyLoop for points.
type bodyPoints[I any] struct {
	Loop
	run func(w *launch.Walk, at *I, x *int, end, item int)
}

func (l *bodyPoints[I]) Runs(w *launch.Walk, runs []policy.Run, item int) {
	launch.AtPoints[I](w)
	for n := range runs {
		at, x := launch.PointAt[I](w, &runs[n])
		l.run(w, at, x, *x+runs[n].Len, item)
		item += runs[n].Len
	}
	w.Form = launch.Nowhere
}

// bodyOf returns the loop with a functor's body, or nil if found is another loop. The argument alone is the
// loop that calls the functor.
func bodyOf(found any, alone Loop) Loop {
	switch b := found.(type) {
	case bodyOfInts:
		return &bodyLoop{alone, func(w *launch.Walk, begin, end, _ int) { b.Each(&w.I, begin, end) }}
	case bodyOfPoints[policy.Index2]:
		return pointsOf(b, alone)
	case bodyOfPoints[policy.Index3]:
		return pointsOf(b, alone)
	case bodyOfPoints[policy.Index4]:
		return pointsOf(b, alone)
	case sumOfInts:
		return &bodyLoop{alone, func(w *launch.Walk, begin, end, item int) {
			a, n := lanesOf(w)
			b.Each(&w.I, begin, end, item, &a, &n)
		}}
	case sumOfPoints[policy.Index2]:
		return sumsOf(b, alone)
	case sumOfPoints[policy.Index3]:
		return sumsOf(b, alone)
	case sumOfPoints[policy.Index4]:
		return sumsOf(b, alone)
	}
	return nil
}

func pointsOf[I any](b bodyOfPoints[I], alone Loop) Loop {
	return &bodyPoints[I]{alone, func(_ *launch.Walk, at *I, x *int, end, _ int) { b.Each(at, x, *x, end) }}
}

func sumsOf[I any](b sumOfPoints[I], alone Loop) Loop {
	return &bodyPoints[I]{alone, func(w *launch.Walk, at *I, x *int, end, item int) {
		a, n := lanesOf(w)
		b.Each(at, x, *x, end, item, &a, &n)
	}}
}
