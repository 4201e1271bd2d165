package exec_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// A fold accepts values as it is told, whatever its reducer could do with them.
func TestFoldingOfABuiltInReducer(t *testing.T) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = 2
	}
	p := policy.Range(0, len(x)).On(exec.Serial{})
	var sum float64
	squares := reducers.Folding(reducers.Reducer[float64](builtin.Sum(&sum)), func(acc *float64, _ int, v float64) { *acc += v * v })
	require.NoError(t, exec.ParallelFold(exec.Slice(p, x), squares))
	assert.Equal(t, 4000.0, sum, "nodes")
	require.NoError(t, exec.ParallelFold(exec.Products(p, x, x), squares))
	assert.Equal(t, 16000.0, sum, "products")
}

// A fold is told the index of each item, whatever the source is and however it is read.
func TestFoldLocatesFromTheBeginOfARange(t *testing.T) {
	const begin, end, highest = 1000, 9000, 4321
	x := make([]float64, end)
	x[highest] = 1
	p := policy.Range(begin, end).On(exec.Serial{})
	var at, beside builtin.ValLoc[float64, int]
	var told int
	toldOf := func(acc *int, i int, v float64) { *acc += i * int(v) }
	ways := []struct {
		name  string
		folds []reducers.Folder[float64]
		at    *int
	}{
		{"alone", []reducers.Folder[float64]{builtin.MaxLoc(&at)}, &at.Loc},
		{"beside another", []reducers.Folder[float64]{builtin.MaxLoc(&beside), builtin.MaxLoc(&at)}, &at.Loc},
		{"item by item", []reducers.Folder[float64]{reducers.Folding(reducers.New(&told, func(dst, src *int) { *dst += *src }), toldOf)}, &told},
	}
	for name, source := range map[string]exec.Source[float64]{
		"Slice":    exec.Slice(p, x),
		"Products": exec.Products(p, x, x),
		"Map":      exec.Map(p, func(i int) float64 { return x[i] }),
		"Fill":     exec.Fill(p, func(s policy.Span, dst []float64) { copy(dst, x[s.Begin:s.End]) }),
	} {
		for _, w := range ways {
			*w.at = 0
			require.NoError(t, exec.ParallelFold(source, w.folds[0], w.folds[1:]...))
			assert.Equal(t, highest, *w.at, "%s, %s", name, w.name)
		}
	}
}

// joiner makes a fold of itself, without a function and without AddValues.
type joiner struct{ reducers.Func[float64] }

func (j joiner) Fold() reducers.Fold[float64] { return reducers.NewFold[float64, float64](j, nil) }

func TestModifiedFoldWithoutAFunction(t *testing.T) {
	x := make([]float64, 100)
	s := exec.Slice(policy.Range(0, len(x)).On(exec.Serial{}), x)
	var sum float64
	j := joiner{reducers.New(&sum, func(dst, src *float64) { *dst += *src })}
	require.ErrorContains(t, exec.ParallelFold(s, reducers.Folder[float64](j)), "nil function")
	require.NotPanics(t, func() {
		err := exec.ParallelFold(s, reducers.Folder[float64](reducers.WithInitial(reducers.Reducer[float64](j))))
		require.ErrorContains(t, err, "nil function")
	})
}

// Large accumulators need room for the nodes that are reduced at one time, and no more.
func TestLargeAccumulatorsTakeLittleRoom(t *testing.T) {
	type large [1 << 14]float64
	many := exec.NewGoroutines(64)
	defer many.Close()
	var result large
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 1000).On(many), func(i int, acc *large) { acc[i]++ }, reducers.New(&result, func(dst, src *large) {
		for k := range dst {
			dst[k] += src[k]
		}
	})))
	runtime.ReadMemStats(&after)
	assert.Less(t, int(after.TotalAlloc-before.TotalAlloc)>>20, 64, "MB")
}

// foldless gives a fold that no launch can use.
type foldless struct{ fold reducers.Fold[float64] }

func (f foldless) Fold() reducers.Fold[float64] { return f.fold }

// embedding has the methods of the fold that it embeds, and is another one all the same.
type embedding struct{ reducers.Fold[float64] }

// A fold that NewFold did not make is an error, and no result is written.
func TestFoldsOfOthers(t *testing.T) {
	sum := 7.0
	fold := builtin.Sum(new(float64)).Fold()
	x := exec.Slice(policy.Range(0, 2).On(exec.Serial{}), []float64{1, 2})
	for says, f := range map[string]reducers.Fold[float64]{
		"exec: reducer 2 of 2, a exec_test.foldless: reducers: the fold is nil, expected one made by NewFold or Folding":                                    nil,
		"exec: reducer 2 of 2, a exec_test.foldless: reducers: a fold that is a exec_test.embedding, expected one made by NewFold or Folding":               embedding{fold},
		"exec: reducer 2 of 2, a exec_test.foldless: reducers: a fold that is a *exec_test.embedding, expected one made by NewFold or Folding":              &embedding{fold},
		"exec: reducer 2 of 2, a exec_test.foldless: reducers: a fold that is a struct { reducers.Fold[float64] }, expected one made by NewFold or Folding": struct{ reducers.Fold[float64] }{},
	} {
		assert.EqualError(t, exec.ParallelFold[float64](x, builtin.Sum(&sum), foldless{f}), says)
		assert.Equal(t, 7.0, sum)
	}
	assert.NoError(t, exec.ParallelFold[float64](x, builtin.Sum(&sum), foldless{fold}))
	assert.Equal(t, 3.0, sum)
}
