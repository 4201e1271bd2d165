package algorithms_test

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/views/algorithms"
)

// naiveSearch returns all indices at which p begins in x.
func naiveSearch(x, p []int) (at []int) {
	for i := 0; i+len(p) <= len(x); i++ {
		if slices.Equal(x[i:i+len(p)], p) {
			at = append(at, i)
		}
	}
	return at
}

func firstOf(x []int) int {
	if len(x) == 0 {
		return -1
	}
	return x[0]
}

func lastOf(x []int) int {
	if len(x) == 0 {
		return -1
	}
	return x[len(x)-1]
}

// indexIf is slices.IndexFunc with the index.
func indexIf(n int, f func(i int) bool) int {
	for i := range n {
		if f(i) {
			return i
		}
	}
	return -1
}

// A finding is what an algorithm returned, and what a loop did.
type finding struct {
	name string
	want any
	got  func(w world) (any, error)
}

func some[T any](x T, err error) (any, error) { return x, err }

// compareFindings runs the findings in all the worlds.
func compareFindings(t *rapid.T, all []world, findings []finding) {
	for _, f := range findings {
		for _, w := range few(t, all) {
			got, err := f.got(w)
			require.NoError(t, err, "%s on %s", f.name, w.name)
			require.Equal(t, f.want, got, "%s on %s", f.name, w.name)
		}
	}
}

