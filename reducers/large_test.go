package reducers_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// huge is a value that is too large for a stack.
type huge [1 << 17]int64

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func countHuge(dst, src *huge) { dst[0] += src[0] }

// A launch allocates large values for its slots and workers, and none for its leaves.
func TestLargeValues(t *testing.T) {
	const leaves = 512
	type list struct {
		of huge
		_  []int // a copy of a list does not copy all of it
	}
	p := policy.Range(0, leaves).Chunk(1).On(exec.Serial{})
	var sum huge
	var lists list
	var partial reducers.Partial[huge]
	for name, launch := range map[string]func() error{
		"flat": func() error {
			return exec.ParallelReduce(p, func(_ int, acc *huge) { acc[0]++ }, reducers.New(&sum, countHuge))
		},
		"not flat": func() error {
			return exec.ParallelReduce(p, func(_ int, acc *list) { acc.of[0]++ },
				reducers.New(&lists, func(dst, src *list) { countHuge(&dst.of, &src.of) }))
		},
		"no identity": func() error {
			return exec.ParallelReduce(p, func(_ int, acc *reducers.Partial[huge]) {},
				reducers.WithoutIdentity(&partial, func(a, b huge) huge { return a }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			bytes := allocated(func() { require.NoError(t, launch()) })
			assert.Less(t, bytes, uint64(32<<20), "of values of 1 MiB in 512 leaves")
		})
	}
	assert.EqualValues(t, leaves, sum[0])
	assert.EqualValues(t, leaves, lists.of[0])
}

func TestBaseInitAllocatesNothing(t *testing.T) {
	val := huge{7}
	base := reducers.Into(&val)
	assert.Zero(t, testing.AllocsPerRun(10, func() { base.Init(&val) }))
	assert.Zero(t, val[0])
}
