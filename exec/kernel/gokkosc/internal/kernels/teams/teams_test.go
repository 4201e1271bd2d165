//go:build !386 && !arm && !mips && !mipsle

package teams

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/compiled"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

func TestMain(m *testing.M) { os.Exit(compiled.Tests(m, RowSums(1, 1, nil, nil))) }

// numbers returns n numbers of which no sum is exact.
func numbers(n int) []float64 {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	x := make([]float64, n)
	for k := range x {
		x[k] = r.NormFloat64()
	}
	return x
}

// text returns values as a text that is short.
func text(values ...any) string {
	s := fmt.Sprintf("%x", values)
	return fmt.Sprintf("%.60s %x", s, sha256.Sum256([]byte(s)))
}

// A shape is what teams are in a launch.
type shape struct{ league, size, vector int }

func (s shape) policy(on exec.Space) policy.TeamPolicy {
	return policy.Team(s.league, s.size).Vector(s.vector).On(on)
}

// inShapes calls a function with shapes of teams.
func inShapes(t *testing.T, f func(t *testing.T, s shape)) {
	for _, s := range []shape{{1, 1, 1}, {7, 1, 8}, {5, 2, 1}, {9, 3, 2}, {40, 4, 8}, {6, 8, 3}, {3, 33, 4}, {300, 2, 32}} {
		t.Run(fmt.Sprintf("%d teams of %d, vector %d", s.league, s.size, s.vector), func(t *testing.T) { f(t, s) })
	}
}

// same launches a functor and its compiled form on several spaces, and compares what they leave in memory: run launches
// and returns that.
func same[F any](t *testing.T, plain, compiled func() (F, []any), launch func(on exec.Space, f F) any) {
	t.Helper()
	f, memory := plain()
	require.Nil(t, kernel.Of(f))
	want := text(launch(exec.Serial{}, f), memory)
	spaces := []exec.Space{exec.Serial{}, exec.NewGoroutines(1), exec.NewGoroutines(3)}
	for _, on := range spaces {
		f, memory := compiled()
		if use, undo := kernel.Limit(kernel.AVX512); use > kernel.Closure {
			require.NotNil(t, kernel.Of(f))
			undo()
		}
		require.Equal(t, want, text(launch(on, f), memory), on.Name())
		if c, ok := on.(*exec.Goroutines); ok {
			require.NoError(t, c.Close())
		}
	}
}

// each is same for functors without accumulators.
func each(t *testing.T, s shape, plain, compiled func() (func(m *team.Member), []any)) {
	t.Helper()
	same(t, plain, compiled, func(on exec.Space, f func(m *team.Member)) any {
		require.NoError(t, exec.ParallelFor(s.policy(on), f))
		return nil
	})
}

func TestRanges(t *testing.T) {
	inShapes(t, func(t *testing.T, s shape) {
		for _, n := range []int{0, 1, 7, 16, 50} {
			a, rows := numbers(s.league*n*5), n
			of := func(f func(int, int, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					y := make([]float64, s.league*rows)
					return f(5, rows, a, y), []any{y}
				}
			}
			each(t, s, of(rowSums), of(RowSums))
			ends := func(f func(int, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					y := make([]float64, s.league*s.size-1)
					return f(n, numbers(s.league*s.size*n), y), []any{y}
				}
			}
			each(t, s, ends(rowEnds), ends(RowEnds))
			own := func(f func(int, []float64, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					y, z := make([]float64, s.league*s.size), make([]float64, s.league*s.size)
					return f(n, numbers(n), y, z), []any{y, z}
				}
			}
			each(t, s, own(ownSums), own(OwnSums))
			spreads := func(f func(int, []int) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					y := make([]int, s.league*n)
					return f(n, y), []any{y}
				}
			}
			if n > 0 {
				each(t, s, spreads(spread), spreads(Spread))
			}
			weighs := func(f func(int, []float64, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					y, sums := make([]float64, s.league*s.size*n), make([]float64, s.league*s.size)
					return f(n, numbers(s.league*s.size*n), y, sums), []any{y, sums}
				}
			}
			each(t, s, weighs(weighed), weighs(Weighed))
			gathers := func(f func(int, []int, []int, []float64, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					from, column := []int{0}, []int(nil)
					for row := range s.league * n {
						for k := range row % 19 {
							column = append(column, (row*7+k*k)%50)
						}
						from = append(from, len(column))
					}
					y := make([]float64, s.league*n)
					return f(n, from, column, numbers(len(column)), numbers(50), y), []any{y}
				}
			}
			each(t, s, gathers(gather), gathers(Gather))
		}
	})
}

