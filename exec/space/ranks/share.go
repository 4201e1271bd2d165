package ranks

import (
	"errors"
	"sync"

	"github.com/gokkos/gokkos/exec/space"
)

// A Node is what the leaves First to Last-1 came to, as [Carrier] has written it.
type Node struct {
	First, Last int
	Data        []byte
}

// RunShare runs the part k of n of a launch on another space, and returns its nodes. Those in
// which the launch fails are missing. The error is what kept the space from running a node.
// A functor that ends its goroutine does not end the caller's, who has to tell others.
func RunShare(g space.Grid, j Carrier, on space.Space, k, n int) ([]Node, error) {
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
