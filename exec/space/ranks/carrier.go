package ranks

import (
	"bytes"
	"errors"

	"github.com/gokkos/gokkos/exec/space"
)

// A Carrier is a job whose partial results can leave the process: what a space needs that
// runs the parts of one launch in several processes. Each of them makes the same launch, and
// so has a job of its own of the same tree. A job should be one.
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
	space.Job
	// AppendFingerprint appends to buf a text of several lines that tells launches apart: it is
	// equal in processes of one program that make the same launch. Of the items it has the
	// indices; of a policy that is not of package policy it has the result of a method String, or
	// else the type. Of a reducer it has the type, and not the functions that it was made of. It
	// is an error if the values of a reduction cannot leave the process, and ErrFailed if a reducer
	// or a policy panics when it is asked.
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
	// is: the launch then ends alike in all, by the rule in the
	// documentation of package space. A value that was panicked with arrives as an error
	// or a string with its text, and a goroutine that was ended as an error. After an error the
	// launch has failed.
	SetFault(data []byte) error
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

// FirstFault returns that of two faults, as AppendFault has written them, that decides how the
// launch ends, by the rule in the documentation of package space. It is a if they are alike: that
// should be the fault of the lower processes. The fault whose first nine bytes are less is the first.
func FirstFault(a, b []byte) []byte {
	const compared = 9
	if bytes.Compare(b[:min(len(b), compared)], a[:min(len(a), compared)]) < 0 {
		return b
	}
	return a
}

// ErrFailed is returned where a launch has failed and so has no partial results. The job keeps
// what went wrong.
var ErrFailed = errors.New("ranks: the launch has failed")
