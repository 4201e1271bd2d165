//go:build !386 && !arm && !mips && !mipsle

package teams

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// beside runs ways to do the same in turn, and reports the least times in ns for each of n elements.
func beside(b *testing.B, n int, ways ...any) {
	least := make([]time.Duration, len(ways)/2)
	for b.Loop() {
		for k := range least {
			start := time.Now()
			require.NoError(b, ways[2*k+1].(func() error)())
			if took := time.Since(start); least[k] == 0 || took < least[k] {
				least[k] = took
			}
		}
	}
	for k, took := range least {
		b.ReportMetric(float64(took.Nanoseconds())/float64(n), "ns-"+ways[2*k].(string))
	}
}

// inGo runs without vectors.
func inGo(run func() error) func() error {
	return func() error {
		_, undo := kernel.Limit(kernel.Go)
		defer undo()
		return run()
	}
}

func BenchmarkTiled(b *testing.B) {
	const n, tile = 128, 16
	x, y, z := numbers(n*n), numbers(n*n), make([]float64, n*n)
	run := func(f func(m *team.Member)) func() error {
		p := policy.Team(n/tile*n/tile, tile*tile).Dims(tile, tile, 1).Scratch(0, 2*tile*tile*8, 0).On(exec.Serial{})
		return func() error { return exec.ParallelFor(p, f) }
	}
	beside(b, n*n*n, "closure", run(tiled(n, tile, z, x, y)), "go", inGo(run(Tiled(n, tile, z, x, y))), "vectors", run(Tiled(n, tile, z, x, y)), "plain", func() error {
		for i := range n {
			for j := range n {
				s := 0.0
				for k := range n {
					s += float64(x[i*n+k] * y[k*n+j])
				}
				z[i*n+j] = s
			}
		}
		return nil
	})
}

func BenchmarkYAX(b *testing.B) {
	const rows, league, columns = 16, 16, 512
	y, a, x := numbers(rows*league), numbers(rows*league*columns), numbers(columns)
	var sum float64
	for _, s := range []shape{{league, 1, 1}, {league, 1, 8}, {league, 4, 8}, {league, 4, 32}} {
		run := func(f func(m *team.Member, acc *float64)) func() error {
			return func() error { return exec.ParallelReduce(s.policy(exec.Serial{}), f, builtin.Sum(&sum)) }
		}
		b.Run(fmt.Sprintf("%d members, vector %d", s.size, s.vector), func(b *testing.B) {
			beside(b, len(a), "closure", run(yax(rows, columns, y, a, x)), "go", inGo(run(Yax(rows, columns, y, a, x))), "vectors", run(Yax(rows, columns, y, a, x)), "plain", func() error {
				sum = 0
				for i := range len(y) {
					s := 0.0
					for j, v := range a[i*columns : (i+1)*columns] {
						s += float64(v * x[j])
					}
					sum += float64(y[i] * s)
				}
				return nil
			})
		})
	}
}

func BenchmarkSparse(b *testing.B) {
	const rows = 4096
	for _, length := range []int{9, 60} {
		from, column := make([]int, rows+1), make([]int, rows*length)
		for k := range column {
			column[k] = (k * 7919) % rows
		}
		for k := range from {
			from[k] = k * length
		}
		a, x, y := numbers(len(column)), numbers(rows), make([]float64, rows)
		for _, s := range []shape{{rows / 32, 1, 1}, {rows / 32, 8, 8}} {
			run := func(f func(m *team.Member)) func() error {
				return func() error { return exec.ParallelFor(s.policy(exec.Serial{}), f) }
			}
			b.Run(fmt.Sprintf("rows of %d, %d members, vector %d", length, s.size, s.vector), func(b *testing.B) {
				beside(b, len(column), "closure", run(gather(32, from, column, a, x, y)), "go", inGo(run(Gather(32, from, column, a, x, y))), "vectors", run(Gather(32, from, column, a, x, y)), "plain", func() error {
					for row := range rows {
						s := 0.0
						for k := from[row]; k < from[row+1]; k++ {
							s += float64(a[k] * x[column[k]])
						}
						y[row] = s
					}
					return nil
				})
			})
		}
	}
}

// BenchmarkOneTeam is what a launch costs.
func BenchmarkOneTeam(b *testing.B) {
	y := make([]float64, 1)
	f, g := RowSums(1, 1, []float64{1}, y), rowSums(1, 1, []float64{1}, y)
	beside(b, 1, "closure", func() error { return exec.ParallelFor(policy.Team(1, 1).On(exec.Serial{}), g) },
		"loop", func() error { return exec.ParallelFor(policy.Team(1, 1).On(exec.Serial{}), f) },
		"range", func() error { return exec.ParallelFor(policy.Range(0, 1).On(exec.Serial{}), func(i int) { y[i]++ }) })
}
