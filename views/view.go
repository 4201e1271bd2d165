package views

import (
	"fmt"
	"iter"
	"slices"
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
	return View[T]{x, s}.remember(), nil
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
	return View[T]{x[:n:n], s}.remember(), nil
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
	if !tools.On() {
		return allocateElements[T](in, s)
	}
	e := tools.Event{Kind: tools.Allocation, Label: s.String(), Space: in.String(), Bytes: s.span() * int(unsafe.Sizeof(*new(T)))}
	err = tools.Do(e, func() error {
		x, err = allocateElements[T](in, s)
		return err
	})
	return x, err
}

func allocateElements[T any](in MemorySpace, s *shape) ([]T, error) {
	if in == Host {
		return allocateOnHost[T](s)
	}
	return allocateIn[T](in, s)
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

func (v View[T]) form() *shape {
	if v.shape == nil {
		return &noShape
	}
	return v.shape
}

// with returns the view of the elements from place first on.
func (v View[T]) with(s *shape, first int) View[T] {
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
func (v View[T]) Label() string { return v.form().label }

// Rank returns the number of dimensions.
func (v View[T]) Rank() int { return v.form().rank }

// Len returns the number of elements, the product of the extents.
func (v View[T]) Len() int { return v.form().length }

// Extent returns the number of indices in dimension d.
func (v View[T]) Extent(d int) int { return v.form().extents()[d] }

// Extents returns the extents of all dimensions.
func (v View[T]) Extents() []int { return slices.Clone(v.form().extents()) }

// Stride returns the distance in memory, in elements, of neighbours in dimension d. It is 0
// if the view has no elements.
func (v View[T]) Stride(d int) int { return v.form().strides()[d] }

// Layout returns [Right] or [Left] if the elements lie so without gaps, and otherwise a
// [Stride].
func (v View[T]) Layout() Layout {
	s := v.form()
	for _, o := range []Dense{Right, Left} {
		want := *s
		_ = o.place(&want) // neither fails
		same := true
		for d := range s.rank {
			same = same && (s.extent[d] <= 1 || s.stride[d] == want.stride[d])
		}
		if same || s.length == 0 {
			return o
		}
	}
	return Stride(slices.Clone(s.strides()))
}

// String returns the label and the extents, or "a zero view".
func (v View[T]) String() string { return v.form().String() }

// At returns the element of an index, which has one number per dimension.
func (v View[T]) At(index ...int) T { return v.data[v.place(index)] }

// Set makes x the element of an index, which has one number per dimension.
func (v View[T]) Set(index []int, x T) { v.data[v.place(index)] = x }

// Ptr returns the address of the element of an index, which has one number per dimension.
// It is for atomics.
func (v View[T]) Ptr(index ...int) *T { return &v.data[v.place(index)] }

func (v View[T]) place(index []int) int {
	s := v.form()
	s.touch()
	if s.isZero() {
		panic(indexError(fmt.Sprintf("views: index %v of a zero view, which has no elements", brief.List(index))))
	}
	if len(index) != s.rank {
		panic(indexError(fmt.Sprintf("views: index %v of view %v, expected %d numbers", brief.List(index), s, s.rank)))
	}
	s.check(index...)
	place := 0
	for d, i := range index {
		place += i * s.stride[d]
	}
	return place
}

// Slice returns the memory of the view if its layout is [Right], and otherwise false: it is
// for what takes slices. v.Transpose().Slice() gives that of layout Left.
func (v View[T]) Slice() ([]T, bool) {
	v.form().touch()
	if v.Layout() != Right { // a Stride is not comparable, but neither is it Dense
		return nil, false
	}
	return v.data, true
}

// All yields the indices and elements, the last index fastest. The index is good until the
// next one.
func (v View[T]) All() iter.Seq2[[]int, T] {
	return func(yield func([]int, T) bool) {
		s := v.form()
		s.touch()
		index := make([]int, s.rank)
		for place := range v.places() {
			if !yield(index, v.data[place]) {
				return
			}
			for d := s.rank - 1; d >= 0; d-- {
				if index[d]++; index[d] < s.extent[d] {
					break
				}
				index[d] = 0
			}
		}
	}
}

// Values yields the elements, the last index fastest.
func (v View[T]) Values() iter.Seq[T] {
	return func(yield func(T) bool) {
		v.form().touch()
		for place := range v.places() {
			if !yield(v.data[place]) {
				return
			}
		}
	}
}

// places yields the places of the elements, the last index fastest.
func (v View[T]) places() iter.Seq[int] {
	return func(yield func(int) bool) {
		x := nestOf(v.form(), noStride[:])
		r := x.Rows(0, x.Items)
		for r.Next() {
			for k := range r.N {
				if !yield(r.A + k*x.A[x.Rank-1]) {
					return
				}
			}
		}
	}
}

// Runs yields the memory of the elements in pieces, from low addresses to high ones. A piece
// is as long as can be: for layouts [Right] and [Left] it is all the memory. With layout
// Right, and for views cut out of one, this is the order of [View.Values]; a loop over the
// pieces runs at the speed of a loop over a slice.
func (v View[T]) Runs() iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		v.form().touch()
		x := nestOf(v.form(), noStride[:]).ByPlace()
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
					if !yield(v.data[begin:end:end]) {
						return
					}
					begin = place
				}
				end = place + length
			}
		}
		if begin < end {
			yield(v.data[begin:end:end])
		}
	}
}
