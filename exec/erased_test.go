package exec_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// The loops call functors without knowing what their accumulators are. Each type of accumulator that Go might pass or keep in
// another way is joined in each form of functor: of no size, of a byte, with pointers, larger than a line of the cache.
func TestErasedFunctors(t *testing.T) {
	testErased(t, struct{}{}, struct{}{})
	testErased(t, uint8(1), uint8(60))
	testErased(t, complex(1, -2), complex(60, -120))
	testErased(t, []string{"a"}, nil)
	testErased(t, [40]float64{1, 39: 2}, [40]float64{60, 39: 120})
	testErased(t, any(7), nil)
}

// adding joins numbers. Values of other types stay as they are.
func adding[A any](dst *A, src A) {
	switch dst := any(dst).(type) {
	case *uint8:
		*dst += any(src).(uint8)
	case *complex128:
		*dst += any(src).(complex128)
	case *[40]float64:
		for k, x := range any(src).([40]float64) {
			dst[k] += x
		}
	}
}

// testErased joins one into accumulators beside a count, 60 times, in all forms of functors, with garbage collections in between.
func testErased[A any](t *testing.T, one, sixty A) {
	t.Run(fmt.Sprintf("%T", one), func(t *testing.T) {
		var got A
		var count int64
		r := reducers.New(&got, func(dst, src *A) { adding(dst, *src) })
		n := reducers.New(&count, func(dst, src *int64) { *dst += *src })
		var calls atomic.Int64
		item := func(a *A, c *int64, items int) {
			if calls.Add(1)%20 == 1 {
				runtime.GC() // finds pointers where they are, or not
			}
			for range items {
				adding(a, one)
				*c++
			}
		}
		line, box := policy.Range(-20, 40), policy.MDRange2([2]int{0, 0}, [2]int{6, 10})
		wide := policy.MDRange5([5]int{}, [5]int{2, 3, 2, 1, 5})
		for name, launch := range map[string]func() error{
			"index": func() error { return exec.ParallelReduce2(line, func(_ int, a *A, c *int64) { item(a, c, 1) }, r, n) },
			"span": func() error {
				return exec.ParallelReduce2(policy.Spans(0, 60), func(s policy.Span, a *A, c *int64) { item(a, c, s.Len()) }, r, n)
			},
			"point": func() error {
				return exec.ParallelReduce2(box, func(_ policy.Index2, a *A, c *int64) { item(a, c, 1) }, r, n)
			},
			"row": func() error {
				return exec.ParallelReduce2(box.Rows(), func(r policy.Row[policy.Index2], a *A, c *int64) { item(a, c, r.Len()) }, r, n)
			},
			"row of five": func() error {
				return exec.ParallelReduce2(wide.Rows(), func(r policy.Row[policy.Index5], a *A, c *int64) { item(a, c, r.Len()) }, r, n)
			},
			"team": func() error {
				return exec.ParallelReduce2(policy.Team(20, 3), func(_ *team.Member, a *A, c *int64) { item(a, c, 1) }, r, n)
			},
			"three": func() error {
				var other A
				return exec.ParallelReduce3(line, func(_ int, _ *A, a *A, c *int64) { item(a, c, 1) }, reducers.New(&other, func(_, _ *A) {}), r, n)
			},
			"four": func() error {
				var other, another A
				return exec.ParallelReduce4(line, func(_ int, a, _, _ *A, c *int64) { item(a, c, 1) }, r,
					reducers.New(&other, func(_, _ *A) {}), reducers.New(&another, func(_, _ *A) {}), n)
			},
		} {
			count = 0
			require.NoError(t, launch(), name)
			require.EqualValues(t, 60, count, name)
			require.Equal(t, sixty, got, name)
		}
		require.NoError(t, exec.ParallelScan(line, func(i int, a *A, _ bool) { adding(a, one) }, r))
		require.Equal(t, sixty, got, "scan")
	})
}
