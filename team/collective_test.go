package team

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/reducers"
)

// few returns all, or under -short the chosen ones.
func few[T any](all []T, chosen ...T) []T {
	if testing.Short() {
		return chosen
	}
	return all
}

func TestBroadcast(t *testing.T) {
	for _, size := range few([]int{1, 2, 3, 8, 16, 33, 100}, 1, 2, 33) {
		shape, calls := flat(2, size), 0
		require.NoError(t, runs(t, shape, teams.Settings{Schedule: uint64(size)}, func(m *Member) {
			for _, g := range []Group{m, m.SubGroup()} {
				begin := m.Rank() - g.Rank()
				for id := range g.Size() {
					assert.Equal(t, begin+id, Broadcast(g, m.Rank(), id))
					assert.Equal(t, fmt.Sprint(begin+id), Broadcast(g, fmt.Sprint(m.Rank()), id))
				}
				x := BroadcastFunc(g, func(x *int) { calls++; *x *= 10 }, m.Rank(), g.Size()-1)
				assert.Equal(t, 10*(begin+g.Size()-1), x)
			}
		}))
		assert.Equal(t, shape.League*(1+(size-1)/shape.SubGroup+1), calls)
	}
	cube := space.TeamShape{League: 1, Size: 24, Dims: [3]int{4, 3, 2}, Vector: 1, SubGroup: 5}
	require.NoError(t, runs(t, cube, teams.Settings{Schedule: 3}, func(m *Member) {
		for z := range 2 {
			for y := range 3 {
				for x := range 4 {
					assert.Equal(t, x+4*(y+3*z), Broadcast(m, m.Rank(), x, y, z))
					assert.Equal(t, x+4*y, Broadcast(m, m.Rank(), x, y))
				}
			}
		}
	}))
}

func TestReducerIsMadeAnew(t *testing.T) {
	var results []int
	require.NoError(t, runs(t, flat(1, 4), teams.Settings{}, func(m *Member) {
		for k := range 6 {
			x := AllReduce(m, 10+m.Rank(), func(p *int) reducers.Func[int] {
				return reducers.New(p, func(dst, src *int) { *dst += *src }, reducers.Final(func(x *int) { *x %= 7 + k }))
			})
			if m.Rank() == 0 {
				results = append(results, x)
			}
		}
	}))
	assert.Equal(t, []int{46 % 7, 46 % 8, 46 % 9, 46 % 10, 46 % 11, 46 % 12}, results)
}

func TestATeamOfOneRecovers(t *testing.T) {
	broken := func(p *int) reducers.Func[int] {
		return reducers.New(p, func(dst, src *int) { *dst += *src }, reducers.Final(func(*int) { panic("broken") }))
	}
	require.NoError(t, runs(t, flat(1, 1), teams.Settings{}, func(m *Member) {
		assert.PanicsWithValue(t, "broken", func() { AllReduce(m, 1, broken) })
		assert.Equal(t, 5, AllReduce(m, 5, builtin.Sum))
	}))
}

func TestPanicInAJoin(t *testing.T) {
	broken := func(p *int) reducers.Func[int] {
		return reducers.New(p, func(dst, src *int) { panic("broken") })
	}
	for _, seed := range []uint64{0, 1, 7} {
		calls := 0
		err := runs(t, flat(2, 10), teams.Settings{Schedule: seed}, func(m *Member) {
			calls++
			AllReduce(m, 1, broken)
		})
		var p *lane.Panic
		require.ErrorAs(t, err, &p)
		assert.Equal(t, "broken", p.Value)
		assert.Equal(t, 0, p.Lane)
		assert.Equal(t, 10, calls)
	}
}
