package algorithms_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// ignore drops what an algorithm returns besides the error.
func ignore[T any](_ T, err error) error { return err }

func view(x ...int) views.View[int] { return views.Must(views.Of("v", x, []int{len(x)})) }

func TestErrorsOfArguments(t *testing.T) {
	on := policy.On(exec.Serial{})
	v, w := view(1, 2, 3), view(1, 2)
	table := views.Must(views.New[int]("table", []int{2, 2}))
	out := views.Must(views.New[int]("out", []int{3}))
	var total int
	same := func(x int) int { return x }
	pred := func(x int) bool { return x > 1 }
	bins := algorithms.UniformBins(0, 3, 3)
	for want, err := range map[string]error{
		`Sort: "table" [2 2] has rank 2, expected 1`:                                                                             algorithms.Sort(table, on),
		`Sort: a view is nil`:                                                                                                    algorithms.Sort[int](nil, on),
		`SortFunc: a function is nil`:                                                                                            algorithms.SortFunc(v, nil, on),
		`SortFunc: "table" [2 2] has rank 2, expected 1`:                                                                         algorithms.SortFunc(table, cmp.Compare[int], on),
		`SortByKey: "v" [3] and "v" [2], expected equal lengths`:                                                                 algorithms.SortByKey(v, w, on),
		`SortByKey: "v" [3] and "v" [3] have elements in common`:                                                                 algorithms.SortByKey(v, v, on),
		`SortByKeyFunc: "v" [3] and "v" [3] have elements in common`:                                                             algorithms.SortByKeyFunc(v, v, cmp.Compare[int], on),
		`IsSortedUntil: "table" [2 2] has rank 2, expected 1`:                                                                    ignore(algorithms.IsSorted(table, on)),
		`Unique: a function is nil`:                                                                                              ignore(algorithms.UniqueFunc(v, nil, on)),
		`UniqueCopy: "v" [2] for 3 elements, expected room for all`:                                                              ignore(algorithms.UniqueCopy(w, v, on)),
		`UniqueByKey: "v" [3] and "v" [2], expected equal lengths`:                                                               ignore(algorithms.UniqueByKey(v, w, on)),
		`ReduceByKey: "out" [3] and "out" [3] have elements in common`:                                                           ignore(algorithms.ReduceByKey(out, out, v, view(1, 1, 1), builtin.Sum, on)),
		`ExclusiveScan: "v" [2] and "v" [3], expected equal lengths`:                                                             algorithms.ExclusiveScan(w, v, builtin.Sum(&total), on),
		`AdjacentDifference: "v" [3] and "v" [3] have elements in common`:                                                        algorithms.AdjacentDifference(v, v, on),
		`Histogram: "v" [2] for 3 bins, expected as many elements`:                                                               algorithms.Histogram(w, v, bins, on),
		`Histogram: no bins, expected those of UniformBins or EdgeBins`:                                                          algorithms.Histogram(w, v, algorithms.Bins[int]{}, on),
		`Histogram: 1 edges of bins, expected at least 2`:                                                                        algorithms.Histogram(w, v, algorithms.EdgeBins(1), on),
		`Histogram: edge 1 of bins is 1 after 1, expected a greater one`:                                                         algorithms.Histogram(w, v, algorithms.EdgeBins(1, 1), on),
		`Histogram: 0 uniform bins from 0 to 1, expected at least one, and a difference of float64s that is positive and finite`: algorithms.Histogram(w, v, algorithms.UniformBins(0, 1, 0), on),
		`WeightedHistogram: "v" [3] and "v" [2], expected equal lengths`:                                                         algorithms.WeightedHistogram(out, v, w, bins, on),
		`FindIf: a function is nil`:                                                                                              ignore(algorithms.FindIf(v, nil, on)),
		`AllOf: a function is nil`:                                                                                               ignore(algorithms.AllOf(v, nil, on)),
		`SearchN: -1 elements, expected at least 0`:                                                                              ignore(algorithms.SearchN(v, -1, 1, on)),
		`Count: "table" [2 2] has rank 2, expected 1`:                                                                            ignore(algorithms.Count(table, 1, on)),
		`Compare: "table" [2 2] has rank 2, expected 1`:                                                                          ignore(algorithms.Compare(v, table, on)),
		`MinElement: "table" [2 2] has rank 2, expected 1`:                                                                       ignore(algorithms.MinElement(table, on)),
		`MaxElementFunc: a function is nil`:                                                                                      ignore(algorithms.MaxElementFunc(v, nil, on)),
		`ForEach: a function is nil`:                                                                                             algorithms.ForEach(v, nil, on),
		`Transform: "v" [2] and "v" [3], expected equal lengths`:                                                                 algorithms.Transform(w, v, same, on),
		`Transform2: "v" [2] and "v" [3], expected equal lengths`:                                                                algorithms.Transform2(w, w, v, func(x, y int) int { return x }, on),
		`ReplaceIf: a function is nil`:                                                                                           algorithms.ReplaceIf(v, nil, 1, on),
		`SwapRanges: "v" [3] and "v" [3] have elements in common`:                                                                algorithms.SwapRanges(v, v, on),
		`ReverseCopy: "v" [3] and "v" [3] have elements in common`:                                                               algorithms.ReverseCopy(v, v, on),
		`Rotate: index 4 of "v" [3], expected 0 <= index <= 3`:                                                                   algorithms.Rotate(v, 4, on),
		`RotateCopy: index -1 of "v" [3], expected 0 <= index <= 3`:                                                              algorithms.RotateCopy(out, v, -1, on),
		`ShiftLeft: by -1 places, expected at least 0`:                                                                           ignore(algorithms.ShiftLeft(v, -1, on)),
		`CopyIf: "empty" [0] for 2 elements, expected room for all`:                                                              ignore(algorithms.CopyIf(views.Must(views.New1[int]("empty", 0)), v, pred, on)),
		`RemoveIf: a function is nil`:                                                                                            ignore(algorithms.RemoveIf(v, nil, on)),
		`PartitionCopy: "out" [3] and "out" [3] have elements in common`:                                                         ignore(algorithms.PartitionCopy(out, out, v, pred, on)),
		`PartitionCopy: "empty" [0] for 1 elements, expected room for all`:                                                       ignore(algorithms.PartitionCopy(out, views.Must(views.New1[int]("empty", 0)), v, pred, on)),
		`StablePartition: a function is nil`:                                                                                     ignore(algorithms.StablePartition(v, nil, on)),
		`IsPartitioned: a function is nil`:                                                                                       ignore(algorithms.IsPartitioned(v, nil, on)),
	} {
		require.EqualError(t, err, "algorithms: "+want)
	}
	require.Equal(t, []int{1, 2, 3}, values(v))
	require.Equal(t, []int{1, 2}, values(w))
	require.Equal(t, []int{0, 0, 0}, values(out))
}

