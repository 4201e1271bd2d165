package team_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

// launch runs one team of eight members in sub-groups of four and returns its error.
func launch(t *testing.T, seed uint64, body func(m *team.Member)) (err error) {
	t.Helper()
	e := lane.New()
	defer func() { require.NoError(t, e.Close()) }()
	shape := space.TeamShape{League: 1, Size: 8, Dims: [3]int{4, 2, 1}, Vector: 1, SubGroup: 4}
	require.NoError(t, e.Do(func() { err = teams.New(shape, teams.Settings{Schedule: seed}, body).Run(e, 0) }))
	return err
}

// at returns the place n lines below the call, as errors name it.
func at(n int) string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line+n)
}

// sameOnEverySchedule returns the message of the error that every schedule gives.
func sameOnEverySchedule(t *testing.T, body func(m *team.Member)) string {
	t.Helper()
	text := ""
	for _, seed := range []uint64{0, 1, 2, 3} {
		err := launch(t, seed, body)
		require.Error(t, err)
		message := err.Error()
		if misuse := new(lane.Misuse); errors.As(err, &misuse) {
			message = misuse.Error()
		}
		if text == "" {
			text = message
		}
		require.Equal(t, text, message)
	}
	return text
}

func TestMisuse(t *testing.T) {
	broken := func(*int) reducers.Func[int] { return reducers.New[int](nil, nil) }
	initial := func(p *int) reducers.Modified[int] { return reducers.WithInitial(builtin.Sum(p)) }
	type pair struct{ a, b int }
	lone := func(p *pair) reducers.Reducer[pair] {
		return reducers.Field(func(p *pair) *int { return &p.a }, builtin.Sum(&p.a))
	}
	var none func(p *int) reducers.Func[int]
	for name, c := range map[string]struct {
		body func(m *team.Member)
		want string
	}{
		"no id":          {func(m *team.Member) { team.Broadcast(m, 1) }, "team: Broadcast: expected an id of 1 to 3 numbers, a rank or a place in the team's dimensions, given 0: []"},
		"four numbers":   {func(m *team.Member) { team.Broadcast(m, 1, 0, 0, 0, 0) }, "team: Broadcast: expected an id of 1 to 3 numbers, a rank or a place in the team's dimensions, given 4: [0 0 0 0]"},
		"id":             {func(m *team.Member) { team.Broadcast(m, 1, 8) }, "team: Broadcast: there is no member 8 in a group of 8"},
		"negative id":    {func(m *team.Member) { team.BroadcastFunc(m, func(*int) {}, 1, -1) }, "team: BroadcastFunc: there is no member -1 in a group of 8"},
		"place":          {func(m *team.Member) { team.Broadcast(m, 1, 0, 2) }, "team: Broadcast: there is no member [0 2] in a team of [4 2 1]"},
		"many numbers":   {func(m *team.Member) { team.Broadcast(m, 1, make([]int, 100_000)...) }, "team: Broadcast: expected an id of 1 to 3 numbers, a rank or a place in the team's dimensions, given 100000: [0 0 0 0 0 0 0 0 ... 100000 in all]"},
		"no place":       {func(m *team.Member) { team.Broadcast(m.SubGroup(), 1, 0, 1) }, "team: Broadcast: expected one id, a rank in the sub-group, given 2: [0 1]"},
		"sub-group":      {func(m *team.Member) { team.Broadcast(m.SubGroup(), 1, 4) }, "team: Broadcast: there is no member 4 in a group of 4"},
		"ids":            {func(m *team.Member) { team.Broadcast(m, 1, m.Rank()/3) }, "team: Broadcast: the id must be the same for all members: member 0 asks for the value of member 0, member 3 for that of member 1"},
		"nil function":   {func(m *team.Member) { team.BroadcastFunc(m, nil, 1, 0) }, "team: BroadcastFunc: the function is nil"},
		"nil operation":  {func(m *team.Member) { team.AllReduce(m, 1, none) }, "team: AllReduce: the operation is nil: expected the constructor of a reducer, such as builtin.Sum"},
		"broken reducer": {func(m *team.Member) { team.ExclusiveScan(m, 1, broken) }, "team: ExclusiveScan: reducers: New was given a nil join function"},
		"lone field":     {func(m *team.Member) { team.AllReduce(m, pair{b: 1}, lone) }, "team: AllReduce: reducers: no reducer owns field pair.b"},
		"initial value":  {func(m *team.Member) { team.AllReduce(m, 1, initial) }, "team: AllReduce: a collective has no result place with an old result: give the initial value to the From form of package group instead"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Regexp(t, "^"+regexp.QuoteMeta(c.want)+`, at collective_misuse_test.go:\d+$`, sameOnEverySchedule(t, c.body))
		})
	}
	line := at(1)
	text := sameOnEverySchedule(t, func(m *team.Member) { team.Broadcast(m, 1, 8) })
	assert.Contains(t, text, ", at "+line)
	line = at(1)
	text = sameOnEverySchedule(t, func(m *team.Member) { team.Broadcast(m, 1, m.Rank()) })
	assert.Contains(t, text, ", at "+line)
}

