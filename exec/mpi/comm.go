package mpi

import (
	"fmt"
	"sync"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// A Comm is a communicator: a number of ranks that work together, each of which is a process of
// its own, or a goroutine in [Local]. Ranks are numbered from 0.
//
// A Comm may be used by several goroutines.
type Comm struct {
	link   link.Link
	launch *queue // of launches over the ranks

	arrays struct { // the messages of an [Array]
		sync.Mutex
		comm  *Comm // nil as long as there is none
		count int
	}
}

// newComm makes a communicator of a link. It is a collective: the launches of a communicator
// have a link of their own, so that nothing that a program sends meets them.
func newComm(l link.Link) (*Comm, error) {
	own, err := l.Dup()
	if err != nil {
		return nil, fmt.Errorf("mpi: %w", err)
	}
	q := &queue{link: own, name: l.Name(), id: uint(numbers.Add(1))}
	q.rank = fmt.Sprintf("rank %d of %d of %s", l.Rank(), l.Size(), l.Name())
	return &Comm{link: l, launch: q}, nil
}

// usable is an error if there is no communicator, as [Comm.Split] returns for [NoColor].
func (c *Comm) usable(what string) error {
	if c == nil {
		return fmt.Errorf("mpi: %s of a nil communicator", what)
	}
	return nil
}

// Rank returns the number of this rank, from 0 to Size-1.
func (c *Comm) Rank() int { return c.link.Rank() }

// Size returns the number of ranks.
func (c *Comm) Size() int { return c.link.Size() }

// Name names the communicator in messages.
func (c *Comm) Name() string { return c.link.Name() }
