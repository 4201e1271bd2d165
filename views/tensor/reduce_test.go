package tensor_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/leaktest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var strategies = []tensor.Strategy{tensor.Auto, tensor.Blockwise, tensor.Threadwise}

// spaces returns some spaces that end with the test.
func spaces(t testing.TB) []exec.Space {
	three, many := exec.NewGoroutines(3), exec.NewGoroutines(8)
	sim := exec.NewSimGPU(gpu.H200())
	t.Cleanup(func() {
		require.NoError(t, three.Close())
		require.NoError(t, many.Close())
		require.NoError(t, sim.Close())
	})
	return []exec.Space{exec.Serial{}, three, many, sim}
}

// A layout makes a view of the extents, however it lies in memory.
type layout struct {
	name string
	make func(extents []int) views.View[float64]
}

func layouts() []layout {
	fill := func(v views.View[float64]) views.View[float64] {
		rng := rand.New(rand.NewPCG(1, 2))
		index := make([]int, v.Rank())
		for range v.Len() {
			v.Set(index, rng.NormFloat64()*math.Exp(8*rng.Float64()))
			next(index, v.Extents())
		}
		return v
	}
	return []layout{
		{"Right", func(e []int) views.View[float64] { return fill(views.Must(views.New[float64]("x", e))) }},
		{"Left", func(e []int) views.View[float64] { return fill(views.Must(views.New[float64]("x", e, views.Left))) }},
		{"sub-view", func(e []int) views.View[float64] {
			large, cut := make([]int, len(e)), make([]views.Selector, len(e))
			for d, n := range e {
				large[d], cut[d] = 2*n+3, views.Range(1, 1+2*n).By(2)
			}
			return fill(views.Must(views.Must(views.New[float64]("x", large)).Sub(cut...)))
		}},
		{"permuted", func(e []int) views.View[float64] {
			// The dimensions in memory are in the order 1, 2, ..., 0.
			memory, order := make([]int, len(e)), make([]int, len(e))
			for d, n := range e {
				k := (d + len(e) - 1) % len(e)
				memory[k], order[d] = n, k
			}
			return fill(views.Must(views.Must(views.New[float64]("x", memory)).Permute(order...)))
		}},
	}
}

// next steps to the next index, the last dimension fastest.
func next(index, extents []int) {
	for d := len(index) - 1; d >= 0; d-- {
		if index[d]++; index[d] < extents[d] {
			return
		}
		index[d] = 0
	}
}

// slices of a tensor: the elements of every result, as the rule of the bits has them.
func elements[T any](x views.View[T], dims []int) (kept []int, lists [][]T) {
	kept = []int{}
	outputs := 1
	for d, n := range x.Extents() {
		if !slices.Contains(dims, d) {
			kept = append(kept, n)
			outputs *= n
		}
	}
	lists = make([][]T, outputs)
	index := make([]int, x.Rank())
	for range x.Len() {
		k := 0
		for d, n := range x.Extents() {
			if !slices.Contains(dims, d) {
				k = k*n + index[d]
			}
		}
		lists[k] = append(lists[k], x.At(index...))
		next(index, x.Extents())
	}
	return kept, lists
}

// fold returns what exec.ParallelFold makes of a list.
func fold[R builtin.Reduction[A, V], A, V any](t rapid.TB, chunk int, x []V, constructor func(*A) R) A {
	var acc A
	p := policy.Range(0, len(x)).On(exec.Serial{}).Chunk(chunk)
	require.NoError(t, exec.ParallelFold(exec.Slice(p, x), reducers.Folder[V](constructor(&acc))))
	return acc
}

// subsets returns all subsets of the dimensions 0 to n-1.
func subsets(n int) (all [][]int) {
	for bits := range 1 << n {
		dims := []int{}
		for d := range n {
			if bits>>d&1 == 1 {
				dims = append(dims, d)
			}
		}
		all = append(all, dims)
	}
	return all
}

