package mpi

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/space"
)

// launch is one launch as one rank makes it: its share, and what all ranks tell each other then.
// It is kept for the next one.
type launch struct {
	link  link.Link
	grid  space.Grid
	job   space.Carrier
	inner exec.Space
	key   key
	each  bool // each rank runs the leaf of its number

	name    string // of the rank
	nodes   []space.Node
	bytes   []byte // of the nodes that have run here
	failure failure
	large   key // of the last launch whose nodes were too many for an Allgather

	mine, all, fault []byte // messages
}

// of begins a launch.
func (x *launch) of(l link.Link, g space.Grid, j space.Carrier, inner exec.Space, k key) {
	x.link, x.grid, x.job, x.inner, x.key = l, g, j, inner, k
	x.nodes, x.bytes, x.failure = x.nodes[:0], x.bytes[:0], failure{}
	if c, ok := j.(space.RankCarrier); ok {
		c.SetOrigin(x.name)
	}
}

// release forgets what belongs to the caller.
func (x *launch) release() {
	x.job, x.inner = nil, nil
	x.failure = failure{}
	clear(x.nodes)
	if cap(x.bytes) > maxKeptBytes {
		x.bytes = nil
	}
}

// run runs the share of this rank and ends as all ranks do. If the functor ends the goroutine,
// or the inner space panics, the other ranks hear of it on the way. hasRun is called in between.
func (x *launch) run(hasRun func()) (err error) {
	returned := false
	defer func() {
		if !returned {
			hasRun()
			x.fail(fmt.Errorf("space %s did not return from Launch", x.inner.Name()))
			_ = x.exchange()
		}
	}()
	x.runShare()
	returned = true
	hasRun()
	return x.exchange()
}

// runShare runs the nodes of this rank. Those in which the launch fails are missing.
func (x *launch) runShare() {
	g := x.grid
	for first, last := range g.Nodes(x.share(x.link.Rank())) {
		part, job := space.Part(g, x.job, first, last)
		if err := x.inner.Launch(part, job); err != nil {
			x.fail(err)
			return
		}
		if !x.append(0, first, last) {
			return
		}
	}
}

// share returns the leaves of a rank.
func (x *launch) share(rank int) (first, last int) {
	if x.each {
		return rank, rank + 1
	}
	return share(x.grid, rank, x.link.Size())
}

// append takes over a node from a slot. It is false if something is wrong but the launch.
func (x *launch) append(slot, first, last int) bool {
	before := len(x.bytes)
	data, err := x.job.AppendNode(x.bytes, slot, first, last)
	switch {
	case errors.Is(err, space.ErrFailed): // leaves below must run, and may still fail
	case err != nil:
		x.fail(err)
		return false
	default:
		x.bytes = data
		x.nodes = append(x.nodes, space.Node{First: first, Last: last, Data: data[before:len(data):len(data)]})
	}
	return true
}

// failure is why a rank could not run its share that is no matter of the launch.
type failure struct {
	rank   int
	err    error // on the rank itself
	text   string
	closed bool // its space is closed
}

// fail keeps the first failure.
func (x *launch) fail(err error) {
	if x.failure.text == "" {
		x.failure = failure{x.link.Rank(), err, err.Error(), errors.Is(err, space.ErrClosed)}
	}
}

// farFailure is a failure of another rank.
type farFailure struct{ text string }

func (f farFailure) Error() string { return f.text }

// error returns a failure as this rank tells it, the same text on each.
func (f failure) error(size int) error {
	err := f.err
	switch {
	case f.text == "":
		return nil
	case err == nil && f.closed:
		err = closedElsewhere{farFailure{f.text}}
	case err == nil:
		err = farFailure{f.text}
	}
	return fmt.Errorf("mpi: rank %d of %d: %w", f.rank, size, err)
}

// closedElsewhere is space.ErrClosed of another rank.
type closedElsewhere struct{ farFailure }

func (closedElsewhere) Unwrap() error { return space.ErrClosed }

// exchange gives all ranks the nodes of all, and what went wrong, and joins the root.
func (x *launch) exchange() error {
	done, err := x.gather()
	if !done && err == nil {
		err = x.alongTree()
	}
	return err
}
