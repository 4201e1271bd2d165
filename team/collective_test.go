package team

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/reducers"
)

var (
	groupSizes = []int{1, 2, 3, 5, 7, 8, 16, 31, 32, 33, 64, 100}
	subGroups  = []int{1, 3, 8, 16, 32, 64}
	schedules  = []uint64{0, 1, 7}
)

// few returns all, or under -short the chosen ones.
func few[T any](all []T, chosen ...T) []T {
	if testing.Short() {
		return chosen
	}
	return all
}

// onGroups calls f for every team, alone and cut into sub-groups, on every schedule.
// in cuts what the members of the team have into what the groups have.
func onGroups(t *testing.T, f func(t *testing.T, s teams.Settings, shape space.TeamShape, group func(m *Member) Group, width int)) {
	for _, size := range few(groupSizes, 1, 2, 7, 33) {
		for _, seed := range few(schedules, 0, 7) {
			s := teams.Settings{Schedule: seed}
			t.Run(fmt.Sprintf("team of %d, seed %d", size, seed), func(t *testing.T) {
				f(t, s, flat(2, size), func(m *Member) Group { return m }, size)
			})
			for _, width := range few(subGroups, 1, 8, 32) {
				if size != 64 && size != 33 {
					continue
				}
				shape := flat(2, size)
				shape.SubGroup = width
				t.Run(fmt.Sprintf("team of %d in sub-groups of %d, seed %d", size, width, seed), func(t *testing.T) {
					f(t, s, shape, func(m *Member) Group { return m.SubGroup() }, width)
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
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, group func(m *Member) Group, width int) {
		const kinds = 6
		x := make([]T, shape.Size)
		for k := range x {
			x[k] = l.value(k)
		}
		var got [kinds][]T
		for k := range got {
			got[k] = make([]T, shape.Size)
		}
		require.NoError(t, runs(t, shape, s, func(m *Member) {
			g, r := group(m), m.Rank()
			init := l.init
			if g.Rank() != 0 {
				init = l.value(r) // which does not count
			}
			got[0][r] = AllReduce(g, x[r], l.op)
			got[1][r] = AllReduceFrom(g, init, x[r], l.op)
			got[2][r] = ExclusiveScan(g, x[r], l.op)
			got[3][r] = ExclusiveScanFrom(g, init, x[r], l.op)
			got[4][r] = InclusiveScan(g, x[r], l.op)
			got[5][r] = InclusiveScanFrom(g, init, x[r], l.op)
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
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, group func(m *Member) Group, _ int) {
		require.NoError(t, runs(t, shape, s, func(m *Member) {
			g := group(m)
			own, init := []int{m.Rank(), 1}, []int{0, 0}
			shared := [][]int{{1, 2}, {3, 4}}
			results := [][]int{
				AllReduce(g, own, pairs), AllReduceFrom(g, init, own, pairs), InclusiveScan(g, own, pairs), ExclusiveScan(g, own, pairs),
				ExclusiveScanFrom(g, init, own, pairs), JointReduce(g, Broadcast(g, shared, 0), pairs),
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
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, group func(m *Member) Group, width int) {
		require.NoError(t, runs(t, shape, s, func(m *Member) {
			g := group(m)
			var x reducers.Partial[string]
			x.Combine(fmt.Sprint(g.Rank()))
			var all, before string
			for r := range g.Size() {
				all += fmt.Sprint(r)
				if r < g.Rank() {
					before += fmt.Sprint(r)
				}
			}
			value, ok := ptr(AllReduce(g, x, partials)).Value()
			assert.True(t, ok)
			assert.Equal(t, all, value)
			value, ok = ptr(ExclusiveScan(g, x, partials)).Value()
			assert.Equal(t, g.Rank() > 0, ok)
			assert.Equal(t, before, value)
			value, _ = ptr(InclusiveScan(g, x, partials)).Value()
			assert.Equal(t, before+fmt.Sprint(g.Rank()), value)
		}))
	})
}

func ptr[T any](x T) *T { return &x }

func TestScansOfTheSpecification(t *testing.T) {
	p := []int{3, 1, 7, 0, 4, 1, 6, 3}
	in, ex := make([]int, 8), make([]int, 8)
	require.NoError(t, runs(t, flat(1, 8), teams.Settings{}, func(m *Member) {
		in[m.Rank()] = InclusiveScan(m, p[m.Rank()], builtin.Sum)
		ex[m.Rank()] = ExclusiveScan(m, p[m.Rank()], builtin.Sum)
	}))
	assert.Equal(t, []int{3, 4, 11, 11, 15, 16, 22, 25}, in)
	assert.Equal(t, []int{0, 3, 4, 11, 11, 15, 16, 22}, ex)
	require.NoError(t, runs(t, flat(1, 8), teams.Settings{}, func(m *Member) {
		x := ExclusiveScan(m, int32(p[m.Rank()]), builtin.Min)
		if m.Rank() == 0 {
			assert.EqualValues(t, 2147483647, x)
		}
	}))
}

func TestVotes(t *testing.T) {
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, group func(m *Member) Group, width int) {
		for _, holds := range []func(rank int) bool{
			func(int) bool { return true }, func(int) bool { return false },
			func(r int) bool { return r == 0 }, func(r int) bool { return r%width == width-1 }, func(r int) bool { return r != 5 },
		} {
			require.NoError(t, runs(t, shape, s, func(m *Member) {
				g := group(m)
				begin, yes := m.Rank()-g.Rank(), 0
				for k := range g.Size() {
					if holds(begin + k) {
						yes++
					}
				}
				assert.Equal(t, yes == g.Size(), All(g, holds(m.Rank())))
				assert.Equal(t, yes > 0, Any(g, holds(m.Rank())))
				assert.Equal(t, yes == 0, None(g, holds(m.Rank())))
			}))
		}
	})
}

func TestBroadcast(t *testing.T) {
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, group func(m *Member) Group, width int) {
		calls := 0
		require.NoError(t, runs(t, shape, s, func(m *Member) {
			g := group(m)
			begin := m.Rank() - g.Rank()
			for id := range g.Size() {
				assert.Equal(t, begin+id, Broadcast(g, m.Rank(), id))
				assert.Equal(t, fmt.Sprint(begin+id), Broadcast(g, fmt.Sprint(m.Rank()), id))
			}
			x := BroadcastFunc(g, func(x *int) { calls++; *x *= 10 }, m.Rank(), g.Size()-1)
			assert.Equal(t, 10*(begin+g.Size()-1), x)
		}))
		assert.Equal(t, shape.League*((shape.Size-1)/width+1), calls)
	})
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

func TestMixedCollectives(t *testing.T) {
	shape := flat(3, 40)
	for seed := range uint64(6) {
		require.NoError(t, runs(t, shape, teams.Settings{Schedule: seed}, func(m *Member) {
			sg := m.SubGroup()
			for k := range 20 {
				r := m.Rank() + k
				assert.Equal(t, 780+40*k, AllReduce(m, r, builtin.Sum))
				assert.Equal(t, 39+k, int(AllReduce(m, float32(r), builtin.Max)))
				assert.Equal(t, k, AllReduce(m, r, builtin.Min))
				if k%3 == 0 {
					assert.Equal(t, 8*sg.ID()+k, AllReduce(sg, r, builtin.Min))
				}
				for range sg.ID() { // each sub-group another number of times
					assert.True(t, Any(sg, sg.Rank() == 3))
					assert.Equal(t, 8*sg.ID()+7-sg.Rank(), ShuffleXor(sg, m.Rank(), 7))
				}
				assert.False(t, All(m, r == k))
				assert.Equal(t, strings.Repeat("x", m.Rank()), ExclusiveScan(m, "x", inRankOrder))
				assert.EqualValues(t, 7, Broadcast(m, uint8(m.Rank()), 7))
			}
		}))
	}
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

func TestNothingIsKept(t *testing.T) {
	require.NoError(t, runs(t, flat(1, 4), teams.Settings{}, func(m *Member) {
		Broadcast(m, ptr(5), 2)
		Shuffle(m.SubGroup(), ptr(6), 3)
		Shuffle(m.SubGroup(), ptr(6), 3)
		for range 2 {
			AllReduce(m, []int{1, 2}, pairs)
		}
		for range 2 {
			InclusiveScan(m, []int{1, 2}, pairs)
		}
		m.Barrier()
		for range 2 {
			b := (*m.all.Slot()).(*exchange)
			assert.Zero(t, buffer[broadcastBuffer[*int]](b).value)
			if r := buffer[reduction[[]int]](b); r.size > 0 {
				assert.Equal(t, make([][]int, 4), r.x)
				assert.Equal(t, make([][]int, 4), r.each)
				assert.Zero(t, r.place)
			}
			if r := buffer[prefixes[[]int]](b); r.size > 0 {
				assert.Equal(t, make([][]int, 12), slices.Concat(r.x, r.tree.Sums, r.tree.Prefix))
				assert.Nil(t, r.tree.R)
			}
			m.Barrier()
		}
		b := (*m.sub.lanes.Slot()).(*exchange)
		assert.Equal(t, make([]*int, 4), buffer[shuffleBuffer[*int]](b).x)
	}))
}

func TestPanicInAJoin(t *testing.T) {
	broken := func(p *int) reducers.Func[int] {
		return reducers.New(p, func(dst, src *int) { panic("broken") })
	}
	for _, seed := range schedules {
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

// everything calls every collective on flat values with built-in operations.
func everything(m *Member, x, y []float64) {
	sg := m.SubGroup()
	v := float64(m.Rank())
	for _, g := range []Group{m, sg} {
		All(g, v > 3)
		Broadcast(g, v, 0)
		AllReduce(g, v, builtin.Sum)
		AllReduceFrom(g, v, v, builtin.Max)
		AllReduce(g, m.Rank(), builtin.BOr)
		AllReduce(g, v > 3, builtin.LAnd)
		ExclusiveScan(g, v, builtin.Sum)
		InclusiveScanFrom(g, v, v, builtin.Prod)
		JointReduce(g, x, builtin.Sum)
		JointReduceFrom(g, 2, x, builtin.Sum)
		JointExclusiveScan(g, y, x, builtin.Sum)
	}
	Shuffle(sg, v, 0)
	ShuffleXor(sg, v, 1)
}

func TestCollectivesAllocateNothing(t *testing.T) {
	x, y := make([]float64, 100), make([]float64, 100)
	for _, size := range []int{1, 5, 40} {
		e := lane.New()
		r := newRunner(flat(1, size), teams.Settings{}, func(m *Member) { everything(m, x, y) })
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
		call func(m *Member)
	}{
		{"all", func(m *Member) { All(m, true) }},
		{"broadcast", func(m *Member) { Broadcast(m, 1.0, 0) }},
		{"reduce", func(m *Member) { AllReduce(m, 1.0, builtin.Sum) }},
		{"scan", func(m *Member) { InclusiveScan(m, 1.0, builtin.Sum) }},
		{"shuffle", func(m *Member) { ShuffleDown(m.SubGroup(), 1.0, 1) }},
		{"joint reduce of 4096", func(m *Member) { JointReduce(m, x, builtin.Sum) }},
	} {
		for _, size := range []int{1, 256} {
			b.Run(fmt.Sprintf("%s/%d", bench.name, size), func(b *testing.B) {
				e := lane.New()
				defer func() { _ = e.Close() }()
				shape := flat(1, size)
				shape.SubGroup = 32
				r := newRunner(shape, teams.Settings{}, func(m *Member) {
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