// sameBits compares slices bit by bit.
func sameBits[T any](t rapid.TB, want, got []T, what ...any) {
	t.Helper()
	bytes := func(x []T) []byte {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
	}
	if !slices.Equal(bytes(want), bytes(got)) {
		require.Equal(t, want, got, what...)
		require.Fail(t, "the bits differ", what...)
	}
}

func full(x views.View[float64], dims []int) []int {
	e := x.Extents()
	for _, d := range dims {
		e[d] = 1
	}
	return e
}

// folded is what exec.ParallelFold gives for each output.
type folded struct {
	kept              []int
	sums, m2s, ranges []float64
	squares           []float32
	at                []int
}

func foldEach(t rapid.TB, x views.View[float64], dims []int, chunk int) (want folded) {
	kept, lists := elements(x, dims)
	n := len(lists)
	want = folded{kept, make([]float64, n), make([]float64, n), make([]float64, n), make([]float32, n), make([]int, n)}
	for k, list := range lists {
		want.sums[k] = fold(t, chunk, list, builtin.Sum[float64])
		half := make([]float32, len(list))
		for i, v := range list {
			half[i] = float32(v) / 2
		}
		want.squares[k] = fold(t, chunk, half, builtin.SumSq[float32])
		want.at[k] = tensor.Index(fold(t, chunk, list, builtin.MaxLoc[float64, int]), 0)
		want.m2s[k] = fold(t, chunk, list, builtin.Variance[float64]).M2
		r := fold(t, chunk, list, builtin.MinMax[float64])
		want.ranges[k] = r.Max - r.Min
	}
	return want
}

// check compares several reductions at once.
func (want folded) check(t rapid.TB, x views.View[float64], dims []int, chunk int, run func(tensor.Source[float64], ...tensor.Operation[float64]) error) {
	t.Helper()
	sum := views.Must(views.New[float64]("sum", want.kept))
	square := views.Must(views.New[float32]("square", full(x, dims), views.Left))
	where := views.Must(views.New[int]("where", want.kept, views.Left))
	variance, width := views.Must(views.New[float64]("variance", want.kept)), views.Must(views.New[float64]("range", want.kept))
	s := tensor.Over(x, dims...).Chunk(chunk)
	require.NoError(t, run(s,
		tensor.Fold(builtin.Sum[float64], tensor.Into(sum)),
		tensor.FoldMap(func(v float64) float32 { return float32(v) / 2 }, builtin.SumSq[float32], tensor.Into(square)),
		tensor.Fold(builtin.MaxLoc[float64, int], tensor.IntoMap(where, tensor.Index[float64])),
		tensor.Fold(builtin.Variance[float64], tensor.IntoMap(variance, func(m builtin.Moments[float64], n int) float64 {
			assert.Equal(t, m.N, n)
			return m.M2
		})),
		tensor.Fold(builtin.MinMax[float64], tensor.IntoMap(width, func(r builtin.MinMaxVal[float64], _ int) float64 { return r.Max - r.Min })),
	))
	sameBits(t, want.sums, list(sum), "sum over %v", dims)
	sameBits(t, want.squares, list(square), "squares over %v", dims)
	sameBits(t, want.at, list(where), "location over %v", dims)
	sameBits(t, want.m2s, list(variance), "variance over %v", dims)
	sameBits(t, want.ranges, list(width), "range over %v", dims)
}

func TestSubsetsOfDims(t *testing.T) {
	shapes := [][]int{{}, {1}, {9}, {3, 5, 2, 7}, {1, 4, 1, 33}, {40, 6, 35}}
	if testing.Short() {
		shapes = shapes[:4]
	}
	for _, extents := range shapes {
		for _, l := range layouts() {
			x := l.make(extents)
			for _, dims := range subsets(len(extents)) {
				rand.Shuffle(len(dims), func(i, j int) { dims[i], dims[j] = dims[j], dims[i] })
				t.Run(fmt.Sprintf("%s%v/%v", l.name, extents, dims), func(t *testing.T) {
					foldEach(t, x, dims, 0).check(t, x, dims, 0, tensor.Reduce[float64])
				})
			}
		}
	}
}

