package group_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

var (
	groupSizes = []int{1, 2, 3, 5, 7, 8, 16, 31, 32, 33, 64, 100}
	subGroups  = []int{1, 3, 8, 16, 32, 64}
	schedules  = []uint64{0, 1, 7}
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// flat returns the shape of a league of teams in one dimension.
func flat(league, size int) space.TeamShape {
	return space.TeamShape{League: league, Size: size, Dims: [3]int{size, 1, 1}, Vector: 1, SubGroup: 8}
}

// runs runs a league of teams, one after the other, and returns the first error.
func runs(t testing.TB, shape space.TeamShape, s teams.Settings, body func(m *team.Member)) (err error) {
	t.Helper()
	e := lane.New()
	defer func() { require.NoError(t, e.Close()) }()
	require.NoError(t, e.Do(func() {
		r := teams.New(shape, s, body)
		for k := 0; k < shape.League && err == nil; k++ {
			err = r.Run(e, k)
		}
	}))
	return err
}

// few returns all, or under -short the chosen ones.
func few[T any](all []T, chosen ...T) []T {
	if testing.Short() {
		return chosen
	}
	return all
}

// onGroups calls f for every team, alone and cut into sub-groups, on every schedule.
// in cuts what the members of the team have into what the groups have.
func onGroups(t *testing.T, f func(t *testing.T, s teams.Settings, shape space.TeamShape, of func(m *team.Member) team.Group, width int)) {
	for _, size := range few(groupSizes, 1, 2, 7, 33) {
		for _, seed := range few(schedules, 0, 7) {
			s := teams.Settings{Schedule: seed}
			t.Run(fmt.Sprintf("team of %d, seed %d", size, seed), func(t *testing.T) {
				f(t, s, flat(2, size), func(m *team.Member) team.Group { return m }, size)
			})
			for _, width := range few(subGroups, 1, 8, 32) {
				if size != 64 && size != 33 {
					continue
				}
				shape := flat(2, size)
				shape.SubGroup = width
				t.Run(fmt.Sprintf("team of %d in sub-groups of %d, seed %d", size, width, seed), func(t *testing.T) {
					f(t, s, shape, func(m *team.Member) team.Group { return m.SubGroup() }, width)
				})
			}
		}
	}
}

// rootOf joins x as AllReduce promises to, written down once more.
func rootOf[T any](x []T, join func(a, b T) T) T {
	if len(x) == 1 {
		return x[0]
	}
	h := 1
	for 2*h < len(x) {
		h *= 2
	}
	return join(rootOf(x[:h], join), rootOf(x[h:], join))
}

// prefixTree returns the prefixes of x as ExclusiveScan promises them.
func prefixTree[T any](prefix T, x []T, identity T, join func(a, b T) T) []T {
	if len(x) == 1 {
		return []T{prefix}
	}
	h := 1
	for 2*h < len(x) {
		h *= 2
	}
	right := join(join(identity, prefix), rootOf(x[:h], join))
	return append(prefixTree(prefix, x[:h], identity, join), prefixTree(right, x[h:], identity, join)...)
}

// key is what two values with the same bits have in common.
func key(x any) any {
	if f, ok := x.(float64); ok {
		return math.Float64bits(f)
	}
	return x
}

func keys[T any](x []T) (list []any) {
	for _, v := range x {
		list = append(list, key(v))
	}
	return list
}

// law is an operation with its naive counterpart.
type law[T any, R reducers.Reducer[T]] struct {
	op       func(*T) R
	join     func(a, b T) T
	identity T
	init     T
	value    func(i int) T
	final    func(x T) T
}

func lawOf[T any, R reducers.Reducer[T]](op func(*T) R, join func(a, b T) T, identity, init T, value func(i int) T, final func(x T) T) law[T, R] {
	return law[T, R]{op, join, identity, init, value, final}
}

func (l law[T, R]) test(t *testing.T) {
	final := l.final
	if final == nil {
		final = func(x T) T { return x }
	}
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, of func(m *team.Member) team.Group, width int) {
		const kinds = 6
		x := make([]T, shape.Size)
		for k := range x {
			x[k] = l.value(k)
		}
		var got [kinds][]T
		for k := range got {
			got[k] = make([]T, shape.Size)
		}
		require.NoError(t, runs(t, shape, s, func(m *team.Member) {
			g, r := of(m), m.Rank()
			init := l.init
			if g.Rank() != 0 {
				init = l.value(r) // which does not count
			}
			got[0][r] = team.AllReduce(g, x[r], l.op)
			got[1][r] = group.AllReduceFrom(g, init, x[r], l.op)
			got[2][r] = team.ExclusiveScan(g, x[r], l.op)
			got[3][r] = group.ExclusiveScanFrom(g, init, x[r], l.op)
			got[4][r] = group.InclusiveScan(g, x[r], l.op)
			got[5][r] = group.InclusiveScanFrom(g, init, x[r], l.op)
		}))
		for begin := 0; begin < len(x); begin += width {
			end := min(begin+width, len(x))
			y := x[begin:end]
			all := rootOf(y, l.join)
			want := [kinds][]T{
				slices.Repeat([]T{final(all)}, len(y)),
				slices.Repeat([]T{final(l.join(l.init, all))}, len(y)),
				prefixTree(l.identity, y, l.identity, l.join),
				prefixTree(l.init, y, l.identity, l.join),
			}
			for k := range y {
				want[4] = append(want[4], l.join(want[2][k], y[k]))
				want[5] = append(want[5], l.join(want[3][k], y[k]))
			}
			for k := range want {
				require.Equal(t, keys(want[k]), keys(got[k][begin:end]), "kind %d, from member %d", k, begin)
			}
		}
		for k := range x {
			require.Equal(t, key(l.value(k)), key(x[k]), "the members' own")
		}
	})
}

