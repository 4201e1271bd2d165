package views

import (
	"fmt"
	"iter"
	"unsafe"

	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/brief"
	"github.com/gokkos/gokkos/internal/hugepage"
)

// A View is a multi-dimensional array of rank 0 to 12: extents, a layout, and memory that
// it shares with the views made from it. Copying the value copies no elements. It is a
// Kokkos::DynRankView; [View2] and its like know their rank and are faster.
//
// A view of rank 0 has one element. A view with an extent of 0 has none, and all that
// is done with it is done to no elements. The zero View is of rank 0 and has none either.
//
// An index out of range panics. The methods here check it in every dimension; the typed
// views leave it to the slice, which sees less, unless built with tag gokkos_bounds.
type View[T any] struct {
	data  []T // nil if the memory is far: whoever prints or compares a view reads what is here
	shape *shape
}

// Viewer is any view of elements of type T.
type Viewer[T any] interface{ view() View[T] }

// New returns a view of zeroed memory. The layout is [Right] or the one given. Large views
// lie in huge pages where the system has them, unless the environment has
// GOKKOS_HUGEPAGES=0.
//
// It is an error if an extent is negative, if there are more than 12, if the elements are
// more than an int can count or memory can hold, or if the layout does not fit.
func New[T any](label string, extents []int, layout ...Layout) (View[T], error) {
	return NewIn[T](Host, label, extents, layout...)
}

// NewIn is [New] in a memory space. [As1] and its like give the view a rank in its type:
//
//	a, err := views.As2(views.NewIn[float64](views.MemoryOf(gpu), "a", []int{n, m}))
//
// The memory of a device is freed some time after nothing refers to a view of it any more, or
// by [Free]. It is an error if there is no room in it, if the space whose memory it is cannot
// be launched on, and if a T holds pointers, strings, slices or other references.
func NewIn[T any](in MemorySpace, label string, extents []int, layout ...Layout) (View[T], error) {
	s, err := placed(label, extents, layout)
	if err != nil {
		return View[T]{}, err
	}
	x, err := allocateTold[T](orHost(in), s)
	if err != nil {
		return View[T]{}, err
	}
	return remember(View[T]{x, s}), nil
}

// Of returns a view of the elements of x, without a copy; in Kokkos, an unmanaged view.
// The layout is [Right] or the one given.
//
// It is an error if the length of x is not the number of elements, or with a [Stride], if
// x ends before the last element; and what is an error of [New].
func Of[T any](label string, x []T, extents []int, layout ...Layout) (View[T], error) {
	s, err := placed(label, extents, layout)
	if err != nil {
		return View[T]{}, err
	}
	n, gaps := s.span(), false
	if len(layout) == 1 {
		_, gaps = layout[0].(Stride)
	}
	if n > len(x) || n < len(x) && !gaps {
		return View[T]{}, fmt.Errorf("views: %v of a slice of length %d, expected %d", s, len(x), n)
	}
	return remember(View[T]{x[:n:n], s}), nil
}

// Must returns v, and panics if err is not nil. It is for extents that a program is sure of.
func Must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

func placed(label string, extents []int, layout []Layout) (*shape, error) {
	if len(layout) > 1 {
		return nil, fmt.Errorf("views: %q has %d layouts %v, expected at most one", label, len(layout), brief.List(layout))
	}
	s, err := newShape(label, extents)
	if err != nil {
		return nil, err
	}
	var l Layout = Right
	if len(layout) == 1 {
		l = layout[0]
	}
	if l == nil {
		return nil, fmt.Errorf("views: the layout of %v is nil", s)
	}
	if err := l.place(s); err != nil {
		return nil, err
	}
	if s.length == 0 {
		s.stride = [maxRank]int{}
	}
	return s, nil
}

// allocateTold allocates elements for a shape, and tells listeners.
func allocateTold[T any](in MemorySpace, s *shape) (x []T, err error) {
	err = toldOf(in, s, int(unsafe.Sizeof(*new(T))), func() error {
		if in == Host {
			x, err = allocateOnHost[T](s)
		} else {
			x, err = allocateIn[T](in, s)
		}
		return err
	})
	return x, err
}

// toldOf allocates elements of that size, and tells listeners.
func toldOf(in MemorySpace, s *shape, size int, allocate func() error) error {
	if !tools.On() {
		return allocate()
	}
	e := tools.Event{Kind: tools.Allocation, Label: s.String(), Space: in.String(), Bytes: s.span() * size}
	return tools.Do(e, allocate)
}

func allocateOnHost[T any](s *shape) (x []T, err error) {
	defer func() {
		if recover() != nil { // of make: it alone knows how much is too much
			err = fmt.Errorf("views: %v of %T needs more memory than there can be", s, *new(T))
		}
	}()
	x = make([]T, s.span())
	hugepage.Advise(x)
	return x, nil
}

func (v View[T]) view() View[T] { return v }

