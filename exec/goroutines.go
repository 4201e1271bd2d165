package exec

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/workers"
)

// Goroutines runs a launch on the calling goroutine and on standing helpers.
//
// The caller begins at once. Helpers that are awake join in and parked helpers are woken, but nobody waits
// for them. Each worker takes aligned subtrees of the reduction tree from its own share, and then from the
// shares of others. The worker that completes the second of two neighbours joins them: the schedule is
// dynamic, and the result is not.
//
// Several callers may use a Goroutines at once, and so may functors that run on it. It never runs more
// helpers than its number of workers less one.
type Goroutines struct {
	pool  *workers.Pool
	err   error
	teams space.Engines // engines of teams, kept for the next launch
}

// NewGoroutines returns a space with n workers, or with GOMAXPROCS workers if n is 0. The caller of a launch
// is one of them. Helpers start with the first launch that needs them. They end with [Goroutines.Close], or
// when nothing refers to the space any more.
//
// A number of workers below 0 or above 4096 is an error that every launch returns.
func NewGoroutines(n int) *Goroutines {
	var err error
	switch {
	case n == 0:
		n = min(runtime.GOMAXPROCS(0), workers.Most)
	case n < 0 || n > workers.Most:
		err = fmt.Errorf("exec: a Goroutines space of %d workers, expected 1 to %d, or 0 for GOMAXPROCS", n, workers.Most)
		n = 1
	}
	s := &Goroutines{pool: workers.New(n), err: err}
	// Helpers refer to the pool only, so a space that is dropped without Close is collected, and its helpers
	// end.
	runtime.AddCleanup(s, func(p *workers.Pool) { p.Close() }, s.pool)
	return s
}

// Name returns "goroutines".
func (s *Goroutines) Name() string { return "goroutines" }

// Concurrency returns the number of workers.
func (s *Goroutines) Concurrency() int {
	if s.invalid() != nil {
		return 1
	}
	return s.pool.Workers()
}

// invalid returns why the space cannot be used, or nil.
func (s *Goroutines) invalid() error {
	if s == nil || s.pool == nil {
		return errors.New("exec: a Goroutines space that NewGoroutines did not make")
	}
	return s.err
}

// Close ends the helpers and waits until they are gone. Launches after it return [space.ErrClosed]. Closing a
// space while a launch runs on it is an error, and the space then stays open. Closing a closed space is no
// error.
func (s *Goroutines) Close() error {
	if err := s.invalid(); err != nil {
		return err
	}
	if running := s.pool.Close(); running > 0 {
		return fmt.Errorf("exec: a Goroutines space was closed while %d launches ran on it", running)
	}
	s.teams.Close()
	return nil
}

// Partition returns one new space for each weight. It divides the number of workers of s in proportion to the
// weights, at least one for each space. The new spaces have helpers of their own and are closed on their own;
// s remains usable.
func (s *Goroutines) Partition(weights ...int) ([]*Goroutines, error) {
	workers := s.Concurrency()
	for k, w := range weights {
		if w < 1 {
			return nil, fmt.Errorf("exec: weight %d of a partition is %d, expected at least 1", k+1, w)
		}
	}
	switch {
	case s.invalid() != nil:
		return nil, s.invalid()
	case s.pool.Closed():
		return nil, space.ErrClosed
	case len(weights) == 0:
		return nil, errors.New("exec: a partition without weights, expected at least one")
	case len(weights) > workers:
		return nil, fmt.Errorf("exec: a partition of %d workers into %d spaces, expected at most one space per worker", workers, len(weights))
	}
	// Each space gets one worker. The others go, one at a time, to the space that has the fewest for its
	// weight.
	share := make([]int, len(weights))
	for k := range share {
		share[k] = 1
	}
	for range workers - len(weights) {
		least := 0
		for k := range share {
			if float64(share[k])/float64(weights[k]) < float64(share[least])/float64(weights[least]) {
				least = k
			}
		}
		share[least]++
	}
	spaces := make([]*Goroutines, len(weights))
	for k, n := range share {
		spaces[k] = NewGoroutines(n)
	}
	return spaces, nil
}

// Teams implements [space.TeamSpace].
func (s *Goroutines) Teams() space.Teams {
	if s.invalid() != nil {
		return space.Teams{}
	}
	return s.teams.Teams()
}

// Launch implements [Space]. The caller runs a launch alone if its items share leaves and it should take less
// than 10 microseconds. The limit is 3 microseconds if another launch has just ended. Earlier launches of the
// functor give the estimate. The caller also runs up to eight times as much alone if helpers were no help
// before.
func (s *Goroutines) Launch(g space.Grid, j space.Job) error {
	if err := s.invalid(); err != nil {
		return err
	}
	defer runtime.KeepAlive(s)
	if !s.pool.Enter() {
		return space.ErrClosed
	}
	defer s.pool.Leave()
	s.pool.Run(g, j)
	return nil
}
