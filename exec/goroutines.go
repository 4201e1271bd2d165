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
// The caller begins at once; helpers that are awake join in and those that are
// parked are woken, but nobody waits for them. Each takes aligned subtrees of the
// reduction tree from a share of its own, and then from those of others, and whoever
// completes the second of two neighbours joins them: the schedule is dynamic, and the
// result is not.
//
// A Goroutines may be used by several callers at once and by functors that run
// on it. It never runs more helpers than it has workers, less the caller.
type Goroutines struct {
	pool  *workers.Pool
	err   error
	teams space.Engines // of teams
}

// NewGoroutines returns a space with n workers, the caller of a launch counted as one, or
// with GOMAXPROCS workers if n is 0. Helpers start with
// the first launch that needs them. They end with [Goroutines.Close], or when
// nothing refers to the space any more.
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
	// Helpers know the pool only, so a space that is dropped without Close is
	// found, and its helpers end.
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

// invalid says why the space cannot be used, or returns nil.
func (s *Goroutines) invalid() error {
	if s == nil || s.pool == nil {
		return errors.New("exec: a Goroutines space that NewGoroutines did not make")
	}
	return s.err
}

// Close ends the helpers and waits for them to be gone. Launches after it return
// [space.ErrClosed]. It is an error to close a space while a launch runs on it, and
// the space then stays open; closing it again is not.
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

// Partition returns one new space for each weight. They share out the workers of
// s in proportion to the weights, each getting at least one. The new spaces have
// helpers of their own and are closed on their own; s remains usable.
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
	// Everyone has one worker; the others go, one at a time, to the space that has
	// the fewest for its weight.
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

// Launch implements [Space]. A launch whose items share leaves, and which by what is
// known of its functor takes less than ten microseconds, or than three if another launch
// has just ended, is run by the caller alone; so is one of up to eight times that in which
// helpers were no help.
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
