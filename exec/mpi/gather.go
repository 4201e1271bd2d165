package mpi

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/space"
)

// What the first byte of a rank's block says in the Allgather of nodes.
const (
	allNodes = iota // of its share follow, and what went wrong
	tooLarge        // they do not fit
	notAll          // some are missing
)

// gather exchanges the nodes by one Allgather, if the ranks are few, the nodes are small and
// none is missing. It is not done otherwise, on all ranks, and has changed nothing.
func (x *launch) gather() (done bool, err error) {
	n := x.link.Size()
	if n > gatherRanks || x.large == x.key {
		return false, nil
	}
	x.mine = x.block(slices.Grow(x.mine[:0], gatherBytes))[:gatherBytes]
	x.all = slices.Grow(x.all[:0], n*gatherBytes)[:n*gatherBytes]
	if err := x.link.Allgather(x.mine, x.all); err != nil {
		return false, fmt.Errorf("mpi: %w", err)
	}
	worst := byte(allNodes)
	for k := range n {
		worst = max(worst, x.all[k*gatherBytes])
	}
	if worst == tooLarge {
		x.large = x.key
	}
	if worst != allNodes {
		return false, nil
	}
	fault, err := x.unblock(n)
	if err != nil {
		return false, fmt.Errorf("mpi: %w", err)
	}
	if err := x.job.SetFault(fault); err != nil {
		return false, err
	}
	return true, space.Assemble(x.grid, x.job, x.nodes)
}

// block writes the block of this rank, of which the first byte only matters unless that is
// allNodes.
func (x *launch) block(b []byte) []byte {
	expected := 0
	for range x.grid.Nodes(x.share(x.link.Rank())) {
		expected++
	}
	if x.failure.text != "" || len(x.nodes) < expected {
		return append(b, notAll)
	}
	x.fault = x.job.AppendFault(x.fault[:0])
	b = append(b, allNodes)
	fits := appendWithin(&b, x.fault)
	for k := 0; fits && k < len(x.nodes); k++ {
		fits = appendWithin(&b, x.nodes[k].Data)
	}
	if !fits {
		b[0] = tooLarge
	}
	return b
}

// appendWithin appends a text to a block, if it fits.
func appendWithin(b *[]byte, text []byte) bool {
	if len(*b)+len(text) > gatherBytes {
		return false
	}
	longer := appendText(*b, text)
	if len(longer) > gatherBytes {
		return false
	}
	*b = longer
	return true
}

// unblock sets nodes to those of all ranks, and returns what went wrong first.
func (x *launch) unblock(n int) (fault []byte, err error) {
	x.nodes = x.nodes[:0]
	for k := range n {
		r := reader{data: x.all[k*gatherBytes+1 : (k+1)*gatherBytes]}
		if f := r.bytes(); k == 0 {
			fault = f
		} else {
			fault = space.FirstFault(fault, f)
		}
		for first, last := range x.grid.Nodes(x.share(k)) {
			x.nodes = append(x.nodes, space.Node{First: first, Last: last, Data: r.bytes()})
		}
		if r.torn {
			return nil, errTorn
		}
	}
	return fault, nil
}
