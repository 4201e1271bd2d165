package views

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"unsafe"
	"weak"

	"github.com/gokkos/gokkos/internal/watch"
)

// Where there is a space that watches its kernels, views are remembered when they are made, so
// that a finding can name the element that it is about. A view that is gone is forgotten.

// maxNamed bounds how many views are remembered: the last ones.
const maxNamed = 4096

// namedView is a view of which nothing is kept.
type namedView struct {
	begin, end, size uintptr
	shape            weak.Pointer[shape]
}

var named struct {
	mu    sync.Mutex
	views []namedView
}

func init() { watch.ViewAt, watch.HostViews = viewAt, hostViews }

// remember returns v.
func remember[T any](v View[T]) View[T] {
	if watch.Wanted() && len(v.data) > 0 {
		v.shape.remember(blockOf(v), unsafe.Sizeof(*new(T)))
	}
	return v
}

func (s *shape) remember(b watch.Block, size uintptr) {
	named.mu.Lock()
	defer named.mu.Unlock()
	if len(named.views) == maxNamed {
		named.views = slices.Delete(named.views, 0, maxNamed/2)
	}
	named.views = append(named.views, namedView{b.Begin, b.End, size, weak.Make(s)})
}

// mirrored says of a view and its mirror that they belong together, if one of them is on the host and
// both are without gaps.
func mirrored[T any](v, w View[T]) {
	if watch.WantsMirrors() && len(v.data) == v.Len() && len(w.data) == w.Len() {
		mirroredAt(v.shape.orNone(), w.shape.orNone(), origin(v), origin(w), unsafe.Sizeof(*new(T)))
	}
}

func mirroredAt(s, t *shape, x, y unsafe.Pointer, size uintptr) {
	if s.home != onHost {
		s, t, x, y = t, s, y, x
	}
	if s.length == t.length && s.length > 0 && size > 0 && s.home == onHost && t.home != onHost {
		watch.Mirrored(x, y, uintptr(s.length)*size, size)
	}
}

// copied says that src was copied to dst.
func copied[T any](dst, src View[T]) {
	if watch.WantsMirrors() && dst.Len() > 0 {
		watch.Copied(blockOf(dst), blockOf(src), dst.shape.orNone().home == onHost)
	}
}

// blockOf returns the memory from the first element to the last.
func blockOf[T any](v View[T]) watch.Block {
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(v.data)))
	return watch.Block{Begin: begin, End: begin + uintptr(len(v.data))*unsafe.Sizeof(*new(T))}
}

// viewAt is [watch.ViewAt]: the oldest view that is still there counts, of which others are parts.
func viewAt(addr uintptr) string {
	named.mu.Lock()
	defer named.mu.Unlock()
	for _, n := range named.views {
		if addr < n.begin || addr >= n.end {
			continue
		}
		s := n.shape.Value()
		if s == nil {
			continue
		}
		return fmt.Sprintf("%v at %v", s, s.indexOf(int((addr-n.begin)/n.size)))
	}
	return ""
}

// hostViews is [watch.HostViews].
func hostViews() (all []watch.Block) {
	named.mu.Lock()
	defer named.mu.Unlock()
	for _, n := range named.views {
		if s := n.shape.Value(); s != nil && s.home == onHost {
			all = append(all, watch.Block{Begin: n.begin, End: n.end})
		}
	}
	slices.SortFunc(all, func(a, b watch.Block) int { return cmp.Compare(a.Begin, b.Begin) })
	merged := all[:0]
	for _, b := range all {
		if last := len(merged) - 1; last >= 0 && b.Begin <= merged[last].End {
			merged[last].End = max(merged[last].End, b.End)
		} else {
			merged = append(merged, b)
		}
	}
	return merged
}

// indexOf returns the index of the element that is so many places from the first one.
func (s *shape) indexOf(place int) []int {
	dims := make([]int, s.rank)
	for d := range dims {
		dims[d] = d
	}
	slices.SortStableFunc(dims, func(d, e int) int { return s.stride[e] - s.stride[d] })
	index := make([]int, s.rank)
	for _, d := range dims {
		if s.extent[d] > 1 {
			index[d], place = place/s.stride[d], place%s.stride[d]
		}
	}
	return index
}
