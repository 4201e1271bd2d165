package mpi

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/gokkos/gokkos/exec/space/ranks"
)

// A report is what ranks tell each other along the tree: what went wrong, and nodes.
type report struct {
	fault   []byte
	failure failure
	nodes   []ranks.Node
}

func (r *report) appendTo(buf []byte) []byte {
	buf = appendText(buf, r.fault)
	closed := 0
	if r.failure.closed {
		closed = 1
	}
	buf = appendInt(appendInt(appendText(buf, r.failure.text), r.failure.rank), closed)
	return appendNodes(appendInt(buf, len(r.nodes)), r.nodes)
}

func appendNodes(buf []byte, nodes []ranks.Node) []byte {
	for _, n := range nodes {
		buf = appendText(appendInt(appendInt(buf, n.First), n.Last), n.Data)
	}
	return buf
}

// readReport reads a report, which is in the memory of the message.
func readReport(message []byte) (r report, err error) {
	from := reader{data: message}
	r.fault = from.bytes()
	r.failure.text = string(from.bytes())
	r.failure.rank = from.int()
	r.failure.closed = from.int() == 1
	r.nodes = make([]ranks.Node, from.count())
	for k := range r.nodes {
		r.nodes[k] = ranks.Node{First: from.int(), Last: from.int(), Data: from.bytes()}
	}
	return r, from.end()
}

// alongTree exchanges the nodes along the tree of ranks: nodes are joined on the way up as far as
// they are halves of nodes. What comes back is the root or, where each rank needs what comes
// before its leaves, the nodes of all others, joined as far as they can be: those of log P ranks.
func (x *launch) alongTree() error {
	b := branch{launch: x, prefixes: x.job.Prefixes()}
	if err := b.collect(); err != nil {
		return fmt.Errorf("mpi: %w", err)
	}
	if err := b.spread(); err != nil {
		return fmt.Errorf("mpi: %w", err)
	}
	if err := x.job.SetFault(b.verdict.fault); err != nil {
		return err
	}
	if observe != nil {
		observe(&b)
	}
	err := ranks.Assemble(x.grid, x.job, b.all())
	f := b.verdict.failure
	if f.text == "" {
		return err
	}
	if f.rank == x.link.Rank() {
		f = x.failure // the error itself
	}
	return f.error(x.link.Size())
}

// observe sees what a rank has kept, in tests.
var observe func(b *branch)

// branch is what a rank knows while nodes go along the tree.
type branch struct {
	*launch
	prefixes bool
	own      []ranks.Node   // joined nodes of the ranks that this one speaks for
	below    []report       // what the ranks below have said, the nearest first
	before   [][]ranks.Node // the joined nodes before each of these
	verdict  report         // of all ranks, with the root, or the nodes before and behind
}

// collect joins what the ranks below say, and tells the one above.
func (b *branch) collect() error {
	b.own = b.join(b.nodes)
	var far report
	say := func() report {
		said := report{b.job.AppendFault(nil), b.failure, b.own}
		if far.fault != nil {
			said.fault = ranks.FirstFault(said.fault, far.fault)
		}
		if said.failure.text == "" {
			said.failure = far.failure
		}
		return said
	}
	err := up(b.link, func(_ int, message []byte) error {
		r, err := readReport(message)
		if err != nil {
			return err
		}
		if b.prefixes {
			b.below, b.before = append(b.below, r), append(b.before, b.own)
		}
		if far.failure.text == "" {
			far.failure = r.failure
		}
		if far.fault == nil {
			far.fault = r.fault
		} else {
			far.fault = ranks.FirstFault(far.fault, r.fault)
		}
		b.own = b.join(slices.Concat(b.own, r.nodes))
		return nil
	}, func() []byte {
		said := say()
		return said.appendTo(nil)
	})
	if err == nil && b.link.Rank() == 0 {
		b.verdict = say()
		if root := b.verdict.nodes; b.prefixes || len(root) != 1 || root[0].First > 0 || root[0].Last < b.grid.Leaves {
			b.verdict.nodes = nil
		}
	}
	return err
}

// spread hears what rank 0 has found, and tells the ranks below.
func (b *branch) spread() error {
	var message []byte
	if b.link.Rank() == 0 {
		message = b.verdict.appendTo(nil)
	}
	return down(b.link, func(m []byte) (err error) {
		message = m
		b.verdict, err = readReport(message)
		return err
	}, func(distance int) []byte {
		if !b.prefixes {
			return message
		}
		k := bits.Len(uint(distance)) - 1
		before, behind := b.outside()
		said := b.verdict
		said.nodes = slices.Concat(before, b.before[k])
		for _, r := range b.below[k+1:] {
			said.nodes = append(said.nodes, r.nodes...)
		}
		said.nodes = append(said.nodes, behind...)
		return said.appendTo(nil)
	})
}

// outside returns the nodes before and behind the leaves of the ranks that this one speaks for.
func (b *branch) outside() (before, behind []ranks.Node) {
	first, _ := b.share(b.link.Rank())
	all := b.verdict.nodes
	k := 0
	for k < len(all) && all[k].First < first {
		k++
	}
	return all[:k], all[k:]
}

// all returns the nodes that the root is joined of on this rank.
func (b *branch) all() []ranks.Node {
	if !b.prefixes {
		return b.verdict.nodes
	}
	before, behind := b.outside()
	return slices.Concat(before, b.own, behind)
}

// join joins nodes, which are in order, as far as they are halves of nodes.
func (x *launch) join(nodes []ranks.Node) []ranks.Node {
	can := false
	for k := range len(nodes) - 1 {
		can = can || x.halves(nodes[k], nodes[k+1])
	}
	if !can {
		return nodes
	}
	type piece struct {
		ranks.Node
		slot int
	}
	var pieces []piece
	apart(func() {
		x.job.Open(1, len(nodes))
		for slot, n := range nodes {
			if err := x.job.SetNode(slot, n.First, n.Last, n.Data); err != nil {
				if !errors.Is(err, ranks.ErrFailed) {
					x.fail(err)
				}
				continue
			}
			pieces = append(pieces, piece{n, slot})
			for k := len(pieces) - 2; k >= 0 && x.halves(pieces[k].Node, pieces[k+1].Node); k-- {
				left, right := &pieces[k], pieces[k+1]
				pieces = pieces[:k] // unless all goes well
				if !x.job.Join(left.slot, right.slot) {
					break
				}
				left.Last, left.Data = right.Last, nil
				pieces = pieces[:k+1]
			}
		}
	})
	var joined []ranks.Node
	for _, p := range pieces {
		if p.Data == nil {
			ok := false
			apart(func() {
				data, err := x.job.AppendNode(nil, p.slot, p.First, p.Last)
				if ok = err == nil; !ok && !errors.Is(err, ranks.ErrFailed) {
					x.fail(err)
				}
				p.Data = data
			})
			if !ok {
				continue
			}
		}
		joined = append(joined, p.Node)
	}
	return joined
}

// halves reports whether two neighbours are the halves of a node.
func (x *launch) halves(a, b ranks.Node) bool {
	w := a.Last - a.First
	return a.Last == b.First && w&(w-1) == 0 && a.First%(2*w) == 0 && (b.Last == b.First+w || b.Last == x.grid.Leaves && b.Last < b.First+w)
}

// apart calls f on a goroutine of its own, which a reducer may end.
func apart(f func()) {
	var called sync.WaitGroup
	called.Go(f)
	called.Wait()
}
