package group_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

func TestShuffles(t *testing.T) {
	for _, size := range few(groupSizes, 1, 2, 7, 33) {
		for _, width := range few(subGroups, 1, 8, 32) {
			for _, seed := range few(schedules, 0, 7) {
				shape := flat(2, size)
				shape.SubGroup = width
				require.NoError(t, runs(t, shape, teams.Settings{Schedule: seed}, func(m *team.Member) {
					sg := m.SubGroup()
					r, n := sg.Rank(), sg.Size()
					begin := m.Rank() - r
					own := func(from int) int {
						if from < 0 || from >= n {
							from = r
						}
						return begin + from
					}
					assert.Equal(t, begin+(r*5+2)%n, group.Shuffle(sg, m.Rank(), (r*5+2)%n))
					for _, k := range []int{0, 1, 2, 3, 7, 31, 64, 1000} {
						assert.Equal(t, own(r-k), group.ShuffleUp(sg, m.Rank(), k))
						assert.Equal(t, own(r+k), group.ShuffleDown(sg, m.Rank(), k))
						assert.Equal(t, own(r^k), group.ShuffleXor(sg, m.Rank(), k))
					}
					assert.Equal(t, m.Rank(), group.ShuffleUp(sg, m.Rank(), math.MaxInt))
					assert.Equal(t, m.Rank(), group.ShuffleDown(sg, m.Rank(), math.MaxInt))
					assert.Equal(t, own(r+r%3), group.ShuffleDown(sg, m.Rank(), r%3), "a delta of each member's own")
				}))
			}
		}
	}
}