// floats are values of very different sizes, of both signs, and some -0.
func floats(i int) float64 {
	r := rand.New(rand.NewPCG(1, uint64(i)))
	if i%5 == 0 {
		return math.Copysign(0, -1)
	}
	return (r.Float64() - 0.5) * math.Pow(2, float64(r.IntN(40)))
}

type loc = builtin.ValLoc[float64, int]

func locJoin(a, b loc) loc {
	if b.Val < a.Val || b.Val == a.Val && b.Loc < a.Loc {
		return b
	}
	return a
}

// inRankOrder joins strings, which is not commutative.
func inRankOrder(place *string) reducers.Modified[string] {
	return reducers.Ordered(reducers.New(place, func(dst, src *string) { *dst += *src }))
}

func TestGroupOperations(t *testing.T) {
	num := func(i int) int { return i*37%101 - 50 }
	t.Run("sum int32", lawOf(builtin.Sum, func(a, b int32) int32 { return a + b }, 0, 77, func(i int) int32 { return int32(num(i)) }, nil).test)
	t.Run("sum uint8", lawOf(builtin.Sum, func(a, b uint8) uint8 { return a + b }, 0, 250, func(i int) uint8 { return uint8(num(i)) }, nil).test)
	t.Run("prod int64", lawOf(builtin.Prod, func(a, b int64) int64 { return a * b }, 1, 3, func(i int) int64 { return int64(2*num(i) + 1) }, nil).test)
	t.Run("min int32", lawOf(builtin.Min, func(a, b int32) int32 { return min(a, b) }, math.MaxInt32, -49, func(i int) int32 { return int32(num(i)) }, nil).test)
	t.Run("max int64", lawOf(builtin.Max, func(a, b int64) int64 { return max(a, b) }, math.MinInt64, 40, func(i int) int64 { return int64(num(i)) }, nil).test)
	t.Run("sum float64", lawOf(builtin.Sum, func(a, b float64) float64 { return a + b }, 0, math.Copysign(0, -1), floats, nil).test)
	t.Run("min float64", lawOf(builtin.Min, func(a, b float64) float64 { return min(a, b) }, math.Inf(1), 0, floats, nil).test)
	t.Run("land", lawOf(builtin.LAnd, func(a, b bool) bool { return a && b }, true, true, func(i int) bool { return i != 4 }, nil).test)
	t.Run("lor", lawOf(builtin.LOr, func(a, b bool) bool { return a || b }, false, false, func(i int) bool { return i == 4 }, nil).test)
	t.Run("band", lawOf(builtin.BAnd, func(a, b uint8) uint8 { return a & b }, 255, 0xfe, func(i int) uint8 { return ^uint8(1 << (i % 7)) }, nil).test)
	t.Run("bor", lawOf(builtin.BOr, func(a, b uint8) uint8 { return a | b }, 0, 1, func(i int) uint8 { return 1 << (i % 7) }, nil).test)
	t.Run("bxor", lawOf(builtin.BXor, func(a, b int64) int64 { return a ^ b }, 0, 1, func(i int) int64 { return int64(num(i)) }, nil).test)
	t.Run("string", lawOf(inRankOrder, func(a, b string) string { return a + b }, "", "init ", func(i int) string { return fmt.Sprint(i, " ") }, nil).test)
	t.Run("final", lawOf(builtin.Norm1, func(a, b float64) float64 { return a + b }, 0, 2, floats, nil).test)
	t.Run("own final", lawOf(
		func(p *int) reducers.Func[int] {
			return reducers.New(p, func(dst, src *int) { *dst += *src }, reducers.Final(func(x *int) { *x = -*x * 3 }))
		}, func(a, b int) int { return a + b }, 0, 5, num, func(x int) int { return -x * 3 }).test)
	none := loc{}
	builtin.MinLoc(&none).Init(&none)
	t.Run("min loc", lawOf(builtin.MinLoc, locJoin, none, loc{Val: 9, Loc: 2}, func(i int) loc { return loc{Val: float64(num(i) % 7), Loc: i} }, nil).test)
}