// Every space and strategy has the bits of exec.ParallelFold.
func TestStrategiesGiveEqualBits(t *testing.T) {
	all := spaces(t)
	shapes := []struct {
		extents, dims []int
		chunk         int
	}{
		{[]int{3, 20011}, []int{1}, 0}, {[]int{20011, 3}, []int{0}, 0}, {[]int{20011}, []int{0}, 0},
		{[]int{500, 37}, []int{1}, 0}, {[]int{37, 500}, []int{0}, 0}, {[]int{1000, 64}, []int{1}, 64},
		{[]int{7, 30, 10, 11}, []int{0, 2, 3}, 100}, {[]int{30, 7, 10, 11}, []int{0, 2}, 1},
	}
	if testing.Short() {
		shapes = shapes[:5]
	}
	for _, c := range shapes {
		for _, l := range layouts() {
			x := l.make(c.extents)
			t.Run(fmt.Sprintf("%s%v/%v", l.name, c.extents, c.dims), func(t *testing.T) {
				want := foldEach(t, x, c.dims, c.chunk)
				for _, strategy := range strategies {
					for k, space := range all {
						if testing.Short() && k > 1 {
							continue
						}
						want.check(t, x, c.dims, c.chunk, func(s tensor.Source[float64], r ...tensor.Operation[float64]) error {
							return tensor.Reduce(s.On(space).WithStrategy(strategy), r...)
						})
					}
				}
			})
		}
	}
}

func TestAnyShapeHasTheBitsOfParallelFold(t *testing.T) {
	space := exec.NewGoroutines(4)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	rapid.Check(t, func(t *rapid.T) {
		extents := rapid.SliceOfN(rapid.IntRange(0, 13), 0, 5).Draw(t, "extents")
		l := rapid.SampledFrom(layouts()).Draw(t, "layout")
		var dims []int
		for d := range extents {
			if rapid.Bool().Draw(t, "reduced") {
				dims = append(dims, d)
			}
		}
		strategy := rapid.SampledFrom(strategies).Draw(t, "strategy")
		chunk := rapid.IntRange(0, 300).Draw(t, "chunk")
		x := l.make(extents)
		foldEach(t, x, dims, chunk).check(t, x, dims, chunk, func(s tensor.Source[float64], r ...tensor.Operation[float64]) error {
			return tensor.Reduce(s.On(space).WithStrategy(strategy), r...)
		})
	})
}

func TestTwelveDimensions(t *testing.T) {
	extents := []int{2, 1, 3, 2, 1, 2, 2, 3, 1, 2, 2, 2}
	for _, l := range layouts()[:2] {
		x := l.make(extents)
		for _, dims := range [][]int{{}, {0, 2, 11}, {1, 3, 5, 10}, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}} {
			foldEach(t, x, dims, 0).check(t, x, dims, 0, tensor.Reduce[float64])
		}
	}
}

// gather lists values in the order of the items: its partial results have memory of their
// own, and are joined in order.
type gather struct{ reducers.Base[[]int] }

func (gather) Init(val *[]int) { *val = (*val)[:0] }

func (gather) Join(dst, src *[]int) { *dst = append(*dst, *src...) }

func (g gather) Fold() reducers.Fold[int] {
	return reducers.Folding[[]int](reducers.Ordered[[]int](g), func(acc *[]int, _ int, x int) { *acc = append(*acc, x) }).Fold()
}

func newGather(result *[]int) gather { return gather{reducers.Into(result)} }

func TestElementsComeInOrder(t *testing.T) {
	shapes := [][]int{{2, 300, 3}, {4, 700}, {300, 4}, {70000}} // the last one is split
	if testing.Short() {
		shapes = shapes[2:]
	}
	for _, extents := range shapes {
		for _, order := range []views.Layout{views.Right, views.Left} {
			x := views.Must(views.New[int]("x", extents, order))
			index := make([]int, len(extents))
			for k := range x.Len() {
				x.Set(index, k)
				next(index, extents)
			}
			for _, dims := range subsets(len(extents)) {
				kept, lists := elements(x, dims)
				for _, space := range spaces(t) {
					for _, strategy := range strategies {
						y := views.Must(views.New[[]int]("y", kept))
						s := tensor.Over(x, dims...).On(space).WithStrategy(strategy)
						require.NoError(t, tensor.Reduce(s, tensor.Fold(newGather, tensor.IntoMap(y, func(x []int, _ int) []int { return slices.Clone(x) }))))
						require.Equal(t, lists, list(y), "%v of %v on %s, %v", dims, x, space.Name(), strategy)
					}
				}
			}
		}
	}
}

