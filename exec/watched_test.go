//go:build !race && !noasm && (amd64 || arm64)

package exec_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

// instrumented reports whether this package was built for accesses to be seen.
func instrumented(t *testing.T, s exec.Space) bool {
	shared := 0
	err := exec.ParallelFor(policy.Range(0, 2).On(s), func(int) { shared++ })
	if err == nil {
		t.Log("build with -gcflags=-race to see accesses")
	}
	return err != nil
}

// watchedKernels are what items do, and what of it is a mistake.
var watchedKernels = []struct {
	name string
	want error // or nil
	line string
	run  func(s exec.Space) error
}{
	{"own elements", nil, "", func(s exec.Space) error {
		x := make([]float64, 1000)
		return exec.ParallelFor(policy.Range(0, len(x)).On(s), func(i int) { x[i] += float64(i) })
	}},
	{"neighbours", check.ErrRace, "x[i] = x[max(i-1, 0)]", func(s exec.Space) error {
		x := make([]float64, 1000)
		return exec.ParallelFor(policy.Range(0, len(x)).On(s), func(i int) { x[i] = x[max(i-1, 0)] + 1 })
	}},
	{"a histogram", check.ErrRace, "", func(s exec.Space) error {
		h := make([]int, 10)
		return exec.ParallelFor(policy.Range(0, 1000).On(s), func(i int) { h[i%10]++ })
	}},
	{"a histogram of atomics", nil, "", func(s exec.Space) error {
		h := make([]int64, 10)
		return exec.ParallelFor(policy.Range(0, 1000).On(s), func(i int) { atomics.Add(&h[i%10], 1) })
	}},
	{"a histogram of atomics that is read", check.ErrRace, "", func(s exec.Space) error {
		h, x := make([]int64, 10), make([]int64, 1000)
		return exec.ParallelFor(policy.Range(0, 1000).On(s), func(i int) { atomics.Add(&h[i%10], 1); x[i] = h[0] })
	}},
	{"a captured variable", check.ErrRace, "", func(s exec.Space) error {
		var t float64
		x := make([]float64, 1000)
		return exec.ParallelFor(policy.Range(0, 1000).On(s), func(i int) { t = float64(i); x[i] = t * t })
	}},
	{"a view of two dimensions", nil, "", func(s exec.Space) error {
		v, err := views.New2[float64]("v", 20, 30)
		exec.Must(err)
		return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{20, 30}).On(s), func(i policy.Index2) { v.Set(i.I, i.J, v.At(i.I, i.J)+1) })
	}},
	{"a row below", check.ErrRace, "", func(s exec.Space) error {
		v, err := views.New2[float64]("v", 20, 30)
		exec.Must(err)
		return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{20, 30}).On(s), func(i policy.Index2) { v.Set(i.I, i.J, v.At((i.I+1)%20, i.J)) })
	}},
	{"bytes side by side", nil, "", func(s exec.Space) error {
		x := make([]bool, 1000)
		return exec.ParallelFor(policy.Range(0, len(x)).On(s), func(i int) { x[i] = true })
	}},
	{"a sum", nil, "", func(s exec.Space) error {
		var sum float64
		x := make([]float64, 1000)
		return exec.ParallelReduce(policy.Range(0, len(x)).On(s), func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&sum))
	}},
	{"four sums", nil, "", func(s exec.Space) error {
		var a, b, c, d float64
		return exec.ParallelReduce4(policy.Range(0, 1000).On(s), func(i int, w, x, y, z *float64) { *w++; *x++; *y++; *z++ },
			builtin.Sum(&a), builtin.Sum(&b), builtin.Sum(&c), builtin.Sum(&d))
	}},
	{"the result in the functor", check.ErrResult, "", func(s exec.Space) error {
		var sum float64
		return exec.ParallelReduce(policy.Range(0, 1000).On(s), func(i int, acc *float64) { *acc += sum }, builtin.Sum(&sum))
	}},
	{"lanes", nil, "", func(s exec.Space) error {
		var sum float64
		x := make([]float64, 10000)
		return exec.ParallelReduceLanes(policy.Spans(0, len(x)).On(s), func(l exec.Lanes[float64]) {
			for i, acc := range l.Items() {
				*acc += x[i]
			}
		}, builtin.Sum(&sum))
	}},
	{"spans that overlap", check.ErrRace, "", func(s exec.Space) error {
		x := make([]float64, 10001)
		return exec.ParallelFor(policy.Spans(0, 10000).On(s), func(p policy.Span) {
			for i := p.Begin; i <= p.End; i++ {
				x[i] = 1
			}
		})
	}},
	{"a scan", nil, "", func(s exec.Space) error {
		x := make([]int, 1000)
		return exec.ParallelScan(policy.Range(0, len(x)).On(s), func(i int, acc *int, final bool) {
			*acc += i
			if final {
				x[i] = *acc
			}
		}, builtin.Sum(new(int)))
	}},
	{"a scan that writes twice", check.ErrScan, "", func(s exec.Space) error {
		x := make([]int, 1000)
		return exec.ParallelScan(policy.Range(0, len(x)).On(s), func(i int, acc *int, final bool) {
			*acc += i
			x[i] = *acc
		}, builtin.Sum(new(int)))
	}},
	{"a nested launch", nil, "", func(s exec.Space) error {
		x := make([]float64, 40)
		return exec.ParallelFor(policy.Range(0, 4).On(s), func(i int) {
			exec.Must(exec.ParallelFor(policy.Range(10*i, 10*i+10).On(s), func(k int) { x[10*i]++; x[k]++ }))
		})
	}},
}

