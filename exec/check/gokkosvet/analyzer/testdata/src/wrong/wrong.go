// Package wrong has kernels with mistakes.
package wrong

import (
	"math/rand"
	"sync"
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

type stats struct{ n int }

var global int

func shared(x []float64, m map[int]int) error {
	sum, s, p := 0.0, stats{}, &stats{}
	var found []int
	exec.ParallelFor(policy.Range(0, 9), func(i int) {}) // want `the error of ParallelFor is ignored`
	err := exec.ParallelFor(policy.Range(0, 9), func(i int) {
		sum += x[i]  // want `a functor writes sum, which items share`
		s.n++        // want `a functor writes s, which items share`
		p.n = i      // want `a functor writes p, which items share`
		global = i   // want `a functor writes global, which items share`
		m[i] = 1     // want `a functor writes to the map m`
		delete(m, i) // want `a functor writes to the map m`
		if x[i] > 3 {
			found = append(found, i) // want `a functor writes found, which items share`
		}
	})
	return err
}

func host(x []float64) error {
	var mu sync.Mutex
	c := make(chan int)
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		mu.Lock()                          // want `a functor waits for a lock`
		x[i] = rand.Float64()              // want `random numbers of the process`
		x[i] += float64(time.Now().Unix()) // want `a functor uses time.Now`
		c <- 1                             // want `a functor uses a channel`
		<-c                                // want `a functor uses a channel`
		go func() {}()                     // want `a functor starts a goroutine`
	})
}

func accumulators(x, y []float64) error {
	var total float64
	var kept *float64
	_ = kept
	_ = exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *float64) {
		*acc += x[i]
		kept = acc // want `a functor writes kept` `a functor keeps the accumulator acc in kept`
	}, nil)
	_ = exec.ParallelScan(policy.Range(0, 9), func(i int, acc *float64, final bool) { // want `does not ask whether the pass is final`
		*acc += x[i]
		y[i] = *acc
	}, nil)
	_ = reducers.New(&total, func(d, s *float64) { *d *= *s })         // want `the identity of this reducer is not zero`
	_ = reducers.New(&total, func(d, s *float64) { *d = max(*d, *s) }) // want `the identity of this reducer is not zero`
	return nil
}

func teams(x []float64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(m *team.Member) {
		if m.Rank() < 4 {
			m.Barrier() // want `only some members reach this Barrier`
		} else {
			x[0] = team.AllReduce(m, 1.0, nil) // want `only some members reach this AllReduce`
		}
	})
}

func index(x []float64, rows, columns int32) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		x[int32(i)*columns+rows] = 1 // want `a product of 32-bit integers as an index overflows`
	})
}