func (View[T]) as(v View[T]) View[T] { return v }

func (View[T]) rows() bool { return false }

// orNone returns the shape of a view, which is nil if that is a zero one.
func (s *shape) orNone() *shape {
	if s == nil {
		return &noShape
	}
	return s
}

// part returns the view of the elements of v from place first on. It is no method, as each is compiled for all types of
// views and for pointers to these.
func part[T any](v View[T], s *shape, first int) View[T] {
	if s.length == 0 {
		s.stride = [maxRank]int{}
		return View[T]{v.data[:0:0], s}
	}
	if s.far() {
		s.first = v.shape.first + first
		return View[T]{nil, s}
	}
	end := first + s.span()
	return View[T]{v.data[first:end:end], s}
}

// Label returns the name that the view has in messages. Views made from a view keep it.
func (v View[T]) Label() string { return v.shape.orNone().label }

// Rank returns the number of dimensions.
func (v View[T]) Rank() int { return v.shape.orNone().rank }

// Len returns the number of elements, the product of the extents.
func (v View[T]) Len() int { return v.shape.orNone().length }

// Extent returns the number of indices in dimension d.
func (v View[T]) Extent(d int) int { return v.shape.orNone().extents()[d] }

// Extents returns the extents of all dimensions.
func (v View[T]) Extents() []int { return v.shape.orNone().listed() }

// Stride returns the distance in memory, in elements, of neighbours in dimension d. It is 0
// if the view has no elements.
func (v View[T]) Stride(d int) int { return v.shape.orNone().strides()[d] }

// Layout returns [Right] or [Left] if the elements lie so without gaps, and otherwise a
// [Stride].
func (v View[T]) Layout() Layout { return v.shape.orNone().layout() }

// String returns the label and the extents, or "a zero view".
func (v View[T]) String() string { return v.shape.orNone().String() }

// At returns the element of an index, which has one number per dimension.
func (v View[T]) At(index ...int) T { return v.data[v.shape.orNone().placeOf(index)] }

// Set makes x the element of an index, which has one number per dimension.
func (v View[T]) Set(index []int, x T) { v.data[v.shape.orNone().placeOf(index)] = x }

// Ptr returns the address of the element of an index, which has one number per dimension.
// It is for atomics.
func (v View[T]) Ptr(index ...int) *T { return &v.data[v.shape.orNone().placeOf(index)] }

// Slice returns the memory of the view if its layout is [Right], and otherwise false: it is
// for what takes slices. v.Transpose().Slice() gives that of layout Left.
func (v View[T]) Slice() ([]T, bool) {
	v.shape.orNone().touch()
	if v.shape.orNone().layout() != Right { // a Stride is not comparable, but neither is it Dense
		return nil, false
	}
	return v.data, true
}

// All yields the indices and elements, the last index fastest. The index is good until the
// next one.
func (v View[T]) All() iter.Seq2[[]int, T] {
	return func(yield func([]int, T) bool) { eachAt(v.data, v.shape.orNone(), yield) }
}

func eachAt[T any](data []T, s *shape, yield func([]int, T) bool) {
	s.touch()
	index := make([]int, s.rank)
	each(data, s, func(x T) bool {
		if !yield(index, x) {
			return false
		}
		s.step(index)
		return true
	})
}

// Values yields the elements, the last index fastest.
func (v View[T]) Values() iter.Seq[T] {
	return func(yield func(T) bool) { each(v.data, v.shape.orNone(), yield) }
}

func each[T any](data []T, s *shape, yield func(T) bool) {
	s.touch()
	x := nestOf(s, noStride[:])
	step := x.A[x.Rank-1]
	r := x.Rows(0, x.Items)
	for r.Next() {
		for k := range r.N {
			if !yield(data[r.A+k*step]) {
				return
			}
		}
	}
}

// Runs yields the memory of the elements in pieces, from low addresses to high ones. A piece
// is as long as can be: for layouts [Right] and [Left] it is all the memory. With layout
// Right, and for views cut out of one, this is the order of [View.Values]; a loop over the
// pieces runs at the speed of a loop over a slice.
func (v View[T]) Runs() iter.Seq[[]T] {
	return func(yield func([]T) bool) { pieces(v.data, v.shape.orNone(), yield) }
}

func pieces[T any](data []T, s *shape, yield func([]T) bool) {
	s.touch()
	x := nestOf(s, noStride[:]).ByPlace()
	step := x.A[x.Rank-1]
	begin, end := 0, 0 // the piece so far
	r := x.Rows(0, x.Items)
	for r.Next() {
		length, pieces := r.N, 1
		if step != 1 {
			length, pieces = 1, r.N
		}
		for k := range pieces {
			place := r.A + k*step
			if place != end {
				if !yield(data[begin:end:end]) {
					return
				}
				begin = place
			}
			end = place + length
		}
	}
	if begin < end {
		yield(data[begin:end:end])
	}
}