// Bounds of bins that are no interval are errors.
func TestErrorsOfBins(t *testing.T) {
	counts, x := view(0), views.Must(views.New1[float64]("x", 1))
	for _, b := range []algorithms.Bins[float64]{
		algorithms.UniformBins(1.0, 1, 1), algorithms.UniformBins(2.0, 1, 1), algorithms.UniformBins(0, math.NaN(), 1),
		algorithms.UniformBins(0, math.Inf(1), 1), algorithms.UniformBins(-math.MaxFloat64, math.MaxFloat64, 1),
		algorithms.EdgeBins(0, math.NaN()), algorithms.EdgeBins(math.NaN(), 1),
	} {
		require.Error(t, algorithms.Histogram(counts, x, b, policy.On(exec.Serial{})))
		require.Equal(t, -1, b.Index(0))
	}
}

// Views of one memory are refused if and only if they have an element in common.
func TestOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		memory := make([]int, 200)
		n := rapid.IntRange(0, 12).Draw(t, "n")
		draw := func(name string) (views.View[int], map[int]bool) {
			first, stride := rapid.IntRange(0, 40).Draw(t, name), rapid.IntRange(1, 12).Draw(t, name)
			places := map[int]bool{}
			for i := range n {
				places[first+i*stride] = true
			}
			return views.Must(views.Of(name, memory[first:], []int{n}, views.Stride{stride})), places
		}
		a, placesA := draw("a")
		b, placesB := draw("b")
		common := false
		for p := range placesA {
			common = common || placesB[p]
		}
		err := algorithms.ReverseCopy(a, b, policy.On(exec.Serial{}))
		require.Equal(t, common, err != nil, "%v", err)
	})
}

// Elements of different types in one memory have it in common too.
func TestOverlapOfDifferentTypes(t *testing.T) {
	memory := make([][2]int, 4)
	pairs := views.Must(views.Of1("pairs", memory))
	numbers := views.Must(views.OfArrays[int]("numbers", memory[1:3]))
	flat := views.Must(views.As1(numbers.Reshape(4)))
	err := algorithms.Transform(flat, pairs, func(p [2]int) int { return p[0] }, policy.On(exec.Serial{}))
	require.EqualError(t, err, `algorithms: Transform: "numbers" [4] and "pairs" [4] have elements in common`)
	even := views.Must(pairs.Sub(views.All().By(2)))
	odd := views.Must(flat.Sub(views.Range(0, 2))) // of pair 1
	require.NoError(t, algorithms.Transform(odd, even, func(p [2]int) int { return p[0] + 1 }, policy.On(exec.Serial{})))
	require.Equal(t, [][2]int{{}, {1, 1}, {}, {}}, memory)
}

