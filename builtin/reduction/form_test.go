package reduction_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin/reduction"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/reducers/reducertest"
)

// send returns what val is after it went through bytes.
func send[A any](t *testing.T, r reducers.Reducer[A], val *A) (back A) {
	t.Helper()
	form := concept.FormOf(r)
	require.NoError(t, form.Err)
	data, err := form.Append(nil, val)
	require.NoError(t, err)
	r.Init(&back)
	rest, err := form.Set(&back, data)
	require.NoError(t, err)
	require.Empty(t, rest)
	again, err := form.Append(nil, &back)
	require.NoError(t, err)
	require.Equal(t, data, again)
	clear(data)
	return back
}

func join(a, b string) string { return a + b }

// stored finishes a value and writes it to its result place.
func stored[A any](r reducers.Reducer[A], val A) {
	traits := concept.TraitsOf(r)
	r.Final(&val)
	reduce.Store(r, &traits, &val)
}

// An operation and an identity come from Init, and not from bytes.
func TestFormOfValue(t *testing.T) {
	for _, c := range []struct {
		name string
		r    func(*string) reduction.Variable[reduction.Value[string], string]
		none string
	}{
		{"no identity", func(x *string) reduction.Variable[reduction.Value[string], string] { return reduction.New(x, join) }, "old"},
		{"identity", func(x *string) reduction.Variable[reduction.Value[string], string] {
			return reduction.New(x, join).WithIdentity("")
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := "old"
			r := reducers.Reducer[reduction.Value[string]](c.r(&result))
			var val reduction.Value[string]
			r.Init(&val)
			stored(r, send(t, r, &val))
			assert.Equal(t, c.none, result)

			val.Combine("a")
			back := send(t, r, &val)
			back.Combine("b")
			stored(r, back)
			assert.Equal(t, "ab", result)
		})
	}
	var samples []reduction.Value[string]
	r := reducers.Ordered(reducers.Reducer[reduction.Value[string]](reduction.New(new(string), join)))
	for _, x := range []string{"a", "bc"} {
		var val reduction.Value[string]
		r.Init(&val)
		val.Combine(x)
		samples = append(samples, val)
	}
	reducertest.Check(t, r, samples)
}

func TestFormOfSpan(t *testing.T) {
	cells := make([]int64, 3)
	r := reduction.Span(cells, reduction.Plus)
	assert.Equal(t, "3 of github.com/gokkos/gokkos/builtin/reduction.Sum[int64] {value github.com/gokkos/gokkos/builtin/reduction.value[int64] {v int64/8}}", concept.FormOf(r).Layout)
	val := zero(r)
	val.At(1).Add(-7)
	back := send(t, r, &val)
	back.At(1).Add(2)
	back.At(2).Inc()
	stored(r, back)
	assert.Equal(t, []int64{0, -5, 1}, cells)

	texts := []string{"x", "y"}
	joined := reduction.Span(texts, func(result *string) reduction.Variable[reduction.Value[string], string] {
		return reduction.New(result, join)
	})
	var words reduction.Array[reduction.Value[string]]
	joined.Init(&words)
	words.At(1).Combine("a")
	got := send(t, joined, &words)
	got.At(1).Combine("b")
	stored(joined, got)
	assert.Equal(t, []string{"x", "ab"}, texts)

	maps := make([]map[int]int, 1)
	refused := reduction.Span(maps, func(result *map[int]int) reduction.Variable[reduction.Value[map[int]int], map[int]int] {
		return reduction.New(result, func(a, b map[int]int) map[int]int { return b })
	})
	assert.ErrorContains(t, concept.FormOf(refused).Err, "a partial result of type map[int]int cannot leave the process")
}
