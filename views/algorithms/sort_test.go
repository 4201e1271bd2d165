package algorithms_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

type celsius float32

// checkSort sorts what make returns, as every type that T stands for.
func checkSort[T cmp.Ordered](t *testing.T, all []world, from func(i int) T) {
	t.Helper()
	for name, pattern := range patterns {
		for _, n := range sizes {
			x := make([]T, n)
			for i := range x {
				x[i] = from(pattern(i, n))
			}
			want := slices.Sorted(slices.Values(x))
			for _, w := range all {
				v := on(w, x)
				sorted, err := algorithms.IsSorted(v, w.on)
				require.NoError(t, err)
				require.Equal(t, slices.IsSorted(x), sorted, "%T %s %d", x, name, n)
				require.NoError(t, algorithms.Sort(v, w.on))
				require.True(t, slices.Equal(want, values(v)), "%T %s %d on %s", x, name, n, w.name)
			}
		}
	}
}

// TestSortOfEveryType has the other types.
func TestSortOfTypes(t *testing.T) {
	all := worlds(t)
	few := []world{all[0], all[5], all[10]}
	checkSort(t, few, func(i int) int8 { return int8(i) })
	checkSort(t, few, func(i int) uint32 { return uint32(i) })
	checkSort(t, few, func(i int) celsius { return celsius(i) / 3 })
	checkSort(t, few, func(i int) string { return strings.Repeat("x", i&3) + fmt.Sprint(i) })
	checkSort(t, all, func(i int) int { return i })
	checkSort(t, all, func(i int) float64 { return float64(i) / 3 })
}

// The order of NaNs and zeros is that of the documentation, on every space.
func TestSortOfSpecialFloats(t *testing.T) {
	rank := func(x float64) int { // of NaNs
		switch b := math.Float64bits(x); {
		case x == x:
			return 2
		case b>>63 == 0:
			return 0
		}
		return 1
	}
	order := func(a, b float64) int {
		if c := cmp.Compare(rank(a), rank(b)); c != 0 {
			return c
		}
		if a != a && rank(a) == 1 {
			a, b = b, a
		}
		if a != a {
			return cmp.Compare(math.Float64bits(a), math.Float64bits(b))
		}
		if a == 0 && b == 0 {
			return -cmp.Compare(math.Float64bits(a), math.Float64bits(b)) // -0 has the sign bit
		}
		return cmp.Compare(a, b)
	}
	for _, n := range sizes {
		x := specials(n)
		want := slices.SortedFunc(slices.Values(x), order)
		require.True(t, slices.IsSorted(want))
		for _, w := range worlds(t) {
			v := on(w, x)
			require.NoError(t, algorithms.Sort(v, w.on))
			require.True(t, slices.Equal(bits(want), bits(values(v))), "%d on %s", n, w.name)

			small := make([]float32, n)
			for i := range small {
				small[i] = float32(x[i])
			}
			f := on(w, small)
			require.NoError(t, algorithms.Sort(f, w.on))
			sorted, err := algorithms.IsSorted(f, w.on)
			require.NoError(t, err)
			require.True(t, sorted, "%d on %s", n, w.name)
		}
	}
}

type item struct{ key, index int }

func byKey(a, b item) int { return cmp.Compare(a.key, b.key) }

func TestSortFuncIsStable(t *testing.T) {
	all := worlds(t)
	for name, pattern := range patterns {
		for _, n := range sizes {
			x := make([]item, n)
			for i := range x {
				x[i] = item{pattern(i, n) % 100, i}
			}
			want := slices.Clone(x)
			slices.SortStableFunc(want, byKey)
			for _, w := range []world{all[0], all[5], all[6], all[10]} {
				v := on(w, x)
				require.NoError(t, algorithms.SortFunc(v, byKey, w.on))
				require.True(t, slices.Equal(want, values(v)), "%s %d on %s", name, n, w.name)
				sorted, err := algorithms.IsSortedFunc(v, byKey, w.on)
				require.NoError(t, err)
				require.True(t, sorted)
			}
		}
	}
}

// A comparison that contradicts itself gives some permutation, everywhere the same.
func TestSortFuncKeepsAllElements(t *testing.T) {
	for _, compare := range []func(a, b int) int{
		func(a, b int) int { return int(uint32(a*31+b*17)*2654435761>>5%3) - 1 },
		func(a, b int) int { return -1 },
		func(a, b int) int { return 1 },
	} {
		const n = 5000
		x := make([]int, n)
		for i := range x {
			x[i] = i
		}
		var want []int
		for _, w := range worlds(t) {
			v := on(w, x)
			require.NoError(t, algorithms.SortFunc(v, compare, w.on))
			got := values(v)
			if want == nil {
				want = got
			}
			require.Equal(t, want, got, w.name)
			require.Equal(t, x, slices.Sorted(slices.Values(got)), w.name)
		}
	}
}

