package suite

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/reducers/concept"
)

// valued is a job that tells what it folds, and checks the nodes that a space makes of it. It
// counts as a launch of a functor, too, of which nobody has code.
type valued struct {
	grid space.Grid
	fold device.Fold
	none bool // it is no fold

	mu       sync.Mutex
	breaches []string
	asked    bool // for the fold
	called   bool // for the functor
	opened   bool
	nodes    []node    // what the slots hold; the zero node if nothing
	values   [][]byte  // of the slots
	columns  []folding // how the values come about, nil of an operation that nobody knows
}

// folding computes the bytes of a node of one column.
type folding func(g space.Grid, first, last int) []byte

// breach keeps what the space did wrong; the lock is held.
func (j *valued) breach(format string, args ...any) {
	j.breaches = append(j.breaches, fmt.Sprintf(format, args...))
}

// Fold implements [device.Job].
func (j *valued) Fold() (device.Fold, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.opened {
		j.breach("Fold was called after Open")
	}
	j.asked = true
	if j.none {
		return device.Fold{}, false
	}
	return j.fold, true
}

// Functor implements [device.Job].
func (j *valued) Functor() device.Functor {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.opened {
		j.breach("Functor was called after Open")
	}
	j.called = true
	f := device.Functor{Label: "spacetest"}
	if j.none {
		f.Func = withoutCode
		f.Box = &device.Box{Lower: []int{0}, Extent: []int{j.grid.Items}, Tile: []int{j.grid.Items}}
	}
	return f
}

// FoldOf implements [device.Job]: a job in one process is asked for all items, by Fold.
func (*valued) FoldOf(_, _ int) (device.Fold, bool) { return device.Fold{}, false }

// Scan implements [device.Job].
func (*valued) Scan() (device.Scan, bool) { return device.Scan{}, false }

// withoutCode is a functor to which no code is attached.
func withoutCode(int) {}

// Open implements [space.Job].
func (j *valued) Open(_, slots int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.opened = true
	j.nodes, j.values = make([]node, slots), make([][]byte, slots)
}

// Run implements [space.Job].
func (j *valued) Run(_, first, last, slot int) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.nodes[slot], j.values[slot] = node{first, last}, j.value(first, last)
	return true
}

// Accept implements [device.Job].
func (j *valued) Accept(_, first, last, slot int, value []byte) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := node{first, last}
	want := j.value(first, last)
	switch {
	case !n.isNode(j.grid.Leaves):
		j.breach("Accept of %v, which is not a node", n)
	case !j.asked && !j.called:
		j.breach("Accept of %v by a space that has not asked what the job computes", n)
	case j.none || slices.ContainsFunc(j.columns, func(f folding) bool { return f == nil }):
		j.breach("Accept of %v of a job that nobody knows how to compute, expected Run", n)
	case !bytes.Equal(value, want):
		j.breach("Accept of %v with the bytes %x, expected %x", n, value, want)
	}
	j.nodes[slot], j.values[slot] = n, bytes.Clone(value)
	return true
}

// Cancelled implements [device.Job].
func (*valued) Cancelled() bool { return false }

// Join implements [space.Job]. It does not look at the values.
func (j *valued) Join(dst, src int) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := node{j.nodes[dst].first, j.nodes[src].last}
	j.nodes[dst], j.values[dst] = n, j.value(n.first, n.last)
	j.nodes[src], j.values[src] = node{}, nil
	return true
}

// value returns the bytes of a node.
func (j *valued) value(first, last int) (value []byte) {
	for _, f := range j.columns {
		if f != nil {
			value = append(value, f(j.grid, first, last)...)
		}
	}
	return value
}

// end checks the root.
func (j *valued) end(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	root := node{0, j.grid.Leaves}
	switch {
	case err != nil:
		j.breach("Launch returned %v", err)
	case root.last == 0: // contract/open looks after Open
	case !j.opened:
		j.breach("Launch did not call Open")
	case j.nodes[0] != root:
		j.breach("slot 0 holds %v, expected the root %v", j.nodes[0], root)
	case !bytes.Equal(j.values[0], j.value(0, root.last)):
		j.breach("slot 0 holds the bytes %x, expected %x", j.values[0], j.value(0, root.last))
	}
}

var (
	sumOp   = concept.Operation{Join: concept.OpSum}
	minOp   = concept.Operation{Join: concept.OpMin}
	firstOp = concept.Operation{Join: concept.OpMinFirst}
)

// valuedJobs returns folds of several types and operations.
func valuedJobs(items, leaf, lanes int) map[string]*valued {
	jobs := map[string]*valued{
		"a sum":             newValued[float64](items, leaf, lanes, sumOp),
		"a sum of float32":  newValued[float32](items, leaf, lanes, sumOp),
		"a sum of squares":  newValued[float64](items, leaf, lanes, concept.Operation{Join: concept.OpSum, Map: concept.MapSquare}),
		"a minimum and sum": newValued[int64](items, leaf, lanes, minOp, concept.Operation{Join: concept.OpSum, Map: concept.MapAbs}),
		"a place":           newValued[float64](items, leaf, lanes, firstOp),
		"a secret":          newValued[float64](items, leaf, lanes, concept.Operation{Join: "spacetest: a secret"}),
		"a secret beside":   newValued[float64](items, leaf, lanes, sumOp, concept.Operation{}),
		"a secret map":      newValued[float64](items, leaf, lanes, concept.Operation{Join: concept.OpSum, Map: "spacetest: a secret"}),
		"no fold":           newValued[float64](items, leaf, lanes, sumOp),
		"ordered":           newValued[float64](items, leaf, lanes),
		"products":          newValued[float64](items, leaf, lanes),
	}
	jobs["no fold"].none = true
	addColumn[float64](jobs["ordered"], sumOp, 1)
	dot := jobs["products"]
	y := slices.Clone(dot.fold.X.([]float64))
	slices.Reverse(y)
	dot.fold.Y = y
	addColumn[float64](dot, sumOp, lanes)
	return jobs
}

