package reducers_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// record writes down in which order it is asked to join.
func record(dst, src *string) {
	switch {
	case *dst == "":
		*dst = *src
	case *src != "":
		*dst = "(" + *dst + "+" + *src + ")"
	}
}

func TestFolding(t *testing.T) {
	type best struct{ at, value int }
	var result best
	r := reducers.New(&result, func(dst, src *best) {
		if src.value > dst.value || src.value == dst.value && src.at < dst.at {
			*dst = *src
		}
	}, reducers.Init(func(val *best) { *val = best{at: 1 << 30} }))
	argmax := reducers.Folding(r, func(acc *best, i int, x int) { r.Join(acc, &best{i, x}) })
	onSpaces(t, func(t *testing.T, space exec.Space) {
		x := make([]int, 3000)
		x[1234], x[2500] = 9, 9
		require.NoError(t, exec.ParallelFold(exec.Slice(policy.Range(5, 3000).On(space), x), argmax))
		assert.Equal(t, best{1234, 9}, result, "the index is that of the policy")

		var s string
		require.NoError(t, exec.ParallelFold(exec.Slice(policy.Range(7, 11).On(space), []int{10: 0}),
			reducers.Folding(text(&s), func(acc *string, i, x int) { *acc += fmt.Sprint(i, " ") })))
		assert.Equal(t, "7 8 9 10 ", s)
	})
}

// What a fold joins, and in which order, is what ParallelReduce joins.
func TestFoldsHaveTheOrderOfReduce(t *testing.T) {
	for _, items := range []int{0, 1, 5, 33, 777, 5000} {
		t.Run(fmt.Sprint(items), func(t *testing.T) {
			onSpaces(t, func(t *testing.T, space exec.Space) {
				var reduced, joined, folded, modified string
				p := policy.Range(0, items).Chunk(128).On(space)
				require.NoError(t, exec.ParallelReduce(p, func(i int, acc *string) {
					item := strconv.Itoa(i)
					record(acc, &item)
				}, reducers.New(&reduced, record)))
				require.NoError(t, exec.ParallelFold(exec.Map(p, strconv.Itoa),
					reducers.New(&joined, record),
					reducers.Folding(reducers.New(&folded, record), func(acc *string, i int, x string) { record(acc, &x) }),
					reducers.WithInitial(reducers.New(&modified, record))))
				assert.Equal(t, reduced, joined)
				assert.Equal(t, reduced, folded)
				assert.Equal(t, reduced, modified)
			})
		})
	}
}

// kept is a Folder that has one fold for all launches.
type kept struct{ fold reducers.Fold[int] }

func (k kept) Fold() reducers.Fold[int] { return k.fold }

// A fold that a launch has had may be in use by another launch, which must not notice.
func TestFoldsAreForOneLaunch(t *testing.T) {
	const again = "the fold is that of an earlier launch, expected a new one for each"
	join := func(dst, src *int) { *dst += *src }
	p := policy.Range(0, 1000).On(exec.Serial{})
	one := func(int) int { return 1 }
	var old, sum int
	k := kept{reducers.New(&old, join).Fold()}
	require.ErrorContains(t, exec.ParallelFold(exec.Map(p, one), k, k), "reducer 2 of 2, a reducers_test.kept: reducers: "+again)
	k = kept{reducers.New(&old, join).Fold()}
	require.NoError(t, exec.ParallelFold(exec.Map(p, one), k))
	require.Equal(t, 1000, old)
	require.NoError(t, exec.ParallelFold(exec.Map(p, func(i int) int {
		if i == 500 {
			assert.ErrorContains(t, exec.ParallelFold(exec.Map(p, one), k), again)
		}
		return 1
	}), reducers.New(&sum, join)))
	assert.Equal(t, 1000, sum)

	modified := reducers.WithInitial[int](struct {
		reducers.Reducer[int]
		kept
	}{reducers.New(&sum, join), k})
	assert.ErrorContains(t, exec.ParallelFold(exec.Map(p, one), modified), again)
	assert.Equal(t, 1000, sum)
}
