package exec

import (
	"errors"
	"fmt"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
)

// A Source is a policy and the value that each of its items has, what
// [ParallelFold] reads. It is made by [Slice], [Products], [Map] or [Fill].
type Source[T any] struct {
	plan   policy.Plan
	first  int // the number by which reducers know item 0
	f      any // the function that the values come from, or nil
	made   bool
	slice  []T         // the values of all items, or those from item before on, or one factor of each
	other  []T         // the other factor
	times  times[T]    // what multiplies them, or nil
	values computed[T] // what computes the values, or nil
	before int         // items that have no values in this process
	part   bool        // slice and other are of some of the items only

	memory space.Memory // that slice and other are in, if the host cannot touch it
	keeps  any          // what keeps that
}

// computed are values that are not in memory.
type computed[T any] interface {
	// appendItems appends text that differs where values have other indices, as far as that is more than the first.
	appendItems(buf []byte) []byte
	open(workers int, g space.Grid) values[T]
}

// times multiplies slices of one length, each product rounded.
type times[T any] interface{ mul(dst, x, y []T) }

type rounded[T ~float32 | ~float64] struct{}

func (rounded[T]) mul(dst, x, y []T) { simd.Mul(dst, x, y) }

// values returns the values of items begin to end, which are good until the same worker
// asks again, or fewer if the launch is cancelled. They are at most foldItems unless the
// source is whole.
type values[T any] func(w *walk, begin, end int) []T

// Slice returns the source of the elements x[i] for the indices i of p.
func Slice[T any](p policy.RangePolicy, x []T) Source[T] {
	plan := p.Plan()
	first := firstOf(p)
	if end := first + plan.Items; plan.Err == nil && (first < 0 || end > len(x)) {
		plan.Err = fmt.Errorf("exec: Slice over Range(%d, %d) of a slice of length %d, expected 0 <= begin <= end <= %d", first, end, len(x), len(x))
	}
	s := Source[T]{plan: plan, first: first, made: true}
	if plan.Err == nil {
		s.slice = x[first:]
	}
	return s
}

// Products returns the source of the products x[i]*y[i] for the indices i of p, each
// rounded before a fold sees it: their sum is the dot product of x and y, with the bits
// of *acc += float64(x[i]*y[i]) in a functor.
func Products[T ~float32 | ~float64](p policy.RangePolicy, x, y []T) Source[T] {
	plan := p.Plan()
	first := firstOf(p)
	if end := first + plan.Items; plan.Err == nil && (first < 0 || end > min(len(x), len(y))) {
		plan.Err = fmt.Errorf("exec: Products over Range(%d, %d) of slices of lengths %d and %d, expected 0 <= begin <= end <= %d", first, end, len(x), len(y), min(len(x), len(y)))
	}
	s := Source[T]{plan: plan, first: first, made: true, times: rounded[T]{}}
	if plan.Err == nil {
		s.slice, s.other = x[first:first+plan.Items], y[first:first+plan.Items]
	}
	return s
}

// In returns the source of values in a memory that the host cannot touch: s is a [Slice] or [Products] of
// addresses in it, which nobody has looked at. A [space.MemoryFolder] folds them, and on other spaces a fold is
// an error. The memory must be there as long as something refers to keep.
func (s Source[T]) In(m space.Memory, keep any) Source[T] {
	if s.plan.Err == nil && (s.values != nil || s.part) {
		s.plan.Err = errors.New("exec: In of a source that is no Slice and no Products")
	}
	s.memory, s.keeps = m, keep
	return s
}

// far panics with the error of a launch that is to read what the host cannot touch.
func (s *Source[T]) far() {
	panic(breach{fmt.Errorf("exec: the values are in the memory of %v, and the space runs items on the host, expected a space that folds values there", s.memory)})
}

