package exec_test

import (
	"context"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// A cancellable launch calls item at the begin of each of its items, which have the numbers 0 to
// n-1. It returns the bits of its results.
type cancellable struct {
	name string
	run  func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error)
}

// wide is a value that is reduced in one lane.
type wide struct {
	sum float64
	_   [9]float64
}

func addWide(dst, src *wide) { dst.sum += src.sum }

// worth is the contribution of an item.
func worth(i int) float64 { return math.Sin(float64(i)) }

func allBits(values ...float64) (all []uint64) {
	for _, v := range values {
		all = append(all, math.Float64bits(v))
	}
	return all
}

// cancellableItems are launches whose workers can stop behind any item.
var cancellableItems = []cancellable{
	{"For", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		return nil, exec.ParallelFor(policy.Range(5, 5+n).On(s).WithContext(ctx), func(i int) { item(i - 5) })
	}},
	{"For of points", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		return nil, exec.ParallelFor(box(n).On(s).WithContext(ctx), func(i policy.Index2) { item(10*i.I + i.J) })
	}},
	{"For of rows", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		return nil, exec.ParallelFor(column(n).On(s).WithContext(ctx).Rows(), func(r policy.Row[policy.Index2]) { item(r.At.I) })
	}},
	{"For of tiles", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		return nil, exec.ParallelFor(box(n*10).On(s).WithContext(ctx).Tiles([2]int{1, 10}), func(t policy.Tile[policy.Index2]) { item(t.Lower.I) })
	}},
	{"Reduce of rows", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelReduce(column(n).On(s).WithContext(ctx).Rows(), func(x policy.Row[policy.Index2], a *float64) {
			item(x.At.I)
			*a += worth(x.At.I)
		}, builtin.Sum(&r))
		return allBits(r), err
	}},
	{"ReduceLanes of rows", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelReduceLanes(column(n).On(s).WithContext(ctx).Rows(), func(x exec.RowLanes[policy.Index2, float64]) {
			item(x.At.I)
			for j, acc := range x.Items() {
				*acc += worth(x.At.I + j)
			}
		}, builtin.Sum(&r))
		return allBits(r), err
	}},
	{"For of teams of one", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		return nil, exec.ParallelFor(policy.Team(n, 1).On(s).WithContext(ctx), func(m *team.Member) { item(m.LeagueRank()) })
	}},
	{"For of teams", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		return nil, exec.ParallelFor(policy.Team(n, 4).On(s).WithContext(ctx), func(m *team.Member) {
			team.Single(m, func() { item(m.LeagueRank()) })
		})
	}},
	{"Reduce", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelReduce(policy.Range(5, 5+n).On(s).WithContext(ctx), func(i int, a *float64) {
			item(i - 5)
			*a += worth(i)
		}, builtin.Sum(&r))
		return allBits(r), err
	}},
	{"Reduce of points", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelReduce(box(n).On(s).WithContext(ctx), func(i policy.Index2, a *float64) {
			item(10*i.I + i.J)
			*a += worth(i.I - i.J)
		}, builtin.Sum(&r))
		return allBits(r), err
	}},
	{"Reduce of teams of one", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelReduce(policy.Team(n, 1).On(s).WithContext(ctx), func(m *team.Member, a *float64) {
			item(m.LeagueRank())
			*a += worth(m.LeagueRank())
		}, builtin.Sum(&r))
		return allBits(r), err
	}},
	{"Reduce of teams", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelReduce(policy.Team(n, 4).On(s).WithContext(ctx), func(m *team.Member, a *float64) {
			team.Single(m, func() { item(m.LeagueRank()) })
			*a += worth(m.LeagueRank() * m.Rank())
		}, builtin.Sum(&r))
		return allBits(r), err
	}},
	{"Reduce2", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r, q float64
		err := exec.ParallelReduce2(policy.Range(5, 5+n).On(s).WithContext(ctx), func(i int, a, b *float64) {
			item(i - 5)
			*a += worth(i)
			*b += worth(-i)
		}, builtin.Sum(&r), builtin.Sum(&q))
		return allBits(r, q), err
	}},
	{"Reduce2 of points", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		var q wide
		err := exec.ParallelReduce2(box(n).On(s).WithContext(ctx), func(i policy.Index2, a *float64, b *wide) {
			item(10*i.I + i.J)
			*a += worth(i.I)
			b.sum += worth(i.J)
		}, builtin.Sum(&r), reducers.New(&q, addWide))
		return allBits(r, q.sum), err
	}},
	{"Reduce3", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r, q, p float64
		err := exec.ParallelReduce3(policy.Range(5, 5+n).On(s).WithContext(ctx), func(i int, a, b, c *float64) {
			item(i - 5)
			*a += worth(i)
			*b += worth(-i)
			*c += worth(2 * i)
		}, builtin.Sum(&r), builtin.Sum(&q), builtin.Sum(&p))
		return allBits(r, q, p), err
	}},
	{"Reduce3 of points", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r, p float64
		var q wide
		err := exec.ParallelReduce3(box(n).On(s).WithContext(ctx), func(i policy.Index2, a *float64, b *wide, c *float64) {
			item(10*i.I + i.J)
			*a += worth(i.I)
			b.sum += worth(i.J)
			*c += worth(i.I - i.J)
		}, builtin.Sum(&r), reducers.New(&q, addWide), builtin.Sum(&p))
		return allBits(r, q.sum, p), err
	}},
	{"Reduce4", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r, q, p, o float64
		err := exec.ParallelReduce4(policy.Range(5, 5+n).On(s).WithContext(ctx), func(i int, a, b, c, d *float64) {
			item(i - 5)
			*a += worth(i)
			*b += worth(-i)
			*c += worth(2 * i)
			*d += worth(-2 * i)
		}, builtin.Sum(&r), builtin.Sum(&q), builtin.Sum(&p), builtin.Sum(&o))
		return allBits(r, q, p, o), err
	}},
	{"Reduce4 of points", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r, p, o float64
		var q wide
		err := exec.ParallelReduce4(box(n).On(s).WithContext(ctx), func(i policy.Index2, a *float64, b *wide, c, d *float64) {
			item(10*i.I + i.J)
			*a += worth(i.I)
			b.sum += worth(i.J)
			*c += worth(i.I - i.J)
			*d += worth(i.I + i.J)
		}, builtin.Sum(&r), reducers.New(&q, addWide), builtin.Sum(&p), builtin.Sum(&o))
		return allBits(r, q.sum, p, o), err
	}},
	{"Reduce of lanes that differ", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		var q wide
		err := exec.ParallelReduce2(policy.Range(5, 5+n).On(s).WithContext(ctx), func(i int, a *float64, b *wide) {
			item(i - 5)
			*a += worth(i)
			b.sum += worth(-i)
		}, builtin.Sum(&r), reducers.New(&q, addWide))
		return allBits(r, q.sum), err
	}},
	scanOf("Scan in step", func(n int) policy.RangePolicy { return policy.Range(0, n) }),
	scanOf("Scan of chunks", func(n int) policy.RangePolicy { return policy.Range(0, n).Chunk(500) }),
	{"Scan in two launches", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var total []int // no flat value
		err := exec.ParallelScan(policy.Range(0, n).On(s).WithContext(ctx), func(i int, acc *[]int, final bool) {
			item(i)
		}, reducers.New(&total, func(dst, src *[]int) {}))
		return nil, err
	}},
	{"Scan of points", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var total float64
		err := exec.ParallelScan(box(n).On(s).WithContext(ctx), func(i policy.Index2, acc *float64, final bool) {
			item(10*i.I + i.J)
			*acc += worth(i.I - i.J)
		}, builtin.Sum(&total))
		return allBits(total), err
	}},
	{"Fold of Map", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelFold(exec.Map(policy.Range(5, 5+n).On(s).WithContext(ctx), func(i int) float64 {
			item(i - 5)
			return worth(i)
		}), builtin.Sum(&r))
		return allBits(r), err
	}},
	{"Fold of Map of points", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelFold(exec.Map(box(n).On(s).WithContext(ctx), func(i policy.Index2) float64 {
			item(10*i.I + i.J)
			return worth(i.I - i.J)
		}), builtin.Sum(&r))
		return allBits(r), err
	}},
}

