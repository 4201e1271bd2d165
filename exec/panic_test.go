package exec_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/team"
)

var errTrip = errors.New("tripped")

// tripping is a reducer that panics when it is asked what it is for the at-th time.
type tripping struct {
	reducers.Func[int]
	calls *int
	at    int
}

func (r tripping) trip() {
	if *r.calls++; *r.calls == r.at {
		panic(errTrip)
	}
}

func (r tripping) Reference() *int {
	r.trip()
	return r.Func.Reference()
}

func (r tripping) Traits() concept.Traits[int] {
	r.trip()
	return r.Func.Traits()
}

func (r tripping) Fold() reducers.Fold[int] {
	r.trip()
	return reducers.Folding(r, func(acc *int, _ int, x int) { *acc += x }).Fold()
}

// Whatever a reducer panics in, the launch panics with a *Panic and the result is kept.
func TestPanicsOfReducersThatAreAsked(t *testing.T) {
	other := 0
	plain := reducers.New(&other, addInt)
	field := func(r reducers.Reducer[int]) reducers.Reducer[pair] {
		return reducers.Field(func(s *pair) *int { return &s.A }, r)
	}
	otherField := reducers.Field(func(s *pair) *int { return &s.B }, reducers.Reducer[int](plain))
	p := policy.Range(0, 10).On(exec.Serial{}).WithLabel("trip")
	spans := policy.Spans(0, 10).On(exec.Serial{}).WithLabel("trip")
	teams := policy.Team(10, 2).On(exec.Serial{}).WithLabel("trip")
	for name, launch := range map[string]func(r tripping) error{
		"ParallelReduce":  func(r tripping) error { return exec.ParallelReduce(p, func(int, *int) {}, r) },
		"ParallelReduce2": func(r tripping) error { return exec.ParallelReduce2(p, func(_ int, _, _ *int) {}, plain, r) },
		"ParallelReduce3": func(r tripping) error {
			return exec.ParallelReduce3(p, func(_ int, _, _ *int, _ *pair) {}, reducers.New(new(int), addInt), r, reducers.New(new(pair), func(_, _ *pair) {}))
		},
		"ParallelReduce4": func(r tripping) error {
			return exec.ParallelReduce4(p, func(_ int, _, _, _, _ *int) {}, plain, reducers.New(new(int), addInt), reducers.New(new(int), addInt), r)
		},
		"fields": func(r tripping) error {
			return exec.ParallelReduce(p, func(int, *pair) {}, field(r), otherField)
		},
		"lanes": func(r tripping) error { return exec.ParallelReduceLanes(spans, func(exec.Lanes[int]) {}, r) },
		"scan":  func(r tripping) error { return exec.ParallelScan(p, func(int, *int, bool) {}, r) },
		"fold": func(r tripping) error {
			return exec.ParallelFold(exec.Map(p, func(i int) int { return i }), plain, r)
		},
		"teams": func(r tripping) error { return exec.ParallelReduce(teams, func(*team.Member, *int) {}, r) },
		"teams2": func(r tripping) error {
			return exec.ParallelReduce2(teams, func(_ *team.Member, _, _ *int) {}, r, plain)
		},
		"nested": func(r tripping) error {
			return exec.ParallelFor(policy.Team(10, 1).On(exec.Serial{}).WithLabel("trip"), func(m *team.Member) {
				if m.LeagueRank() == 0 {
					team.Reduce(team.VectorRange(m, 5), func(int, *int) {}, r)
				}
			})
		},
		"initial": func(r tripping) error {
			return exec.ParallelReduce(p, func(int, *int) {}, reducers.WithInitial(r))
		},
	} {
		t.Run(name, func(t *testing.T) {
			trips := 0
			for at := 1; ; at++ {
				require.Less(t, at, 100)
				calls, result := 0, 7
				got, err := panicOf(func() error { return launch(tripping{reducers.New(&result, addInt), &calls, at}) })
				if calls < at {
					require.NoError(t, err)
					break
				}
				trips++
				require.IsType(t, &exec.Panic{}, got, fmt.Sprint("call ", at))
				panicked := got.(*exec.Panic)
				assert.ErrorIs(t, panicked, errTrip)
				assert.Equal(t, "trip", panicked.Label)
				assert.Contains(t, string(panicked.Stack), "tripping.trip")
				assert.Zero(t, panicked.Begin)
				assert.NotZero(t, panicked.End)
				assert.Equal(t, 7, result)
			}
			assert.Greater(t, trips, 1)
		})
	}
}

// panicOf returns what a launch panics with, or its error.
func panicOf(launch func() error) (value any, err error) {
	defer func() { value = recover() }()
	return nil, launch()
}