func TestInputIsReadOnce(t *testing.T) {
	for _, extents := range [][]int{{3, 5000}, {5000, 3}, {40, 50, 7}} {
		x := views.Must(views.New[int]("x", extents))
		memory, _ := x.Slice()
		for k := range memory {
			memory[k] = k
		}
		for _, dims := range subsets(len(extents)) {
			for _, strategy := range strategies {
				reads := make([]atomic.Int32, x.Len())
				count := func(k int) int64 {
					reads[k].Add(1)
					return int64(k)
				}
				kept, _ := elements(x, dims)
				sum, squares := views.Must(views.New[int64]("sum", kept)), views.Must(views.New[int64]("squares", kept))
				least, at := views.Must(views.New[int64]("least", kept)), views.Must(views.New[int]("at", kept))
				require.NoError(t, tensor.Reduce(tensor.Map(tensor.Over(x, dims...).WithStrategy(strategy), count),
					tensor.Fold(builtin.Sum[int64], tensor.Into(sum)),
					tensor.Fold(builtin.SumSq[int64], tensor.Into(squares)),
					tensor.Fold(builtin.MinLoc[int64, int], tensor.IntoMap(least, tensor.Value[int64]), tensor.IntoMap(at, tensor.Index[int64]))))
				for k := range reads {
					require.Equal(t, int32(1), reads[k].Load(), "element %d of %v over %v", k, extents, dims)
				}
			}
		}
	}
}

// counting counts launches and their items.
type counting struct {
	exec.Space
	launches, items int
}

// Concurrency returns what units are cut for.
func (c *counting) Concurrency() int { return 16 }

func (c *counting) Launch(g space.Grid, j space.Job) error {
	c.launches++
	c.items = max(c.items, g.Leaves)
	return c.Space.Launch(g, j)
}

func TestOneLaunchForAllResults(t *testing.T) {
	for _, c := range []struct {
		extents  []int
		dims     []int
		least    int // units of work
		strategy tensor.Strategy
	}{
		{[]int{1000, 1000}, []int{1}, 50, tensor.Auto},
		{[]int{1000, 1000}, []int{0}, 30, tensor.Auto},
		{[]int{3, 1 << 19}, []int{1}, 90, tensor.Auto}, // few results: these are split
		{[]int{3, 1 << 19}, []int{1}, 3, tensor.Threadwise},
		{[]int{1 << 20}, []int{0}, 60, tensor.Auto},
	} {
		space := &counting{Space: exec.Serial{}}
		x := views.Must(views.New[float32]("x", c.extents))
		kept, _ := elements(x, c.dims)
		y, z := views.Must(views.New[float32]("y", kept)), views.Must(views.New[float32]("z", kept))
		require.NoError(t, tensor.Reduce(tensor.Over(x, c.dims...).On(space).WithStrategy(c.strategy),
			tensor.Fold(builtin.Sum[float32], tensor.Into(y)), tensor.Fold(builtin.Max[float32], tensor.Into(z))))
		assert.LessOrEqual(t, space.launches, 2, "%v", c) // the second one joins what units left
		assert.GreaterOrEqual(t, space.items, c.least, "%v", c)
		if c.strategy == tensor.Threadwise {
			assert.Equal(t, c.least, space.items)
		}
	}
}

