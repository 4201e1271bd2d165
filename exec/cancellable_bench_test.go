package exec_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// BenchmarkCancellable compares launches that can be cancelled with those that cannot, on
// one worker, in turns. Both metrics are medians: the time of a launch that cannot be
// cancelled, and how much longer the other one takes.
func BenchmarkCancellable(b *testing.B) {
	for _, n := range []int{1, 1000, 100_000} {
		x, y := make([]float64, n), make([]float64, n)
		var r, s float64
		tests := []struct {
			name string
			run  func(ctx context.Context) error
		}{
			{"for", func(ctx context.Context) error {
				return exec.ParallelFor(policy.Range(0, n).On(exec.Serial{}).WithContext(ctx), func(i int) { y[i] = x[i] })
			}},
			{"for/md2", func(ctx context.Context) error {
				p := policy.MDRange2([2]int{}, [2]int{(n + 99) / 100, min(n, 100)}).On(exec.Serial{}).WithContext(ctx)
				return exec.ParallelFor(p, func(i policy.Index2) { y[i.I*100+i.J] = x[i.I*100+i.J] })
			}},
			{"sum", func(ctx context.Context) error {
				return exec.ParallelReduce(policy.Range(0, n).On(exec.Serial{}).WithContext(ctx), func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&r))
			}},
			{"sum2", func(ctx context.Context) error {
				return exec.ParallelReduce2(policy.Range(0, n).On(exec.Serial{}).WithContext(ctx), func(i int, a, b *float64) { *a += x[i]; *b += y[i] }, builtin.Sum(&r), builtin.Sum(&s))
			}},
			{"scan", func(ctx context.Context) error {
				return exec.ParallelScan(policy.Range(0, n).On(exec.Serial{}).WithContext(ctx), func(i int, acc *float64, final bool) {
					if final {
						y[i] = *acc
					}
					*acc += x[i]
				}, builtin.Sum(&r))
			}},
			{"fold/slice", func(ctx context.Context) error {
				return exec.ParallelFold(exec.Slice(policy.Range(0, n).On(exec.Serial{}).WithContext(ctx), x), builtin.Sum(&r))
			}},
			{"fold/map", func(ctx context.Context) error {
				return exec.ParallelFold(exec.Map(policy.Range(0, n).On(exec.Serial{}).WithContext(ctx), func(i int) float64 { return x[i] }), builtin.Sum(&r))
			}},
			{"team/1", func(ctx context.Context) error {
				return exec.ParallelFor(policy.Team(n, 1).On(exec.Serial{}).WithContext(ctx), func(m *team.Member) { y[m.LeagueRank()] = x[m.LeagueRank()] })
			}},
		}
		for _, t := range tests {
			b.Run(fmt.Sprintf("%s/n=%d", t.name, n), func(b *testing.B) { inTurns(b, t.run) })
		}
	}
}

func inTurns(b *testing.B, run func(ctx context.Context) error) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var took [2][]time.Duration
	for b.Loop() {
		for k, ctx := range []context.Context{context.Background(), ctx} {
			start := time.Now()
			if err := run(ctx); err != nil {
				b.Fatal(err)
			}
			took[k] = append(took[k], time.Since(start))
		}
	}
	var median [2]float64
	for k, all := range took {
		slices.Sort(all)
		median[k] = float64(all[len(all)/2])
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median[0], "plain-ns")
	b.ReportMetric(median[1]-median[0], "more-ns")
	b.ReportMetric(median[1]/median[0], "ratio")
}
