package mpi

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/exec/space/spacetest"
)

// spread is a space that makes each launch on several ranks of a world of its own, which share
// the job, one at a time: so the suite for spaces sees what all ranks do.
type spread struct {
	ranks int
	inner exec.Space
	space.Engines
}

func (s *spread) Name() string     { return fmt.Sprintf("%d ranks on %s", s.ranks, s.inner.Name()) }
func (s *spread) Concurrency() int { return s.inner.Concurrency() }

func (s *spread) Launch(g space.Grid, j space.Job) error {
	c, ok := j.(ranks.Carrier)
	if !ok {
		return s.inner.Launch(g, j)
	}
	if _, err := c.AppendFingerprint(nil); err != nil {
		return s.inner.Launch(g, j)
	}
	w, err := local.New(s.ranks, local.Faults{})
	if err != nil {
		return err
	}
	var job sync.Mutex
	errs := make([]error, s.ranks)
	one := func(rank int) {
		t := &turns{Carrier: c, job: &job}
		defer t.end()
		own, err := w.Link(rank).Dup()
		if err == nil {
			q := &queue{link: turnsLink{own, t}, name: "spread"}
			err = q.run(g, t, Space{inner: s.inner})
		}
		errs[rank] = err
	}
	var others sync.WaitGroup
	for rank := 1; rank < s.ranks; rank++ {
		others.Go(func() { one(rank) })
	}
	defer others.Wait() // also if the functor ends this goroutine
	one(0)
	others.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, ranks.ErrFailed) {
			return err
		}
	}
	return errs[0]
}

// turns is a job that several ranks share. A rank has it from Open until it speaks to others.
type turns struct {
	ranks.Carrier
	job *sync.Mutex
	has bool
}

func (t *turns) begin() {
	if !t.has {
		t.job.Lock()
		t.has = true
	}
}

func (t *turns) end() {
	if t.has {
		t.has = false
		t.job.Unlock()
	}
}

func (t *turns) Open(workers, slots int) {
	t.begin()
	t.Carrier.Open(workers, slots)
}

func (t *turns) AppendFingerprint(buf []byte) ([]byte, error) { return append(buf, "spread"...), nil }
func (t *turns) SetOrigin(string)                             {}

func (t *turns) AppendFault(buf []byte) []byte {
	t.begin()
	return t.Carrier.AppendFault(buf)
}

func (t *turns) SetFault(data []byte) error {
	t.begin()
	return t.Carrier.SetFault(data)
}

// turnsLink is a link whose calls end a rank's turn.
type turnsLink struct {
	link.Link
	t *turns
}

func (l turnsLink) Send(dst, tag int, b []byte) error {
	l.t.end()
	return l.Link.Send(dst, tag, b)
}

func (l turnsLink) Probe(src, tag int) (link.Status, error) {
	l.t.end()
	return l.Link.Probe(src, tag)
}

func (l turnsLink) Allgather(send, recv []byte) error {
	l.t.end()
	return l.Link.Allgather(send, recv)
}

func TestSpaces(t *testing.T) {
	two := exec.NewGoroutines(2)
	defer two.Close()
	bothWays(t, func(t *testing.T) {
		for _, on := range []*spread{{ranks: 2, inner: exec.Serial{}}, {ranks: 3, inner: two}, {ranks: 7, inner: exec.Serial{}}} {
			if testing.Short() && on.ranks != 3 {
				continue
			}
			t.Run(on.Name(), func(t *testing.T) { spacetest.TestSpace(t, on) })
			on.Close()
		}
	})
}

// A world of one rank is its inner space.
func TestOneRank(t *testing.T) {
	if err := Local(1, func(c *Comm) error {
		spacetest.TestSpace(t, On(c, exec.Serial{}))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