// teamsOf runs f in 5 teams of 64 members that have 64 numbers of scratch memory and as many of
// their own.
func teamsOf(f func(m *team.Member, e, x []float64)) func(exec.Space) error {
	return func(s exec.Space) error {
		const league, size = 5, 64
		x := make([]float64, league*size)
		p := policy.Team(league, size).Scratch(0, 8*size, 0).On(s)
		return exec.ParallelFor(p, func(m *team.Member) {
			f(m, team.Scratch[float64](m, 0, size), x[m.LeagueRank()*size:][:size])
		})
	}
}

// vectorsOf runs f in teams of members with 8 vector lanes.
func vectorsOf(f func(m *team.Member, x []float64)) func(exec.Space) error {
	return func(s exec.Space) error {
		x := make([]float64, 4*16*100)
		return exec.ParallelFor(policy.Team(4, 16).Vector(8).On(s), func(m *team.Member) {
			f(m, x[(m.LeagueRank()*16+m.Rank())*100:][:100])
		})
	}
}

var watchedTeams = []struct {
	name string
	want error // or nil
	run  func(s exec.Space) error
}{
	{"a barrier", nil, teamsOf(func(m *team.Member, e, x []float64) {
		e[m.Rank()] = float64(m.Rank())
		m.Barrier()
		x[m.Rank()] = e[m.Size()-1-m.Rank()]
	})},
	{"no barrier", check.ErrRace, teamsOf(func(m *team.Member, e, x []float64) {
		e[m.Rank()] = float64(m.Rank())
		x[m.Rank()] = e[m.Size()-1-m.Rank()]
	})},
	{"no barrier before the next writes", check.ErrRace, teamsOf(func(m *team.Member, e, x []float64) {
		for k := range 3 {
			e[m.Rank()] = float64(k)
			m.Barrier()
			x[m.Rank()] += e[m.Size()-1-m.Rank()]
		}
	})},
	{"a barrier of the sub-group", check.ErrRace, teamsOf(func(m *team.Member, e, x []float64) {
		e[m.Rank()] = 1
		m.SubGroup().Barrier()
		x[m.Rank()] = e[m.Size()-1-m.Rank()]
	})},
	{"a barrier of the sub-group for the sub-group", nil, teamsOf(func(m *team.Member, e, x []float64) {
		e[m.Rank()] = 1
		m.SubGroup().Barrier()
		x[m.Rank()] = e[m.Rank()^1]
	})},
	{"members count in one place", check.ErrRace, teamsOf(func(m *team.Member, e, x []float64) { x[0]++ })},
	{"members count in one place by atomics", nil, teamsOf(func(m *team.Member, e, x []float64) { atomics.Add(&x[0], 1) })},
	{"atomics, and a read", check.ErrRace, teamsOf(func(m *team.Member, e, x []float64) {
		atomics.Add(&x[0], 1)
		e[m.Rank()] = x[0]
	})},
	{"scratch that nobody wrote", check.ErrUninitialised, teamsOf(func(m *team.Member, e, x []float64) { x[m.Rank()] = 0 * e[m.Rank()] })},
	{"scratch of the team before", check.ErrUninitialised, teamsOf(func(m *team.Member, e, x []float64) {
		if m.LeagueRank() == 0 {
			e[m.Rank()] = 1
		}
		m.Barrier()
		x[m.Rank()] = e[m.Rank()]
	})},
	{"a collective orders", nil, teamsOf(func(m *team.Member, e, x []float64) {
		e[m.Rank()] = float64(m.Rank())
		total := team.AllReduce(m, 1, builtin.Sum[int])
		x[m.Rank()] = e[(m.Rank()+1)%m.Size()] + float64(total)
	})},
	{"nested loops and reductions", nil, teamsOf(func(m *team.Member, e, x []float64) {
		team.For(team.ThreadRange(m, len(e)), func(i int) { e[i] = float64(i) })
		m.Barrier()
		var sum float64
		team.Reduce(team.ThreadRange(m, len(e)), func(i int, acc *float64) { *acc += e[i] }, builtin.Sum(&sum))
		x[m.Rank()] = sum
	})},
	{"vector lanes of their own", nil, vectorsOf(func(m *team.Member, x []float64) {
		team.For(team.VectorRange(m, len(x)), func(i int) { x[i] = float64(i) })
		team.For(team.VectorRange(m, len(x)), func(i int) { x[len(x)-1-i]++ })
	})},
	{"vector lanes that share a variable", check.ErrRace, vectorsOf(func(m *team.Member, x []float64) {
		sum := 0.0
		team.For(team.VectorRange(m, len(x)), func(i int) { sum += x[i] })
		x[0] = sum
	})},
	{"vector lanes that share an element", check.ErrRace, vectorsOf(func(m *team.Member, x []float64) {
		team.For(team.VectorRange(m, len(x)), func(i int) { x[i/2] = 1 })
	})},
	{"the team that is last, by an atomic", nil, lastTeam(func(n *int64) int64 { return atomics.Add(n, 1) })},
	{"the team that is last, by a plain counter", check.ErrRace, lastTeam(func(n *int64) int64 { *n++; return *n })},
	{"a sum over members", nil, func(s exec.Space) error {
		var sum float64
		x := make([]float64, 320)
		return exec.ParallelReduce(policy.Team(5, 64).On(s), func(m *team.Member, acc *float64) {
			m.Barrier()
			*acc += x[m.LeagueRank()*64+m.Rank()]
		}, builtin.Sum(&sum))
	}},
}

