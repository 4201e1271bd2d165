package team_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/team"
)

// choosy is a reducer whose traits and identity are not those of its type.
type choosy struct {
	reducers.Base[int]
	unit  int
	tells bool // of an initial value
}

func (c choosy) Init(val *int)               { *val = c.unit }
func (choosy) Join(dst, src *int)            { *dst += *src }
func (c choosy) Traits() concept.Traits[int] { return concept.Traits[int]{Initial: c.tells} }

// raised is a maximum of at least *least: a struct of pointers of one type, of which one is not to its result.
type raised struct{ result, least *int }

func (r raised) Init(val *int)    { *val = *r.least }
func (raised) Join(dst, src *int) { *dst = max(*dst, *src) }
func (raised) Final(*int)         {}
func (r raised) Reference() *int  { return r.result }

// pointer is a reducer that is a pointer itself, and must not be asked for its place if it is nil.
type pointer int

func (*pointer) Init(val *pointer)      { *val = 0 }
func (*pointer) Join(dst, src *pointer) { *dst += *src }
func (*pointer) Final(*pointer)         {}
func (p *pointer) Reference() *pointer  { _ = *p; return p }

// What is known of one reducer holds for others of its type, if these are nothing but a pointer to
// a result, and for no others.
func TestReducersOfManyKindsInOneTeam(t *testing.T) {
	join := func(dst, src *int) { *dst += *src }
	times := func(dst, src *int) { *dst *= *src }
	for _, size := range []int{1, 3} {
		got := make([]int, 12)
		var p, q pointer
		low, high := 3, 300
		require.NoError(t, exec.ParallelFor(policy.Team(1, size).Vector(2).On(exec.Serial{}), func(m *team.Member) {
			reduce := func(red reducers.Reducer[int]) {
				team.Reduce(team.TeamVectorRange(m, 5), func(i int, acc *int) {
					x := i + 1
					red.Join(acc, &x)
				}, red)
			}
			for range 3 { // so that each comes after all others, too
				own := make([]int, len(got))
				for k := range own {
					own[k] = 100
				}
				reduce(builtin.Sum(&own[0]))
				reduce(builtin.Max(&own[1]))
				reduce(reducers.WithInitial(builtin.Sum(&own[2])))
				reduce(builtin.Prod(&own[3]))
				reduce(builtin.Min(&own[4]))
				reduce(reducers.New(&own[5], join))
				reduce(reducers.New(&own[6], times, reducers.Init(func(x *int) { *x = 2 }))) //gokkosvet:ignore another initial value
				reduce(choosy{Base: reducers.Into(&own[7]), tells: true})
				reduce(choosy{Base: reducers.Into(&own[8]), unit: 1000})
				reduce(reducers.Ordered(builtin.Sum(&own[9])))
				reduce(raised{&own[10], &low})
				reduce(raised{&own[11], &high})
				if m.Rank() == m.Size()-1 {
					copy(got, own)
				}
				team.Reduce(team.ThreadRange(m, 5), func(i int, acc *pointer) { *acc += pointer(i) }, reducers.Reducer[pointer](&p))
				team.Reduce(team.ThreadRange(m, 4), func(i int, acc *pointer) { *acc += pointer(i) }, reducers.Reducer[pointer](&q))
			}
		}))
		lanes := map[int]int{1: 2, 3: 5}[size] // that have items: each begins with the identity
		assert.Equal(t, []int{15, 5, 115, 120, 1, 15, 120 << lanes, 115, 15 + 1000*lanes, 15, 5, 300}, got, "team of %d", size)
		assert.Equal(t, []pointer{10, 6}, []pointer{p, q})
	}
}

// A reducer that cannot be used is an error behind one of its type that can.
func TestReducersWithoutAPlaceBehindOthers(t *testing.T) {
	for _, size := range []int{1, 2} {
		var sum float64
		var p pointer
		for name, last := range map[string]func(m *team.Member){
			"builtin.sum[float64] has a nil result place": func(m *team.Member) {
				team.Reduce(team.ThreadRange(m, 2), func(int, *float64) {}, builtin.Sum[float64](nil))
			},
			"the reducer is nil": func(m *team.Member) {
				team.Reduce(team.ThreadRange(m, 2), func(int, *pointer) {}, reducers.Reducer[pointer]((*pointer)(nil)))
			},
			"reducer is nil": func(m *team.Member) { team.Reduce(team.ThreadRange(m, 2), func(int, *float64) {}, nil) },
		} {
			err := exec.ParallelFor(policy.Team(1, size).On(exec.Serial{}), func(m *team.Member) {
				team.Reduce(team.ThreadRange(m, 2), func(_ int, acc *float64) { *acc += math.Pi }, builtin.Sum(&sum))
				team.Reduce(team.ThreadRange(m, 2), func(_ int, acc *pointer) { *acc++ }, reducers.Reducer[pointer](&p))
				last(m)
			})
			require.ErrorContains(t, err, name, "team of %d", size)
		}
		assert.Equal(t, 2*math.Pi, sum)
	}
}

// failing is a reducer whose Init panics once.
type failing struct{ reducers.Base[int] }

var fail bool

func (failing) Init(val *int) {
	if fail {
		fail = false
		panic("on purpose")
	}
	*val = 7
}
func (failing) Join(dst, src *int) { *dst = min(*dst, *src) }

// A functor may go on behind a panic of its reducer, of which nothing is known then.
func TestReducerWhoseInitPanicsOnce(t *testing.T) {
	fail = true
	var least int
	require.NoError(t, exec.ParallelFor(policy.Team(1, 1).On(exec.Serial{}), func(m *team.Member) {
		reduce := func() {
			team.Reduce(team.VectorRange(m, 3), func(i int, acc *int) { *acc = min(*acc, 10+i) }, reducers.Reducer[int](failing{reducers.Into(&least)}))
		}
		require.PanicsWithValue(t, "on purpose", reduce)
		reduce()
	}))
	assert.Equal(t, 7, least)
}
