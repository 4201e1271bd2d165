package exec_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// perItem reports the time of one of the n things that every iteration does.
func perItem(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), unit)
}

func BenchmarkSimGPULane(b *testing.B) {
	s := simGPU(b, gpu.Device{})
	x := make([]float64, 1<<16)
	p := policy.Team(256, 256).On(s)
	for b.Loop() {
		require.NoError(b, exec.ParallelFor(p, func(m *team.Member) { x[m.LeagueRank()*256+m.Rank()]++ }))
	}
	perItem(b, len(x), "ns/lane")
}

func BenchmarkSimGPUBarrier(b *testing.B) {
	s := simGPU(b, gpu.Device{})
	const league, barriers = 16, 16
	for _, size := range []int{32, 256, 1024} {
		p := policy.Team(league, size).On(s)
		f := func(m *team.Member) {
			for range barriers {
				m.Barrier()
			}
		}
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, exec.ParallelFor(p, f))
			}
			perItem(b, league*size*barriers, "ns/lane/barrier")
		})
	}
}

// One barrier more per lane allocates nothing more.
func TestBarriersAllocateNothing(t *testing.T) {
	for _, s := range []exec.Space{exec.NewSimGPU(gpu.Device{}), exec.NewGoroutines(1)} {
		allocs := func(barriers int) float64 {
			f := func(m *team.Member) {
				for range barriers {
					m.Barrier()
				}
			}
			return testing.AllocsPerRun(20, func() { _ = exec.ParallelFor(policy.Team(4, 64).On(s), f) })
		}
		allocs(50)
		const meetings = 49 * 4 * 64
		require.Less(t, (allocs(50)-allocs(1))/meetings, 0.01, s.Name()) // others allocate as well
		require.NoError(t, s.(interface{ Close() error }).Close())
	}
}

// tiled multiplies matrices of n rows and columns tile by tile, each staged in the scratch memory of a team.
func tiled(s exec.Space, n int, c, a, b []float64) error {
	const tile = 16
	p := policy.Team(n/tile*n/tile, tile*tile).Dims(tile, tile, 1).Scratch(0, 2*tile*tile*8, 0).On(s)
	return exec.ParallelFor(p, func(m *team.Member) {
		as := team.Scratch[float64](m, 0, tile*tile)
		bs := team.Scratch[float64](m, 0, tile*tile)
		x, y, _ := m.LocalID()
		row, column := m.LeagueRank()/(n/tile)*tile+y, m.LeagueRank()%(n/tile)*tile+x
		sum := 0.0
		for k := 0; k < n; k += tile {
			as[y*tile+x] = a[row*n+k+x]
			bs[y*tile+x] = b[(k+y)*n+column]
			m.Barrier()
			for l := range tile {
				sum += float64(as[y*tile+l] * bs[l*tile+x])
			}
			m.Barrier()
		}
		c[row*n+column] = sum
	})
}

func plain(n int, c, a, b []float64) {
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := range n {
				sum += float64(a[i*n+k] * b[k*n+j])
			}
			c[i*n+j] = sum
		}
	}
}

func matrices(n int) (a, b []float64) {
	a, b = make([]float64, n*n), make([]float64, n*n)
	for k := range a {
		a[k], b[k] = 1/float64(k+1), float64(k%7)
	}
	return a, b
}

func TestTiledMatrixProduct(t *testing.T) {
	const n = 64
	a, b := matrices(n)
	want, got := make([]float64, len(a)), make([]float64, len(a))
	plain(n, want, a, b)
	onTeamSpaces(t, func(t *testing.T, s exec.Space) {
		clear(got)
		require.NoError(t, tiled(s, n, got, a, b))
		require.Equal(t, want, got)
	})
}

func BenchmarkMatrixProduct(b *testing.B) {
	const n = 256
	x, y := matrices(n)
	z := make([]float64, len(x))
	sim := simGPU(b, gpu.Device{})
	for name, f := range map[string]func() error{
		"loop":   func() error { plain(n, z, x, y); return nil },
		"simgpu": func() error { return tiled(sim, n, z, x, y) },
		"serial": func() error { return tiled(exec.Serial{}, n, z, x, y) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, f())
			}
			perItem(b, n*n*n, "ns/FMA")
		})
	}
}