func TestFind(t *testing.T) {
	all := worlds(t)
	rapid.Check(t, func(t *rapid.T) {
		x, set := small(t, "x"), rapid.SliceOfN(rapid.IntRange(0, 3), 0, 3).Draw(t, "set")
		k, m := rapid.IntRange(0, 4).Draw(t, "k"), rapid.IntRange(0, 4).Draw(t, "m")
		below := func(e int) bool { return e < k }
		same := func(a, b int) bool { return a%2 == b%2 }
		n, found := len(x), slices.IndexFunc(x, below)
		others := slices.IndexFunc(x, func(e int) bool { return e >= k })
		count := 0
		for _, e := range x {
			if e == k {
				count++
			}
		}
		hits := 0
		for _, e := range x {
			if e < k {
				hits++
			}
		}
		compareFindings(t, all, []finding{
			{"Find", slices.Index(x, k), func(w world) (any, error) { return some(algorithms.Find(on(w, x), k, w.on)) }},
			{"FindIf", found, func(w world) (any, error) { return some(algorithms.FindIf(on(w, x), below, w.on)) }},
			{"FindIfNot", others, func(w world) (any, error) { return some(algorithms.FindIfNot(on(w, x), below, w.on)) }},
			{"AllOf", others < 0, func(w world) (any, error) { return some(algorithms.AllOf(on(w, x), below, w.on)) }},
			{"AnyOf", found >= 0, func(w world) (any, error) { return some(algorithms.AnyOf(on(w, x), below, w.on)) }},
			{"NoneOf", found < 0, func(w world) (any, error) { return some(algorithms.NoneOf(on(w, x), below, w.on)) }},
			{"Count", count, func(w world) (any, error) { return some(algorithms.Count(on(w, x), k, w.on)) }},
			{"CountIf", hits, func(w world) (any, error) { return some(algorithms.CountIf(on(w, x), below, w.on)) }},
			{"FindFirstOf", slices.IndexFunc(x, func(e int) bool { return slices.Contains(set, e) }), func(w world) (any, error) {
				return some(algorithms.FindFirstOf(on(w, x), on(w, set), w.on))
			}},
			{"AdjacentFind", indexIf(n-1, func(i int) bool { return x[i] == x[i+1] }), func(w world) (any, error) {
				return some(algorithms.AdjacentFind(on(w, x), w.on))
			}},
			{"AdjacentFindFunc", indexIf(n-1, func(i int) bool { return same(x[i], x[i+1]) }), func(w world) (any, error) {
				return some(algorithms.AdjacentFindFunc(on(w, x), same, w.on))
			}},
			{"Search", firstOf(naiveSearch(x, set)), func(w world) (any, error) { return some(algorithms.Search(on(w, x), on(w, set), w.on)) }},
			{"FindEnd", lastOf(naiveSearch(x, set)), func(w world) (any, error) { return some(algorithms.FindEnd(on(w, x), on(w, set), w.on)) }},
			{"SearchN", firstOf(naiveSearch(x, slices.Repeat([]int{k}, m))), func(w world) (any, error) {
				return some(algorithms.SearchN(on(w, x), m, k, w.on))
			}},
			{"PartitionPoint", max(others, (bit(others < 0))*n), func(w world) (any, error) { return some(algorithms.PartitionPoint(on(w, x), below, w.on)) }},
			{"IsPartitioned", others < 0 || !slices.ContainsFunc(x[others:], below), func(w world) (any, error) {
				return some(algorithms.IsPartitioned(on(w, x), below, w.on))
			}},
		})
	})
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCompareAndMismatch(t *testing.T) {
	all := worlds(t)
	rapid.Check(t, func(t *rapid.T) {
		x := small(t, "x")
		y := slices.Clone(x[:rapid.IntRange(0, len(x)).Draw(t, "n")])
		if len(y) > 0 && rapid.Bool().Draw(t, "change") {
			y[rapid.IntRange(0, len(y)-1).Draw(t, "at")]++
		}
		if rapid.Bool().Draw(t, "exchange") {
			x, y = y, x
		}
		differ := indexIf(min(len(x), len(y)), func(i int) bool { return x[i] != y[i] })
		if differ < 0 && len(x) != len(y) {
			differ = min(len(x), len(y))
		}
		compareFindings(t, all, []finding{
			{"Mismatch", differ, func(w world) (any, error) { return some(algorithms.Mismatch(on(w, x), on(w, y), w.on)) }},
			{"Equal", slices.Equal(x, y), func(w world) (any, error) { return some(algorithms.Equal(on(w, x), on(w, y), w.on)) }},
			{"Compare", slices.Compare(x, y), func(w world) (any, error) { return some(algorithms.Compare(on(w, x), on(w, y), w.on)) }},
		})
	})
}

func TestCompareOfNaNs(t *testing.T) {
	nan := math.NaN()
	for _, w := range worlds(t) {
		x, y := on(w, []float64{1, nan}), on(w, []float64{1, nan})
		sign, err := algorithms.Compare(x, y, w.on)
		require.NoError(t, err)
		require.Equal(t, 0, sign)
		equal, err := algorithms.Equal(x, y, w.on)
		require.NoError(t, err)
		require.False(t, equal)
	}
}

// naiveExtremes returns the first of the smallest and the first and the last of the largest.
func naiveExtremes[T any](x []T, compare func(a, b T) int) (lo, first, last int) {
	if len(x) == 0 {
		return -1, -1, -1
	}
	for i := range x {
		if compare(x[i], x[lo]) < 0 {
			lo = i
		}
		if compare(x[i], x[first]) > 0 {
			first = i
		}
		if compare(x[i], x[last]) >= 0 {
			last = i
		}
	}
	return lo, first, last
}

func TestMinMaxElement(t *testing.T) {
	all := worlds(t)
	rapid.Check(t, func(t *rapid.T) {
		x := small(t, "x")
		lo, first, last := naiveExtremes(x, cmp.Compare[int])
		low := func(a, b int) int { return a&3 - b&3 }
		flo, ffirst, flast := naiveExtremes(x, low)
		compareFindings(t, all, []finding{
			{"MinElement", lo, func(w world) (any, error) { return some(algorithms.MinElement(on(w, x), w.on)) }},
			{"MaxElement", first, func(w world) (any, error) { return some(algorithms.MaxElement(on(w, x), w.on)) }},
			{"MinElementFunc", flo, func(w world) (any, error) { return some(algorithms.MinElementFunc(on(w, x), low, w.on)) }},
			{"MaxElementFunc", ffirst, func(w world) (any, error) { return some(algorithms.MaxElementFunc(on(w, x), low, w.on)) }},
			{"MinMaxElement", [2]int{lo, last}, func(w world) (any, error) {
				i, j, err := algorithms.MinMaxElement(on(w, x), w.on)
				return [2]int{i, j}, err
			}},
			{"MinMaxElementFunc", [2]int{flo, flast}, func(w world) (any, error) {
				i, j, err := algorithms.MinMaxElementFunc(on(w, x), low, w.on)
				return [2]int{i, j}, err
			}},
		})
	})
}

func TestMinMaxElementOfSpecialFloats(t *testing.T) {
	for _, w := range worlds(t) {
		for _, c := range []struct {
			x        []float64
			min, max int
		}{
			{[]float64{3, math.NaN(), 1, math.NaN()}, 1, 1},
			{[]float64{0, math.Copysign(0, -1), 0}, 1, 0},
			{[]float64{math.Inf(1), math.Inf(1)}, 0, 0},
		} {
			lo, err := algorithms.MinElement(on(w, c.x), w.on)
			require.NoError(t, err)
			require.Equal(t, c.min, lo, "%v on %s", c.x, w.name)
			hi, err := algorithms.MaxElement(on(w, c.x), w.on)
			require.NoError(t, err)
			require.Equal(t, c.max, hi, "%v on %s", c.x, w.name)
		}
	}
}

// Of many matches in all leaves, the lowest is found, and not everything is looked at.
func TestFindEndsEarly(t *testing.T) {
	x := make([]int, large)
	for i := range x {
		x[i] = i
	}
	for _, w := range worlds(t) {
		var calls atomic.Int64
		v := on(w, x)
		i, err := algorithms.FindIf(v, func(e int) bool { calls.Add(1); return e%5000 == 4999 }, w.on)
		require.NoError(t, err)
		require.Equal(t, 4999, i, w.name)
		if w.name == "serial of 1, stride 1" {
			require.EqualValues(t, 5000, calls.Load())
		}
	}
}