// PartOf returns the source of the values of all indices of p, of which this process has those of
// here: they are the values of s, a [Slice] or [Products] of as many items. It is for spaces over
// several processes, each of which runs the items whose values it has. An item that runs in this
// process and has no value is an error of the launch. The bits are those of all values in one
// source.
func (s Source[T]) PartOf(p policy.RangePolicy, here policy.Span) Source[T] {
	err := s.plan.Err
	switch {
	case err != nil:
	case s.values != nil || s.part:
		err = errors.New("exec: PartOf of a source that is no Slice and no Products")
	case s.memory != nil:
		err = fmt.Errorf("exec: PartOf of values in the memory of %v, expected them on the host", s.memory)
	case s.plan.Items != here.Len():
		err = fmt.Errorf("exec: PartOf of the indices %d to %d of a source of %d items, expected %d", here.Begin, here.End, s.plan.Items, here.Len())
	}
	items := s.plan.Items
	s.plan, s.first = p.Plan(), firstOf(p)
	if s.plan.Err == nil {
		s.plan.Err = err
	}
	if err == nil {
		s.slice = s.slice[:items]
	}
	s.before, s.part = here.Begin-s.first, true
	return s
}

// has reports whether items of a part have their values in this process.
func (s *Source[T]) has(begin, end int) bool {
	return begin >= s.before && end <= s.before+len(s.slice)
}

// here panics with the error of a launch in which items run that have no value in this process.
func (s *Source[T]) here(begin, end int) {
	if !s.has(begin, end) {
		first := s.first + s.before
		panic(breach{fmt.Errorf("exec: the values of indices %d to %d are to be folded in this process, which has those of %d to %d", s.first+begin, s.first+end, first, first+len(s.slice))})
	}
}

// Map returns the source of the values f(i) for the indices i of p, one for
// each item. f is called once per item.
func Map[Index, T any, P Policy[Index]](p P, f func(i Index) T) Source[T] {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	plan.Err = refuseTeams("Map", plan)
	switch {
	case plan.Err != nil:
	case f == nil:
		plan.Err = errNilFunctor
	case plan.Whole:
		plan.Err = fmt.Errorf("exec: Map over a %T, whose index is a whole span; expected one index per item, or Fill", p)
	}
	first, _ := firstIndex(&p)
	called := f
	if plan.Err == nil && watches(plan.Space) {
		called = watchedMap(f)
	}
	return Source[T]{plan: plan, first: first, f: f, made: true, values: &mapped[Index, T, P]{p, plan, first, called, newMapLoop[Index, T, P](called)}}
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

// Fill returns the source of the values that f writes: dst[k] is the value of
// index s.Begin+k. f must write all of dst, whose old content is arbitrary.
func Fill[T any](p policy.RangePolicy, f func(s policy.Span, dst []T)) Source[T] {
	plan := p.Plan()
	if f == nil && plan.Err == nil {
		plan.Err = errNilFunctor
	}
	first := firstOf(p)
	called := f
	if plan.Err == nil && watches(plan.Space) {
		called = watchedFill(f)
	}
	return Source[T]{plan: plan, first: first, f: f, made: true, values: &filled[T]{first, called}}
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

// firstIndex returns the index of item 0 of a policy whose items are located by
// their index, and 0 of any other, whose items are located by their number.
func firstIndex[P any](p *P) (first int, located bool) {
	if r, ok := any(p).(*policy.RangePolicy); ok {
		return firstOf(*r), true
	}
	if r, ok := any(*p).(policy.RangePolicy); ok { // P is an interface
		return firstOf(r), true
	}
	return 0, false
}

// firstOfSpans returns the integer of item 0 of a [policy.SpansPolicy], and 0 of any other policy.
func firstOfSpans[P any](p *P) (first int, ok bool) {
	s, ok := any(p).(*policy.SpansPolicy)
	if !ok {
		spans, ok := any(*p).(policy.SpansPolicy) // P is an interface
		if !ok {
			return 0, false
		}
		s = &spans
	}
	var one [1]policy.Span
	s.Next(0, 1, one[:])
	return one[0].Begin, true
}

// firstOf returns the index of item 0.
func firstOf(p policy.RangePolicy) int {
	var at [1]int
	p.Next(0, 1, at[:])
	return at[0]
}
