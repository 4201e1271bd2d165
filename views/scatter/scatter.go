package scatter

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/views"
)

// Sum returns a reducer that adds contributions to the cells of v.
//
// The view has any rank and layout, and at most 2^32 cells; more are an error that the
// launch returns. When the launch has succeeded, the view is written on the space that is
// given, or else on the default one. A launch over several processes, as ranks are, is an error.
func Sum[T builtin.Number](v views.Viewer[T], on ...policy.Launch) reducers.Reducer[Access[T]] {
	return newScatter(v, operationIn(&sharedBy[T]().sum, sum[T]), on)
}

// Prod is [Sum] for products.
func Prod[T builtin.Real](v views.Viewer[T], on ...policy.Launch) reducers.Reducer[Access[T]] {
	return newScatter(v, operationIn(&sharedBy[T]().prod, prod[T]), on)
}

// Min is [Sum] for the least contribution, as Go's min: a NaN stays, and -0 is less than +0.
func Min[T builtin.Real](v views.Viewer[T], on ...policy.Launch) reducers.Reducer[Access[T]] {
	return newScatter(v, operationIn(&sharedBy[T]().least, least[T]), on)
}

// Max is [Sum] for the greatest contribution, as Go's max: a NaN stays, and +0 is greater
// than -0.
func Max[T builtin.Real](v views.Viewer[T], on ...policy.Launch) reducers.Reducer[Access[T]] {
	return newScatter(v, operationIn(&sharedBy[T]().most, most[T]), on)
}

// scatter is the reducer. It never changes. Compiled kernels read rank and extent, by the field s of an Access: they
// have the offsets of these fields in their files, so another layout needs another kernel.Version.
type scatter[T builtin.Number] struct {
	*operation[T]
	atomic func(cell *T, x T) T // what takes the place of partial results, or nil
	view   views.View[T]
	memory []T  // the cells in the order of their numbers, if they lie so
	packed bool // they do
	rank   int
	extent [memory.MaxRank]int
	weight [memory.MaxRank]int // what an index counts in the number of a cell
	cells  int
	few    int // the most contributions that are kept one by one
	shared *shared[T]
	shift  int // a cell is in bucket cell>>shift
	space  exec.Space
	err    error
}

func newScatter[T builtin.Number](v views.Viewer[T], op *operation[T], on []policy.Launch) *scatter[T] {
	s := &scatter[T]{operation: op, shared: sharedBy[T]()}
	if v == nil {
		s.err = fmt.Errorf("scatter: %s into a nil view", op.name)
		return s
	}
	s.view = views.As(v)
	s.space = memory.Here(policy.Launch{}.With(on...).Space())
	s.rank, s.cells = s.view.Rank(), s.view.Len()
	if uint64(s.cells) > math.MaxUint32+1 {
		s.err = fmt.Errorf("scatter: %s into %v of %d cells, expected at most 2^32", op.name, s.view, s.cells)
	}
	s.few, s.shift = fewOf(s.cells), shiftOf(s.cells, int(unsafe.Sizeof(*new(T))))
	for d := range s.rank {
		s.extent[d] = s.view.Extent(d)
	}
	if m := s.view.MemorySpace(); memory.Far(m) && s.err == nil {
		_, s.err = memory.Reach(m, nil, fmt.Sprintf("scatter: %s into %v", op.name, s.view))
	}
	s.number()
	return s
}

// number numbers the cells as they lie in memory, or if there are gaps or the host cannot
// touch it, in the order of their indices.
func (s *scatter[T]) number() {
	var all [memory.MaxRank]int
	dims := all[:s.rank] // the slowest first
	for d := range dims {
		dims[d] = d
	}
	onHost := s.view.MemorySpace() == views.Host
	if onHost {
		s.memory, s.packed = s.view.Slice()
	}
	if onHost && !s.packed {
		asItLies := slices.Clone(dims)
		slices.SortStableFunc(asItLies, func(a, b int) int { return cmp.Compare(s.view.Stride(b), s.view.Stride(a)) })
		v := views.Must(s.view.Permute(asItLies...)) // all dimensions, once
		if s.memory, s.packed = v.Slice(); s.packed {
			dims = asItLies
		}
	}
	w := 1
	for _, d := range slices.Backward(dims) {
		s.weight[d] = w
		w *= s.extent[d]
	}
}

// cachedCells is how many cells are few enough to be in a cache, a few times over.
const cachedCells = 1 << 14

// fewOf returns how many contributions are kept one by one. A part of the tree that has
// more has partial results, which cost as much as there are cells: where these are in a
// cache, little. Beyond that, the view is faster reached in the end than by way of copies.
func fewOf(cells int) int {
	if cells <= cachedCells {
		return cells / 4
	}
	return 8 * cells
}

// Contributions to many cells are kept in a list for each bucket, a range of cells. In the
// end, workers join different buckets to the view.
const (
	bucketBytes  = 512 << 10 // of cells: they stay in an L2 cache
	leastBuckets = 16        // enough for several workers
	mostBuckets  = 64        // few enough to write to all of them in turn
)

func shiftOf(cells, bytes int) (shift int) {
	want := 1
	if cells > cachedCells {
		want = min(max(cells/(bucketBytes/bytes), leastBuckets), mostBuckets)
	}
	for (cells-1)>>shift >= want {
		shift++
	}
	return shift
}

func (s *scatter[T]) buckets() int { return max(s.cells-1, 0)>>s.shift + 1 }

func (s *scatter[T]) Init(val *Access[T]) { val.reset(s) }

func (s *scatter[T]) Join(dst, src *Access[T]) { dst.join(src) }

func (s *scatter[T]) Final(val *Access[T]) { val.settle() }

func (s *scatter[T]) Reference() *Access[T] { return nil }

// usable returns why there can be no launch now.
func (s *scatter[T]) usable() error {
	if s.err == nil && memory.Freed(s.view) {
		return fmt.Errorf("scatter: %s into %v, whose memory was freed", s.operation.name, s.view)
	}
	return s.err
}

// Form has the error of a launch over several processes: the view, and so its cells, are of this one.
func (s *scatter[T]) Form() concept.Form[Access[T]] {
	err := s.usable()
	if err == nil {
		err = fmt.Errorf("scatter: %s into %v of one process, on a space of several, expected the space of this "+
			"process, for its own items", s.name, s.view)
	}
	return concept.Form[Access[T]]{Err: err}
}

func (s *scatter[T]) Traits() concept.Traits[Access[T]] {
	t := concept.Traits[Access[T]]{
		Load:  s.Init, // the old content is joined when the result is stored
		Store: s.store,
		Exact: s.atomic != nil,
		Once:  true,
		Err:   s.usable(),
	}
	if s.packed {
		t.Place = s.memory
	}
	return t
}
