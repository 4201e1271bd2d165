package reduce_test

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// foldOf returns what patterns use of a fold.
func foldOf(t *testing.T, fold any) *reduce.Fold {
	t.Helper()
	f, err := reduce.FoldOf(fold)
	require.NoError(t, err)
	return f
}

func TestNewFold(t *testing.T) {
	var n int
	f := foldOf(t, reducers.NewFold(sum(&n), func(lanes []int, first int, x []int) {
		for k := range x {
			lanes[k%len(lanes)] += first + k
		}
	}))
	require.NoError(t, f.Column().Err())
	assert.Equal(t, any(&n), f.Column().Place())
	f.Column().Open(1, 2, 8)
	f.Start(0, 20)
	f.Add(0, 100, reduce.ValuesOf(make([]int, 16)))
	f.Add(0, 116, reduce.ValuesOf(make([]int, 4)))
	f.Column().End(0, 0, 20)
	f.Column().Clear(1)
	f.Column().Join(0, 1)
	f.Column().Finish(0)
	assert.Zero(t, n)
	f.Column().Store(0)
	assert.Equal(t, (100+119)*20/2, n)

	assert.ErrorContains(t, foldOf(t, reducers.NewFold[int, int](sum(&n), nil)).Column().Err(), "nil function, and the reducer has no AddValues for values of type int")
	assert.ErrorContains(t, foldOf(t, reducers.NewFold[int, int](sum(nil), nil)).Column().Err(), "nil result place")
}

// lengths is a reducer that takes strings by itself.
type lengths struct{ reducers.Reducer[int] }

func (lengths) AddValues(lanes []int, _ int, x []string) {
	for k, v := range x {
		lanes[k%len(lanes)] += len(v)
	}
}

func TestNewFoldOfAReducerThatAddsValues(t *testing.T) {
	var n int
	f := foldOf(t, reducers.NewFold[int, string](lengths{sum(&n)}, nil))
	require.NoError(t, f.Column().Err())
	f.Column().Open(1, 1, 2)
	f.Start(0, 3)
	f.Add(0, 0, reduce.ValuesOf([]string{"a", "bc", "def"}))
	f.Column().End(0, 0, 3)
	f.Column().Finish(0)
	f.Column().Store(0)
	assert.Equal(t, 6, n)
	assert.ErrorContains(t, foldOf(t, reducers.NewFold[int, int](lengths{sum(&n)}, nil)).Column().Err(), "type int")
}

// told writes down what a fold tells a reducer, and sets partial results to one value.
type told[T, V any] struct {
	reducers.Reducer[T]
	result T
	calls  *[]string
}

func (r told[T, V]) call(dst []T, arguments ...any) {
	for k := range dst {
		dst[k] = r.result
	}
	*r.calls = append(*r.calls, fmt.Sprint(arguments...))
}

func (r told[T, V]) AddValues(lanes []T, first int, x []V) { r.call(lanes, first, x, cap(x)) }

func (r told[T, V]) FoldNode(dst *T, first int, x []V, leaf, lanes int, scratch []T) {
	r.call(scratch, first, x, cap(x), leaf, lanes, len(scratch))
	*dst = r.result
}

func (r told[T, V]) FoldProducts(dst *T, x, y []V, leaf, lanes int, scratch []T) {
	r.call(scratch, x, y, cap(y), leaf, lanes, len(scratch))
	*dst = r.result
}

// inRows is one of rows as well.
type inRows[T, V any] struct{ told[T, V] }

func (r inRows[T, V]) FoldRows(dst []T, x []V, stride, items, leaf, lanes int, scratch []T) {
	r.call(dst, len(dst), x, cap(x), stride, items, leaf, lanes, len(scratch) >= 128)
}

func TestFoldsHideTheirTypes(t *testing.T) {
	checkTold(t, 1.5, []float64{1, 2, 3, 4, 5, 6, 7})
	checkTold(t, "result", []bool{true, false, true, true, false, true, false})
	checkTold(t, [3]int32{1, 2, 3}, []string{"a", "b", "", "cd", "e", "fgh", "i"})
	checkTold(t, []int{4, 5}, []struct {
		a byte
		b any
		c int16
	}{{1, "x", 2}, {b: 7}, {c: 5}, {2, nil, 1}, {3, 1.5, 1}, {}, {a: 9}})
	checkTold(t, struct{ a, b any }{1, "z"}, make([]struct{}, 7))
}

// checkTold gives the seven values x to folds of a reducer.
func checkTold[T, V any](t *testing.T, result T, x []V) {
	t.Helper()
	var calls []string
	expect := func(f *reduce.Fold, what string, arguments ...any) {
		t.Helper()
		require.Equal(t, []string{fmt.Sprint(arguments...)}, calls, what)
		require.Equal(t, result, *reduce.At[T](f.Column(), 1), what)
		calls = nil
	}
	r := told[T, V]{reducers.New(new(T), func(dst, src *T) { *dst = *src }), result, &calls}
	values, room := reduce.ValuesOf(x[:6:7]), new(reduce.Room[T])
	for _, rows := range []bool{false, true} {
		fold := reducers.NewFold[T, V](r, nil)
		if rows {
			fold = reducers.NewFold[T, V](inRows[T, V]{r}, nil)
		}
		f := foldOf(t, fold)
		f.Column().Open(1, 2, 4)
		lanes := f.Column().Profile(4).Lanes
		f.Start(0, 6)
		f.Add(0, 3, values)
		f.Column().End(0, 1, 6)
		expect(f, "Add", 3, x[:6], 7)
		f.Column().Clear(1)
		f.Node(0, 1, 9, values, 5)
		expect(f, "Node", 9, x[:6], 7, 5, lanes, 128)
		f.Column().Clear(1)
		f.NodeOfProducts(0, 1, values, reduce.ValuesOf(x), 5)
		expect(f, "NodeOfProducts", x[:6], x, 7, 5, lanes, 128)

		got := reduce.Rows(f, room, 2, values, 3, 2, 5, 4)
		require.Equal(t, []T{result, result}, got)
		if rows {
			expect(f, "Rows", 2, x[:6], 7, 3, 2, 5, 4, true)
			continue
		}
		require.Len(t, calls, 2)
		require.Contains(t, calls[0], fmt.Sprint(0, x[:2], 7, 5, 4))
		require.Contains(t, calls[1], fmt.Sprint(0, x[3:5], 4, 5, 4))
		calls = nil
	}
	f := foldOf(t, reducers.NewFold(r.Reducer, func(lanes []T, first int, x []V) { r.AddValues(lanes, first, x) }))
	f.Column().Open(1, 2, 4)
	f.Start(0, 6)
	f.Add(0, 3, values)
	f.Column().End(0, 1, 6)
	expect(f, "Add to a function", 3, x[:6], 7)
}

// A fold asks for methods by reflection: a program has them all the same.
func TestLinkersKeepMethodsOfFolds(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	out, err := exec.Command("go", "run", "./testdata/folds").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, "1500\n3.273390607896142e+150\n2500\n2500\n30\n", string(out))
}
