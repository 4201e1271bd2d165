//go:build !race && !gokkos_bounds

package exec_test

import (
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// teamSums is a functor of teams, and its loop, which leaves some teams to the functor. It counts the teams that it runs.
type teamSums struct {
	x, y  []float64
	left  func(team int) bool
	loops *atomic.Int32
}

func (k *teamSums) sum(m *team.Member, sum, most *float64) {
	v := k.x[m.LeagueRank()*m.Size()+m.Rank()]
	*sum += v
	*most = max(*most, v)
}

func (k *teamSums) store(m *team.Member) { k.y[m.LeagueRank()*m.Size()+m.Rank()]++ }

func (k *teamSums) gather(m *team.Member) {
	s := team.Scratch[float64](m, 0, m.Size())
	s[m.Rank()] += k.x[m.LeagueRank()*m.Size()+m.Rank()]
	m.Barrier()
	k.y[m.LeagueRank()*m.Size()+m.Rank()] += s[m.Size()-1-m.Rank()]
}

type (
	sumTeams    teamSums
	storeTeams  teamSums
	gatherTeams teamSums
)

func asFloats(b []byte) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
}

func (k *sumTeams) Teams(begin, end int, t *kernel.Team) (next int) {
	if k.left(begin) {
		return begin
	}
	for r := range t.Shape.Size {
		v := k.x[begin*t.Shape.Size+r]
		asFloats(t.Accs[0])[r] += v
		asFloats(t.Accs[1])[r] = max(asFloats(t.Accs[1])[r], v)
	}
	k.loops.Add(1)
	return begin + 1
}

func (k *storeTeams) Teams(begin, end int, t *kernel.Team) (next int) {
	for ; begin < end && !k.left(begin); begin++ {
		for r := range t.Shape.Size {
			k.y[begin*t.Shape.Size+r]++
		}
		k.loops.Add(1)
	}
	return begin
}

func (k *gatherTeams) Teams(begin, end int, t *kernel.Team) (next int) {
	s := unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(t.Scratch[0]))), t.Shape.Size)
	for ; begin < end; begin++ {
		clear(t.Scratch[0])
		for r := range t.Shape.Size {
			s[r] += k.x[begin*t.Shape.Size+r]
		}
		if k.left(begin) { // it has stored in scratch memory alone
			return begin
		}
		for r := range t.Shape.Size {
			k.y[begin*t.Shape.Size+r] += s[t.Shape.Size-1-r]
		}
		k.loops.Add(1)
	}
	return begin
}

func init() {
	from := kernel.Source{Name: "exec.teamSums", File: "teamloop_test.go", Line: 20, Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *teamSums) func(*team.Member, *float64, *float64) { return k.sum }, func(k *teamSums) kernel.Teams { return (*sumTeams)(k) })
	kernel.Attach(kernel.Go, from, func(k *teamSums) func(*team.Member) { return k.store }, func(k *teamSums) kernel.Teams { return (*storeTeams)(k) })
	kernel.Attach(kernel.Go, from, func(k *teamSums) func(*team.Member) { return k.gather }, func(k *teamSums) kernel.Teams { return (*gatherTeams)(k) })
}

// Loops of teams have the bits of their functors, which run the teams that loops leave, and no others.
func TestLoopsOfTeams(t *testing.T) {
	pool := exec.NewGoroutines(3)
	defer pool.Close()
	for _, on := range []exec.Space{exec.Serial{}, pool} {
		for _, league := range []int{0, 1, 5, 300} {
			for _, size := range []int{1, 3, 8} {
				for every, left := range map[int]func(team int) bool{1: func(int) bool { return true }, 0: func(int) bool { return false }, 3: func(team int) bool { return team%3 == 1 }} {
					x := make([]float64, league*size)
					for i := range x {
						x[i] = 1 / float64(i+3)
					}
					run := func() (out []float64, loops int) {
						k := &teamSums{x, make([]float64, len(x)), left, new(atomic.Int32)}
						p := policy.Team(league, size).On(on)
						var sum, most float64
						require.NoError(t, exec.ParallelReduce2(p, k.sum, builtin.Sum(&sum), builtin.Max(&most)))
						require.NoError(t, exec.ParallelFor(p, k.store))
						require.NoError(t, exec.ParallelFor(p.Scratch(0, 8*size, 0), k.gather))
						return append(k.y, sum, most), int(k.loops.Load())
					}
					got, loops := run()
					_, undo := kernel.Limit(kernel.Closure)
					want, none := run()
					undo()
					assert.Equal(t, want, got, "%d teams of %d", league, size)
					assert.Zero(t, none)
					teams := 0
					for team := range league {
						if !left(team) {
							teams += 3
						}
					}
					assert.Equal(t, teams, loops, "%d teams of %d, %d", league, size, every)
				}
			}
		}
	}
}

// A launch of teams that loops run allocates nothing, once one has.
func TestLoopsOfTeamsAllocateNothing(t *testing.T) {
	k := &teamSums{make([]float64, 8), make([]float64, 8), func(int) bool { return false }, new(atomic.Int32)}
	p := policy.Team(2, 4).On(exec.Serial{})
	store := k.store
	assert.Zero(t, testing.AllocsPerRun(100, func() { exec.Must(exec.ParallelFor(p, store)) }))
}
