package exec_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Rows of lanes end where the range ends, if that is the largest int.
func TestReduceUpToTheLargestIndex(t *testing.T) {
	add := func(dst, src *int) { *dst += *src }
	p := policy.Range(math.MaxInt-100, math.MaxInt).Chunk(128).On(exec.Serial{})
	check := func(calls *int, i int) {
		if *calls++; *calls > 100 || i < math.MaxInt-100 {
			panic("an item that there is not")
		}
	}
	var a, b, c, d, calls int
	require.NoError(t, exec.ParallelReduce(p, func(i int, a *int) { check(&calls, i); *a++ }, reducers.New(&a, add)))
	calls = 0
	assert.NotPanics(t, func() {
		_ = exec.ParallelReduce2(p, func(i int, a, b *int) { check(&calls, i); *a++ }, reducers.New(&a, add), reducers.New(&b, add))
	})
	calls = 0
	assert.NotPanics(t, func() {
		_ = exec.ParallelReduce3(p, func(i int, a, b, c *int) { check(&calls, i); *a++ }, reducers.New(&a, add), reducers.New(&b, add), reducers.New(&c, add))
	})
	calls = 0
	assert.NotPanics(t, func() {
		_ = exec.ParallelReduce4(p, func(i int, a, b, c, d *int) { check(&calls, i); *a++ }, reducers.New(&a, add), reducers.New(&b, add), reducers.New(&c, add), reducers.New(&d, add))
	})
}
