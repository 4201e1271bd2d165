package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/npy"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// moments returns the mean and the mean of squares of x, in one pass over x.
// Sums are float64 for every T, so only the results are rounded to T.
func moments[T npy.Float](ctx context.Context, space exec.Space, x []T) (mean, meanSq T, err error) {
	var sum, sumSq float64
	p := policy.Range(0, len(x)).Chunk(leafItems).On(space).WithContext(ctx).WithLabel("moments")
	err = exec.ParallelFold(float64s(p, x), builtin.Sum(&sum), builtin.SumSq(&sumSq))
	items := float64(len(x))
	return T(sum / items), T(sumSq / items), err
}

// leafItems is the number of items in a leaf of the reduction tree. It makes a
// short block one leaf: cutting up 64 items costs more than adding them. The
// library's own rule is made for a functor that does more per item.
const leafItems = 4096

// float64s returns the source of the elements of x as float64.
func float64s[T npy.Float](p policy.RangePolicy, x []T) exec.Source[float64] {
	if x, ok := any(x).([]float64); ok {
		return exec.Slice(p, x)
	}
	// Fill converts a piece of x at a time, small enough to stay in the cache.
	return exec.Fill(p, func(s policy.Span, dst []float64) {
		src := x[s.Begin:s.End]
		for k := range dst {
			dst[k] = float64(src[k])
		}
	})
}

// A strategy computes the moments of every block of a tensor: results[n] is the
// mean of block n, and results[N+n] its mean of squares.
//
// The reduction tree of a block depends on its length alone, and neither on who
// walks the tree nor on the strategy. So all give the same bits.
type strategy[T npy.Float] func(ctx context.Context, space exec.Space, x tensor[T], results []T, ph *phase) error

// blockwise takes the blocks one after the other and reduces each in parallel.
// It is for few, long blocks.
func blockwise[T npy.Float](ctx context.Context, space exec.Space, x tensor[T], results []T, ph *phase) (err error) {
	for n := range x.reductions() {
		if results[n], results[x.reductions()+n], err = moments(ctx, space, x.block(n)); err != nil {
			return err
		}
		ph.add(1)
	}
	return nil
}

// threadwise takes many blocks at a time and reduces each serially. It is for
// many, short blocks.
func threadwise[T npy.Float](ctx context.Context, space exec.Space, x tensor[T], results []T, ph *phase) error {
	// A functor returns no error, so it cancels the launch that it belongs to.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := blocksPolicy(x).On(space).WithContext(ctx).WithLabel("threadwise")
	return exec.ParallelFor(p, func(n int) {
		var err error
		if results[n], results[x.reductions()+n], err = moments(ctx, exec.Serial{}, x.block(n)); err != nil {
			cancel(err)
		}
		ph.add(1)
	})
}

// blocksPolicy returns the policy of the blocks of a tensor. Blocks are heavy
// items, so a leaf has few of them: about 16384 items of the tensor, and at
// least one block.
func blocksPolicy[T npy.Float](x tensor[T]) policy.RangePolicy {
	return policy.Range(0, x.reductions()).Chunk(max(16384/len(x.block(0)), 1))
}

// manyBlocks is the number of blocks from which auto reduces them side by side:
// enough to keep all the workers of a large machine busy to the end, without a
// launch and a wait for every block.
const manyBlocks = 256

// choose returns the strategy of a name, and its name if the tensor decides. The
// rule looks at the shape alone, so that every space runs the same strategy.
func choose[T npy.Float](name string, x tensor[T]) (string, strategy[T]) {
	if name == "auto" {
		name = "threadwise"
		if x.reductions() < manyBlocks && len(x.block(0)) > leafItems {
			name = "blockwise"
		}
	}
	if name == "blockwise" {
		return name, blockwise[T]
	}
	return name, threadwise[T]
}

// launchShape describes how the library cuts the work up.
func launchShape[T npy.Float](space exec.Space, strategy string, x tensor[T]) string {
	workers, items := space.Concurrency(), len(x.block(0))
	g := gridOf(policy.Range(0, items).Chunk(leafItems))
	s := fmt.Sprintf("%d reductions of %d items, space %s, %d workers, leaves %d of %d items in %d lanes",
		x.reductions(), items, space.Name(), workers, g.Leaves, g.Leaf, g.Lanes)
	if strategy == "threadwise" {
		g = gridOf(blocksPolicy(x))
		s += fmt.Sprintf(", %d tasks of %d reductions", g.Leaves, g.Leaf)
	}
	return s
}

// gridOf returns the shape of a launch over p.
func gridOf(p policy.RangePolicy) exec.Grid {
	var look onlooker
	_ = exec.ParallelFor(p.On(&look), func(int) {}) // the error is errLooked
	return look.grid
}

// onlooker is a space that runs nothing and keeps the shape of the launch.
type onlooker struct{ grid exec.Grid }

var errLooked = errors.New("the onlooker runs nothing")

func (*onlooker) Name() string     { return "onlooker" }
func (*onlooker) Concurrency() int { return 1 }
func (o *onlooker) Launch(g exec.Grid, _ exec.Job) error {
	o.grid = g
	return errLooked
}
