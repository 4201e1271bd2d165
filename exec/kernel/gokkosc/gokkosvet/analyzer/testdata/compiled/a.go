// Package compiled launches functors that gokkosc has compiled: reports are of their closures.
package compiled

import (
	"sync"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

var mu sync.Mutex

//gokkos:kernel
func first(x []float64) func(i int) {
	return func(i int) {
		x[0] = float64(i) // want `a functor writes x, which items share`
	}
}

// Another functor is refused: its constructor returns the closure.
//
//gokkos:kernel
func locked(x []float64) func(i int) {
	return func(i int) {
		mu.Lock() // want `a functor waits for a lock`
		x[i] = 1
	}
}

//gokkos:kernel
func kept(x []float64) func(i int) { return func(i int) { x[i] = 1 } }

func launches(x []float64) error {
	p := policy.Range(0, len(x))
	if err := exec.ParallelFor(p, First(x)); err != nil {
		return err
	}
	if err := exec.ParallelFor(p, Locked(x)); err != nil {
		return err
	}
	return exec.ParallelFor(p, Kept(x))
}