// What moves elements leaves all of them in place if it is cancelled, whenever that is.
func TestCancelledKeepsContent(t *testing.T) {
	const n = 5000
	stop := errors.New("stop")
	for name, run := range map[string]func(v views.View[int], look func(), on policy.Launch) error{
		"Sort": func(v views.View[int], look func(), on policy.Launch) error { look(); return algorithms.Sort(v, on) },
		"SortFunc": func(v views.View[int], look func(), on policy.Launch) error {
			return algorithms.SortFunc(v, func(a, b int) int { look(); return cmp.Compare(a, b) }, on)
		},
		"RemoveIf": func(v views.View[int], look func(), on policy.Launch) error {
			return ignore(algorithms.RemoveIf(v, func(x int) bool { look(); return odd(x) }, on))
		},
		"StablePartition": func(v views.View[int], look func(), on policy.Launch) error {
			return ignore(algorithms.StablePartition(v, func(x int) bool { look(); return odd(x) }, on))
		},
		"UniqueFunc": func(v views.View[int], look func(), on policy.Launch) error {
			return ignore(algorithms.UniqueFunc(v, func(a, b int) bool { look(); return a&8 == b&8 }, on))
		},
		"Rotate": func(v views.View[int], look func(), on policy.Launch) error {
			look()
			return algorithms.Rotate(v, 9, on)
		},
		"ShiftLeft": func(v views.View[int], look func(), on policy.Launch) error {
			look()
			return ignore(algorithms.ShiftLeft(v, 9, on))
		},
	} {
		for _, after := range []int{1, 100, 3000} {
			x := make([]int, n)
			for i := range x {
				x[i] = n - i
			}
			v := view(append([]int(nil), x...)...)
			ctx, cancel := context.WithCancelCause(t.Context())
			looks := 0
			err := run(v, func() {
				if looks++; looks >= after {
					cancel(stop)
				}
			}, policy.On(exec.Serial{}).WithContext(ctx))
			if looks < after {
				cancel(nil)
				continue
			}
			require.ErrorIs(t, err, stop, name)
			require.Equal(t, x, values(v), name)
		}
	}
}

// A panic of a user's function arrives as that of a launch, on every space.
func TestPanics(t *testing.T) {
	for _, w := range worlds(t) {
		v, keys := on(w, make([]int, 2000)), on(w, make([]int, 2000))
		boom := func(int) bool { panic("boom") }
		for name, run := range map[string]func() error{
			"FindIf":   func() error { return ignore(algorithms.FindIf(v, boom, w.on)) },
			"CountIf":  func() error { return ignore(algorithms.CountIf(v, boom, w.on)) },
			"CopyIf":   func() error { return ignore(algorithms.CopyIf(keys, v, boom, w.on)) },
			"Generate": func() error { return algorithms.Generate(v, func(i int) int { panic("boom") }, w.on) },
			"Compare": func() error {
				return ignore(algorithms.CompareFunc(v, keys, func(a, b int) int { panic("boom") }, w.on))
			},
			"MinElementFunc": func() error {
				return ignore(algorithms.MinElementFunc(v, func(a, b int) int { panic("boom") }, w.on))
			},
			"SortByKeyFunc": func() error {
				return algorithms.SortByKeyFunc(keys, v, func(a, b int) int { panic("boom") }, w.on)
			},
		} {
			func() {
				defer func() {
					p, ok := recover().(*exec.Panic)
					require.True(t, ok, "%s on %s", name, w.name)
					require.Equal(t, "boom", p.Value)
				}()
				_ = run()
				t.Errorf("%s on %s returned", name, w.name)
			}()
		}
	}
}

func TestClosedSpace(t *testing.T) {
	closed := exec.NewGoroutines(2)
	require.NoError(t, closed.Close())
	v := view(3, 2, 1)
	on := policy.On(closed)
	require.ErrorIs(t, algorithms.Sort(v, on), space.ErrClosed)
	require.ErrorIs(t, ignore(algorithms.Unique(v, on)), space.ErrClosed)
	i, err := algorithms.Find(v, 2, on)
	require.ErrorIs(t, err, space.ErrClosed)
	require.Equal(t, -1, i)
	n, err := algorithms.CountIf(v, odd, on)
	require.ErrorIs(t, err, space.ErrClosed)
	require.Equal(t, 0, n)
	require.Equal(t, []int{3, 2, 1}, values(v))
}

// Views in the memory of a device are sorted there, and nowhere else.
func TestMemoryOfDevice(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	t.Cleanup(func() { require.NoError(t, sim.Close()) })
	host := views.Must(views.Of1("x", []int{3, 1, 2, 5, 4}))
	x := views.Must(views.MirrorCopy[int](sim.Memory(), host))
	require.NoError(t, algorithms.Sort(x))
	at, err := algorithms.Find(x, 4, policy.On(sim))
	require.NoError(t, err)
	assert.Equal(t, 3, at)
	require.NoError(t, views.DeepCopy(host, x))
	assert.Equal(t, 1, host.At(0))
	assert.Equal(t, 5, host.At(4))
	assert.ErrorContains(t, algorithms.Sort(x, policy.On(exec.Serial{})), "cannot touch")
}