func TestZeroExtents(t *testing.T) {
	x := views.Must(views.New[float64]("x", []int{3, 0, 2}))
	// No elements, but results: identity, then Final.
	sum, least := views.Must(views.New[float64]("sum", []int{3, 2})), views.Must(views.New[float64]("least", []int{3, 1, 2}))
	root, at := views.Must(views.New[float64]("root", []int{3, 2})), views.Must(views.New[int]("at", []int{3, 2}))
	require.NoError(t, views.Fill(sum, 7.0))
	require.NoError(t, tensor.Reduce(tensor.Over(x, 1),
		tensor.Fold(builtin.Sum[float64], tensor.Into(sum)),
		tensor.Fold(builtin.Min[float64], tensor.Into(least)),
		tensor.Fold(func(r *float64) reducers.Func[float64] {
			return reducers.New(r, func(dst, src *float64) { *dst += *src }, reducers.Final(func(v *float64) { *v += 5 }))
		}, tensor.Into(root)),
		tensor.Fold(builtin.MinLoc[float64, int], tensor.IntoMap(at, func(v builtin.ValLoc[float64, int], n int) int {
			assert.Zero(t, n)
			return tensor.Index(v, n)
		}))))
	inf := math.Inf(1)
	assert.Equal(t, make([]float64, 6), list(sum))
	assert.Equal(t, []float64{inf, inf, inf, inf, inf, inf}, list(least))
	assert.Equal(t, []float64{5, 5, 5, 5, 5, 5}, list(root))
	assert.Equal(t, []int{-1, -1, -1, -1, -1, -1}, list(at))
	// No results.
	none := views.Must(views.New[float64]("none", []int{3, 0}))
	assert.NoError(t, tensor.Reduce(tensor.Over(x, 2), tensor.Fold(builtin.Sum[float64], tensor.Into(none))))
}

// A reducer that panics when it is made panics as one that does so in a launch.
func TestPanicOfAConstructor(t *testing.T) {
	x, y := views.Must(views.New[float64]("x", []int{2, 3})), views.Must(views.New[float64]("y", []int{2}))
	boom := errors.New("boom")
	defer func() {
		p, ok := recover().(*exec.Panic)
		require.True(t, ok)
		assert.ErrorIs(t, p, boom)
		assert.Equal(t, "trip", p.Label)
		assert.Equal(t, 6, p.End)
		assert.Equal(t, []float64{0, 0}, list(y))
	}()
	_ = tensor.Reduce(tensor.Over(x, 1).WithLabel("trip"),
		tensor.Fold(func(*float64) builtin.Reduction[float64, float64] { panic(boom) }, tensor.Into(y)))
}

// A constructor that panics with nil is no reducer that is ready.
func TestPanicWithNilOfAConstructor(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=1")
	x, y := views.Must(views.New[float64]("x", []int{2, 3})), views.Must(views.New[float64]("y", []int{2}))
	defer func() {
		p, ok := recover().(*exec.Panic)
		require.True(t, ok)
		assert.Nil(t, p.Value)
	}()
	_ = tensor.Reduce(tensor.Over(x, 1), tensor.Fold(func(*float64) builtin.Reduction[float64, float64] { panic(nil) }, tensor.Into(y)))
	t.Error("Reduce returned")
}

// A zero view has no elements: their reduction is the identity, of rank 0.
func TestZeroViews(t *testing.T) {
	for _, x := range []views.Viewer[float64]{views.View[float64]{}, views.View1[float64]{}, views.Strided3[float64]{}} {
		for _, strategy := range []tensor.Strategy{tensor.Auto, tensor.Blockwise, tensor.Threadwise} {
			lowest, scaled := views.Must(views.New[float64]("lowest", nil)), views.Must(views.New[float64]("scaled", nil))
			lowest.Set(nil, 7)
			scaled.Set(nil, 7)
			mean := tensor.IntoMap(scaled, func(sum float64, n int) float64 { return sum + float64(n) })
			require.NoError(t, tensor.Reduce(tensor.Over(x).WithStrategy(strategy),
				tensor.Fold(builtin.Min[float64], tensor.Into(lowest)),
				tensor.Fold(builtin.Sum[float64], mean.Scaled(1, 2))))
			assert.Equal(t, math.Inf(1), lowest.At())
			assert.Equal(t, 14.0, scaled.At(), "none of the elements, and twice what was there")
		}
	}
}