// pairs joins slices of two numbers element by element: they must not share memory.
func pairs(place *[]int) reducers.Reducer[[]int] { return reducers.Slice(place, builtin.Sum) }

func TestSlices(t *testing.T) {
	join := func(a, b []int) []int { return []int{a[0] + b[0], a[1] + b[1]} }
	lawOf(pairs, join, []int{0, 0}, []int{100, -3}, func(i int) []int { return []int{i, i * i} }, nil).test(t)
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, of func(m *team.Member) team.Group, _ int) {
		require.NoError(t, runs(t, shape, s, func(m *team.Member) {
			g := of(m)
			own, init := []int{m.Rank(), 1}, []int{0, 0}
			shared := [][]int{{1, 2}, {3, 4}}
			results := [][]int{
				team.AllReduce(g, own, pairs), group.AllReduceFrom(g, init, own, pairs), group.InclusiveScan(g, own, pairs), team.ExclusiveScan(g, own, pairs),
				group.ExclusiveScanFrom(g, init, own, pairs), group.JointReduce(g, team.Broadcast(g, shared, 0), pairs),
			}
			g.Barrier()
			for k, x := range results {
				x[0] = -100*m.Rank() - k - 1
			}
			g.Barrier()
			for k, x := range results {
				assert.Equal(t, -100*m.Rank()-k-1, x[0])
			}
			assert.Equal(t, [][]int{{m.Rank(), 1}, {0, 0}, {1, 2}, {3, 4}}, [][]int{own, init, shared[0], shared[1]})
		}))
	})
}

type stats struct {
	sum float64
	max int
}

func TestStructsAndPartials(t *testing.T) {
	fields := func(p *stats) reducers.Reducer[stats] {
		return reducers.Compose(
			reducers.Field(func(s *stats) *float64 { return &s.sum }, builtin.Sum(&p.sum)),
			reducers.Field(func(s *stats) *int { return &s.max }, builtin.Max(&p.max)))
	}
	lawOf(fields, func(a, b stats) stats { return stats{a.sum + b.sum, max(a.max, b.max)} },
		stats{0, math.MinInt}, stats{1, 4}, func(i int) stats { return stats{floats(i), i * 7 % 13} }, nil).test(t)

	join := func(a, b string) string { return a + b }
	partials := func(p *reducers.Partial[string]) reducers.NoIdentity[string] {
		return reducers.WithoutIdentity(p, join)
	}
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, of func(m *team.Member) team.Group, width int) {
		require.NoError(t, runs(t, shape, s, func(m *team.Member) {
			g := of(m)
			var x reducers.Partial[string]
			x.Combine(fmt.Sprint(g.Rank()))
			var all, before string
			for r := range g.Size() {
				all += fmt.Sprint(r)
				if r < g.Rank() {
					before += fmt.Sprint(r)
				}
			}
			value, ok := ptr(team.AllReduce(g, x, partials)).Value()
			assert.True(t, ok)
			assert.Equal(t, all, value)
			value, ok = ptr(team.ExclusiveScan(g, x, partials)).Value()
			assert.Equal(t, g.Rank() > 0, ok)
			assert.Equal(t, before, value)
			value, _ = ptr(group.InclusiveScan(g, x, partials)).Value()
			assert.Equal(t, before+fmt.Sprint(g.Rank()), value)
		}))
	})
}

