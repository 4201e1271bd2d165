package views

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/brief"
	"github.com/gokkos/gokkos/internal/index"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/nest"
)

const maxRank = memory.MaxRank

// shape says where the elements of a view are. It never changes, so views share it.
// Two elements never share a place, and the strides are nested: in descending order,
// each exceeds the distance that all the smaller ones reach together.
type shape struct {
	guard          *device.Guard // of the memory, or shut
	home           *allocation
	stride, extent [maxRank]int // the strides are 0 if there are no elements
	rank, length   int
	label          string
	first          int    // if the memory is far, which of its elements the first one is
	whole          *shape // of the view that this one is a part of, by which findings name elements, or nil
}

// noShape is the shape of the zero view, which has no elements.
var noShape = shape{guard: memory.Host.Guard(), home: onHost}

// newShape returns a shape in host memory whose strides are still to be set.
func newShape(label string, extents []int) (*shape, error) {
	s := &shape{guard: memory.Host.Guard(), home: onHost, rank: len(extents), label: label}
	if s.rank > maxRank {
		return nil, fmt.Errorf("views: %q has %d extents, expected at most %d", label, s.rank, maxRank)
	}
	for d, n := range extents {
		if n < 0 {
			return nil, fmt.Errorf("views: %q has extent %d in dimension %d, expected at least 0", label, n, d)
		}
	}
	copy(s.extent[:], extents)
	var ok bool
	if s.length, ok = index.Volume(extents...); !ok {
		return nil, fmt.Errorf("views: %q of extents %v has more elements than an int can count", label, extents)
	}
	return s, nil
}

func (s *shape) extents() []int { return s.extent[:s.rank] }
func (s *shape) strides() []int { return s.stride[:s.rank] }

// span returns the number of places from the first element to the last.
func (s *shape) span() int {
	if s.length == 0 {
		return 0
	}
	n := 1
	for d, stride := range s.strides() {
		n += (s.extent[d] - 1) * stride
	}
	return n
}

// packed reports whether dimension d needs no stride: its neighbours are next to each
// other, or there are none.
func (s *shape) packed(d int) bool { return s.extent[d] <= 1 || s.stride[d] <= 1 }

func (s *shape) String() string {
	if s.isZero() {
		return "a zero view"
	}
	return fmt.Sprintf("%q %v", s.label, s.extents())
}

// isZero reports whether s is the shape of the zero view: of rank 0, others have an element.
func (s *shape) isZero() bool { return s.rank == 0 && s.length == 0 }

// listed returns the extents in a slice of its own. Its callers are compiled for each type of element.
//
//go:noinline
func (s *shape) listed() []int { return slices.Clone(s.extents()) }

// layout returns the layout of a view, see [View.Layout].
func (s *shape) layout() Layout {
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

// placeOf returns the place of the element of an index, which must be one.
func (s *shape) placeOf(index []int) int {
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

// step makes an index the next one, the last number fastest.
func (s *shape) step(index []int) {
	for d := s.rank - 1; d >= 0; d-- {
		if index[d]++; index[d] < s.extent[d] {
			return
		}
		index[d] = 0
	}
}

// noStride stands for the strides of a second view where there is none.
var noStride [maxRank]int

// nestOf returns the loops over the elements in the order of their indices, the last index
// fastest, as few and as long as may be. b are the strides of a second view.
func nestOf(s *shape, b []int) nest.Loops {
	x := nest.Loops{Items: s.length}
	for d := range s.rank {
		x.Push(s.extent[d], s.stride[d], b[d])
	}
	return x.Merged()
}