func TestErrors(t *testing.T) {
	x := views.Must(views.New[float64]("x", []int{2, 3}))
	y := views.Must(views.New[float64]("y", []int{2}))
	sum := tensor.Fold(builtin.Sum[float64], tensor.Into(y))
	row := views.Must(x.Sub(views.All(), views.Index(1)))
	var missing views.Viewer[float64]
	for want, run := range map[string]func() error{
		`tensor: dimensions [0 -1] of "x" [2 3]: -1, expected 0 to 1`: func() error { return tensor.Reduce(tensor.Over(x, 0, -1), sum) },
		`tensor: dimensions [2] of "x" [2 3]: 2, expected 0 to 1`:     func() error { return tensor.Reduce(tensor.Over(x, 2), sum) },
		`tensor: dimensions [1 1] of "x" [2 3]: 1 is there twice`:     func() error { return tensor.Reduce(tensor.Over(x, 1, 1), sum) },
		`tensor: the output of "x" [2 3] is "y" [2], expected extents [3] or [1 3]`: func() error {
			return tensor.Reduce(tensor.Over(x, 0), sum)
		},
		`tensor: the output of "x" [2 3] is "y" [2], expected extents [] or [1 1]`: func() error {
			return tensor.Reduce(tensor.Over(x, 0, 1), sum)
		},
		`tensor: the output of "x" [2 3] is a zero view, expected extents [] or [1 1]`: func() error {
			return tensor.Reduce(tensor.Over(x, 0, 1), tensor.Fold(builtin.Sum[float64], tensor.Into(views.View[float64]{})))
		},
		`tensor: the output of a zero view is a zero view, expected extents []`: func() error {
			return tensor.Reduce(tensor.Over(views.View[float64]{}), tensor.Fold(builtin.Sum[float64], tensor.Into(views.View1[float64]{})))
		},
		`tensor: dimensions [0] of a zero view, expected none`: func() error {
			return tensor.Reduce(tensor.Over(views.View1[float64]{}, 0), sum)
		},
		`tensor: output "x" [2] and the tensor "x" [2 3] have elements in common`: func() error {
			return tensor.Reduce(tensor.Over(x, 1), tensor.Fold(builtin.Sum[float64], tensor.Into(row)))
		},
		`tensor: outputs "y" [2] and "y" [2] have elements in common`: func() error { return tensor.Reduce(tensor.Over(x, 1), sum, sum) },
		`tensor: Reduce without operations`:                           func() error { return tensor.Reduce(tensor.Over(x, 1)) },
		`tensor: operation 2 is nil`:                                  func() error { return tensor.Reduce(tensor.Over(x, 1), sum, nil) },
		`tensor: a chunk of -1 items, expected at least 1, or 0 for the rule's own`: func() error {
			return tensor.Reduce(tensor.Over(x, 1).Chunk(-1), sum)
		},
		`tensor: Strategy(3), expected Auto, Blockwise or Threadwise`: func() error {
			return tensor.Reduce(tensor.Over(x, 1).WithStrategy(3), sum)
		},
		`tensor: Over was given a nil view of float64`: func() error { return tensor.Reduce(tensor.Over(missing, 1), sum) },
		`tensor: the output is a nil view of float64`: func() error {
			return tensor.Reduce(tensor.Over(x, 1), tensor.Fold(builtin.Sum[float64], tensor.Into(missing)))
		},
		`tensor: IntoMap was given a nil function`: func() error {
			return tensor.Reduce(tensor.Over(x, 1), tensor.Fold(builtin.Sum[float64], tensor.IntoMap[float64, float64](y, nil)))
		},
		`tensor: Map was given a nil function`: func() error { return tensor.Reduce(tensor.Map[float64, float64](tensor.Over(x, 1), nil), sum) },
		`tensor: MapSlice was given a nil function`: func() error {
			return tensor.Reduce(tensor.MapSlice[float64, float64](tensor.Over(x, 1), nil), sum)
		},
		`tensor: Reduce of a zero Source, expected one made by Over`: func() error {
			return tensor.Reduce(tensor.Map(tensor.Source[int]{}, func(int) float64 { return 0 }), sum)
		},
		`tensor: FoldMap was given a nil function`: func() error {
			return tensor.Reduce(tensor.Over(x, 1), tensor.FoldMap[float64](nil, builtin.Sum[float64], tensor.Into(y)))
		},
		`tensor: a reduction without outputs`: func() error { return tensor.Reduce(tensor.Over(x, 1), tensor.Fold(builtin.Sum[float64])) },
		`tensor: the constructor of a reducer is nil`: func() error {
			return tensor.Reduce(tensor.Over(x, 1), tensor.Fold[builtin.Reduction[float64, float64]](nil, tensor.Into(y)))
		},
		`tensor: a zero Output, expected one made by Into or IntoMap`: func() error {
			return tensor.Reduce(tensor.Over(x, 1), tensor.Fold(builtin.Sum[float64], tensor.Output[float64]{}))
		},
		`tensor: reducers.Modified[float64] joins in the old content of its result place, which it has not here; use Scaled`: func() error {
			return tensor.Reduce(tensor.Over(x, 1), tensor.Fold(func(r *float64) reducers.Modified[float64] {
				return reducers.WithInitial[float64](builtin.Sum(r))
			}, tensor.Into(y)))
		},
		`tensor: IgnoreNaN of builtin.sum[float64], expected an exact reducer`: func() error {
			return tensor.Reduce(tensor.Over(x, 1), tensor.Fold(tensor.IgnoreNaN(builtin.Sum[float64]), tensor.Into(y)))
		},
		`builtin: a fold over values knows their location as an int, given a reducer with locations of type string; use exec.ParallelReduce`: func() error {
			return tensor.Reduce(tensor.Over(x, 1), tensor.Fold(builtin.MinLoc[float64, string], tensor.IntoMap(y, func(builtin.ValLoc[float64, string], int) float64 { return 0 })))
		},
	} {
		require.NoError(t, views.Fill(y, 42.0))
		assert.EqualError(t, run(), want)
		assert.Equal(t, []float64{42, 42}, list(y))
	}
	for _, x := range []views.Viewer[float64]{x, views.View[float64]{}} {
		assert.Less(t, len(tensor.Reduce(tensor.Over(x, make([]int, 100_000)...), sum).Error()), 200)
	}
	assert.Less(t, len(tensor.Reduce(tensor.Over(x, slices.Repeat([]int{2}, 100_000)...), sum).Error()), 200)
	// Views that lie within each other without common elements are none.
	a := views.Must(views.New[float64]("a", []int{2, 2}))
	left, right := views.Must(a.Sub(views.All(), views.Index(0))), views.Must(a.Sub(views.All(), views.Index(1)))
	require.NoError(t, tensor.Reduce(tensor.Over(x, 1), tensor.Fold(builtin.Sum[float64], tensor.Into(left), tensor.Into(right))))
}

