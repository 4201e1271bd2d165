package folds

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
)

// computed are values that a function computes.
type computed[T any] interface {
	// AppendItems appends text that differs if the indices of the values differ by more than the first
	// index.
	AppendItems(buf []byte) []byte
	Open(workers int, g space.Grid) values[T]
}

// values returns the values of items begin to end-1, or fewer if the launch is cancelled. They are valid
// until the same worker calls it again. A call is for at most FoldItems items.
type values[T any] func(w *launch.Walk, begin, end int) []T

// A mapLoop is the loop over the items of a leaf that sets dst to their values, for functors of one
// form.
type mapLoop[T any] interface {
	Runs(w *launch.Walk, dst []T, runs []policy.Run) // the indices of all of these
}

// A mapSpan is the loop of a functor that takes an integer.
type mapSpan[T any] interface {
	Span(w *launch.Walk, dst []T, begin int) // the integers from begin on
}

// newMapLoop returns the loop of a functor.
func newMapLoop[I, T, P any](f func(i I) T) mapLoop[T] {
	if f, ok := any(f).(func(int) T); ok {
		if code, ok := typed.As[compiled.Values[T]](compiled.Of(f)); ok {
			return &compiledValues[T]{f, code}
		}
		return mapInts[T](f)
	}
	if code, ok := typed.As[compiled.ValuesRuns[T]](compiled.Of(f)); ok && items.KindOf[I, P]().TakesRuns() {
		return &compiledValuesRuns[I, T]{f, code}
	}
	return mapEach[I, T](f)
}

// mapped are the values of Map.
type mapped[I, T any, P items.Policy[I]] struct {
	p     P
	plan  policy.Plan
	first int
	f     func(i I) T
	loop  mapLoop[T]
}

func (m *mapped[I, T, P]) AppendItems(buf []byte) []byte { return items.AppendPolicy(buf, m.p) }

func (m *mapped[I, T, P]) IndexOf(item int) string {
	var x items.Items
	new(items.PointsOf[I, P]).Of(&x, m.p, &m.plan)
	return x.IndexOf(item)
}

func (m *mapped[I, T, P]) Open(workers int, g space.Grid) values[T] {
	var x items.Items
	new(items.PointsOf[I, P]).Of(&x, m.p, &m.plan)
	x.Open(workers, g)
	var buf items.Buffers[T]
	buf.Open(workers, min(launch.FoldItems, g.Leaf))
	return func(w *launch.Walk, begin, end int) []T {
		dst := buf.Room(w.Worker, end-begin)
		n := 0
		for x.Plain && begin < end {
			to := w.UpTo(begin, end)
			if to == begin {
				return dst[:n]
			}
			m.loop.(mapSpan[T]).Span(w, dst[n:n+to-begin], m.first+begin)
			n += to - begin
			begin = to
		}
		for begin < end {
			runs, block, rest := x.Part(w, begin, end)
			if runs != nil {
				m.loop.Runs(w, dst[n:n+rest-begin], runs)
				n += rest - begin
			}
			n += mapEach[I, T](m.f).Block(w, dst[n:], block)
			begin = rest
		}
		return dst[:n]
	}
}

// filled are the values of Fill.
type filled[T any] struct {
	first int
	f     func(s policy.Span, dst []T)
}

func (*filled[T]) AppendItems(buf []byte) []byte { return append(buf, "filled"...) }

func (v *filled[T]) Open(workers int, g space.Grid) values[T] {
	var buf items.Buffers[T]
	buf.Open(workers, min(launch.FoldItems, g.Leaf))
	return func(w *launch.Walk, begin, end int) []T {
		if w.Cancelled() {
			return nil
		}
		dst := buf.Room(w.Worker, end-begin)
		v.f(policy.Span{Begin: v.first + begin, End: v.first + end}, dst)
		return dst
	}
}
