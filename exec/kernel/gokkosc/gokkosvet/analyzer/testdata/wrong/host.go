package wrong

import (
	"math/rand"
	"sync"
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func host(x []float64) error {
	var mu sync.Mutex
	var once sync.Once
	c := make(chan int)
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		mu.Lock()                          // want `a functor waits for a lock`
		once.Do(func() {})                 // want `a functor waits for a lock`
		x[i] = rand.Float64()              // want `random numbers of the process`
		x[i] += float64(time.Now().Unix()) // want `a functor uses time.Now`
		time.AfterFunc(1, nil)             // want `a functor uses time.AfterFunc`
		_ = time.Time{}.After(time.Time{})
		c <- 1        // want `a functor uses a channel`
		<-c           // want `a functor uses a channel`
		for range c { // want `a functor uses a channel`
		}
		select { // want `a functor uses a channel`
		default:
		}
		close(c)       // want `a functor uses a channel`
		go func() {}() // want `a functor starts a goroutine`
	})
}

// The random numbers of the process differ from run to run on the host, too.
func onHost(x []float64, s *exec.Goroutines) error {
	return exec.ParallelFor(policy.Range(0, 9).On(s), func(i int) {
		x[i] = rand.Float64() // want `random numbers of the process`
	})
}
