package algorithms_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views/algorithms"
)

func TestUnique(t *testing.T) {
	all := worlds(t)
	rapid.Check(t, func(t *rapid.T) {
		x := small(t, "x")
		want := slices.Compact(slices.Clone(x))
		n := len(want)
		for _, w := range few(t, all) {
			v, dst := on(w, x), on(w, x)
			got, err := algorithms.Unique(v, w.on)
			require.NoError(t, err)
			require.Equal(t, n, got, w.name)
			require.Equal(t, append(slices.Clone(want), x[n:]...), values(v), w.name)

			got, err = algorithms.UniqueCopy(dst, on(w, x), w.on)
			require.NoError(t, err)
			require.Equal(t, n, got, w.name)
			require.Equal(t, values(v), values(dst), w.name)
		}
	})
}

func TestUniqueOfNaNs(t *testing.T) {
	x := []float64{math.NaN(), math.NaN(), 0, math.Copysign(0, -1), 1}
	for _, w := range worlds(t) {
		v := on(w, x)
		n, err := algorithms.Unique(v, w.on)
		require.NoError(t, err)
		assert.Equal(t, 4, n)
		assert.Equal(t, bits([]float64{x[0], x[1], 0, 1, 1}), bits(values(v)))
	}
}

// runsOf returns where the runs of equal keys begin, and the end.
func runsOf(keys []int) (begins []int) {
	for i := range keys {
		if i == 0 || keys[i-1] != keys[i] {
			begins = append(begins, i)
		}
	}
	return append(begins, len(keys))
}

func TestUniqueByKeyAndReduceByKey(t *testing.T) {
	all := worlds(t)
	rapid.Check(t, func(t *rapid.T) {
		keys := small(t, "keys")
		numbers := make([]int, len(keys))
		for i := range numbers {
			numbers[i] = i*i + 1
		}
		wantKeys, wantFirst, wantSum := []int{}, []int{}, []int{}
		begins := runsOf(keys)
		for k, begin := range begins[:len(begins)-1] {
			sum := 0
			for _, v := range numbers[begin:begins[k+1]] {
				sum += v
			}
			wantKeys, wantFirst, wantSum = append(wantKeys, keys[begin]), append(wantFirst, numbers[begin]), append(wantSum, sum)
		}
		n := len(wantKeys)
		for _, w := range few(t, all) {
			k, v := on(w, keys), on(w, numbers)
			dk, dv := on(w, keys), on(w, numbers)
			got, err := algorithms.ReduceByKey(dk, dv, k, v, builtin.Sum, w.on)
			require.NoError(t, err)
			require.Equal(t, n, got, w.name)
			require.Equal(t, append(wantKeys[:n:n], keys[n:]...), values(dk), w.name)
			require.Equal(t, append(wantSum[:n:n], numbers[n:]...), values(dv), w.name)

			got, err = algorithms.UniqueByKey(k, v, w.on)
			require.NoError(t, err)
			require.Equal(t, n, got, w.name)
			require.Equal(t, append(wantKeys[:n:n], keys[n:]...), values(k), w.name)
			require.Equal(t, append(wantFirst[:n:n], numbers[n:]...), values(v), w.name)
		}
	})
}

// Rounded sums have the same bits on every space.
func TestReduceByKeyOfFloats(t *testing.T) {
	x := randoms(20_000)
	for _, length := range []int{1, 64, 3000, 20_000} {
		keys := make([]int, len(x))
		for i := range keys {
			keys[i] = i / length
		}
		var want []float64
		for _, w := range worlds(t) {
			k, v := on(w, make([]int, len(x))), on(w, make([]float64, len(x)))
			n, err := algorithms.ReduceByKey(k, v, on(w, keys), on(w, x), builtin.Norm2, w.on)
			require.NoError(t, err)
			require.Equal(t, (len(x)-1)/length+1, n)
			if want == nil {
				want = values(v)
			}
			require.Equal(t, bits(want), bits(values(v)), w.name)
		}
		exact := 0.0
		for _, f := range x[:length] {
			exact += f
		}
		require.InDelta(t, math.Sqrt(exact), want[0], 1e-9) // Final of Norm2
	}
}

// Values that refer to memory do not share it.
func TestReduceByKeyOfSlices(t *testing.T) {
	keys := []int{1, 1, 2, 2, 2, 3}
	lists := [][]int{{1}, {2}, {3}, {4}, {5}, {6}}
	for _, w := range worlds(t) {
		k, v := on(w, make([]int, 6)), on(w, make([][]int, 6))
		n, err := algorithms.ReduceByKey(k, v, on(w, keys), on(w, lists), func(result *[]int) reducers.Reducer[[]int] {
			return reducers.New(result, func(dst, src *[]int) { *dst = append((*dst)[:len(*dst):len(*dst)], *src...) })
		}, w.on)
		require.NoError(t, err)
		require.Equal(t, 3, n)
		require.Equal(t, [][]int{{1, 2}, {3, 4, 5}, {6}}, values(v)[:3], w.name)
	}
}

// Too little room is an error, and nothing is written.
func TestReduceByKeyWithoutRoom(t *testing.T) {
	for _, w := range worlds(t) {
		k, v := on(w, []int{-1}), on(w, []int{-1, -1})
		_, err := algorithms.ReduceByKey(k, v, on(w, []int{1, 2}), on(w, []int{3, 4}), builtin.Sum, w.on)
		require.EqualError(t, err, `algorithms: ReduceByKey: "v" [1] for 2 elements, expected room for all`)
		require.Equal(t, []int{-1}, values(k))
		require.Equal(t, []int{-1, -1}, values(v))
	}
}
