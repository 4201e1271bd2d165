package algorithms_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// scans are the two kinds by a name.
var scans = map[string]func(dst, src views.Viewer[float64], r reducers.Reducer[float64], on ...policy.Launch) error{
	"exclusive": algorithms.ExclusiveScan[float64],
	"inclusive": algorithms.InclusiveScan[float64],
}

// patternScan is the scan of package exec.
func patternScan(t *testing.T, x []float64, r reducers.Reducer[float64], exclusive bool) []float64 {
	y := make([]float64, len(x))
	require.NoError(t, exec.ParallelScan(policy.Range(0, len(x)).On(exec.Serial{}), func(i int, acc *float64, final bool) {
		e := x[i]
		if final && exclusive {
			y[i] = *acc
		}
		r.Join(acc, &e)
		if final && !exclusive {
			y[i] = *acc
		}
	}, r))
	return y
}

// A scan has the bits of exec.ParallelScan, in place too.
func TestScan(t *testing.T) {
	all := worlds(t)
	for _, n := range append(sizes, large) {
		x := specials(n)
		for i, f := range randoms(n) { // NaN and Inf would hide all that follows
			if math.IsInf(x[i], 0) || x[i] != x[i] || math.Abs(x[i]) > 1e9 {
				x[i] = f
			}
		}
		for name, scan := range scans {
			for _, op := range []struct {
				name string
				make func(total *float64) reducers.Reducer[float64]
			}{
				{"Sum", func(t *float64) reducers.Reducer[float64] { return builtin.Sum(t) }},
				{"Max", func(t *float64) reducers.Reducer[float64] { return builtin.Max(t) }},
				{"Sum and 0.1", func(t *float64) reducers.Reducer[float64] { return reducers.WithInitial(builtin.Sum(t)) }},
			} {
				total := 0.1
				want := patternScan(t, x, op.make(&total), name == "exclusive")
				for k, w := range all {
					if n == large && (k%5 != 0 || testing.Short()) {
						continue
					}
					got, src := 0.1, on(w, x)
					dst := on(w, make([]float64, n))
					require.NoError(t, scan(dst, src, op.make(&got), w.on))
					require.Equal(t, bits(want), bits(values(dst)), "%s %s of %d on %s", name, op.name, n, w.name)
					require.Equal(t, math.Float64bits(total), math.Float64bits(got))
					require.Equal(t, bits(x), bits(values(src)))

					got = 0.1
					require.NoError(t, scan(src, src, op.make(&got), w.on))
					require.Equal(t, bits(want), bits(values(src)), "%s %s of %d on %s", name, op.name, n, w.name)
				}
			}
		}
	}
}

func TestScanOfSlices(t *testing.T) {
	lists := [][]int{{1}, {2, 3}, nil, {4}}
	join := func(dst, src *[]int) { *dst = append(*dst, *src...) }
	for _, w := range worlds(t) {
		var total []int
		dst := on(w, make([][]int, 4))
		require.NoError(t, algorithms.InclusiveScan(dst, on(w, lists), reducers.Reducer[[]int](reducers.Ordered(reducers.New(&total, join))), w.on))
		require.Equal(t, [][]int{{1}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3, 4}}, values(dst), w.name)
		require.Equal(t, []int{1, 2, 3, 4}, total)
	}
}

func TestAdjacentDifference(t *testing.T) {
	all := worlds(t)
	rapid.Check(t, func(t *rapid.T) {
		x := small(t, "x")
		want := each(x, func(i, e int) int {
			if i > 0 {
				return e - x[i-1]
			}
			return e
		})
		for _, w := range few(t, all) {
			dst := on(w, make([]int, len(x)))
			require.NoError(t, algorithms.AdjacentDifference(dst, on(w, x), w.on))
			require.Equal(t, want, values(dst), w.name)
			sums, total := on(w, make([]int, len(x))), 0
			require.NoError(t, algorithms.InclusiveScan(sums, dst, builtin.Sum(&total), w.on))
			require.Equal(t, x, values(sums), w.name)
		}
	})
}

