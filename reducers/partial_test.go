package reducers_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func paste(a, b string) string { return a + b }

func TestPartial(t *testing.T) {
	var p reducers.Partial[string]
	_, ok := p.Value()
	assert.False(t, ok)

	r := reducers.WithoutIdentity(&p, paste)
	r.Init(&p)
	p.Combine("a")
	p.Combine("b")
	value, ok := p.Value()
	assert.True(t, ok)
	assert.Equal(t, "ab", value)
	r.Init(&p)
	_, ok = p.Value()
	assert.False(t, ok)
}

func TestWithoutIdentity(t *testing.T) {
	smaller := func(a, b int) int { return min(a, b) }
	for _, tc := range []struct {
		name  string
		items int
		skip  bool // nothing is combined
		start int  // if not 0
		want  int
		ok    bool
	}{
		{"no items", 0, false, 0, 0, false},
		{"items that combine nothing", 100, true, 0, 0, false},
		{"one item", 1, false, 0, 1000, true},
		{"many items", 500, false, 0, 501, true},
		{"start, no items", 0, false, 7, 7, true},
		{"start, nothing combined", 100, true, 7, 7, true},
		{"lower start", 500, false, 7, 7, true},
		{"higher start", 500, false, 7000, 501, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			onSpaces(t, func(t *testing.T, space exec.Space) {
				var result reducers.Partial[int]
				r := reducers.Reducer[reducers.Partial[int]](reducers.WithoutIdentity(&result, smaller))
				if tc.start != 0 {
					r = reducers.WithInitial(reducers.WithoutIdentity(&result, smaller).Start(tc.start))
				}
				require.NoError(t, exec.ParallelReduce(policy.Range(0, tc.items).On(space), func(i int, acc *reducers.Partial[int]) {
					if !tc.skip {
						acc.Combine(1000 - i)
					}
				}, r))
				value, ok := result.Value()
				assert.Equal(t, tc.ok, ok)
				assert.Equal(t, tc.want, value)
			})
		})
	}
}

func TestWithoutIdentityDropsTheOldContent(t *testing.T) {
	var result reducers.Partial[int]
	r := reducers.WithoutIdentity(&result, func(a, b int) int { return a + b }).Start(5)
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 0), func(int, *reducers.Partial[int]) {}, r))
	_, ok := result.Value()
	assert.False(t, ok)
}

// A zero Partial has nothing to give as an initial value.
func TestWithInitialOfAnEmptyPartial(t *testing.T) {
	var result reducers.Partial[int]
	r := reducers.WithInitial(reducers.WithoutIdentity(&result, func(a, b int) int { return a + b }))
	f := func(i int, acc *reducers.Partial[int]) { acc.Combine(i) }
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 5), f, r))
	value, ok := result.Value()
	assert.True(t, ok)
	assert.Equal(t, 10, value)
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 5), f, r))
	value, _ = result.Value()
	assert.Equal(t, 20, value)
}

func TestWithoutIdentityOrdered(t *testing.T) {
	want := ""
	for i := range 200 {
		want += fmt.Sprint(i, " ")
	}
	onSpaces(t, func(t *testing.T, space exec.Space) {
		var result reducers.Partial[string]
		r := reducers.Ordered(reducers.WithoutIdentity(&result, paste))
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 200).On(space), func(i int, acc *reducers.Partial[string]) {
			acc.Combine(fmt.Sprint(i, " "))
		}, r))
		value, _ := result.Value()
		assert.Equal(t, want, value)

		r = reducers.WithInitial(reducers.Ordered(reducers.WithoutIdentity(&result, paste).Start("start ")))
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 200).On(space), func(i int, acc *reducers.Partial[string]) {
			acc.Combine(fmt.Sprint(i, " "))
		}, r))
		value, _ = result.Value()
		assert.Equal(t, "start "+want, value)
	})
}

func TestWithoutIdentityFold(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		var result, none reducers.Partial[int]
		r := reducers.WithoutIdentity(&result, func(a, b int) int { return max(a, b) })
		source := exec.Map(policy.Range(0, 700).On(space), func(i int) int { return i * (500 - i) })
		require.NoError(t, exec.ParallelFold(source, r))
		value, ok := result.Value()
		assert.True(t, ok)
		assert.Equal(t, 250*250, value)

		require.NoError(t, exec.ParallelFold(exec.Slice(policy.Range(0, 0).On(space), []int{}),
			reducers.WithoutIdentity(&none, func(a, b int) int { return a })))
		_, ok = none.Value()
		assert.False(t, ok)
	})
}