// On an error, a panic or when it is cancelled, every output keeps its old content.
func TestOutputsKeepTheirContent(t *testing.T) {
	x := views.Must(views.New[float64]("x", []int{50, 2000}))
	cause := errors.New("enough")
	for _, space := range spaces(t) {
		for _, strategy := range strategies {
			for _, dims := range [][]int{{0}, {1}, {0, 1}} {
				kept, _ := elements(x, dims)
				y, z := views.Must(views.New[float64]("y", kept)), views.Must(views.New[float64]("z", kept))
				require.NoError(t, views.Fill(y, 42.0))
				require.NoError(t, views.Fill(z, 42.0))
				intact := func() {
					t.Helper()
					for _, v := range append(list(y), list(z)...) {
						require.Equal(t, 42.0, v)
					}
				}
				s := tensor.Over(x, dims...).On(space).WithStrategy(strategy)
				sum := tensor.Fold(builtin.Sum[float64], tensor.Into(y))
				var calls atomic.Int32
				failing := func(at int32) func(float64) float64 {
					calls.Store(0)
					return func(v float64) float64 {
						if calls.Add(1) == at {
							panic(cause)
						}
						return v
					}
				}
				for _, r := range []tensor.Operation[float64]{
					tensor.FoldMap(failing(40000), builtin.Sum[float64], tensor.Into(z)),
					tensor.Fold(builtin.Sum[float64], tensor.IntoMap(z, func(float64, int) float64 { panic(cause) })),
				} {
					func() {
						defer func() {
							p, ok := recover().(*exec.Panic)
							require.True(t, ok)
							require.ErrorIs(t, p, cause)
						}()
						_ = tensor.Reduce(s, sum, r)
					}()
					intact()
				}
				ctx, cancel := context.WithCancelCause(context.Background())
				cancelling := func(v float64) float64 {
					cancel(cause)
					return v
				}
				require.ErrorIs(t, tensor.Reduce(s.WithContext(ctx), sum, tensor.FoldMap(cancelling, builtin.Sum[float64], tensor.Into(z))), cause, "%s %v %v", space.Name(), strategy, dims)
				intact()
			}
		}
	}
	closed := exec.NewGoroutines(2)
	require.NoError(t, closed.Close())
	y := views.Must(views.New[float64]("y", []int{50}))
	assert.Error(t, tensor.Reduce(tensor.Over(x, 1).On(closed), tensor.Fold(builtin.Sum[float64], tensor.Into(y))))
}