// lastTeam lets the team that is done last add up what all have written.
func lastTeam(count func(n *int64) int64) func(exec.Space) error {
	return func(s exec.Space) error {
		const league = 6
		parts, total, done := make([]float64, league), 0.0, int64(0)
		return exec.ParallelFor(policy.Team(league, 8).On(s), func(m *team.Member) {
			if m.Rank() != 0 {
				return
			}
			parts[m.LeagueRank()] = 1
			if count(&done) == league {
				for _, p := range parts {
					total += p
				}
			}
		})
	}
}

// aboutKernel requires that what was found is at lines of the kernel of that name in this file.
func aboutKernel(t *testing.T, name string, e *check.Error) {
	source, err := os.ReadFile("watched_test.go")
	require.NoError(t, err)
	lines := strings.Split(string(source), "\n")
	within := func(a check.Access) bool {
		for k := a.Line - 1; k > 0 && filepath.Base(a.File) == "watched_test.go"; k-- {
			if strings.HasPrefix(lines[k], "func lastTeam") {
				return strings.Contains(name, "is last")
			}
			if strings.HasPrefix(lines[k], "\t{\"") {
				return strings.HasPrefix(lines[k], "\t{\""+name+"\"")
			}
		}
		return false
	}
	for _, f := range e.Findings {
		assert.True(t, within(f.Now), "%s: %v", name, f)
		assert.True(t, f.Before == check.Access{} || within(f.Before), "%s: %v", name, f)
	}
}

func TestWatchedTeams(t *testing.T) {
	for _, d := range []gpu.Device{gpu.H200(), gpu.Max1550()} {
		sim := exec.NewSimGPU(d).WithChecks()
		defer sim.Close()
		if !instrumented(t, sim) {
			return
		}
		for _, k := range watchedTeams {
			for schedule := range uint64(8) {
				err := k.run(sim.WithSchedule(schedule))
				if k.want == nil {
					assert.NoError(t, err, "%s, schedule %d", k.name, schedule)
					continue
				}
				assert.ErrorIs(t, err, k.want, "%s, schedule %d", k.name, schedule)
				var e *check.Error
				require.True(t, errors.As(err, &e), "%s: %v", k.name, err)
				aboutKernel(t, k.name, e)
			}
		}
	}
}

func TestWatchedItems(t *testing.T) {
	sim := exec.NewSimGPU(gpu.Device{}).WithChecks()
	defer sim.Close()
	if !instrumented(t, sim) {
		return
	}
	for _, k := range watchedKernels {
		for schedule := range uint64(8) {
			err := k.run(sim.WithSchedule(schedule))
			if k.want == nil {
				assert.NoError(t, err, "%s, schedule %d", k.name, schedule)
				continue
			}
			require.ErrorIs(t, err, k.want, "%s, schedule %d", k.name, schedule)
			var e *check.Error
			require.True(t, errors.As(err, &e))
			aboutKernel(t, k.name, e)
		}
	}
}
