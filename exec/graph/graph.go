// Package graph runs launches and host functions that need one another in order, and those that do not
// beside each other. It is Kokkos::Graph: built once and run many times.
//
//	var g graph.Graph
//	x := g.Add("x", fill(x))
//	y := g.Add("y", fill(y))
//	g.Add("dot", dot, x, y) // after both
//	err := g.Run(ctx)
//
// A node is a function, which launches what it likes with the context that it is given. Kokkos' when_all is
// a node without a function, g.Add("both", nil, x, y), or the two as what another one is after. What a node
// reads must be written by those that it is after, and results have the same bits then as by one node
// after the other: no order of nodes is promised besides.
package graph

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/goexit"
)

// A Graph is nodes, each after others. The zero value has none. Once it is run, no node may be added;
// several goroutines may run one graph at a time if its nodes may run at a time.
type Graph struct {
	nodes []node
	ready []int // nodes that are after none
	err   error // of the first Add that was wrong
}

// A Node is a place in a graph, to add others after it.
type Node struct {
	of     *Graph
	number int
}

type node struct {
	name  string
	f     func(ctx context.Context) error
	after int   // how many nodes it is after
	next  []int // nodes that are after it
}

// Add adds a node that runs f once all nodes in after have ended well. A nil f does nothing: the node is
// there to be after others. The name is for errors. It is an error of Run if a node is of another graph.
func (g *Graph) Add(name string, f func(ctx context.Context) error, after ...Node) Node {
	n := len(g.nodes)
	seen := map[int]bool{}
	for k, a := range after {
		if a.of != g {
			if g.err == nil {
				g.err = fmt.Errorf("graph: node %d %q is after a node of another graph, argument %d of %d", n, name, k+1, len(after))
			}
			continue
		}
		if !seen[a.number] {
			seen[a.number] = true
			g.nodes[a.number].next = append(g.nodes[a.number].next, n)
		}
	}
	g.nodes = append(g.nodes, node{name: name, f: f, after: len(seen)})
	if len(seen) == 0 {
		g.ready = append(g.ready, n)
	}
	return Node{g, n}
}

// Run runs each node once, and returns when all that run have ended.
//
// Nodes that are after one with an error do not run, the others do: which nodes run does not depend on who
// is quick. The errors of all nodes are joined, in the order in which nodes were added. Once ctx is
// cancelled no node begins, and if that keeps one from running, Run returns an error that wraps the cause.
// A nil ctx is an error.
//
// If nodes panic, Run panics when all that run have ended, with what the first of them in the order of Add
// has: the *exec.Panic of its launch, or else one with the value and the stack. A node that ends its
// goroutine has an error.
func (g *Graph) Run(ctx context.Context) error {
	if g.err != nil {
		return g.err
	}
	if ctx == nil {
		return errors.New("graph: Run was given a nil context")
	}
	r := &run{Graph: g, ctx: ctx, left: make([]atomic.Int32, len(g.nodes)), ends: make([]end, len(g.nodes))}
	for k := range g.nodes {
		r.left[k].Store(int32(g.nodes[k].after))
	}
	for _, n := range g.ready {
		r.begin(n) // a node may end its goroutine, which is not the caller's
	}
	r.all.Wait()
	return r.result()
}

// run is one run of a graph.
type run struct {
	*Graph
	ctx     context.Context
	all     sync.WaitGroup
	left    []atomic.Int32 // by node: nodes before it that have not ended well
	ends    []end          // by node
	stopped atomic.Bool    // a node did not begin, as the context is cancelled
}

// end is how a node has ended. It is zero if it has not begun, or ended well.
type end struct {
	err      error
	panicked *exec.Panic
}

var errEnded = errors.New("it ended its goroutine")

// begin runs a node, and what can run after it, in a goroutine of its own.
func (r *run) begin(n int) { r.all.Go(func() { r.follow(n) }) }

// follow runs a node and then nodes that it was the last one before: one here, others in goroutines.
func (r *run) follow(n int) {
	for n >= 0 {
		if r.ctx.Err() != nil {
			r.stopped.Store(true)
			return
		}
		if !r.do(n) {
			return
		}
		here := -1
		for _, next := range r.nodes[n].next {
			if r.left[next].Add(-1) > 0 {
				continue
			}
			if here >= 0 {
				r.begin(here)
			}
			here = next
		}
		n = here
	}
}

// do runs the function of a node and reports whether it has ended well.
func (r *run) do(n int) (ok bool) {
	f := r.nodes[n].f
	if f == nil {
		return true
	}
	returned := false
	e := &r.ends[n]
	defer func() {
		if returned {
			return
		}
		x := recover()
		if x == nil && goexit.Runs() {
			e.err = errEnded
			return
		}
		switch x := x.(type) {
		case *exec.Panic:
			e.panicked = x
		default:
			e.panicked = &exec.Panic{Value: x, Stack: debug.Stack(), Label: r.nodes[n].name}
		}
	}()
	e.err = f(r.ctx)
	returned = true
	return e.err == nil
}

// result says how the run has ended.
func (r *run) result() error {
	var errs []error
	for n := range r.ends {
		e := &r.ends[n]
		if e.panicked != nil {
			panic(e.panicked)
		}
		if e.err != nil {
			errs = append(errs, fmt.Errorf("graph: node %d %q: %w", n, r.nodes[n].name, e.err))
		}
	}
	if r.stopped.Load() {
		errs = append(errs, fmt.Errorf("graph: cancelled before all nodes had begun: %w", context.Cause(r.ctx)))
	}
	return errors.Join(errs...)
}