func ptr[T any](x T) *T { return &x }

func TestScansOfTheSpecification(t *testing.T) {
	p := []int{3, 1, 7, 0, 4, 1, 6, 3}
	in, ex := make([]int, 8), make([]int, 8)
	require.NoError(t, runs(t, flat(1, 8), teams.Settings{}, func(m *team.Member) {
		in[m.Rank()] = group.InclusiveScan(m, p[m.Rank()], builtin.Sum)
		ex[m.Rank()] = team.ExclusiveScan(m, p[m.Rank()], builtin.Sum)
	}))
	assert.Equal(t, []int{3, 4, 11, 11, 15, 16, 22, 25}, in)
	assert.Equal(t, []int{0, 3, 4, 11, 11, 15, 16, 22}, ex)
	require.NoError(t, runs(t, flat(1, 8), teams.Settings{}, func(m *team.Member) {
		x := team.ExclusiveScan(m, int32(p[m.Rank()]), builtin.Min)
		if m.Rank() == 0 {
			assert.EqualValues(t, 2147483647, x)
		}
	}))
}

func TestScanIsParallelScan(t *testing.T) {
	const n = 100
	x, want, got := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range x {
		x[k] = 1 / float64(3*k+1)
	}
	require.NoError(t, exec.ParallelScan(policy.Range(0, n).Chunk(1).On(exec.Serial{}), func(k int, acc *float64, final bool) {
		*acc += x[k]
		if final {
			want[k] = *acc
		}
	}, builtin.Sum(new(float64))))
	space := exec.NewGoroutines(1)
	defer func() { require.NoError(t, space.Close()) }()
	require.NoError(t, exec.ParallelFor(policy.Team(1, n).On(space), func(m *team.Member) {
		got[m.Rank()] = group.InclusiveScan(m, x[m.Rank()], builtin.Sum)
	}))
	assert.Equal(t, want, got)
}

func TestVotes(t *testing.T) {
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, of func(m *team.Member) team.Group, width int) {
		for _, holds := range []func(rank int) bool{
			func(int) bool { return true }, func(int) bool { return false },
			func(r int) bool { return r == 0 }, func(r int) bool { return r%width == width-1 }, func(r int) bool { return r != 5 },
		} {
			require.NoError(t, runs(t, shape, s, func(m *team.Member) {
				g := of(m)
				begin, yes := m.Rank()-g.Rank(), 0
				for k := range g.Size() {
					if holds(begin + k) {
						yes++
					}
				}
				assert.Equal(t, yes == g.Size(), group.All(g, holds(m.Rank())))
				assert.Equal(t, yes > 0, group.Any(g, holds(m.Rank())))
			}))
		}
	})
}

func TestMixedCollectives(t *testing.T) {
	shape := flat(3, 40)
	for seed := range uint64(6) {
		require.NoError(t, runs(t, shape, teams.Settings{Schedule: seed}, func(m *team.Member) {
			sg := m.SubGroup()
			for k := range 20 {
				r := m.Rank() + k
				assert.Equal(t, 780+40*k, team.AllReduce(m, r, builtin.Sum))
				assert.Equal(t, 39+k, int(team.AllReduce(m, float32(r), builtin.Max)))
				assert.Equal(t, k, team.AllReduce(m, r, builtin.Min))
				if k%3 == 0 {
					assert.Equal(t, 8*sg.ID()+k, team.AllReduce(sg, r, builtin.Min))
				}
				for range sg.ID() { // each sub-group another number of times
					assert.True(t, group.Any(sg, sg.Rank() == 3))
					assert.Equal(t, 8*sg.ID()+7-sg.Rank(), group.ShuffleXor(sg, m.Rank(), 7))
				}
				assert.False(t, group.All(m, r == k))
				assert.Equal(t, strings.Repeat("x", m.Rank()), team.ExclusiveScan(m, "x", inRankOrder))
				assert.EqualValues(t, 7, team.Broadcast(m, uint8(m.Rank()), 7))
			}
		}))
	}
}

