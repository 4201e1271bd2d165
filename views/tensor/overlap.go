package tensor

import (
	"iter"
	"unsafe"

	"github.com/gokkos/gokkos/views"
)

// region is where the elements of a view are, whatever their type.
type region struct {
	begin, end uintptr
	pieces     iter.Seq[extent] // in ascending order
}

// extent is a half-open range of addresses.
type extent struct{ begin, end uintptr }

func regionOf[T any](v views.View[T]) region {
	var m region
	size := unsafe.Sizeof(*new(T))
	if x := elements(v); len(x) > 0 {
		m.begin = uintptr(unsafe.Pointer(&x[0]))
		m.end = m.begin + uintptr(len(x))*size
	}
	m.pieces = func(yield func(extent) bool) {
		for run := range v.Runs() {
			begin := uintptr(unsafe.Pointer(unsafe.SliceData(run)))
			if !yield(extent{begin, begin + uintptr(len(run))*size}) {
				return
			}
		}
	}
	return m
}

// overlaps reports whether the two have a byte in common. Elements are looked at one by
// one only where the views lie within each other.
func (m region) overlaps(o region) bool {
	if m.end <= o.begin || o.end <= m.begin {
		return false
	}
	next, stop := iter.Pull(m.pieces)
	defer stop()
	oNext, oStop := iter.Pull(o.pieces)
	defer oStop()
	x, ok := next()
	y, oOK := oNext()
	for ok && oOK {
		switch {
		case x.end <= y.begin:
			x, ok = next()
		case y.end <= x.begin:
			y, oOK = oNext()
		default:
			return true
		}
	}
	return false
}
