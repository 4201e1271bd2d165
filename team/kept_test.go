package team_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

// kept is what somebody has taken out of a launch.
type kept struct {
	m  *team.Member
	sg *team.SubGroup
	r  team.Range[int]
}

// take is what the members run. It takes from one of them.
func (k *kept) take(m *team.Member) {
	m.Barrier()
	if m.LeagueRank() == 1 && m.Rank() == m.Size()-1 {
		*k = kept{m, m.SubGroup(), team.ThreadRange(m, 5)}
	}
}

// uses are all the ways to use a member, its sub-group and its range.
var uses = map[string]func(k kept){
	"LeagueRank":        func(k kept) { k.m.LeagueRank() },
	"LeagueSize":        func(k kept) { k.m.LeagueSize() },
	"Rank":              func(k kept) { k.m.Rank() },
	"Size":              func(k kept) { k.m.Size() },
	"LocalID":           func(k kept) { k.m.LocalID() },
	"LocalSize":         func(k kept) { k.m.LocalSize() },
	"VectorLength":      func(k kept) { k.m.VectorLength() },
	"Barrier":           func(k kept) { k.m.Barrier() },
	"SubGroup":          func(k kept) { k.m.SubGroup() },
	"SubGroup.Rank":     func(k kept) { k.sg.Rank() },
	"SubGroup.Size":     func(k kept) { k.sg.Size() },
	"SubGroup.ID":       func(k kept) { k.sg.ID() },
	"SubGroup.Count":    func(k kept) { k.sg.Count() },
	"SubGroup.MaxSize":  func(k kept) { k.sg.MaxSize() },
	"SubGroup.Barrier":  func(k kept) { k.sg.Barrier() },
	"AllReduce":         func(k kept) { team.AllReduce(k.m, 1, builtin.Sum) },
	"AllReduce of warp": func(k kept) { team.AllReduce(k.sg, 1, builtin.Sum) },
	"Broadcast":         func(k kept) { team.Broadcast(k.m, 1, 0, 0) },
	"Shuffle":           func(k kept) { group.Shuffle(k.sg, 1, 0) },
	"Single":            func(k kept) { team.Single(k.m, func() {}) },
	"Scratch":           func(k kept) { team.Scratch[int](k.m, 0, 1) },
	"MemberScratch":     func(k kept) { team.MemberScratch[int](k.m, 0, 1) },
	"For":               func(k kept) { team.For(k.r, func(int) {}) },
	"For of a vector":   func(k kept) { team.For(team.VectorRange(k.m, 5), func(int) {}) },
	"All":               func(k kept) { k.r.All()(func(int) bool { return true }) },
	"ReduceLanes":       func(k kept) { team.ReduceLanes(k.r, func(team.Lanes[int]) {}, builtin.Sum(new(int))) },
	"Shares":            func(k kept) { team.For(team.Shares(k.r), func(team.Range[int]) {}) },
	"Reduce":            func(k kept) { team.Reduce(k.r, func(int, *int) {}, builtin.Sum(new(int))) },
	"Scan":              func(k kept) { team.Scan(k.r, func(int, *int, bool) {}, builtin.Sum(new(int))) },
}

func TestMemberAfterItsLaunch(t *testing.T) {
	const want = "team: a member was used after its launch, or its sub-group after its call: expected a Member in the call that it was given to, until that returns"
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, size := range []int{1, 3} {
			p := policy.Team(2, size).Scratch(0, 64, 64).On(space)
			for _, broken := range []bool{false, true} {
				var k kept
				err := func() error {
					defer func() { _ = recover() }()
					return exec.ParallelFor(p, func(m *team.Member) {
						k.take(m)
						if broken && m.LeagueRank() == 1 {
							panic("broken")
						}
					})
				}()
				require.NoError(t, err)
				for name, use := range uses {
					func() {
						defer func() {
							err, _ := recover().(error)
							assert.ErrorContains(t, err, want, "%s in a team of %d", name, size)
						}()
						use(k)
					}()
				}
			}
			for name, use := range uses { // in another launch, which is another space's
				var k kept
				require.NoError(t, exec.ParallelFor(p, k.take))
				err := exec.ParallelFor(policy.Team(1, 1).On(exec.Serial{}), func(*team.Member) { use(k) })
				assert.ErrorContains(t, err, want, name)
			}
		}
	})
}
