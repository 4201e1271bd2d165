package reducers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

func TestWithInitialJoinsTheOldContentOnce(t *testing.T) {
	finals := 0
	final := reducers.Final(func(val *string) { *val += "."; finals++ })
	for _, tc := range []struct {
		name  string
		items int
		want  string
	}{
		{"none", 0, "old."},
		{"one", 1, "old0."},
		{"three", 3, "old012."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			onSpaces(t, func(t *testing.T, space exec.Space) {
				result := "old"
				finals = 0
				r := reducers.WithInitial(reducers.Ordered(reducers.New(&result, concat, final)))
				require.NoError(t, exec.ParallelReduce(policy.Range(0, tc.items).Chunk(1).On(space),
					func(i int, acc *string) { *acc += fmt.Sprint(i) }, r))
				assert.Equal(t, tc.want, result)
				assert.Equal(t, 1, finals)
			})
		})
	}
}

func TestWithInitialOfWithInitialIsOnce(t *testing.T) {
	n := 5
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 100), func(_ int, acc *int) { *acc++ },
		reducers.WithInitial(reducers.WithInitial(sum(&n)))))
	assert.Equal(t, 105, n)
}

func TestWithInitialDoesNotShareTheResult(t *testing.T) {
	result := []int{1, 2}
	old := result
	r := reducers.New(&result, func(dst, src *[]int) {
		for k := range *dst {
			(*dst)[k] += (*src)[k]
		}
	}, reducers.Init(func(val *[]int) { *val = make([]int, 2) }))
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 10), func(_ int, acc *[]int) { (*acc)[1]++ }, reducers.WithInitial(r)))
	assert.Equal(t, []int{1, 12}, result)
	assert.Equal(t, []int{1, 2}, old)
}

type inner struct{ a, b int }

type outer struct {
	in inner
	c  int
}

// WithInitial around several reducers asks for the old content of all of them,
// wherever it stands.
func TestWithInitialOfSeveral(t *testing.T) {
	var a, b, c int
	fieldA := reducers.Field(func(s *inner) *int { return &s.a }, sum(&a))
	fieldB := reducers.Field(func(s *inner) *int { return &s.b }, product(&b))
	fieldC := reducers.Field(func(s *outer) *int { return &s.c }, sum(&c))
	in := func(s *outer) *inner { return &s.in }
	both := reducers.Compose(fieldA, fieldB)
	type result struct{ a, b, c int }
	for _, tc := range []struct {
		name string
		r    []reducers.Reducer[outer]
		want result
	}{
		{"none", []reducers.Reducer[outer]{reducers.Field(in, both), fieldC}, result{10, 16, 10}},
		{"one field of the inner", []reducers.Reducer[outer]{
			reducers.Field(in, reducers.Compose(reducers.WithInitial(fieldA), fieldB)), fieldC}, result{110, 16, 10}},
		{"the other fields", []reducers.Reducer[outer]{
			reducers.Field(in, reducers.Compose(fieldA, reducers.WithInitial(fieldB))), reducers.WithInitial(fieldC)}, result{10, 48, 1010}},
		{"all, each on its own", []reducers.Reducer[outer]{
			reducers.Field(in, reducers.Compose(reducers.WithInitial(fieldA), reducers.WithInitial(fieldB))),
			reducers.WithInitial(fieldC)}, result{110, 48, 1010}},
		{"inside Field", []reducers.Reducer[outer]{reducers.Field(in, reducers.WithInitial(both)), fieldC}, result{110, 48, 10}},
		{"around Field", []reducers.Reducer[outer]{reducers.WithInitial(reducers.Field(in, both)), fieldC}, result{110, 48, 10}},
		{"around Ordered", []reducers.Reducer[outer]{
			reducers.WithInitial(reducers.Ordered(reducers.Field(in, reducers.Ordered(both)))), fieldC}, result{110, 48, 10}},
		{"within Ordered", []reducers.Reducer[outer]{
			reducers.Ordered(reducers.WithInitial(reducers.Field(in, both))), fieldC}, result{110, 48, 10}},
		{"around Compose", []reducers.Reducer[outer]{
			reducers.WithInitial(reducers.Compose(reducers.Field(in, both), fieldC))}, result{110, 48, 1010}},
		{"around one that has it", []reducers.Reducer[outer]{
			reducers.WithInitial(reducers.Compose(reducers.Field(in, both), reducers.WithInitial(fieldC)))}, result{110, 48, 1010}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			onSpaces(t, func(t *testing.T, space exec.Space) {
				a, b, c = 100, 3, 1000
				require.NoError(t, exec.ParallelReduce(policy.Range(0, 10).On(space), func(i int, acc *outer) {
					acc.in.a++
					if i >= 6 {
						acc.in.b *= 2
					}
					acc.c++
				}, tc.r[0], tc.r[1:]...))
				assert.Equal(t, tc.want, result{a, b, c})
			})
		})
	}
}

