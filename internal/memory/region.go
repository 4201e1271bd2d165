package memory

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space/device"
)

// MaxRank is the largest rank of a view.
const MaxRank = 12

// A Region is where the elements of a view are, whatever their type.
type Region struct {
	begin, end, size uintptr // from the first element to the last, and of one, in bytes
	extents, strides []int   // of the view, whose strides are nested; see package views
	far              device.Memory
}

// In returns the region as one of addresses in m, which are those of the host unless m is
// [Far].
func (r Region) In(m device.Memory) Region {
	if Far(m) {
		r.far = m
	}
	return r
}

// RegionOf returns the region of a view whose memory is data, from the first element to the
// last.
func RegionOf[T any](data []T, extents, strides []int) Region {
	return RegionAt(unsafe.Pointer(unsafe.SliceData(data)), len(data), unsafe.Sizeof(*new(T)), extents, strides)
}

// RegionAt is [RegionOf] of that many elements of a size at an address.
func RegionAt(address unsafe.Pointer, span int, size uintptr, extents, strides []int) Region {
	begin := uintptr(address)
	return Region{begin: begin, end: begin + uintptr(span)*size, size: size, extents: extents, strides: strides}
}

// Same reports whether regions of equal extents have the same elements at each index.
func (r Region) Same(o Region) bool {
	if r.begin == r.end || r.begin != o.begin || r.size != o.size || r.far != o.far {
		return false
	}
	for d, n := range r.extents {
		if n > 1 && r.strides[d] != o.strides[d] {
			return false
		}
	}
	return true
}

// Overlaps reports whether the regions have a byte in common.
func (r Region) Overlaps(o Region) bool {
	if r.begin == r.end || o.begin == o.end || r.end <= o.begin || o.end <= r.begin || r.far != o.far {
		return false
	}
	if r.begin > o.begin {
		r, o = o, r
	}
	var room [2][MaxRank + 1]loop
	a, b, apart := r.loops(room[0][:0]), o.loops(room[1][:0]), int64(o.begin-r.begin)
	if g := divisor(b, divisor(a, 0)); g > 0 {
		// Modulo g, each is where its first run is.
		if from := apart % g; a[0].n <= from && from+b[0].n <= g {
			return false
		}
	}
	return meet(a, b, apart)
}

// A loop is a dimension of a region, in bytes: n steps of a stride, which with those of the
// loops before it reach from the first byte to before the one at reach.
type loop struct{ n, stride, reach int64 }

// loops returns the loops over the bytes, the fastest first: that is a run of bytes next to
// each other. They are in the room, which is empty.
func (r *Region) loops(room []loop) []loop {
	size := int64(r.size)
	loops := append(room, loop{size, 1, size})
	for d, n := range r.extents {
		if n > 1 {
			loops = append(loops, loop{n: int64(n), stride: int64(r.strides[d]) * size})
		}
	}
	slices.SortFunc(loops[1:], func(a, b loop) int { return cmp.Compare(a.stride, b.stride) })
	merged := loops[:1]
	for _, l := range loops[1:] {
		p := &merged[len(merged)-1]
		l.reach = p.reach + (l.n-1)*l.stride
		if l.stride == p.n*p.stride {
			p.n, p.reach = p.n*l.n, l.reach
		} else {
			merged = append(merged, l)
		}
	}
	return merged
}

// divisor returns the greatest common divisor of g and the strides between the runs.
func divisor(loops []loop, g int64) int64 {
	for _, l := range loops[1:] {
		for x := l.stride; x != 0; {
			g, x = x, g%x
		}
	}
	return g
}

// meet reports whether a has a byte in common with b, which begins apart bytes after a, and
// before a ends. Only the steps of the longer loop that come near the other are followed.
func meet(a, b []loop, apart int64) bool {
	x, y := len(a)-1, len(b)-1
	if x == 0 && y == 0 {
		return true
	}
	if x == 0 || y > 0 && b[y].reach > a[x].reach {
		return meet(b, a, -apart)
	}
	// Step k of a holds bytes from k*stride to before k*stride + a[x-1].reach, and b those
	// from apart to before apart + b[y].reach.
	stride := a[x].stride
	first := max(0, ceil(apart-a[x-1].reach+1, stride))
	last := min(a[x].n-1, floor(apart+b[y].reach-1, stride))
	for k := first; k <= last; k++ {
		if meet(a[:x], b, apart-k*stride) {
			return true
		}
	}
	return false
}

func floor(x, y int64) int64 {
	if x < 0 {
		return -((-x + y - 1) / y)
	}
	return x / y
}

func ceil(x, y int64) int64 { return -floor(-x, y) }