// Rows that are apart in memory and in another order there, more than are reduced in one call, by reducers that
// take several in one and by those that take one.
func TestRowsApart(t *testing.T) {
	const rows = 50
	for _, items := range []int{5, 100, 316, 600, 1003, 3000} {
		large := views.Must(views.New[float64]("x", []int{2, rows, items + 7}))
		memory, _ := large.Slice()
		rng := rand.New(rand.NewPCG(5, uint64(items)))
		for k := range memory {
			memory[k] = rng.NormFloat64() * math.Exp(8*rng.Float64())
		}
		x := views.Must(large.Sub(views.All(), views.All(), views.Range(3, 3+items)))
		x = views.Must(x.Permute(1, 0, 2))
		for name, reducer := range map[string]func(*float64) builtin.Reduction[float64, float64]{
			"Sum":   func(r *float64) builtin.Reduction[float64, float64] { return builtin.Sum(r) },
			"SumSq": func(r *float64) builtin.Reduction[float64, float64] { return builtin.SumSq(r) },
			"Norm1": func(r *float64) builtin.Reduction[float64, float64] { return builtin.Norm1(r) },
			"Norm2": func(r *float64) builtin.Reduction[float64, float64] { return builtin.Norm2(r) },
			"Max":   func(r *float64) builtin.Reduction[float64, float64] { return builtin.Max(r) },
		} {
			for _, space := range spaces(t) {
				y := views.Must(views.New[float64]("y", []int{rows, 2}))
				require.NoError(t, tensor.Reduce(tensor.Over(x, 2).On(space), tensor.Fold(reducer, tensor.Into(y))))
				for k := range 2 * rows {
					var want float64
					row := memory[k*(items+7)+3:][:items]
					require.NoError(t, exec.ParallelFold(exec.Slice(policy.Range(0, items).On(exec.Serial{}), row), reducer(&want)))
					require.Equal(t, want, y.At(k%rows, k/rows), "%s of row %d of %d items on %s", name, k, items, space.Name())
				}
			}
		}
	}
}

// The label of a launch is the source's, or says that it is Reduce's.
func TestLabel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x, y := views.Must(views.New2[float64]("x", 3, 4)), views.Must(views.New1[float64]("y", 3))
	s := tensor.Over(x, 1).WithContext(ctx)
	for label, s := range map[string]tensor.Source[float64]{"tensor.Reduce": s, "mine": s.WithLabel("mine")} {
		err := tensor.Reduce(s, tensor.Fold(builtin.Sum[float64], tensor.Into(y)))
		assert.ErrorContains(t, err, `launch of "`+label+`" cancelled`)
	}
}