func TestMisuseInATeamOfOne(t *testing.T) {
	for _, body := range []func(m *team.Member){
		func(m *team.Member) { team.Broadcast(m, 1, 1) },
		func(m *team.Member) { team.Broadcast(m, 1) },
		func(m *team.Member) { group.Shuffle(m.SubGroup(), 1, 1) },
		func(m *team.Member) { team.AllReduce[int, reducers.Func[int]](m, 1, nil) },
	} {
		r := teams.New(space.TeamShape{League: 1, Size: 1, Dims: [3]int{1, 1, 1}, Vector: 1}, teams.Settings{}, body)
		assert.Panics(t, func() { _ = r.Run(nil, 0) })
	}
}

func TestDivergence(t *testing.T) {
	first := at(4)
	half := sameOnEverySchedule(t, func(m *team.Member) {
		if m.Rank() < 4 {

			team.AllReduce(m, 1.0, builtin.Sum)
		}
	})
	assert.Equal(t, "reduce builtin.sum[float64] at "+first+": 4 of 8 lanes arrived (0-3); 4 lanes returned early (4-7)", half)

	first, second := at(3), at(5)
	two := sameOnEverySchedule(t, func(m *team.Member) {
		if m.Rank()%2 == 0 {
			team.AllReduce(m, 1.0, builtin.Sum)
		} else {
			group.InclusiveScan(m, 1, builtin.Sum)
		}
	})
	assert.Equal(t, "reduce builtin.sum[float64] at "+first+": 4 of 8 lanes arrived (0, 2, 4, 6); "+
		"inclusive scan builtin.sum[int] at "+second+": 4 of 8 lanes arrived (1, 3, 5, 7)", two)

	first = at(6)
	ops := sameOnEverySchedule(t, func(m *team.Member) {
		op := builtin.Sum[int]
		if m.Rank() > 2 {
			op = builtin.Max
		}
		team.AllReduce(m, 1, op)
	})
	assert.Equal(t, "reduce builtin.sum[int] at "+first+": 3 of 8 lanes arrived (0-2); "+
		"reduce builtin.maximum[int] at "+first+": 5 of 8 lanes arrived (3-7)", ops)

	first, second = at(3), at(5)
	groups := sameOnEverySchedule(t, func(m *team.Member) {
		if m.Rank() != 5 {
			team.Broadcast(m.SubGroup(), "x", 0)
		} else {
			group.All(m, true)
		}
	})
	assert.Equal(t, "broadcast string at "+first+" of lanes 4-7: 3 of 4 lanes arrived (4, 6-7); all at "+second+
		": 1 of 8 lanes arrived (5); 4 lanes returned early (0-3)", groups)
}

// Constructors of one type are one operation: members may have closures of their own.
func TestConstructorsMayDiffer(t *testing.T) {
	require.NoError(t, launch(t, 0, func(m *team.Member) {
		op := func(p *int) builtin.Reduction[int, int] { return builtin.Sum(p) }
		if m.Rank() == 3 {
			op = func(p *int) builtin.Reduction[int, int] { return builtin.Sum(p) }
		}
		assert.Equal(t, 28, team.AllReduce(m, m.Rank(), op))
	}))
}
