package team_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

// Groups of one combine in the member, which may suspend there.
func TestGroupsOfOneShareNothing(t *testing.T) {
	for _, seed := range []uint64{0, 1, 2, 3} {
		sim := exec.NewSimGPU(gpu.Device{SubGroup: 1}).WithSchedule(seed)
		for _, space := range []exec.Space{exec.Serial{}, sim} {
			var all [3]bool
			var sums [3]int
			require.NoError(t, exec.ParallelFor(policy.Team(1, 3).SubGroup(1).On(space), func(m *team.Member) {
				sg, r := m.SubGroup(), m.Rank()
				x := []int{r}
				all[r] = group.JointAll(sg, x, func(v int) bool { m.Barrier(); return v == m.Rank() && v != 1 })
				sums[r] = group.AllReduceFrom(sg, 10*r, r, func(p *int) reducers.Func[int] {
					return reducers.New(p, func(dst, src *int) { m.Barrier(); *dst += *src })
				})
			}))
			assert.Equal(t, [3]bool{true, false, true}, all)
			assert.Equal(t, [3]int{0, 11, 22}, sums)
		}
		require.NoError(t, sim.Close())
	}
}

// A collective in the function of another one is reported, at its own line.
func TestCollectivesInFunctionsOfCollectives(t *testing.T) {
	x, y := []int{1, 2}, make([]int, 2)
	line := at(1)
	inner := func(g team.Group) int { return team.AllReduce(g, 1, builtin.Sum) }
	adds := func(f func()) func(p *int) reducers.Func[int] {
		return func(p *int) reducers.Func[int] {
			return reducers.New(p, func(dst, src *int) { f(); *dst += *src })
		}
	}
	for name, call := range map[string]func(g team.Group, f func()){
		"pred":         func(g team.Group, f func()) { group.JointAll(g, x, func(int) bool { f(); return true }) },
		"join":         func(g team.Group, f func()) { group.AllReduceFrom(g, 1, 2, adds(f)) },
		"scan":         func(g team.Group, f func()) { group.InclusiveScan(g, 1, adds(f)) },
		"joint reduce": func(g team.Group, f func()) { group.JointReduce(g, x, adds(f)) },
		"joint scan":   func(g team.Group, f func()) { group.JointInclusiveScan(g, y, x, adds(f)) },
		"broadcast":    func(g team.Group, f func()) { team.BroadcastFunc(g, func(*int) { f() }, 1, 0) },
		"constructor": func(g team.Group, f func()) {
			team.AllReduce(g, 1, func(p *int) reducers.Func[int] { f(); return adds(f)(p) })
		},
	} {
		for _, p := range []policy.TeamPolicy{policy.Team(2, 1).On(exec.Serial{}), policy.Team(2, 3).SubGroup(1).On(exec.Serial{})} {
			t.Run(fmt.Sprint(name, " in a team of ", p.Plan().Team.Size), func(t *testing.T) {
				for _, other := range []bool{false, true} {
					err := exec.ParallelFor(p.On(exec.Serial{}), func(m *team.Member) {
						g, h := team.Group(m.SubGroup()), team.Group(m)
						if !other {
							h = g
						}
						call(g, func() { inner(h) })
					})
					require.ErrorContains(t, err, "team: the function of a collective must call no collective, at "+line)
				}
			})
		}
	}
	// The function of a collective of several runs in nobody, its constructor in a member.
	several := policy.Team(1, 3).On(exec.Serial{})
	err := exec.ParallelFor(several, func(m *team.Member) { team.AllReduce(m, 1, adds(func() { inner(m) })) })
	require.Error(t, err)
	err = exec.ParallelFor(several, func(m *team.Member) {
		team.AllReduce(m, 1, func(p *int) reducers.Func[int] { inner(m); return adds(func() {})(p) })
	})
	require.ErrorContains(t, err, "must call no collective, at "+line)
}

// A member that recovers may go on.
func TestAfterAPanicInTheFunctionOfACollective(t *testing.T) {
	require.NoError(t, exec.ParallelFor(policy.Team(2, 3).SubGroup(1).On(exec.Serial{}), func(m *team.Member) {
		sg := m.SubGroup()
		assert.Panics(t, func() { group.JointAll(sg, []int{1}, func(int) bool { panic("broken") }) })
		assert.Panics(t, func() { team.BroadcastFunc(sg, func(*int) { panic("broken") }, 1, 0) })
		assert.Panics(t, func() { team.AllReduce(sg, 1, func(p *int) reducers.Func[int] { panic("broken") }) })
		assert.Equal(t, m.Rank(), team.AllReduce(sg, m.Rank(), builtin.Sum))
	}))
}

