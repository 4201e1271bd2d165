package moments

import (
	"context"
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// reduce computes the moments of every reduction, in one pass over in, which is x where the space has it: results[k] is the
// mean of reduction k, and results[reductions+k] its mean of squares. Only
// the results are rounded to T.
//
// The reduction tree of a result depends on its number of items alone, and neither on who
// walks the tree nor on the strategy. So all give the same bits.
func reduce[T real](ctx context.Context, space exec.Space, strategy tensor.Strategy, x nhwc[T], in views.View[T], results []T, ph *phase) error {
	n, kept := x.reductions(), x.reduced.kept(x.lengths)
	mean, err := views.Of("means", results[:n], kept)
	if err != nil {
		return err
	}
	meanSq, err := views.Of("means of squares", results[n:], kept)
	if err != nil {
		return err
	}
	source := tensor.Over(in, x.reduced.list()...).WithStrategy(strategy).On(space).WithContext(ctx).WithLabel(strategy.String())
	return Reduce(source, mean, meanSq, func() { ph.add(1) })
}

// Reduce sets mean and meanSq to the means and the means of squares of the reductions of x, in one pass. Sums are float64
// for every T. done is called for each mean, by several goroutines at a time.
func Reduce[T real](x tensor.Source[T], mean, meanSq views.View[T], done func()) error {
	return tensor.Reduce(asFloat64(x).Chunk(leafItems),
		tensor.Fold(builtin.Sum[float64], tensor.IntoMap(mean, func(sum float64, n int) T {
			done()
			return T(sum / float64(n))
		})),
		tensor.Fold(builtin.SumSq[float64], tensor.IntoMap(meanSq, func(sum float64, n int) T {
			return T(sum / float64(n))
		})))
}

// leafItems is the number of items in a leaf of the reduction tree. It makes a
// short reduction one leaf: cutting up 64 items costs more than adding them. The
// library's own rule is made for a functor that does more per item.
const leafItems = 4096

// asFloat64 returns a tensor as numbers of float64.
func asFloat64[T real](s tensor.Source[T]) tensor.Source[float64] {
	if s, ok := any(s).(tensor.Source[float32]); ok {
		return tensor.MapSlice(s, tensor.Float64s)
	}
	return any(s).(tensor.Source[float64])
}

// launchShape describes how the library cuts the work up.
func launchShape[T real](space exec.Space, x nhwc[T]) string {
	g := gridOf(policy.Range(0, x.items()).Chunk(leafItems))
	return fmt.Sprintf("%d reductions of %d items, space %s, %d workers, leaves %d of %d items in %d lanes",
		x.reductions(), x.items(), space.Name(), space.Concurrency(), g.Leaves, g.Leaf, g.Lanes)
}

// gridOf returns the shape of a launch over p.
func gridOf(p policy.RangePolicy) space.Grid {
	var look onlooker
	_ = exec.ParallelFor(p.On(&look), func(int) {}) // the error is errLooked
	return look.grid
}

// onlooker is a space that runs nothing and keeps the shape of the launch.
type onlooker struct{ grid space.Grid }

var errLooked = errors.New("the onlooker runs nothing")

func (*onlooker) Name() string     { return "onlooker" }
func (*onlooker) Concurrency() int { return 1 }
func (o *onlooker) Launch(g space.Grid, _ space.Job) error {
	o.grid = g
	return errLooked
}