// Values are free for the collector while the launch goes on, once their members have dropped them.
func TestNothingIsKept(t *testing.T) {
	const members = 4
	type value [16]*int
	var values []weak.Pointer[value]
	var slices []weak.Pointer[int]
	single := func() *value {
		x := new(value)
		values = append(values, weak.Make(x))
		return x
	}
	several := func(x []int) []int {
		slices = append(slices, weak.Make(&x[0]))
		return x
	}
	// Identities are the copies that are joined.
	sums := func(p *[]int) reducers.Reducer[[]int] {
		return reducers.New(p, func(dst, src *[]int) { (*dst)[0] += (*src)[0] },
			reducers.Init(func(x *[]int) { *x = several(make([]int, 64)) }))
	}
	require.NoError(t, runs(t, flat(1, members), teams.Settings{}, func(m *team.Member) {
		for range 2 { // exchanges take turns
			team.Broadcast(m, single(), 2)
			group.Shuffle(m.SubGroup(), single(), 3)
			several(group.AllReduceFrom(m, several(make([]int, 64)), several(make([]int, 64)), sums))
			several(group.InclusiveScanFrom(m, several(make([]int, 64)), several(make([]int, 64)), sums))
		}
		m.Barrier()
		team.Single(m, func() {
			runtime.GC()
			for k, x := range values {
				assert.Nil(t, x.Value(), "value %d", k)
			}
			for k, x := range slices {
				assert.Nil(t, x.Value(), "slice %d", k)
			}
		})
		m.Barrier()
	}))
	assert.Len(t, values, 2*2*members)
	assert.Greater(t, len(slices), 2*6*members)
}

// everything calls every collective on flat values with built-in operations.
func everything(m *team.Member, x, y []float64) {
	sg := m.SubGroup()
	v := float64(m.Rank())
	for _, g := range []team.Group{m, sg} {
		group.All(g, v > 3)
		team.Broadcast(g, v, 0)
		team.AllReduce(g, v, builtin.Sum)
		group.AllReduceFrom(g, v, v, builtin.Max)
		team.AllReduce(g, m.Rank(), builtin.BOr)
		team.AllReduce(g, v > 3, builtin.LAnd)
		team.ExclusiveScan(g, v, builtin.Sum)
		group.InclusiveScanFrom(g, v, v, builtin.Prod)
		group.JointReduce(g, x, builtin.Sum)
		group.JointReduceFrom(g, 2, x, builtin.Sum)
		group.JointExclusiveScan(g, y, x, builtin.Sum)
	}
	group.Shuffle(sg, v, 0)
	group.ShuffleXor(sg, v, 1)
}

func TestCollectivesAllocateNothing(t *testing.T) {
	x, y := make([]float64, 100), make([]float64, 100)
	for _, size := range []int{1, 5, 40} {
		e := lane.New()
		r := teams.New(flat(1, size), teams.Settings{}, func(m *team.Member) { everything(m, x, y) })
		var allocs float64
		require.NoError(t, e.Do(func() {
			_ = r.Run(e, 0) // there are two slots
			allocs = testing.AllocsPerRun(20, func() { _ = r.Run(e, 0) })
		}))
		require.NoError(t, e.Close())
		assert.Zero(t, allocs, "a team of %d", size)
	}
}

func BenchmarkCollectives(b *testing.B) {
	const rounds = 20
	x := make([]float64, 1<<12)
	for _, bench := range []struct {
		name string
		call func(m *team.Member)
	}{
		{"all", func(m *team.Member) { group.All(m, true) }},
		{"broadcast", func(m *team.Member) { team.Broadcast(m, 1.0, 0) }},
		{"reduce", func(m *team.Member) { team.AllReduce(m, 1.0, builtin.Sum) }},
		{"scan", func(m *team.Member) { group.InclusiveScan(m, 1.0, builtin.Sum) }},
		{"shuffle", func(m *team.Member) { group.ShuffleDown(m.SubGroup(), 1.0, 1) }},
		{"joint reduce of 4096", func(m *team.Member) { group.JointReduce(m, x, builtin.Sum) }},
	} {
		for _, size := range []int{1, 256} {
			b.Run(fmt.Sprintf("%s/%d", bench.name, size), func(b *testing.B) {
				e := lane.New()
				defer func() { _ = e.Close() }()
				shape := flat(1, size)
				shape.SubGroup = 32
				r := teams.New(shape, teams.Settings{}, func(m *team.Member) {
					for range rounds {
						bench.call(m)
					}
				})
				b.ReportAllocs()
				_ = e.Do(func() {
					_ = r.Run(e, 0)
					_ = r.Run(e, 0)
					for b.Loop() {
						_ = r.Run(e, 0)
					}
				})
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size*rounds), "ns/member")
			})
		}
	}
}
