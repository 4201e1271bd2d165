package tensor

import (
	"context"
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/brief"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A Source is a tensor, the dimensions over which [Reduce] reduces it, and how. It is made
// by [Over]; its methods return changed copies.
type Source[T any] struct {
	settings
	open func() reader[T] // makes what one worker reads with
}

// settings are what a source has besides its values.
type settings struct {
	name     fmt.Stringer // the view, for messages
	elements int          // the product of the extents, but 0 for the zero view
	extents  []int
	strides  []int
	reduced  []bool // by dimension
	in       views.MemorySpace
	region   memory.Region
	far      far
	freed    func() bool // the memory was
	strategy Strategy
	chunk    int
	on       policy.Launch
	err      error
}

// A Strategy says how the work is split among workers. It does not change a bit.
type Strategy uint8

// The strategies, named as in Composable Kernel.
const (
	// Auto lets the shape decide: Blockwise if there are few results, each of many
	// elements.
	Auto Strategy = iota
	// Blockwise splits the elements of each result: for few, long reductions.
	Blockwise
	// Threadwise splits the results: for many, short reductions.
	Threadwise
)

// String returns "auto", "blockwise" or "threadwise".
func (s Strategy) String() string {
	if s > Threadwise {
		return fmt.Sprintf("Strategy(%d)", uint8(s))
	}
	return [...]string{"auto", "blockwise", "threadwise"}[s]
}

// Over returns the source of the elements of x, reduced over some of its dimensions: none,
// all, or any others. Those that are left are the dimensions of the results.
//
// The order of dims does not matter. The elements of a result are numbered in the order of
// the view's dimensions, the last one fastest, and [Index] gives these numbers:
// Over(x, 2, 1, 0) is Over(x, 0, 1, 2). To number them otherwise, permute the view.
//
// A dimension that x does not have, or that is given twice, is an error of [Reduce]. A zero
// view has none, and no elements: its result is the identity.
func Over[T any](x views.Viewer[T], dims ...int) Source[T] {
	if x == nil {
		return Source[T]{settings: settings{err: fmt.Errorf("tensor: Over was given a nil view of %T", *new(T))}}
	}
	v := views.As(x)
	s := settings{name: v, in: v.MemorySpace(), elements: v.Len(), extents: v.Extents()}
	view := any(v)
	elements := memory.Elements[T](view) // only launches touch it
	s.far = farOf(v)
	s.region, s.freed = memory.Located(view), func() bool { return memory.Freed(view) }
	s.reduced = make([]bool, v.Rank())
	for d := range v.Rank() {
		s.strides = append(s.strides, v.Stride(d))
	}
	for _, d := range dims {
		switch {
		case v.Rank() == 0:
			s = s.fail("dimensions %v of %v, expected none", brief.List(dims), v)
		case d < 0 || d >= v.Rank():
			s = s.fail("dimensions %v of %v: %d, expected 0 to %d", brief.List(dims), v, d, v.Rank()-1)
		case s.reduced[d]:
			s = s.fail("dimensions %v of %v: %d is there twice", brief.List(dims), v, d)
		default:
			s.reduced[d] = true
		}
	}
	var data reader[T] = direct[T](elements) // one for all, as it is only read
	return Source[T]{s, func() reader[T] { return data }}
}

// Map returns the source of the values f(x) of the values x of s. f is called once for
// each element, whatever the number of reductions; see [FoldMap] for a function of one.
func Map[T, V any](s Source[T], f func(x T) V) Source[V] {
	if f == nil {
		s.settings = s.fail("Map was given a nil function")
	}
	x := s.far.converted(any(f))
	v := MapSlice(s, eachOf(f).set)
	v.far = x
	return v
}

// MapSlice is [Map] with a function that owns the loop: it sets dst[k] to what it makes of
// src[k], for all k. It must not keep the slices, and the old content of dst is arbitrary.
func MapSlice[T, V any](s Source[T], f func(dst []V, src []T)) Source[V] {
	if f == nil {
		s.settings = s.fail("MapSlice was given a nil function")
	}
	var open func() reader[V] // nil if that of s is
	if s.open != nil {
		open = func() reader[V] { return &mapped[T, V]{from: s.open(), f: f} }
	}
	s.far = s.far.converted(any(f))
	return Source[V]{s.settings, open}
}

// On carries the execution space to launch on; nil means the default one.
func (s Source[T]) On(space exec.Space) Source[T] { s.on = s.on.On(space); return s }

// WithContext carries a context that can cancel the launch; see [policy.Launch.WithContext].
func (s Source[T]) WithContext(ctx context.Context) Source[T] { s.on = s.on.WithContext(ctx); return s }

// WithLabel names the launch; see [policy.Launch.WithLabel].
func (s Source[T]) WithLabel(label string) Source[T] { s.on = s.on.WithLabel(label); return s }

// With carries what launches carry; see [policy.Launch.With].
func (s Source[T]) With(on ...policy.Launch) Source[T] { s.on = s.on.With(on...); return s }

// WithStrategy forces a strategy.
func (s Source[T]) WithStrategy(strategy Strategy) Source[T] {
	if strategy > Threadwise {
		s.settings = s.fail("%v, expected Auto, Blockwise or Threadwise", strategy)
	}
	s.strategy = strategy
	return s
}

// Chunk asks for that many elements per leaf of the reduction tree of a result, rounded up
// to a power of two, as [policy.RangePolicy.Chunk] does; 0 leaves it to the rule. It is part
// of what decides the bits of a floating-point result.
func (s Source[T]) Chunk(items int) Source[T] {
	if items < 0 {
		s.settings = s.fail("a chunk of %d items, expected at least 1, or 0 for the rule's own", items)
	}
	s.chunk = items
	return s
}

// fail returns s with an error, unless it has one.
func (s settings) fail(format string, args ...any) settings {
	if s.err == nil {
		s.err = fmt.Errorf("tensor: "+format, args...)
	}
	return s
}

// A reader reads values of a tensor. Each worker has its own.
type reader[T any] interface {
	// read returns the n values from a place on that are stride apart: in place, or in
	// buf, which has room for them. They are good until the next call.
	read(place, stride, n int, buf []T) []T
}

// direct reads memory as it is.
type direct[T any] []T

func (x direct[T]) read(place, stride, n int, buf []T) []T {
	if stride == 1 || n == 1 {
		return x[place : place+n]
	}
	buf = buf[:n]
	for k := range buf {
		buf[k] = x[place]
		place += stride
	}
	return buf
}

// mapped reads what f makes of values.
type mapped[T, V any] struct {
	from reader[T]
	f    func(dst []V, src []T)
	buf  []T
}

func (m *mapped[T, V]) read(place, stride, n int, buf []V) []V {
	if len(m.buf) < n {
		m.buf = make([]T, n)
	}
	m.f(buf[:n], m.from.read(place, stride, n, m.buf))
	return buf[:n]
}
