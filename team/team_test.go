package team

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/teams"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// flat returns the shape of a league of teams in one dimension.
func flat(league, size int) space.TeamShape {
	return space.TeamShape{League: league, Size: size, Dims: [3]int{size, 1, 1}, Vector: 1, SubGroup: 8}
}

// runs runs a league of teams, one after the other, and returns the first error.
func runs(t testing.TB, shape space.TeamShape, s teams.Settings, body func(m *Member)) (err error) {
	t.Helper()
	e := lane.New()
	defer func() { require.NoError(t, e.Close()) }()
	require.NoError(t, e.Do(func() {
		r := newRunner(shape, s, body)
		for k := 0; k < shape.League && err == nil; k++ {
			err = r.Run(e, k)
		}
	}))
	return err
}

func TestMembersKnowTheirPlace(t *testing.T) {
	shape := space.TeamShape{League: 3, Size: 24, Dims: [3]int{4, 3, 2}, Vector: 2, SubGroup: 10}
	var ranks []int
	require.NoError(t, runs(t, shape, teams.Settings{}, func(m *Member) {
		x, y, z := m.LocalID()
		require.Equal(t, m.Rank(), x+4*(y+3*z))
		require.Equal(t, 3, m.LeagueSize())
		require.Equal(t, 24, m.Size())
		require.Equal(t, 2, m.VectorLength())
		sg := m.SubGroup()
		require.Equal(t, m.Rank(), sg.ID()*10+sg.Rank())
		require.Equal(t, min(10, 24-10*sg.ID()), sg.Size())
		require.Equal(t, 3, sg.Count())
		require.Equal(t, 10, sg.MaxSize())
		ranks = append(ranks, m.LeagueRank()*24+m.Rank())
	}))
	require.Len(t, ranks, 72)
	for k, r := range ranks {
		require.Equal(t, k, r)
	}
}
