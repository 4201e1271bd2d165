package mpi

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
	"github.com/gokkos/gokkos/exec/space/ranks"
)

// What a rank says of its share in an Allgather.
const (
	allNodes = iota // its nodes follow, and what went wrong
	tooLarge        // they do not fit
	notAll          // some are missing
	notRun          // it has yet to run
)

// A block begins with the key of the launch, then what is said of it, of the share, and whether that
// was short.
const (
	verdictAt = len(key{}) + iota
	shareAt
	shortAt
	headBytes
)

// gather gives all ranks the key of the launch and the nodes of all that have run, in one
// Allgather: q.all has the blocks of all ranks then. worst is the worst of what they say of their
// shares.
func (q *queue) gather(t *ticket) (verdict, worst byte, err error) {
	n := q.link.Size()
	verdict = q.saysOf(t)
	block := append(slices.Grow(q.mine[:0], tuning.GatherBytes), t.key[:]...)
	block = append(block, verdict, notRun, 0)
	if x := t.launch; x != nil && x.ran {
		block, block[shareAt] = x.appendShare(block)
		if x.short {
			block[shortAt] = 1
		}
	}
	q.mine = block[:tuning.GatherBytes]
	q.all = slices.Grow(q.all[:0], n*tuning.GatherBytes)[:n*tuning.GatherBytes]
	if err := q.link.Allgather(q.mine, q.all); err != nil {
		return 0, 0, err
	}
	short := byte(1)
	for block := range slices.Chunk(q.all, tuning.GatherBytes) {
		verdict = verdictOf(t.key, verdict, block)
		worst = max(worst, block[shareAt])
		short &= block[shortAt]
	}
	if verdict == sameVerdict && worst != notRun {
		q.note(t.key, short != 0)
		if worst == tooLarge {
			q.large = t.key
		}
	}
	return verdict, worst, nil
}

// appendShare appends to a block what went wrong, and the nodes of this rank, of which nothing
// matters if not all are there.
func (x *launch) appendShare(block []byte) (longer []byte, says byte) {
	expected := 0
	for range x.grid.Nodes(x.share(x.link.Rank())) {
		expected++
	}
	if x.failure.text != "" || len(x.nodes) < expected {
		return block, notAll
	}
	x.fault = x.job.AppendFault(x.fault[:0])
	fits := appendWithin(&block, x.fault)
	for k := 0; fits && k < len(x.nodes); k++ {
		fits = appendWithin(&block, x.nodes[k].Data)
	}
	if !fits {
		return block, tooLarge
	}
	return block, allNodes
}

// appendWithin appends a text to a block, if it fits.
func appendWithin(b *[]byte, text []byte) bool {
	if len(*b)+len(text) > tuning.GatherBytes {
		return false
	}
	longer := appendText(*b, text)
	if len(longer) > tuning.GatherBytes {
		return false
	}
	*b = longer
	return true
}

// assemble joins the root of the nodes in the blocks of all ranks, or ends as the first of their
// faults says.
func (x *launch) assemble(all []byte) error {
	x.nodes = x.nodes[:0]
	var fault []byte
	for k := range x.link.Size() {
		r := reader{data: all[k*tuning.GatherBytes+headBytes : (k+1)*tuning.GatherBytes]}
		if f := r.bytes(); k == 0 {
			fault = f
		} else {
			fault = ranks.FirstFault(fault, f)
		}
		for first, last := range x.grid.Nodes(x.share(k)) {
			x.nodes = append(x.nodes, ranks.Node{First: first, Last: last, Data: r.bytes()})
		}
		if r.torn {
			return fmt.Errorf("mpi: %w", errTorn)
		}
	}
	if err := x.job.SetFault(fault); err != nil {
		return err
	}
	return ranks.Assemble(x.grid, x.job, x.nodes)
}