func TestSortOfManyElements(t *testing.T) {
	all := worlds(t)
	for _, name := range []string{"random", "few", "reversed"} {
		if testing.Short() && name != "random" {
			continue
		}
		x, y := make([]float64, large), make([]item, large)
		for i := range x {
			x[i] = float64(patterns[name](i, large)) / 3
			y[i] = item{patterns[name](i, large) % 1000, i}
		}
		want, stable := slices.Sorted(slices.Values(x)), slices.Clone(y)
		slices.SortStableFunc(stable, byKey)
		for _, w := range []world{all[0], all[7], all[10]} {
			v, items := on(w, x), on(w, y)
			require.NoError(t, algorithms.Sort(v, w.on))
			require.True(t, slices.Equal(want, values(v)), "%s on %s", name, w.name)
			require.NoError(t, algorithms.SortFunc(items, byKey, w.on))
			require.True(t, slices.Equal(stable, values(items)), "%s on %s", name, w.name)
		}
	}
}

func TestSortByKey(t *testing.T) {
	all := worlds(t)
	for name, pattern := range patterns {
		for _, n := range sizes {
			x := make([]item, n)
			for i := range x {
				x[i] = item{pattern(i, n) % 100, i}
			}
			want := slices.Clone(x)
			slices.SortStableFunc(want, byKey)
			for _, w := range []world{all[0], all[5], all[6], all[10]} {
				numbers, texts := make([]int, n), make([]string, n)
				for i := range x {
					numbers[i] = x[i].key
					texts[i] = fmt.Sprintf("%05d", x[i].key+1000)
				}
				checkByKey(t, w, want, x, numbers, func(v views.Viewer[int], at views.Viewer[item]) error {
					return algorithms.SortByKey(v, at, w.on)
				}, name)
				if n > 5000 {
					continue
				}
				checkByKey(t, w, want, x, texts, func(v views.Viewer[string], at views.Viewer[item]) error {
					return algorithms.SortByKey(v, at, w.on)
				}, name)
			}
		}
	}
}

func checkByKey[K cmp.Ordered](t *testing.T, w world, want, x []item, keys []K, sort func(views.Viewer[K], views.Viewer[item]) error, name string) {
	k, v := on(w, keys), on(w, x)
	require.NoError(t, sort(k, v))
	require.True(t, slices.Equal(want, values(v)), "%s %d on %s", name, len(x), w.name)
	require.True(t, slices.Equal(slices.Sorted(slices.Values(keys)), values(k)), "%s %d on %s", name, len(x), w.name)
}

// Values of keys that compare as equal keep their order, and the keys their bits.
func TestSortByKeyOfSpecialFloats(t *testing.T) {
	for _, n := range sizes {
		keys, index := specials(n), make([]int, n)
		for i := range index {
			index[i] = i
		}
		wantIndex := slices.Clone(index)
		slices.SortStableFunc(wantIndex, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
		want := make([]float64, n)
		for i, at := range wantIndex {
			want[i] = keys[at]
		}
		for _, w := range worlds(t) {
			k, v := on(w, keys), on(w, index)
			require.NoError(t, algorithms.SortByKey(k, v, w.on))
			require.True(t, slices.Equal(bits(want), bits(values(k))), "%d on %s", n, w.name)
			require.True(t, slices.Equal(wantIndex, values(v)), "%d on %s", n, w.name)
		}
	}
}

func TestIsSortedUntil(t *testing.T) {
	for _, w := range worlds(t) {
		for _, c := range []struct {
			x    []float64
			want int
		}{
			{nil, 0}, {[]float64{1}, 1}, {[]float64{1, 1, 2}, 3}, {[]float64{1, 3, 2, 1}, 2}, {[]float64{2, 1}, 1},
			{[]float64{math.NaN(), math.NaN(), 1, math.NaN()}, 3},
			{append(slices.Repeat([]float64{5}, 999), 4, 6), 999},
		} {
			got, err := algorithms.IsSortedUntil(on(w, c.x), w.on)
			require.NoError(t, err)
			assert.Equal(t, c.want, got, "%v on %s", c.x, w.name)
		}
	}
}

// A panic or a cancelled launch leaves everything as it was.
func TestSortFuncKeepsContentOnPanic(t *testing.T) {
	for _, w := range worlds(t) {
		x := make([]int, 3000)
		for i := range x {
			x[i] = len(x) - i
		}
		v := on(w, x)
		func() {
			defer func() {
				p, ok := recover().(*exec.Panic)
				require.True(t, ok)
				require.Equal(t, "no", p.Value)
			}()
			_ = algorithms.SortFunc(v, func(a, b int) int {
				if a == 1 && b == 2 || a == 2 && b == 1 {
					panic("no")
				}
				return cmp.Compare(a, b)
			}, w.on)
		}()
		require.Equal(t, x, values(v))
	}
}
