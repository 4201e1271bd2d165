package mpi

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
)

// Local runs f as each of n ranks, which are goroutines of this process, and returns when all
// have ended. It needs no MPI: it is for several cards of one machine, of which each rank has one, for
// tests, with -race too, and for examples. n is at most 8192.
//
// It returns the errors of the ranks, in their order, joined. It panics with what f panicked
// with, on the lowest rank if there are several. Where f does not return, the rank has died, and
// whatever the others do together is an error; where it does, those who wait for that rank hear
// that it has ended.
func Local(n int, f func(c *Comm) error) error {
	return localWith(n, local.Faults{}, f)
}

// errEnded is the error of a rank that has ended its goroutine.
var errEnded = errors.New("its goroutine was ended, as by runtime.Goexit")

func localWith(n int, faults local.Faults, f func(c *Comm) error) error {
	errs, err := localErrors(n, faults, f)
	for rank, err := range errs {
		if err != nil {
			errs[rank] = fmt.Errorf("mpi: rank %d: %w", rank, err)
		}
	}
	return errors.Join(append(errs, err)...)
}

// localErrors returns the error of each rank.
func localErrors(n int, faults local.Faults, f func(c *Comm) error) ([]error, error) {
	w, err := local.New(n, faults)
	if err != nil {
		return nil, fmt.Errorf("mpi: Local: %w", err)
	}
	errs := make([]error, n)
	var mu sync.Mutex
	panicked := make(map[int]any)
	w.Run(func(l link.Link) {
		c, err := newComm(l)
		if err == nil {
			err = f(c)
		}
		errs[l.Rank()] = err
	}, func(rank int, exits bool, value any) {
		errs[rank] = errEnded
		if !exits {
			mu.Lock()
			defer mu.Unlock()
			panicked[rank] = value
		}
	})
	for rank := range n {
		if value, ok := panicked[rank]; ok {
			panic(value)
		}
	}
	return errs, nil
}
