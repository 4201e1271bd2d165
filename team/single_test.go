package team

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/teams"
)

func TestSingleRunsOncePerGroup(t *testing.T) {
	everyTeam(t, func(m *Member) {
		calls := 0
		Single(m, func() { calls++ })
		require.Equal(t, m.Rank() == 0, calls == 1)
		Single(m.SubGroup(), func() { calls += 2 })
		require.Equal(t, m.SubGroup().Rank() == 0, calls > 1)
	})
}

func TestSingleValueReachesAll(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for k := range 5 {
			seen := SingleValue(m, func() int {
				require.Zero(t, m.Rank())
				return 7*k + m.LeagueRank()
			})
			require.Equal(t, 7*k+m.LeagueRank(), seen)
			sg := m.SubGroup()
			require.Equal(t, sg.ID()+k, SingleValue(sg, func() int { return m.Rank()/8 + k }))
			require.Equal(t, "x", SingleValue(m, func() string { return "x" }))
		}
	})
}

func TestSingleValueThatSomeMembersDoNotReachIsReported(t *testing.T) {
	err := runs(t, flat(1, 4), teams.Settings{}, func(m *Member) {
		if m.Rank() != 3 {
			SingleValue(m, func() float64 { return 1 })
		}
	})
	var d *lane.Divergence
	require.ErrorAs(t, err, &d)
	require.Equal(t, "single float64", d.Places[0].Op.String())
	require.ErrorContains(t, err, "single_test.go")
}