// box returns the policy of n points in rows of 10, tile by tile.
func box(n int) policy.MDRangePolicy[policy.Index2, [2]int] {
	return policy.MDRange2([2]int{}, [2]int{n / 10, 10}).Tile([2]int{7, 3})
}

// column returns the policy of n points, each of which is a row.
func column(n int) policy.MDRangePolicy[policy.Index2, [2]int] {
	return policy.MDRange2([2]int{}, [2]int{n, 1})
}

func scanOf(name string, of func(n int) policy.RangePolicy) cancellable {
	return cancellable{name, func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		prefix := make([]float64, n+1)
		err := exec.ParallelScan(of(n).On(s).WithContext(ctx), func(i int, acc *float64, final bool) {
			item(i)
			if final {
				prefix[i] = *acc
			}
			*acc += worth(i)
		}, builtin.Sum(&prefix[n]))
		return allBits(prefix...), err
	}}
}

// cancellableSpans are launches whose functors own their loops: an item is a span.
var cancellableSpans = []cancellable{
	{"For of spans", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		return nil, exec.ParallelFor(policy.Spans(0, n).On(s).WithContext(ctx), func(s policy.Span) { item(s.Begin) })
	}},
	{"For of a long row", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		row := policy.MDRange2([2]int{}, [2]int{1, n})
		return nil, exec.ParallelFor(row.On(s).WithContext(ctx).Rows(), func(r policy.Row[policy.Index2]) { item(r.Begin) })
	}},
	{"Reduce of spans", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelReduce(policy.Spans(0, n).On(s).WithContext(ctx), func(s policy.Span, a *float64) {
			item(s.Begin)
			*a += worth(s.Begin)
		}, builtin.Sum(&r))
		return allBits(r), err
	}},
	{"ReduceLanes", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelReduceLanes(policy.Spans(0, n).On(s).WithContext(ctx), func(s exec.Lanes[float64]) {
			item(s.Begin)
			for i, acc := range s.Items() {
				*acc += worth(i)
			}
		}, builtin.Sum(&r))
		return allBits(r), err
	}},
	{"Scan of spans", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var total float64
		err := exec.ParallelScan(policy.Spans(0, n).On(s).WithContext(ctx), func(s policy.Span, acc *float64, final bool) {
			item(s.Begin)
			*acc += worth(s.Begin)
		}, builtin.Sum(&total))
		return allBits(total), err
	}},
	{"Fold of Fill", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		var r float64
		err := exec.ParallelFold(exec.Fill(policy.Range(0, n).On(s).WithContext(ctx), func(s policy.Span, dst []float64) {
			item(s.Begin)
			for k := range dst {
				dst[k] = worth(s.Begin + k)
			}
		}), builtin.Sum(&r))
		return allBits(r), err
	}},
}

// cancellableRows are launches that take rows of 32 items: values that are in memory.
var cancellableRows = []cancellable{
	{"Fold of Slice", func(ctx context.Context, s exec.Space, n int, item func(i int)) ([]uint64, error) {
		x := make([]float64, n)
		for i := range x {
			x[i] = worth(i)
		}
		var r float64
		err := exec.ParallelFold(exec.Slice(policy.Range(0, n).On(s).WithContext(ctx), x),
			reducers.Folding(reducers.Reducer[float64](builtin.Sum(&r)), func(acc *float64, i int, v float64) {
				item(i)
				*acc += v
			}))
		return allBits(r), err
	}},
}