// checkSums compares scans of a type with a loop, and with those of the same sums made of a
// function, which take another way.
func checkSums[T builtin.Number](t *testing.T, all []world, from func(i int) T) {
	const n = 3000
	x := make([]T, n)
	for i := range x {
		x[i] = from(i)
	}
	for _, w := range all {
		fast, slow := on(w, make([]T, n)), on(w, make([]T, n))
		a, b := T(7), T(7)
		join := func(dst, src *T) { *dst += *src }
		for _, scan := range []func(dst, src views.Viewer[T], r reducers.Reducer[T], on ...policy.Launch) error{
			algorithms.ExclusiveScan[T], algorithms.InclusiveScan[T],
		} {
			require.NoError(t, scan(fast, on(w, x), reducers.WithInitial(builtin.Sum(&a)), w.on))
			require.NoError(t, scan(slow, on(w, x), reducers.WithInitial(reducers.New(&b, join)), w.on))
			require.Equal(t, values(slow), values(fast), "%T on %s", x, w.name)
			require.Equal(t, b, a)
		}
	}
}

// TestScanOfEverySum has the other types.
func TestScanOfSums(t *testing.T) {
	all := worlds(t)
	few := []world{all[0], all[5], all[6]}
	checkSums(t, few, func(i int) float64 { return 1 / float64(i+1) })
	checkSums(t, few, func(i int) float32 { return 1 / float32(i+1) })
	checkSums(t, few, func(i int) celsius { return 1 / celsius(i+1) })
	checkSums(t, few, func(i int) int { return i })
	checkSums(t, few, func(i int) uint32 { return uint32(i) << 20 })
}

// Results that do not fit in the cache are written past it, unless they take the place of
// the elements.
func TestScanOfMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes much memory")
	}
	const n = 1<<23 + 1001
	x := randoms(n)
	three := exec.NewGoroutines(3)
	defer three.Close()
	for name, scan := range scans {
		for _, space := range []exec.Space{exec.Serial{}, three} {
			var a, b float64
			got, want := make([]float64, n), slices.Clone(x)
			v, w, y := views.Must(views.Of1("y", got)), views.Must(views.Of1("w", want)), views.Must(views.Of1("x", x))
			require.NoError(t, scan(w, w, builtin.Sum(&b), policy.On(space)))
			require.NoError(t, scan(v, y, builtin.Sum(&a), policy.On(space)))
			for i := range got {
				if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
					t.Fatalf("%s on %s: element %d is %v, expected %v", name, space.Name(), i, got[i], want[i])
				}
			}
			require.Equal(t, math.Float64bits(b), math.Float64bits(a))
		}
	}
}

// aViewer has of a view that it is one, and nothing else.
type aViewer struct{ views.Viewer[int] }

// Views may come within a type of somebody else's.
func TestViewsWithinOthers(t *testing.T) {
	x := views.Must(views.Of("x", []int{3, 1, 2}, []int{3}))
	y := views.Must(views.New1[int]("y", 3))
	total := 0
	require.NoError(t, algorithms.InclusiveScan(aViewer{y}, aViewer{x}, builtin.Sum(&total)))
	assert.Equal(t, []int{3, 4, 6}, slices.Collect(y.Values()))
	assert.Equal(t, 6, total)
	require.NoError(t, algorithms.Reverse(aViewer{y}))
	assert.Equal(t, []int{6, 4, 3}, slices.Collect(y.Values()))
}

// The policy of a scan of sums, which is told by its address, has the name of its type.
func TestNameOfThePolicyOfSums(t *testing.T) {
	var policies []string
	stop := tools.Listen(func(e tools.Event) func(error) {
		policies = append(policies, e.Policy)
		return nil
	})
	defer stop()
	x := views.Must(views.New1[float64]("x", 100))
	var total float64
	policies = nil
	require.NoError(t, algorithms.ExclusiveScan(x, x, builtin.Sum(&total), policy.Launch{}.On(exec.Serial{})))
	assert.Equal(t, []string{"algorithms.sums"}, policies)
}
