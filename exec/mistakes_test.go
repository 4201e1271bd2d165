//gokkosvet:ignore mistakes to be found

package exec_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// mistakes are kernels with a bug, and which schedules give other results than Serial. The
// table of docs/teams.md is made of them.
var mistakes = []struct {
	name string
	run  func(exec.Space) []float64

	schedule0, others bool // others are 2, and 4 and more
}{
	{"an item reads what another one writes", items(func(x []float64, i int) { x[i] = x[max(i-1, 0)] + 1 }), false, true},
	{"items write one place, the last one stays", items(func(x []float64, i int) { x[0] = float64(i) }), false, true},
	{"items add floats to one place", items(func(x []float64, i int) { x[0] += 1 / float64(i+1) }), false, true},
	{"items count in one place", items(func(x []float64, i int) { x[0]++ }), false, false},
	{"items share a temporary", items(func(x []float64, i int) { temporary = float64(i); x[i] = temporary * temporary }), false, false},
	{"a barrier is missing after writes", members(func(m *team.Member, e, x []float64) {
		e[m.Rank()] = float64(m.Rank())
		x[m.Rank()] = e[max(m.Rank()-1, 0)]
	}), false, true},
	{"a barrier is missing before the next writes", members(func(m *team.Member, e, x []float64) {
		for k := range 3 {
			e[m.Rank()] = float64(m.Rank() * k)
			m.Barrier()
			x[m.Rank()] += e[m.Size()-1-m.Rank()]
		}
	}), false, true},
	{"members write one place, the last one stays", members(func(m *team.Member, e, x []float64) { x[0] = float64(m.Rank()) }), false, true},
	{"scratch memory is read before it is written", members(func(m *team.Member, e, x []float64) { x[m.Rank()] = e[m.Rank()] }), true, true},
	{"members count in one place", members(func(m *team.Member, e, x []float64) { x[0]++ }), false, false},
	{"a barrier of the sub-group for one of the team", members(func(m *team.Member, e, x []float64) {
		e[m.Rank()] = float64(m.Rank())
		m.SubGroup().Barrier()
		x[m.Rank()] = e[m.Size()-1-m.Rank()]
	}), false, true},
}

var temporary float64

// items runs f for the items of a range.
func items(f func(x []float64, i int)) func(exec.Space) []float64 {
	return func(space exec.Space) []float64 {
		x := make([]float64, 5000)
		exec.Must(exec.ParallelFor(policy.Range(0, len(x)).On(space), func(i int) { f(x, i) }))
		return x
	}
}

// members runs f for the members of teams, with scratch memory and results of each team.
func members(f func(m *team.Member, e, x []float64)) func(exec.Space) []float64 {
	return func(space exec.Space) []float64 {
		const league, size = 10, 64
		x := make([]float64, league*size)
		p := policy.Team(league, size).Scratch(0, 8*size, 0).On(space)
		exec.Must(exec.ParallelFor(p, func(m *team.Member) {
			f(m, team.Scratch[float64](m, 0, size), x[m.LeagueRank()*size:][:size])
		}))
		return x
	}
}

// Schedules of SimGPU find the mistakes that make a result depend on the order.
func TestWhatSchedulesFind(t *testing.T) {
	if os.Getenv("GOKKOS_SIMGPU") == "check" {
		t.Skip("launches that are watched return errors in place of results")
	}
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			want := m.run(exec.Serial{})
			for _, schedule := range []uint64{0, 2, 4, 5, 6, 7} {
				found := m.others
				if schedule == 0 {
					found = m.schedule0
				}
				assert.Equal(t, !found, assert.ObjectsAreEqual(want, m.run(sim.WithSchedule(schedule))), "schedule %d", schedule)
			}
		})
	}
}