// Teams of one see what they have stored.
func TestAlone(t *testing.T) {
	of := func(f func([]float64) func(*team.Member)) func() (func(*team.Member), []any) {
		return func() (func(*team.Member), []any) {
			y := numbers(20)
			return f(y), []any{y}
		}
	}
	each(t, shape{10, 1, 1}, of(alone), of(Alone))
}

func TestTiles(t *testing.T) {
	for _, c := range []struct{ n, tile int }{{1, 1}, {6, 3}, {32, 8}, {34, 17}, {54, 18}, {40, 20}} {
		a, b := numbers(c.n*c.n), numbers(c.n*c.n+1)
		of := func(f func(int, int, []float64, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
			return func() (func(*team.Member), []any) {
				y := make([]float64, c.n*c.n)
				return f(c.n, c.tile, y, a, b), []any{y}
			}
		}
		same(t, of(tiled), of(Tiled), func(on exec.Space, f func(*team.Member)) any {
			p := policy.Team(c.n/c.tile*c.n/c.tile, c.tile*c.tile).Dims(c.tile, c.tile, 1).Scratch(0, 2*team.ScratchBytes[float64](c.tile*c.tile), 0).On(on)
			require.NoError(t, exec.ParallelFor(p, f))
			return nil
		})
	}
}

func TestSoftmax(t *testing.T) {
	inShapes(t, func(t *testing.T, s shape) {
		for _, tile := range []int{1, 5, 8} {
			columns := tile * 7
			x, label := numbers(s.league*columns), make([]int, s.league)
			for k := range label {
				label[k] = k % columns
			}
			of := func(f func(int, int, []float64, []float64, []int) func(*team.Member, *float64)) func() (func(*team.Member, *float64), []any) {
				return func() (func(*team.Member, *float64), []any) {
					y := make([]float64, len(x))
					return f(columns, tile, y, x, label), []any{y}
				}
			}
			same(t, of(rowsSoftmax), of(RowsSoftmax), func(on exec.Space, f func(*team.Member, *float64)) any {
				var loss float64
				require.NoError(t, exec.ParallelReduce(s.policy(on).Scratch(0, columns*8, 0), f, builtin.Sum(&loss)))
				return loss
			})
		}
	})
}

func TestNestedReductions(t *testing.T) {
	inShapes(t, func(t *testing.T, s shape) {
		for _, n := range []int{0, 1, 5, 40} {
			for _, columns := range []int{0, 3, 64} {
				y, a, x := numbers(s.league*n), numbers(s.league*n*columns), numbers(columns)
				of := func(f func(int, int, []float64, []float64, []float64) func(*team.Member, *float64)) func() (func(*team.Member, *float64), []any) {
					return func() (func(*team.Member, *float64), []any) { return f(n, columns, y, a, x), nil }
				}
				same(t, of(yax), of(Yax), func(on exec.Space, f func(*team.Member, *float64)) any {
					var sum float64
					require.NoError(t, exec.ParallelReduce(s.policy(on), f, builtin.Sum(&sum)))
					return sum
				})
			}
			x := numbers(s.league * n)
			of := func(f func(int, []float64, []float64, []float64, []float64) func(*team.Member, *float64, *int)) func() (func(*team.Member, *float64, *int), []any) {
				return func() (func(*team.Member, *float64, *int), []any) {
					l, h, w := make([]float64, s.league), make([]float64, s.league), make([]float64, s.league)
					return f(n, x, l, h, w), []any{l, h, w}
				}
			}
			same(t, of(extremes), of(Extremes), func(on exec.Space, f func(*team.Member, *float64, *int)) any {
				var sum float64
				var steps int
				require.NoError(t, exec.ParallelReduce2(s.policy(on), f, builtin.Sum(&sum), builtin.Max(&steps)))
				return []any{sum, steps}
			})
		}
	})
}

func TestMeetings(t *testing.T) {
	inShapes(t, func(t *testing.T, s shape) {
		x := numbers(s.league * 64)
		of := func(f func([]float64, []float64, []int) func(*team.Member)) func() (func(*team.Member), []any) {
			return func() (func(*team.Member), []any) {
				y, z := make([]float64, s.league*s.size), make([]int, s.league*s.size)
				return f(x, y, z), []any{y, z}
			}
		}
		same(t, of(halved), of(Halved), func(on exec.Space, f func(*team.Member)) any {
			require.NoError(t, exec.ParallelFor(s.policy(on).Scratch(1, 512, 24), f))
			return nil
		})
	})
}

// Counts in scratch memory are those of the functor, and so is the failure of a number that has no bin.
func TestBins(t *testing.T) {
	const bins = 20
	inShapes(t, func(t *testing.T, s shape) {
		for _, n := range []int{1, 33, 100} {
			x := make([]int, s.league*n)
			for k := range x {
				x[k] = k * k % bins
			}
			of := func(f func(int, int, []int, []int, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					y, top := make([]int, bins), make([]float64, s.league)
					return f(n, bins, x, y, top), []any{y, top}
				}
			}
			launch := func(on exec.Space, f func(*team.Member)) error {
				return exec.ParallelFor(s.policy(on).Scratch(0, team.ScratchBytes[int](bins+2), 0), f)
			}
			same(t, of(binned), of(Binned), func(on exec.Space, f func(*team.Member)) any {
				require.NoError(t, launch(on, f))
				return nil
			})
			x[len(x)-1] = bins + 3
			fails := func(make func() (func(*team.Member), []any)) (string, []any) {
				f, memory := make()
				return failure(func() error { return launch(exec.Serial{}, f) }), memory
			}
			want, counts := fails(of(binned))
			got, memory := fails(of(Binned))
			require.NotEmpty(t, want)
			require.Equal(t, want, got)
			require.Equal(t, counts, memory)
		}
	})
}

func TestZeros(t *testing.T) {
	inShapes(t, func(t *testing.T, s shape) {
		for _, n := range []int{0, 1, 5, 7, 8, 9, 31, 40} {
			of := func(f func(int, []float64, []int, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					sums, ordered := make([]float64, s.league*s.size), make([]float64, s.league)
					return f(n, []float64{math.Copysign(0, -1)}, []int{0, 1, 0}, sums, ordered), []any{sums, ordered}
				}
			}
			same(t, of(zeros), of(Zeros), func(on exec.Space, f func(*team.Member)) any {
				require.NoError(t, exec.ParallelFor(s.policy(on).Scratch(0, 16, 0), f))
				return nil
			})
		}
	})
}

// failure returns how a launch fails: its error, or the message of its panic.
func failure(launch func() error) (message string) {
	defer func() {
		if p, ok := recover().(*exec.Panic); ok {
			message = fmt.Sprint(p.Index, p.Value)
		}
	}()
	if err := launch(); err != nil {
		return err.Error()
	}
	return ""
}

// A team that fails does so as its functor, and nothing of it is stored before: where members would fail late, too.
func TestFailures(t *testing.T) {
	const rows = 4
	for _, size := range []int{1, 3} {
		for _, wrong := range []int{0, 17, 39} {
			run := func(f func(int, []int, []int, []float64, []float64, []float64) func(*team.Member)) (string, []float64) {
				from, column := make([]int, 41), make([]int, 80)
				for k := range from {
					from[k] = 2 * k
				}
				column[2*wrong+1] = 5
				y := make([]float64, 40)
				message := failure(func() error {
					return exec.ParallelFor(policy.Team(10, size).Vector(2).On(exec.Serial{}), f(rows, from, column, numbers(80), numbers(5), y))
				})
				return message, y
			}
			want, left := run(gather)
			require.Contains(t, want, "index out of range [5] with length 5")
			got, y := run(Gather)
			require.Equal(t, want, got)
			require.Equal(t, left, y, "stored before")
		}
	}
	short := func(f func(int, int, []float64, []float64, []float64) func(*team.Member)) string {
		return failure(func() error {
			p := policy.Team(4, 4).Dims(2, 2, 1).Scratch(0, 48, 0).On(exec.Serial{})
			return exec.ParallelFor(p, f(4, 2, make([]float64, 16), numbers(16), numbers(16)))
		})
	}
	require.Contains(t, short(tiled), "scratch of level 0")
	require.Equal(t, short(tiled), short(Tiled))
}

// Compiled teams allocate nothing but what each launch does.
func TestTeamsAllocateNothing(t *testing.T) {
	n := 64
	y := make([]float64, n*n)
	f := Tiled(n, 8, y, numbers(n*n), numbers(n*n))
	launch := func(league int) float64 {
		p := policy.Team(league, 64).Dims(8, 8, 1).Scratch(0, 1024, 0).On(exec.Serial{})
		return testing.AllocsPerRun(5, func() { _ = exec.ParallelFor(p, f) })
	}
	launch(1)
	require.LessOrEqual(t, launch(64), launch(1)+1)
}

// Loops run all teams of these launches, and leave none to the functor.
func TestLoopsRunAllTeams(t *testing.T) {
	if kernel.Of(RowSums(1, 1, nil, nil)) == nil {
		t.Skip("no loops in this build")
	}
	const n, league = 24, 4
	long := numbers(league * n * n)
	from, column := make([]int, league*n+1), make([]int, league*n*9)
	for k := range from {
		from[k] = 9 * k
	}
	y, z, k := make([]float64, league*n*n), make([]float64, league*n*n), make([]int, league*n*n)
	label := make([]int, league)
	for name, f := range map[string]any{
		"rowSums": RowSums(n, n, long, y), "rowEnds": RowEnds(n, long, y[:league*6-2]), "spread": Spread(n, k), "ownSums": OwnSums(n, long, y, z),
		"gather": Gather(n, from, column, long, long, y[:league*n]), "tiled": Tiled(12, 6, y, long, long), "rowsSoftmax": RowsSoftmax(n, 8, y, long, label),
		"yax": Yax(n, n, long[:league*n], long, long[:n]), "extremes": Extremes(n, long[:league*n], y[:league], y[:league], z[:league]),
		"halved": Halved(long, y, k), "weighed": Weighed(n, long[:n*24], y[:n*24], z[:24]),
	} {
		for _, vector := range []int{1, 3, 8} {
			team := kernel.Team{Shape: space.TeamShape{League: league, Size: 6, Dims: [3]int{6, 1, 1}, Vector: vector}}
			for level := range team.Scratch {
				team.Shape.Scratch[level] = space.ScratchSize{Team: 4096, Member: 64}
				team.Scratch[level] = make([]uint64, team.Shape.Bytes(level)/8)
			}
			for c := range team.Accs {
				team.Accs[c] = make([]byte, 8*6)
			}
			if name == "tiled" {
				team.Shape.Size, team.Shape.Dims = 36, [3]int{6, 6, 1}
			}
			for r := range league {
				require.Equal(t, r+1, kernel.Of(f).(kernel.Teams).Teams(r, r+1, &team), "%s, vector %d", name, vector)
			}
		}
	}
}
