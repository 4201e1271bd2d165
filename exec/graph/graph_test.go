package graph

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/leaktest"
	"github.com/gokkos/gokkos/policy"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// Each node runs once in each run, after all that it is after, in graphs of any shape.
func TestNodesRunAfterOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var g Graph
		var clock atomic.Int64
		begins, ends, runs := make([]int64, 30), make([]int64, 30), make([]int, 30)
		var nodes []Node
		after := make([][]int, 30)
		for n := range 1 + rng.IntN(30) {
			var before []Node
			for range rng.IntN(4) {
				if n > 0 {
					k := rng.IntN(n) // twice the same, at times
					before, after[n] = append(before, nodes[k]), append(after[n], k)
				}
			}
			nodes = append(nodes, g.Add(fmt.Sprint(n), func(context.Context) error {
				begins[n] = clock.Add(1)
				runs[n]++
				ends[n] = clock.Add(1)
				return nil
			}, before...))
		}
		for r := range 3 {
			require.NoError(t, g.Run(context.Background()))
			for n := range nodes {
				require.Equal(t, r+1, runs[n])
				for _, k := range after[n] {
					require.Less(t, ends[k], begins[n], "node %d is after %d", n, k)
				}
			}
		}
	}
	assert.NoError(t, new(Graph).Run(context.Background()))
}

// Nodes that need none of each other run at one time.
func TestNodesRunBesideEachOther(t *testing.T) {
	var g Graph
	var both sync.WaitGroup
	both.Add(2)
	meet := func(context.Context) error {
		both.Done()
		both.Wait() // for ever, if one came after the other
		return nil
	}
	first := g.Add("first", nil)
	g.Add("a", meet, first)
	g.Add("b", meet, first)
	require.NoError(t, g.Run(context.Background()))
}

// What fails does not depend on who is quick: errors in order, what is after one does not run.
func TestErrorsOfNodes(t *testing.T) {
	var g Graph
	var ran []string
	var mu sync.Mutex
	add := func(name string, err error, after ...Node) Node {
		return g.Add(name, func(context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			ran = append(ran, name)
			return err
		}, after...)
	}
	wrong := errors.New("wrong")
	a := add("a", nil)
	b := add("b", wrong, a)
	c := g.Add("c", func(context.Context) error { runtime.Goexit(); return nil }, a)
	d := add("d", nil, a)
	add("e", nil, b, d)
	add("f", nil, c)
	add("g", nil, d)
	for range 20 {
		ran = nil
		err := g.Run(context.Background())
		assert.EqualError(t, err, "graph: node 1 \"b\": wrong\ngraph: node 2 \"c\": it ended its goroutine")
		assert.ErrorIs(t, err, wrong)
		slices.Sort(ran)
		assert.Equal(t, []string{"a", "b", "d", "g"}, ran)
	}

	var other Graph
	other.Add("x", nil, a)
	assert.EqualError(t, other.Run(context.Background()), `graph: node 0 "x" is after a node of another graph, argument 1 of 1`)
	var third Graph
	third.Add("y", nil, Node{})
	assert.Error(t, third.Run(context.Background()))
}

// The panic of the node that was added first is that of the run, when all have ended.
func TestPanicsOfNodes(t *testing.T) {
	var g Graph
	gate, ended := make(chan struct{}), false
	launch := func(value any) func(context.Context) error {
		return func(context.Context) error {
			return exec.ParallelFor(policy.Range(0, 10).WithLabel("launch").On(exec.Serial{}), func(i int) {
				if i == 7 {
					panic(value)
				}
			})
		}
	}
	g.Add("late", func(ctx context.Context) error {
		<-gate
		ended = true
		return launch("first")(ctx)
	})
	g.Add("soon", func(ctx context.Context) error {
		defer close(gate)
		return launch("second")(ctx)
	})
	func() {
		defer func() {
			p, ok := recover().(*exec.Panic)
			require.True(t, ok)
			assert.Equal(t, "first", p.Value)
			assert.Equal(t, [2]int{7, 8}, [2]int{p.Begin, p.End})
			assert.True(t, ended)
		}()
		_ = g.Run(context.Background())
	}()

	var host Graph
	host.Add("host", func(context.Context) error { panic("on the host") })
	func() {
		defer func() {
			p, ok := recover().(*exec.Panic)
			require.True(t, ok)
			assert.Equal(t, "on the host", p.Value)
			assert.Contains(t, string(p.Stack), "TestPanicsOfNodes")
		}()
		_ = host.Run(context.Background())
	}()
}

func TestCancelledRun(t *testing.T) {
	var g Graph
	ctx, cancel := context.WithCancelCause(context.Background())
	why, ran := errors.New("why"), false
	a := g.Add("a", func(context.Context) error { cancel(why); return nil })
	g.Add("b", func(context.Context) error { ran = true; return nil }, a)
	err := g.Run(ctx)
	assert.ErrorIs(t, err, why)
	assert.EqualError(t, err, "graph: cancelled before all nodes had begun: why")
	assert.False(t, ran)

	var last Graph
	ctx, cancel = context.WithCancelCause(context.Background())
	last.Add("a", func(context.Context) error { cancel(why); return nil })
	assert.NoError(t, last.Run(ctx), "all nodes have ended well")
	var none context.Context
	assert.EqualError(t, last.Run(none), "graph: Run was given a nil context")
}

// BenchmarkRun is a graph of four nodes, beside its functions one after the other.
func BenchmarkRun(b *testing.B) {
	p := policy.Range(0, 1000).On(exec.Serial{})
	x := make([]float64, 1000)
	f := func(context.Context) error { return exec.ParallelFor(p, func(i int) { x[i]++ }) }
	b.Run("graph", func(b *testing.B) {
		var g Graph
		n := g.Add("1", f)
		for _, name := range []string{"2", "3", "4"} {
			n = g.Add(name, f, n)
		}
		for b.Loop() {
			exec.Must(g.Run(context.Background()))
		}
	})
	b.Run("calls", func(b *testing.B) {
		for b.Loop() {
			for range 4 {
				exec.Must(f(context.Background()))
			}
		}
	})
}

// A node that panics with nil panics, and does not end its goroutine.
func TestNodePanicsWithNil(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=1")
	var g Graph
	g.Add("a", func(context.Context) error { panic(nil) })
	defer func() {
		p, ok := recover().(*exec.Panic)
		require.True(t, ok)
		assert.Equal(t, "a", p.Label)
		assert.Nil(t, p.Value)
	}()
	_ = g.Run(context.Background())
	t.Error("Run returned")
}