// A team of one costs little more than the nested loop that it stands for.
func BenchmarkTeamOfOne(b *testing.B) {
	const league, n = 1 << 16, 8
	x, y := make([]float64, league*n), make([]float64, league)
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			for i := range league {
				sum := 0.0
				for j := range n {
					sum += x[i*n+j]
				}
				y[i] = sum
			}
		}
		perItem(b, league, "ns/team")
	})
	b.Run("team, plain inner loop", func(b *testing.B) {
		p := policy.Team(league, 1).On(exec.Serial{})
		for b.Loop() {
			require.NoError(b, exec.ParallelFor(p, func(m *team.Member) {
				i, sum := m.LeagueRank(), 0.0
				for j := range n {
					sum += x[i*n+j]
				}
				m.Barrier()
				y[i] = sum
			}))
		}
		perItem(b, league, "ns/team")
	})
	b.Run("team reduce, plain inner loop", func(b *testing.B) {
		p := policy.Team(league, 1).On(exec.Serial{})
		var total float64
		for b.Loop() {
			require.NoError(b, exec.ParallelReduce(p, func(m *team.Member, acc *float64) {
				i, sum := m.LeagueRank(), 0.0
				for j := range n {
					sum += x[i*n+j]
				}
				*acc += sum
			}, builtin.Sum(&total)))
		}
		perItem(b, league, "ns/team")
	})
	b.Run("team, ThreadRange", func(b *testing.B) {
		p := policy.Team(league, 1).On(exec.Serial{})
		for b.Loop() {
			require.NoError(b, exec.ParallelFor(p, func(m *team.Member) {
				i := m.LeagueRank()
				team.For(team.ThreadRange(m, n), func(j int) { y[i] += x[i*n+j] })
			}))
		}
		perItem(b, league, "ns/team")
	})
	b.Run("team, loop over a ThreadRange", func(b *testing.B) {
		p := policy.Team(league, 1).On(exec.Serial{})
		for b.Loop() {
			require.NoError(b, exec.ParallelFor(p, func(m *team.Member) {
				i := m.LeagueRank()
				for j := range team.ThreadRange(m, n).All() {
					y[i] += x[i*n+j]
				}
			}))
		}
		perItem(b, league, "ns/team")
	})
	b.Run("loop over y", func(b *testing.B) {
		for b.Loop() {
			for i := range league {
				for j := range n {
					y[i] += x[i*n+j]
				}
			}
		}
		perItem(b, league, "ns/team")
	})
}

// BenchmarkGemv is the product of a matrix and a vector, a team of one to a row, beside a plain
// loop and a functor of spans. GOKKOS_WORKERS says how many workers.
func BenchmarkGemv(b *testing.B) {
	on := exec.NewGoroutines(0)
	if n, err := strconv.Atoi(os.Getenv("GOKKOS_WORKERS")); err == nil {
		on = exec.NewGoroutines(n)
	}
	defer func() { require.NoError(b, on.Close()) }()
	for _, n := range []int{316, 1000, 4096} {
		a, x, y := numbers(n*n), numbers(n), make([]float64, n)
		row := func(i int) {
			var sum [4]float64 // as the processor adds several at a time
			row := a[i*n:][:n]
			j := 0
			for ; j+4 <= n; j += 4 {
				r, v := row[j:j+4], x[j:j+4]
				sum[0] += r[0] * v[0]
				sum[1] += r[1] * v[1]
				sum[2] += r[2] * v[2]
				sum[3] += r[3] * v[3]
			}
			for ; j < n; j++ {
				sum[0] += row[j] * x[j]
			}
			y[i] = (sum[0] + sum[2]) + (sum[1] + sum[3])
		}
		teams := policy.Team(n, 1).On(on)
		for _, c := range []struct {
			name string
			run  func() error
		}{
			{"loop", func() error {
				for i := range n {
					row(i)
				}
				return nil
			}},
			{"span", func() error {
				return exec.ParallelFor(policy.Spans(0, n).On(on), func(s policy.Span) {
					for i := range s.All() {
						row(i)
					}
				})
			}},
			{"teams, plain rows", func() error {
				return exec.ParallelFor(teams, func(m *team.Member) { row(m.LeagueRank()) })
			}},
			{"teams, Shares", func() error {
				return exec.ParallelFor(teams, func(m *team.Member) {
					row := a[m.LeagueRank()*n:][:n]
					team.Reduce(team.Shares(team.ThreadRange(m, n)), func(r team.Range[int], acc *float64) {
						sum := *acc
						for j := range r.All() {
							sum += float64(row[j] * x[j])
						}
						*acc = sum
					}, builtin.Sum(&y[m.LeagueRank()]))
				})
			}},
			{"teams, Reduce", func() error {
				return exec.ParallelFor(teams, func(m *team.Member) {
					row := a[m.LeagueRank()*n:][:n]
					team.Reduce(team.ThreadRange(m, n), func(j int, acc *float64) { *acc += float64(row[j] * x[j]) }, builtin.Sum(&y[m.LeagueRank()]))
				})
			}},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				for b.Loop() {
					require.NoError(b, c.run())
				}
				perItem(b, n*n, "ns/item")
			})
		}
	}
}
