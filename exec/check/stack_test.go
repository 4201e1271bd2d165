//gokkosvet:ignore kernels that race

package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
)

// deferring calls itself, with results that are alive before they hold anything.
func deferring(n int) (p, q *int, x []int, err error) {
	defer func() { q = p }()
	if n == 0 {
		return new(int), nil, nil, nil
	}
	p, _, x, err = deferring(n - 1)
	*p++
	return p, p, x, err
}

// shallow calls f behind so many frames.
func shallow(frames int, f func()) int {
	if frames == 0 {
		f()
		return 0
	}
	return shallow(frames-1, f) + 1
}

// dirty leaves so many kilobytes of ones in the stack.
//
//go:norace
//go:noinline
func dirty(kilobytes int) (sum uintptr) {
	var x [128]uintptr
	for k := range x {
		x[k] = 1
	}
	if kilobytes > 1 {
		sum = dirty(kilobytes - 1)
	}
	for _, v := range x {
		sum += v
	}
	return sum
}

// A stack that grows while a hook runs would be the end of the program.
func TestStacksGrowBetweenHooks(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	for frames := range 400 {
		done := make(chan int)
		go func() { // on a new stack
			dirty(1 + frames%4)
			shallow(frames%100, func() {
				p, _, _, _ := deferring(frames % 50)
				done <- *p
			})
		}()
		require.Equal(t, frames%50, <-done)
	}
	for i := range 200 {
		x := make([]int, 1)
		done := make(chan error)
		go func() {
			done <- exec.ParallelFor(policy.Range(0, 1).On(sim), func(int) {
				dirty(1 + i)
				p, _, _, _ := deferring(1000)
				x[0] = *p
			})
		}()
		require.NoError(t, <-done)
		assert.Equal(t, 1000, x[0])
	}
}

// What a functor does behind many frames is seen.
func TestDeepFunctorsAreSeen(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	x := make([]int, 1)
	err := exec.ParallelFor(policy.Range(0, 2).On(sim), func(i int) { shallow(20_000, func() { x[0]++ }) })
	if r, _ := sim.LastReport(); r.Accesses == 0 {
		t.Skip("accesses are seen with -gcflags=-race")
	}
	assert.ErrorContains(t, err, "stack_test.go:")
}
