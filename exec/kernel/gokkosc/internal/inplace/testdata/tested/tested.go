// Package tested has functors, and tests with functors of their own.
package tested

import (
	"reflect"
	"runtime"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Last is the name of the functor that Apply was last called with.
var Last string

// Apply calls a functor for some items.
func Apply(n int, f func(i int)) error {
	Last = runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return exec.ParallelFor(policy.Range(0, n), f)
}

// Scale multiplies x by a.
func Scale[T any](x []T, by func(T) T) error {
	return exec.ParallelFor(policy.Range(0, len(x)), func(i int) { x[i] = by(x[i]) }) // body body: the type
}

// Divide divides x by y.
func Divide[T int | int32](x []T, y T) error {
	return exec.ParallelFor(policy.Range(0, len(x)), func(i int) { x[i] /= y + T(i&1) }) // loops loops
}

// launched is called by tests alone.
func launched(x []int) func(i int) {
	return func(i int) { x[i]++ } // loops
}

// Divided divides numbers.
func Divided(x []int, y int) error { return Divide(x, y) }
