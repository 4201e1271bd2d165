package exec

import (
	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
)

// computed are values that are not in memory.
type computed[T any] interface {
	// appendItems appends text that differs where values have other indices, as far as that is more than the first.
	appendItems(buf []byte) []byte
	open(workers int, g space.Grid) values[T]
}

// values returns the values of items begin to end, which are good until the same worker
// asks again, or fewer if the launch is cancelled. They are at most foldItems unless the
// source is whole.
type values[T any] func(w *walk, begin, end int) []T

// A mapLoop is the loop over the items of a leaf that sets dst to their values, for functors
// of one form.
type mapLoop[T any] interface {
	runs(w *walk, dst []T, runs []policy.Run) // the indices of all of these
}

// A mapSpan is the loop of a functor that gets an integer.
type mapSpan[T any] interface {
	span(w *walk, dst []T, begin int) // the integers from begin on
}

// newMapLoop returns the loop of a functor.
func newMapLoop[I, T, P any](f func(i I) T) mapLoop[T] {
	if f, ok := any(f).(func(int) T); ok {
		if code, ok := typed.As[compiled.Values[T]](compiled.Of(f)); ok {
			return &compiledValues[T]{f, code}
		}
		return mapInts[T](f)
	}
	if code, ok := typed.As[compiled.ValuesRuns[T]](compiled.Of(f)); ok && kindOf[I, P]().takesRuns() {
		return &compiledValuesRuns[I, T]{f, code}
	}
	return mapEach[I, T](f)
}

// mapInts is the loop of a functor that gets an integer.
type mapInts[T any] func(i int) T

// span is unrolled, see forInts.
func (f mapInts[T]) span(w *walk, dst []T, i int) {
	w.form = atInt
	for ; len(dst) >= 4; dst = dst[4:] {
		four := (*[4]T)(dst)
		w.i = i
		four[0] = f(i)
		w.i = i + 1
		four[1] = f(i + 1)
		w.i = i + 2
		four[2] = f(i + 2)
		w.i = i + 3
		four[3] = f(i + 3)
		i += 4
	}
	for n := range dst {
		w.i = i + n
		dst[n] = f(i + n)
	}
	w.form = nowhere
}

func (f mapInts[T]) runs(w *walk, dst []T, runs []policy.Run) {
	for n := range runs {
		r := &runs[n]
		f.span(w, dst[:r.Len], r.At[0])
		dst = dst[r.Len:]
	}
}

// mapEach is the loop of a functor that gets an index.
type mapEach[I, T any] func(i I) T

// block sets dst to the values of some indices, and returns how many they are.
func (f mapEach[I, T]) block(w *walk, dst []T, b block) int {
	w.atBlock(b)
	for n, i := range indicesOf[I](b) {
		w.i = n
		dst[n] = f(i)
	}
	w.leaveBlock()
	return b.n
}

// runs is unrolled, see forInts.
func (f mapEach[I, T]) runs(w *walk, dst []T, runs []policy.Run) {
	atPoints[I](w)
	for n := range runs {
		at, x := pointAt[I](w, &runs[n])
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
	w.form = nowhere
}

// mapped are the values of Map.
type mapped[I, T any, P Policy[I]] struct {
	p     P
	plan  policy.Plan
	first int
	f     func(i I) T
	loop  mapLoop[T]
}

func (m *mapped[I, T, P]) appendItems(buf []byte) []byte { return appendPolicy(buf, m.p) }

func (m *mapped[I, T, P]) indexOf(item int) string {
	var x items
	new(pointsOf[I, P]).of(&x, m.p, &m.plan)
	return x.indexOf(item)
}

func (m *mapped[I, T, P]) open(workers int, g space.Grid) values[T] {
	var x items
	new(pointsOf[I, P]).of(&x, m.p, &m.plan)
	x.open(workers, g)
	var buf buffers[T]
	buf.open(workers, min(foldItems, g.Leaf))
	return func(w *walk, begin, end int) []T {
		dst := buf.room(w.worker, end-begin)
		n := 0
		for x.plain && begin < end {
			to := w.upTo(begin, end)
			if to == begin {
				return dst[:n]
			}
			m.loop.(mapSpan[T]).span(w, dst[n:n+to-begin], m.first+begin)
			n += to - begin
			begin = to
		}
		for begin < end {
			runs, block, rest := x.part(w, begin, end)
			if runs != nil {
				m.loop.runs(w, dst[n:n+rest-begin], runs)
				n += rest - begin
			}
			n += mapEach[I, T](m.f).block(w, dst[n:], block)
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

func (*filled[T]) appendItems(buf []byte) []byte { return append(buf, "filled"...) }

func (v *filled[T]) open(workers int, g space.Grid) values[T] {
	var buf buffers[T]
	buf.open(workers, min(foldItems, g.Leaf))
	return func(w *walk, begin, end int) []T {
		if w.cancelled() {
			return nil
		}
		dst := buf.room(w.worker, end-begin)
		v.f(policy.Span{Begin: v.first + begin, End: v.first + end}, dst)
		return dst
	}
}
