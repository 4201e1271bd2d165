package main

import (
	"sync"

	"github.com/sourcegraph/conc"
	"golang.org/x/sync/errgroup"
)

// A sharer runs f for each of the workers, with an equal share of n items, and returns when
// all are done. It is how a loop is made parallel without a library such as gokkos.
type sharer func(n, workers int, f func(worker, begin, end int))

func share(n, workers, worker int) (begin, end int) {
	return n * worker / workers, n * (worker + 1) / workers
}

// byGoroutines starts a goroutine for each share but the last, which the caller takes.
func byGoroutines(n, workers int, f func(worker, begin, end int)) {
	var group sync.WaitGroup
	for w := range workers - 1 {
		group.Go(func() {
			begin, end := share(n, workers, w)
			f(w, begin, end)
		})
	}
	begin, end := share(n, workers, workers-1)
	f(workers-1, begin, end)
	group.Wait()
}

func byErrgroup(n, workers int, f func(worker, begin, end int)) {
	var group errgroup.Group
	for w := range workers {
		group.Go(func() error {
			begin, end := share(n, workers, w)
			f(w, begin, end)
			return nil
		})
	}
	_ = group.Wait() // nothing fails
}

func byConc(n, workers int, f func(worker, begin, end int)) {
	var group conc.WaitGroup
	for w := range workers {
		group.Go(func() {
			begin, end := share(n, workers, w)
			f(w, begin, end)
		})
	}
	group.Wait()
}

// reduceBy computes a partial result of each share with part, and joins them in order.
func reduceBy[A any](by sharer, n, workers int, part func(begin, end int) A, join func(a, b A) A) A {
	parts := make([]struct {
		a A
		_ [64]byte // each in a cache line of its own
	}, workers)
	by(n, workers, func(w, begin, end int) { parts[w].a = part(begin, end) })
	a := parts[0].a
	for _, p := range parts[1:] {
		a = join(a, p.a)
	}
	return a
}