// newValued returns a fold with those operations, whose items begin at location 5.
func newValued[T int64 | float64 | float32](items, leaf, lanes int, ops ...concept.Operation) *valued {
	x := make([]T, items)
	for k := range x {
		v := real64(k + 1)
		if T(1)/2 == 0 {
			v *= 1 << 30
		}
		x[k] = T(v)
	}
	j := &valued{
		grid: space.Grid{Items: items, Leaf: leaf, Leaves: (items + leaf - 1) / leaf, Lanes: lanes},
		fold: device.Fold{X: x, First: 5},
	}
	for _, o := range ops {
		addColumn[T](j, o, lanes)
	}
	return j
}

// addColumn adds a column that joins the values with an operation, in so many lanes.
func addColumn[T int64 | float64 | float32](j *valued, o concept.Operation, lanes int) {
	size := int(unsafe.Sizeof(*new(T)))
	layout := fmt.Sprintf("%T/%d", *new(T), size)
	if o.Join == concept.OpMinFirst {
		layout = fmt.Sprintf("{Val %s; Loc int/%d; none bool}", layout, unsafe.Sizeof(0))
	}
	j.columns = append(j.columns, foldingOf[T](j.fold, o, lanes))
	j.fold.Columns = append(j.fold.Columns, device.Result{
		Column:    device.Column{Reducer: fmt.Sprintf("%s of %s", o.Join, o.Map), Bytes: size, Flat: true, Exact: o.Join != concept.OpSum, Lanes: lanes},
		Operation: o,
		Layout:    layout,
	})
}

// foldingOf returns what computes an operation, or nil if nobody knows how.
func foldingOf[T int64 | float64 | float32](fold device.Fold, o concept.Operation, lanes int) folding {
	switch o.Map {
	case "", concept.MapSquare, concept.MapAbs:
	default:
		return nil
	}
	switch o.Join {
	case concept.OpSum, concept.OpMin:
		return joiningOf[T](fold, o, lanes)
	case concept.OpMinFirst:
		return locatingOf[T](fold)
	}
	return nil
}

// locatingOf returns what finds the first minimum, of values that are no zeros.
func locatingOf[T int64 | float64 | float32](fold device.Fold) folding {
	x := fold.X.([]T)
	return func(g space.Grid, first, last int) []byte {
		begin, end := first*g.Leaf, min(last*g.Leaf, g.Items)
		v := slices.Min(x[begin:end])
		at := fold.First + begin + slices.Index(x[begin:end], v)
		return slices.Concat(memoryOf(&v), memoryOf(&at), []byte{0})
	}
}

// memoryOf returns a copy of a number's memory.
func memoryOf[T any](v *T) []byte {
	return bytes.Clone(unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)))
}

// joiningOf returns what computes a sum or a minimum.
func joiningOf[T int64 | float64 | float32](fold device.Fold, o concept.Operation, lanes int) folding {
	x, y := fold.X.([]T), []T(nil)
	if fold.Y != nil {
		y = fold.Y.([]T)
	}
	value := func(item int) T {
		v := x[item]
		if y != nil {
			v = T(v * y[item])
		}
		switch o.Map {
		case concept.MapSquare:
			return T(v * v)
		case concept.MapAbs:
			return max(v, -v)
		}
		return v
	}
	identity, join := T(0), func(a, b T) T { return a + b }
	if o.Join == concept.OpMin {
		identity, join = highest[T](), func(a, b T) T { return min(a, b) }
	}
	leaf := func(g space.Grid, leaf int) T {
		acc := slices.Repeat([]T{identity}, lanes)
		begin := leaf * g.Leaf
		items := min(g.Leaf, g.Items-begin)
		for k := range items {
			acc[k%lanes] = join(acc[k%lanes], value(begin+k))
		}
		for h := lanes / 2; h > 0; h /= 2 {
			for l := 0; l < h && l+h < items; l++ {
				acc[l] = join(acc[l], acc[l+h])
			}
		}
		return acc[0]
	}
	return func(g space.Grid, first, last int) []byte {
		var leaves []T
		for l := first; l < last; l++ {
			leaves = append(leaves, leaf(g, l))
		}
		for w := 1; w < len(leaves); w *= 2 {
			for k := 0; k+w < len(leaves); k += 2 * w {
				leaves[k] = join(leaves[k], leaves[k+w])
			}
		}
		return memoryOf(&leaves[0])
	}
}

func highest[T int64 | float64 | float32]() T {
	if T(1)/2 != 0 {
		inf := math.Inf(1)
		return T(inf)
	}
	most := int64(math.MaxInt64)
	return T(most)
}

// Folding returns a function that computes the bytes of nodes of a fold by an operation, or nil if the suite does not
// know how. Spaces for tests use it.
func Folding(f device.Fold, o concept.Operation, lanes int) func(g space.Grid, first, last int) []byte {
	switch f.X.(type) {
	case []float64:
		return foldingOf[float64](f, o, lanes)
	case []float32:
		return foldingOf[float32](f, o, lanes)
	case []int64:
		return foldingOf[int64](f, o, lanes)
	}
	return nil
}
