package mpi

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
)

// launch is one launch as one rank makes it: its share, and what all ranks tell each other then.
// It is kept for the next one.
type launch struct {
	link  link.Link
	grid  space.Grid
	job   ranks.Carrier
	guest guest // the job, mostly
	inner exec.Space
	each  bool // each rank runs the leaf of its number
	ahead bool // the share may run before the ranks agree

	ran     bool         // the share has run, or did not return
	short   bool         // and took little time
	nodes   []ranks.Node // of the share, and then those of all ranks
	bytes   []byte       // of the nodes that have run here
	fault   []byte
	failure failure
}

// of begins a launch.
func (x *launch) of(q *queue, g space.Grid, j ranks.Carrier, on Space) {
	x.link, x.grid, x.job, x.inner, x.each = q.link, g, x.guest.of(j, q.id, &q.marks), on.inner, on.each
	x.ahead = on.eager || alwaysShort || j.Silent()
	j.SetOrigin(q.rank)
}

// release forgets what belongs to the caller.
func (x *launch) release() {
	x.guest = guest{}
	x.job, x.inner, x.ran, x.short, x.failure = nil, nil, false, false, failure{}
	clear(x.nodes)
	x.nodes, x.bytes = x.nodes[:0], x.bytes[:0]
	if cap(x.bytes) > maxKeptBytes {
		x.bytes = nil
	}
}

// runShare runs the nodes of this rank. Those in which the launch fails are missing.
func (x *launch) runShare() {
	g := x.grid
	for first, last := range g.Nodes(x.share(x.link.Rank())) {
		part, job := ranks.Part(g, x.job, first, last)
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
	case errors.Is(err, ranks.ErrFailed): // leaves below must run, and may still fail
	case err != nil:
		x.fail(err)
		return false
	default:
		x.bytes = data
		x.nodes = append(x.nodes, ranks.Node{First: first, Last: last, Data: data[before:len(data):len(data)]})
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
