package space

import (
	"bytes"
	"errors"
	"iter"
	"sync"

	"github.com/gokkos/gokkos/internal/tree"
)

// A Carrier is a job whose partial results can leave the process: what a space needs that
// runs the parts of one launch in several processes. Each of them makes the same launch, and
// so has a job of its own of the same tree. A job may be one.
//
// A launch then goes like this in each process:
//
//   - The processes agree that their fingerprints are equal: before anything runs, or at the latest
//     before they take over each other's nodes.
//   - Each runs its share of the leaves, node by node: Open, Run and Join as for a whole
//     job, until the node is in slot 0, and AppendNode. Open may be called again for the next
//     node, once nothing of the one before is running; slots then hold nothing. [RunShare]
//     does this on another space.
//   - Each gives the others its nodes and, by AppendFault, what went wrong, and takes
//     theirs by SetFault.
//   - Each calls Open once more, SetNode for every node, its own included, and Join until the
//     root is in slot 0, or as far as there are nodes if the launch has failed. [Assemble]
//     does this.
//
// What a functor writes is written where it ran. Where a launch takes several passes, as a
// scan does, each is a job, and all processes make as many.
type Carrier interface {
	Job
	// AppendFingerprint appends to buf a text of several lines that tells launches apart: it is
	// equal in processes of one program that make the same launch. Of the items it has which indices they are; a policy that is not of
	// package policy says so by a method String, and else has its type there. Of a reducer it
	// has the type, and not the functions that it was made of. It is an error
	// if the values of a reduction cannot leave the process, and ErrFailed if a reducer or a
	// policy panics when it is asked.
	AppendFingerprint(buf []byte) ([]byte, error)
	// AppendNode appends what a slot holds to buf, which is to be the node of the leaves
	// first to last-1. The error is ErrFailed if the launch has failed in that node.
	AppendNode(buf []byte, slot, first, last int) ([]byte, error)
	// SetNode makes a slot hold the node of the leaves first to last-1, as AppendNode has
	// written it. data is not kept. After an error the launch has failed.
	SetNode(slot, first, last int, data []byte) error
	// AppendFault appends to buf what went wrong so far, also if nothing did. [FirstFault] tells
	// which of two counts.
	AppendFault(buf []byte) []byte
	// SetFault takes over what went wrong in a process. It has to be called for all of them,
	// this one included, in the same order in each, or once for what FirstFault of all of them
	// is: the launch then ends alike in all, by the
	// rule in the package's documentation. A value that was panicked with arrives as an error
	// or a string with its text, and a goroutine that was ended as an error. After an error the
	// launch has failed.
	SetFault(data []byte) error
}

// A RankCarrier is a Carrier that tells more of a launch to a space over many processes. A job
// should be one.
type RankCarrier interface {
	Carrier
	// SetOrigin says how others are told of this process by AppendFault, as in "rank 1 of 4".
	SetOrigin(name string)
	// Silent reports whether no functor runs, and no reducer but those that say what they join, see
	// concept.Operation: the job folds values in memory. It then writes none, and cannot wait for
	// what another process does, so its share may run before the processes agree.
	Silent() bool
	// Prefixes reports whether a process needs what comes before its leaves, as in a scan. If
	// not, it needs the root of the tree only, set by SetNode. Else SetNode has to be called
	// for nodes that together hold all leaves but those that have run in the process; where all
	// of a node's leaves have, nothing is set. They may be nodes that processes have joined:
	// AppendNode appends them as any others.
	Prefixes() bool
}

// A Refuser is a space that hears of launches that are not made, since what they were given is
// wrong: a policy or a reducer. Other processes may make the launch, and wait.
type Refuser interface {
	Space
	// Refuse returns the error that the launch returns in place of err.
	Refuse(err error) error
}

// A Distributed space runs the items of a launch in several processes, so what a functor writes is
// seen in one of them only. Who builds on what functors write asks for it.
type Distributed interface {
	Space
	// Processes returns the number of processes, at least 1.
	Processes() int
	// Inner returns the space of this process, for what each of them has to do by itself.
	Inner() Space
}

// FaultRank is the length of what faults are compared by.
const FaultRank = 9

// FirstFault returns that of two faults, as AppendFault has written them, that decides how the
// launch ends, by the rule in the package's documentation. It is a if they are alike: that
// should be the fault of the lower processes. The one whose first FaultRank bytes are less is
// the first.
func FirstFault(a, b []byte) []byte {
	if bytes.Compare(b[:min(len(b), FaultRank)], a[:min(len(a), FaultRank)]) < 0 {
		return b
	}
	return a
}

// ErrFailed is returned where a launch has failed and so has no partial results. The job keeps
// what went wrong.
var ErrFailed = errors.New("space: the launch has failed")

// RunShare runs the part k of n of a launch on another space, and returns its nodes. Those in
// which the launch fails are missing. The error is what kept the space from running a node.
// A functor that ends its goroutine does not end the caller's, who has to tell others.
func RunShare(g Grid, j Carrier, on Space, k, n int) ([]Node, error) {
	var nodes []Node
	for first, last := range g.Nodes(g.Share(k, n)) {
		part, job := Part(g, j, first, last)
		if err := apart(func() error { return on.Launch(part, job) }); err != nil {
			return nodes, err
		}
		var data []byte
		err := ErrFailed // if a join ends its goroutine
		_ = apart(func() error {
			data, err = j.AppendNode(nil, 0, first, last)
			return nil
		})
		switch {
		case errors.Is(err, ErrFailed): // leaves below must run, and may still fail
		case err != nil:
			return nodes, err
		default:
			nodes = append(nodes, Node{first, last, data})
		}
	}
	return nodes, nil
}

// apart calls f on a goroutine of its own, which f may end.
func apart(f func() error) (err error) {
	var panicked any
	var called sync.WaitGroup
	called.Go(func() {
		defer func() { panicked = recover() }()
		err = f()
	})
	called.Wait()
	if panicked != nil {
		panic(panicked)
	}
	return err
}

// Share returns the leaves first to last-1 that are part k of n: neighbours, nearly equally
// many for each part, none if there are more parts than leaves. Where leaves are very many,
// parts begin and end at multiples of a power of two, and a job's nodes must not be smaller.
func (g Grid) Share(k, n int) (first, last int) {
	unit := tree.Unit(g.Leaves, tree.MaxUnits)
	units := (g.Leaves + unit - 1) / unit
	return k * units / n * unit, min((k+1)*units/n*unit, g.Leaves)
}

// Nodes yields the nodes that the leaves first to last-1 consist of, as few as there can be,
// in order.
func (g Grid) Nodes(first, last int) iter.Seq2[int, int] {
	return func(yield func(first, last int) bool) {
		for first < last {
			end := first + tree.FloorPow2(last-first)
			if first > 0 {
				end = min(end, first+first&-first) // where it begins, none is larger
			}
			if w := tree.CeilPow2(last - first); first%w == 0 && last == g.Leaves {
				end = last
			}
			if !yield(first, end) {
				return
			}
			first = end
		}
	}
}