func TestWithInitialOfSlice(t *testing.T) {
	x := []int{10, 20}
	f := func(i int, acc *[]int) { (*acc)[i%2]++ }
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 100), f, reducers.WithInitial(reducers.Slice(&x, sum))))
	assert.Equal(t, []int{60, 70}, x)
	initialSum := func(result *int) reducers.Modified[int] { return reducers.WithInitial(sum(result)) }
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 100), f, reducers.Slice(&x, initialSum)))
	assert.Equal(t, []int{110, 120}, x)
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 0), f, reducers.Slice(&x, initialSum)))
	assert.Equal(t, []int{110, 120}, x)
}

func TestOrderedKeepsTheOrder(t *testing.T) {
	for _, items := range []int{0, 1, 2, 31, 32, 33, 1000, 5000} {
		t.Run(fmt.Sprint(items), func(t *testing.T) {
			var want strings.Builder
			for i := range items {
				fmt.Fprint(&want, i, " ")
			}
			onSpaces(t, func(t *testing.T, space exec.Space) {
				var reduced, folded, modified string
				p := policy.Range(0, items).On(space)
				require.NoError(t, exec.ParallelReduce(p, func(i int, acc *string) { *acc += fmt.Sprint(i, " ") }, text(&reduced)))
				assert.Equal(t, want.String(), reduced)
				source := exec.Map(p, func(i int) string { return fmt.Sprint(i, " ") })
				require.NoError(t, exec.ParallelFold(source, text(&folded), reducers.WithInitial(text(&modified))))
				assert.Equal(t, want.String(), folded)
				assert.Equal(t, want.String(), modified)
			})
		})
	}
}

// Without Ordered, the same concatenation goes to several lanes.
func TestUnorderedDoesNot(t *testing.T) {
	var result string
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 1000), func(i int, acc *string) { *acc += fmt.Sprint(i, " ") },
		reducers.New(&result, concat)))
	assert.NotContains(t, result, "0 1 2 3 ")
}

// pairOf is reduced field by field.
type pairOf struct{ a, b int }

func TestExactTraits(t *testing.T) {
	var a, b int
	plain, exact := sum(&a), reducers.Exact(sum(&a))
	field := func(r reducers.Reducer[int]) reducers.Reducer[pairOf] {
		return reducers.Field(func(p *pairOf) *int { return &p.a }, r)
	}
	other := func(r reducers.Reducer[int]) reducers.Reducer[pairOf] {
		return reducers.Field(func(p *pairOf) *int { return &p.b }, r)
	}
	exactB := reducers.Exact(sum(&b))
	is := func(want bool, r reducers.Reducer[int]) {
		t.Helper()
		assert.Equal(t, want, concept.TraitsOf(r).Exact)
	}
	isPair := func(want bool, r reducers.Reducer[pairOf]) {
		t.Helper()
		traits := concept.TraitsOf(r)
		require.NoError(t, traits.Err)
		assert.Equal(t, want, traits.Exact)
	}
	is(false, plain)
	is(true, exact)
	is(true, reducers.WithInitial(exact))
	is(true, reducers.Exact(reducers.WithInitial(plain)))
	is(false, reducers.Ordered(exact))
	is(false, reducers.Exact(reducers.Ordered(plain)))
	assert.True(t, concept.TraitsOf(reducers.Exact(reducers.Ordered(plain))).Ordered)
	assert.False(t, reducers.Ordered(exact).Traits().Exact)
	is(false, both{plain})
	is(false, reducers.Exact(sum(nil)))

	isPair(true, field(exact))
	isPair(false, field(plain))
	isPair(false, field(reducers.Ordered(exact)))
	isPair(true, reducers.Compose(field(exact), other(exactB)))
	isPair(true, reducers.WithInitial(reducers.Compose(field(exact), other(exactB))))
	isPair(false, reducers.Compose(field(exact), other(sum(&b))))
	isPair(false, reducers.Compose(field(plain), other(exactB)))
	isPair(true, reducers.Exact(reducers.Compose(field(plain), other(sum(&b)))))
	isPair(false, reducers.Ordered(reducers.Compose(field(exact), other(exactB))))
}

// both claims to be ordered and exact.
type both struct{ reducers.Func[int] }

func (both) Traits() concept.Traits[int] { return concept.Traits[int]{Ordered: true, Exact: true} }

// An exact reduction has the bits of any other.
func TestExactKeepsTheTree(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		var plain, exact float64
		f := func(i int, acc *float64) { *acc += 1 / float64(i+1) }
		p := policy.Range(0, 10_000).On(space)
		require.NoError(t, exec.ParallelReduce(p, f, reducers.New(&plain, add[float64])))
		require.NoError(t, exec.ParallelReduce(p, f, reducers.Exact(reducers.New(&exact, add[float64]))))
		assert.Equal(t, plain, exact)
	})
}

func TestModifiedFold(t *testing.T) {
	n, m := 1000, 1000
	source := exec.Map(policy.Range(0, 100), func(i int) int { return i })
	// pointed has no Fold of its own: values are joined.
	require.NoError(t, exec.ParallelFold(source, reducers.WithInitial(sum(&n)), reducers.Ordered(&pointed{reducers.Into(&m)})))
	assert.Equal(t, 5950, n)
	assert.Equal(t, 4950, m)
}