func TestNothingToCallOrToCallItIn(t *testing.T) {
	var zero team.SubGroup
	var m *team.Member
	var sg *team.SubGroup
	groups := map[string]team.Group{"nil": nil, "nil member": m, "zero member": new(team.Member), "nil sub-group": sg, "zero sub-group": &zero}
	count := func(_ int, acc *int) { *acc++ }
	scan := func(_ int, acc *int, _ bool) { *acc++ }
	x := []int{1}
	type cases map[string]func(m *team.Member)
	bad := cases{}
	for name, g := range groups {
		for what, call := range map[string]func(g team.Group){
			"vote":      func(g team.Group) { group.All(g, true) },
			"broadcast": func(g team.Group) { team.Broadcast(g, 1, 0) },
			"reduce":    func(g team.Group) { team.AllReduce(g, 1, builtin.Sum) },
			"scan":      func(g team.Group) { group.InclusiveScan(g, 1, builtin.Sum) },
			"joint":     func(g team.Group) { group.JointReduce(g, x, builtin.Sum) },
			"search":    func(g team.Group) { group.JointAll(g, x, func(int) bool { return true }) },
			"single":    func(g team.Group) { team.Single(g, func() {}) },
			"value":     func(g team.Group) { team.SingleValue(g, func() int { return 1 }) },
		} {
			want := "the group is nil"
			if strings.HasPrefix(name, "zero") {
				want = "a member was used after its launch"
			}
			bad[what+" of a "+name+" group: "+want] = func(*team.Member) { call(g) }
		}
	}
	var none team.Range[int]
	var none2 team.Range[team.Index2]
	for name, call := range (cases{
		"shuffle of a zero sub-group: a member was used after its launch":  func(*team.Member) { group.Shuffle(&zero, 1, 0) },
		"shuffle of a nil sub-group: the group is nil":                     func(*team.Member) { group.ShuffleXor(nil, 1, 0) },
		"shuffles of a zero sub-group: a member was used after its launch": func(*team.Member) { group.ShuffleDown(&zero, 1, 0); group.ShuffleUp(&zero, 1, 0) },
		"for: the functor is nil":                                          func(m *team.Member) { team.For(team.ThreadRange(m, 1), nil) },
		"empty for: the functor is nil":                                    func(m *team.Member) { team.For(team.VectorRange(m, 0), nil) },
		"2D for: the functor is nil":                                       func(m *team.Member) { team.For(team.ThreadRange2(m, 1, 1), nil) },
		"reduce: the functor is nil":                                       func(m *team.Member) { team.Reduce[int](team.ThreadRange(m, 1), nil, builtin.Sum(new(int))) },
		"scan: the functor is nil":                                         func(m *team.Member) { team.Scan[int](team.ThreadRange(m, 1), nil, builtin.Sum(new(int))) },
		"single: the function is nil":                                      func(m *team.Member) { team.Single(m, nil) },
		"single value: the function is nil":                                func(m *team.Member) { team.SingleValue[int](m, nil) },
		"broadcast: the function is nil":                                   func(m *team.Member) { team.BroadcastFunc(m, nil, 1, 0) },
		"for over nothing: the range is its zero":                          func(*team.Member) { team.For(none, func(int) {}) },
		"2D over nothing: the range is its zero":                           func(*team.Member) { team.For(none2, func(team.Index2) {}) },
		"reduce over nothing: the range is its zero":                       func(*team.Member) { team.Reduce(none, count, builtin.Sum(new(int))) },
		"two over nothing: the range is its zero": func(*team.Member) {
			team.Reduce2(none, func(int, *int, *int) {}, builtin.Sum(new(int)), builtin.Sum(new(int)))
		},
		"scan over nothing: the range is its zero": func(*team.Member) { team.Scan(none, scan, builtin.Sum(new(int))) },
	}) {
		bad[name] = call
	}
	for name, call := range bad {
		_, want, _ := strings.Cut(name, ": ")
		for _, size := range []int{1, 3} {
			err := exec.ParallelFor(policy.Team(1, size).On(exec.Serial{}), call)
			assert.ErrorContains(t, err, want, name)
			assert.ErrorContains(t, err, ", at misuse_test.go:", name)
		}
	}
}
