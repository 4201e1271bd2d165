package team

import (
	"fmt"
	"math"
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

var levels = []level{overThreads, overVector, overBoth}

var levelNames = map[level]string{overThreads: "threads", overVector: "vector", overBoth: "both"}

// everyTeam runs a team of every size, vector length and schedule of interest.
func everyTeam(t *testing.T, body func(m *Member)) {
	t.Helper()
	for _, size := range few([]int{1, 2, 3, 7, 8, 33, 100}, 1, 2, 7, 33) {
		for _, v := range few([]int{1, 2, 4, 32}, 1, 4) {
			for _, seed := range []uint64{0, 99} {
				shape := flat(1, size)
				shape.Vector = v
				require.NoError(t, runs(t, shape, teams.Settings{Schedule: seed}, body), "team of %d, vector %d, seed %d", size, v, seed)
			}
		}
	}
}

// extents returns the extents of interest for a team of m's size.
func extents(m *Member) []int {
	return []int{0, 1, 2, m.Size() - 1, m.Size(), m.Size() + 1, 3*m.VectorLength() + 1, 300}
}

// place says which lane of which member takes item i, as the documentation does.
func place(l level, i, n, members, v int, ordered bool) (member, lane int) {
	switch {
	case l == overVector && ordered:
		return 0, 0
	case l == overVector:
		return 0, i % v
	case ordered:
		return i / ((n + members - 1) / members), 0
	case l == overBoth:
		return i / v % members, i % v
	}
	return i % members, 0
}

// trial is what the result of a reduction depends on.
type trial struct {
	l             level
	n, members, v int
	ordered       bool
}

func trialOf(m *Member, l level, n int, ordered bool) trial {
	return trial{l, n, m.Size(), m.VectorLength(), ordered}
}

// remember returns f with a memory. All members of a team expect the same, and one of them
// runs at a time.
func remember[K comparable, V any](f func(K) V) func(K) V {
	known := map[K]V{}
	return func(k K) V {
		v, ok := known[k]
		if !ok {
			v = f(k)
			known[k] = v
		}
		return v
	}
}

// expecting returns the sums of the values of items that the rule of Reduce makes.
func expecting(item func(i int) float64) func(trial) float64 {
	return remember(func(c trial) float64 {
		sum, _ := expect(c.l, c.n, c.members, c.v, c.ordered, item, add)
		return sum
	})
}

// expect joins the values of n items by the rule of Reduce.
func expect[T any](l level, n, members, v int, ordered bool, item func(i int) T, join func(a, b T) T) (T, bool) {
	lanes := make([][]*T, members)
	for k := range lanes {
		lanes[k] = make([]*T, v)
	}
	for i := range n {
		r, k := place(l, i, n, members, v, ordered)
		x := item(i)
		if old := lanes[r][k]; old != nil {
			x = join(*old, x)
		}
		lanes[r][k] = &x
	}
	values := make([]*T, members)
	for r := range values {
		values[r] = pairwise(lanes[r], join)
	}
	if x := pairwise(values, join); x != nil {
		return *x, true
	}
	var none T
	return none, false
}

// pairwise halves a list until one value is left.
func pairwise[T any](x []*T, join func(a, b T) T) *T {
	for len(x) > 1 {
		var half []*T
		for k := 0; k < len(x); k += 2 {
			y := x[k]
			if k+1 < len(x) && x[k+1] != nil {
				if y == nil {
					y = x[k+1]
				} else {
					z := join(*y, *x[k+1])
					y = &z
				}
			}
			half = append(half, y)
		}
		x = half
	}
	return x[0]
}

// uneven is a number that sums in another order round otherwise.
func uneven(i int) float64 { return math.Sqrt(float64(i)+0.3) * math.Pow(10, float64(i%7)) }

func add(a, b float64) float64 { return a + b }

func TestReduceFollowsTheRule(t *testing.T) {
	expected := expecting(uneven)
	everyTeam(t, func(m *Member) {
		for _, n := range extents(m) {
			for _, l := range levels {
				want := expected(trialOf(m, l, n, false))
				got := -1.0
				Reduce(newRange(m, l, n), func(i int, acc *float64) { *acc += uneven(i) }, builtin.Sum(&got))
				if math.Float64bits(want) != math.Float64bits(got) {
					t.Fatalf("%s, %d items, %d members, %d lanes: got %v, want %v", levelNames[l], n, m.Size(), m.VectorLength(), got, want)
				}
			}
		}
	})
}

func concat(s *string) reducers.Reducer[string] {
	return reducers.Ordered(reducers.New(s, func(dst, src *string) { *dst += *src }))
}

func letter(i int) string { return string(rune('!' + i%90)) }

func TestReduceOfOrderedReducersKeepsTheOrder(t *testing.T) {
	letters := remember(func(n int) string {
		var all strings.Builder
		for i := range n {
			all.WriteString(letter(i))
		}
		return all.String()
	})
	everyTeam(t, func(m *Member) {
		for _, n := range extents(m) {
			want := letters(n)
			for _, l := range levels {
				got := "old"
				Reduce(newRange(m, l, n), func(i int, acc *string) { *acc += letter(i) }, concat(&got))
				if got != want {
					t.Fatalf("%s, %d items, %d members: got %q", levelNames[l], n, m.Size(), got)
				}
			}
		}
	})
}

func TestReduceOfOrderedFloatsTakesChunks(t *testing.T) {
	expected := expecting(uneven)
	everyTeam(t, func(m *Member) {
		for _, n := range extents(m) {
			for _, l := range levels {
				want := expected(trialOf(m, l, n, true))
				var got float64
				Reduce(newRange(m, l, n), func(i int, acc *float64) { *acc += uneven(i) }, reducers.Ordered(builtin.Sum(&got)))
				if want != got {
					t.Fatalf("%s, %d items, %d members: got %v, want %v", levelNames[l], n, m.Size(), got, want)
				}
			}
		}
	})
}

// wide is larger than what is reduced in lanes.
type wide [9]float64

func TestReduceOfLargeValuesHasOneLane(t *testing.T) {
	everyTeam(t, func(m *Member) {
		n, v := 2*m.Size()*m.VectorLength()+1, m.VectorLength()
		members := make([][]float64, m.Size())
		for i := range n {
			k, _ := place(overBoth, i, n, m.Size(), v, false)
			members[k] = append(members[k], uneven(i))
		}
		sums := make([]*float64, m.Size())
		for k, x := range members {
			for i, y := range x {
				if i == 0 {
					sums[k] = new(float64)
				}
				*sums[k] += y
			}
		}
		var got wide
		Reduce(TeamVectorRange(m, n), func(i int, acc *wide) { acc[8] += uneven(i) },
			reducers.New(&got, func(dst, src *wide) { dst[8] += src[8] }))
		require.Equal(t, *pairwise(sums, add), got[8])
	})
}

func TestReduceWithInitialCountsTheLowestRank(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, n := range extents(m) {
			sum := n * (n - 1) / 2
			for _, l := range levels {
				got, want := 1000*(m.Rank()+1), 1000+sum
				if l == overVector {
					want = got + sum
				}
				Reduce(newRange(m, l, n), func(i int, acc *int) { *acc += i }, reducers.WithInitial(builtin.Sum(&got)))
				require.Equal(t, want, got)
				text := fmt.Sprint("<", m.Rank(), ">")
				begin := "<0>"
				if l == overVector {
					begin = text
				}
				Reduce(newRange(m, l, min(n, 3)), func(i int, acc *string) { *acc += letter(i) }, reducers.WithInitial(concat(&text)))
				require.Equal(t, begin+`!"#`[:min(n, 3)], text)
			}
			root := 3.0
			Reduce(ThreadRange(m, 1), func(_ int, acc *float64) { *acc += 16 }, reducers.WithInitial(builtin.Norm2(&root)))
			require.Equal(t, 5.0, root)
		}
	})
}

func TestReduceJoinsWhatItemsReach(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 5: 4, 8: 7, 100: 7} {
		shape := flat(1, 1)
		shape.Vector = 8
		require.NoError(t, runs(t, shape, teams.Settings{}, func(m *Member) {
			var x, joins int
			Reduce(VectorRange(m, n), func(_ int, acc *int) { *acc++ }, reducers.New(&x, func(dst, src *int) { *dst += *src; joins++ }))
			require.Equal(t, []int{n, want}, []int{x, joins})
		}))
	}
}

func TestReduceAppliesFinalOnce(t *testing.T) {
	for _, size := range []int{1, 2, 7} {
		flats, lists := 0, 0
		require.NoError(t, runs(t, flat(1, size), teams.Settings{}, func(m *Member) {
			for _, n := range []int{0, 1, 20} {
				m.Barrier()
				flats, lists = 0, 0
				m.Barrier()
				var x int
				Reduce(ThreadRange(m, n), func(_ int, acc *int) { *acc++ },
					reducers.New(&x, func(dst, src *int) { *dst += *src }, reducers.Final(func(x *int) { *x = -*x; flats++ })))
				require.Equal(t, -n, x)
				require.Equal(t, 1, flats)
				var y []int
				Reduce(ThreadRange(m, n), func(i int, acc *[]int) { *acc = append(*acc, i) }, gather(&y, func(*[]int) { lists++ }))
				slices.Sort(y)
				require.Len(t, y, n)
				for i := range y {
					require.Equal(t, i, y[i])
					y[i] = -1 // no member sees it but this one
				}
				m.Barrier()
				require.Equal(t, size, lists)
			}
		}))
	}
}

// gather collects items in a slice that it hands over to the result place.
func gather(x *[]int, final func(*[]int)) reducers.Reducer[[]int] {
	return reducers.New(x, func(dst, src *[]int) { *dst = append(*dst, *src...) },
		reducers.Init(func(x *[]int) { *x = (*x)[:0] }), reducers.Final(final))
}

func TestReduceOfReferencesSharesNoMemory(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, l := range levels {
			histogram := make([]int, 5)
			Reduce(newRange(m, l, 93), func(i int, acc *[]int) { (*acc)[i%5]++ }, reducers.Slice(&histogram, builtin.Sum[int]))
			require.Equal(t, []int{19, 19, 19, 18, 18}, histogram)
			histogram[0] = m.Rank()
			var mine []int
			for range 3 {
				kept := mine
				before := slices.Clone(kept)
				Reduce(newRange(m, l, 10), func(i int, acc *[]int) { *acc = append(*acc, i) }, gather(&mine, func(*[]int) {}))
				require.Equal(t, before, slices.Clone(kept))
				slices.Sort(mine)
				require.Len(t, mine, 10)
			}
			m.Barrier()
			require.Equal(t, m.Rank(), histogram[0])
		}
	})
}

func TestReduceOfFields(t *testing.T) {
	type stats struct {
		sum   float64
		least int
	}
	everyTeam(t, func(m *Member) {
		for _, l := range levels {
			want, _ := expect(l, 77, m.Size(), m.VectorLength(), false, uneven, add)
			sum, least := 0.0, 5
			Reduce(newRange(m, l, 77), func(i int, acc *stats) {
				acc.sum += uneven(i)
				acc.least = min(acc.least, 40-i)
			}, reducers.Field(func(s *stats) *float64 { return &s.sum }, builtin.Sum(&sum)),
				reducers.Field(func(s *stats) *int { return &s.least }, builtin.Min(&least)))
			require.Equal(t, want, sum)
			require.Equal(t, -36, least)
		}
	})
}

func TestReduceWithoutIdentity(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, l := range levels {
			for _, n := range []int{0, 1, m.Size(), 100} {
				want, any := expect(l, n, m.Size(), m.VectorLength(), false, uneven, math.Max)
				var got reducers.Partial[float64]
				Reduce(newRange(m, l, n), func(i int, acc *reducers.Partial[float64]) { acc.Combine(uneven(i)) },
					reducers.WithoutIdentity(&got, math.Max))
				x, ok := got.Value()
				require.Equal(t, any, ok)
				require.Equal(t, want, x)
			}
		}
	})
}

func TestReduceOfSeveralHasTheBitsOfEach(t *testing.T) {
	expected := expecting(uneven)
	doubled := expecting(func(i int) float64 { return uneven(3 * i) })
	everyTeam(t, func(m *Member) {
		for _, l := range levels {
			n := 200
			want, double := expected(trialOf(m, l, n, false)), doubled(trialOf(m, l, n, false))
			r := newRange(m, l, n)
			var a, b, c, d, e, f, g float64
			var count, number, lowest int
			Reduce2(r, func(i int, a, b *float64) { *a += uneven(i); *b += uneven(3 * i) }, builtin.Sum(&a), builtin.Sum(&b))
			Reduce3(r, func(i int, a *float64, n *int, b *float64) { *a += uneven(i); *b += uneven(3 * i); *n++ },
				builtin.Sum(&c), builtin.Sum(&count), builtin.Sum(&d))
			Reduce4(r, func(i int, a *float64, n *int, b *float64, low *int) {
				*a += uneven(i)
				*b += uneven(3 * i)
				*n++
				*low = min(*low, i)
			}, builtin.Sum(&e), builtin.Sum(&number), builtin.Sum(&f), builtin.Min(&lowest))
			require.Equal(t, []float64{want, double, want, double, want, double}, []float64{a, b, c, d, e, f})
			require.Equal(t, []int{n, n, 0}, []int{count, number, lowest})

			inOrder, _ := expect(l, n, m.Size(), m.VectorLength(), true, uneven, add)
			Reduce2(r, func(i int, a, _ *float64) { *a += uneven(i) }, reducers.Ordered(builtin.Sum(&g)), builtin.Sum(&b))
			require.Equal(t, inOrder, g)
		}
	})
}

func TestNestingOfThreeLevels(t *testing.T) {
	const rows, columns = 37, 19
	everyTeam(t, func(m *Member) {
		row := func(i int) float64 {
			x, _ := expect(overVector, columns, 1, m.VectorLength(), false, func(j int) float64 { return uneven(i*columns + j) }, add)
			return x
		}
		want, _ := expect(overThreads, rows, m.Size(), m.VectorLength(), false, row, add)
		var total float64
		Reduce(ThreadRange(m, rows), func(i int, acc *float64) {
			var sum float64
			Reduce(VectorRange(m, columns), func(j int, acc *float64) { *acc += uneven(i*columns + j) }, builtin.Sum(&sum))
			*acc += sum
		}, builtin.Sum(&total))
		require.Equal(t, want, total)
	})
}

func TestRepeatedReducesNeedNoBarrier(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for k := range 6 {
			var sum, other int
			var text string
			Reduce(ThreadRange(m, 50), func(i int, acc *int) { *acc += i * k }, builtin.Sum(&sum))
			if k%2 == 0 {
				Reduce(ThreadRange(m, 3), func(i int, acc *string) { *acc += letter(i + k) }, concat(&text))
				require.Equal(t, letter(k)+letter(k+1)+letter(k+2), text)
			}
			Scan(ThreadRange(m, 50), func(i int, acc *int, _ bool) { *acc += i + k }, builtin.Sum(&other))
			require.Equal(t, []int{1225 * k, 1225 + 50*k}, []int{sum, other})
		}
	})
}

func TestForSpreadsTheItems(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, n := range extents(m) {
			for _, l := range levels {
				last := -1
				count := 0
				For(newRange(m, l, n), func(i int) {
					r, _ := place(l, i, n, m.Size(), m.VectorLength(), false)
					if i <= last || l != overVector && r != m.Rank() {
						t.Fatalf("member %d takes item %d after %d", m.Rank(), i, last)
					}
					last = i
					count++
				})
				all := count
				if l != overVector {
					Reduce(ThreadRange(m, m.Size()), func(_ int, acc *int) { *acc += count }, builtin.Sum(&all))
				}
				require.Equal(t, n, all)
			}
		}
	})
}

func TestIndicesOfSeveralDimensions(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, l := range levels {
			for _, e := range [][3]int{{0, 2, 3}, {2, 0, 3}, {2, 3, 0}, {1, 1, 1}, {3, 5, 7}, {40, 1, 1}, {1, 1, 40}, {1, 40, 1}} {
				var got2 []Index2
				var got3 []Index3
				For(newRange2(m, l, e[0], e[1]), func(i Index2) { got2 = append(got2, i) })
				For(newRange3(m, l, e[0], e[1], e[2]), func(i Index3) { got3 = append(got3, i) })
				var k2, k3 int
				For(newRange(m, l, e[0]*e[1]), func(i int) {
					assert.Equal(t, Index2{I: i / e[1], J: i % e[1]}, got2[k2])
					k2++
				})
				For(newRange(m, l, e[0]*e[1]*e[2]), func(i int) {
					assert.Equal(t, Index3{I: i / e[2] / e[1], J: i / e[2] % e[1], K: i % e[2]}, got3[k3])
					k3++
				})
				require.Equal(t, []int{k2, k3}, []int{len(got2), len(got3)})
			}
			want, _ := expect(l, 35, m.Size(), m.VectorLength(), false, uneven, add)
			var got float64
			Reduce(newRange2(m, l, 5, 7), func(i Index2, acc *float64) { *acc += uneven(7*i.I + i.J) }, builtin.Sum(&got))
			require.Equal(t, want, got)
		}
	})
	require.NoError(t, runs(t, flat(1, 1), teams.Settings{}, func(m *Member) {
		require.Equal(t, newRange2(m, overThreads, 3, 4), ThreadRange2(m, 3, 4))
		require.Equal(t, newRange2(m, overVector, 3, 4), VectorRange2(m, 3, 4))
		require.Equal(t, newRange2(m, overBoth, 3, 4), TeamVectorRange2(m, 3, 4))
		require.Equal(t, newRange3(m, overThreads, 3, 4, 5), ThreadRange3(m, 3, 4, 5))
		require.Equal(t, newRange3(m, overVector, 3, 4, 5), VectorRange3(m, 3, 4, 5))
		require.Equal(t, newRange3(m, overBoth, 3, 4, 5), TeamVectorRange3(m, 3, 4, 5))
	}))
}

// Where the next block would begin is more than an int can count.
func TestRangesThatEndWithTheInts(t *testing.T) {
	for _, x := range []share{
		{math.MaxInt - 5, math.MaxInt, 4, 8}, {math.MaxInt - 9, math.MaxInt, 1, 3}, {math.MaxInt - 8, math.MaxInt, 4, 4}, {math.MaxInt, math.MaxInt, 1, 1}, {3, math.MaxInt, 1, math.MaxInt - 1},
	} {
		blocks := 0
		for b := x.begin; b < x.end && blocks < 20; b = x.next(b) {
			require.Equal(t, x.begin+blocks*x.stride, b)
			blocks++
		}
		require.Equal(t, (x.end-x.begin-1)/x.stride+1, blocks)
	}
	for _, members := range []int{2, 3, 60000, 1 << 16} {
		r := newRange(&Member{size: members}, overThreads, math.MaxInt)
		end := 0
		for r.m.rank = range members {
			s := r.share(true)
			require.Equal(t, end, s.begin)
			end = s.end
		}
		require.Equal(t, math.MaxInt, end)
		require.LessOrEqual(t, r.membersWithItems(true), members)
	}
	if math.MaxInt > math.MaxInt32 {
		return // the range that follows has too many items
	}
	const longest = 1 << 10 // vectors of any space
	shape := flat(1, space.MaxTeamSize)
	shape.Vector = longest
	require.NoError(t, runs(t, shape, teams.Settings{}, func(m *Member) {
		if m.Rank() < space.MaxTeamSize-2 {
			return
		}
		count := 0
		For(TeamVectorRange(m, math.MaxInt), func(i int) {
			count++
			require.Equal(t, m.Rank(), i/longest%space.MaxTeamSize)
			require.LessOrEqual(t, count, 32*longest)
		})
		require.Equal(t, 32*longest-m.Rank()/(space.MaxTeamSize-1), count)
	}))
}

// One extent of 0 makes a range empty, however long the others are.
func TestEmptyRanges(t *testing.T) {
	const huge = math.MaxInt/2 + 1
	require.NoError(t, runs(t, flat(1, 3), teams.Settings{}, func(m *Member) {
		for _, n := range [][3]int{{0, huge, huge}, {huge, 0, huge}, {huge, huge, 0}, {0, 0, huge}} {
			for _, r := range []Range[Index3]{ThreadRange3(m, n[0], n[1], n[2]), VectorRange3(m, n[0], n[1], n[2]), TeamVectorRange3(m, n[0], n[1], n[2])} {
				sum := 7
				For(r, func(Index3) { t.Error("an item") })
				Reduce(r, func(_ Index3, acc *int) { *acc++ }, builtin.Sum(&sum))
				require.Zero(t, sum)
				Scan(r, func(Index3, *int, bool) { t.Error("an item") }, builtin.Sum(&sum))
			}
		}
		for _, r := range []Range[Index2]{ThreadRange2(m, 0, math.MaxInt), VectorRange2(m, math.MaxInt, 0), TeamVectorRange2(m, 0, math.MaxInt)} {
			For(r, func(Index2) { t.Error("an item") })
		}
	}))
}

func TestMisuseOfNestedPatterns(t *testing.T) {
	count := func(_ int, acc *int) { *acc++ }
	for name, c := range map[string]struct {
		want string
		body func(m *Member)
	}{
		"negative":  {"a range of extent -1: need at least 0", func(m *Member) { For(ThreadRange(m, -1), func(int) {}) }},
		"negative2": {"a range of extent -2: need at least 0", func(m *Member) { For(ThreadRange2(m, 0, -2), func(Index2) {}) }},
		"negative after too many": {"a range of extent -3: need at least 0", func(m *Member) {
			For(ThreadRange3(m, math.MaxInt, 2, -3), func(Index3) {})
		}},
		"overflow": {"x 2 items: an int cannot count them", func(m *Member) {
			For(VectorRange3(m, math.MaxInt, 1, 2), func(Index3) {})
		}},
		"nil reducer": {"the reducer is nil", func(m *Member) { Reduce(ThreadRange(m, 1), count, nil) }},
		"nil result after another": {"has a nil result place", func(m *Member) {
			var x int
			Reduce(VectorRange(m, 1), count, builtin.Sum(&x))
			Reduce(VectorRange(m, 1), count, builtin.Sum[int](nil))
		}},
		"nil functor":          {"the functor is nil", func(m *Member) { var x int; Reduce[int](ThreadRange(m, 1), nil, builtin.Sum(&x)) }},
		"nil functor of lanes": {"the functor is nil", func(m *Member) { var x int; ReduceLanes(ThreadRange(m, 1), nil, builtin.Sum(&x)) }},
		"loop over a zero range": {"the range is its zero value", func(m *Member) {
			for range (Range[Index2]{}).All() {
				t.Error("an item")
			}
		}},
		"shares of a zero range": {"the range is its zero value", func(m *Member) { For(Shares(Range[int]{}), func(Range[int]) {}) }},
		"other shares": {"member 0 gave builtin.sum[int] over Shares(ThreadRange(9)), member 2 gave builtin.sum[int] over Shares(ThreadRange(8))", func(m *Member) {
			var x int
			Reduce(Shares(ThreadRange(m, 9-m.Rank()/2)), func(Range[int], *int) {}, builtin.Sum(&x))
		}},
		"one place for two": {"reducers 1 and 2 have the same result place", func(m *Member) {
			var x int
			Reduce2(ThreadRange(m, 1), func(_ int, a, b *int) {}, builtin.Sum(&x), builtin.Sum(&x))
		}},
		"one place for a field and another": {"reducers 1 and 2 have the same result place", func(m *Member) {
			var x int
			type counts struct{ n int }
			Reduce2(ThreadRange(m, 1), func(_ int, a *counts, b *int) {}, reducers.Field(func(c *counts) *int { return &c.n }, builtin.Sum(&x)), builtin.Sum(&x))
		}},
		"other extents": {"member 0 gave builtin.sum[int] over ThreadRange2(2, 3), member 2 gave builtin.sum[int] over ThreadRange2(3, 2)", func(m *Member) {
			var x int
			r := ThreadRange2(m, 2, 3)
			if m.Rank() == 2 {
				r = ThreadRange2(m, 3, 2)
			}
			Reduce(r, func(_ Index2, acc *int) { *acc++ }, builtin.Sum(&x))
		}},
		"other empty extents": {"member 0 gave builtin.sum[int] over TeamVectorRange3(0, 4, 5), member 1 gave builtin.sum[int] over TeamVectorRange3(1, 4, 0)", func(m *Member) {
			var x int
			r := TeamVectorRange3(m, 0, 4, 5)
			if m.Rank() > 0 {
				r = TeamVectorRange3(m, m.Rank(), 4, 0)
			}
			Scan(r, func(_ Index3, acc *int, _ bool) { *acc++ }, builtin.Sum(&x))
		}},
		"other level": {"member 0 gave builtin.sum[int] over ThreadRange(9), member 2 gave builtin.sum[int] over TeamVectorRange(9)", func(m *Member) {
			var x int
			r := ThreadRange(m, 9)
			if m.Rank() == 2 {
				r = TeamVectorRange(m, 9)
			}
			Reduce(r, count, builtin.Sum(&x))
		}},
		"other reducer": {"disagree about a nested reduction: member 0 gave builtin.sum[int] over ThreadRange(9), member 2 gave builtin.maximum[int] over ThreadRange(9)", func(m *Member) {
			var x int
			r := []reducers.Reducer[int]{builtin.Sum(&x), builtin.Sum(&x), builtin.Max(&x)}[m.Rank()]
			Reduce(ThreadRange(m, 9), count, r)
		}},
		"other length": {"member 0 gave builtin.sum[int] over ThreadRange(4), member 1 gave builtin.sum[int] over ThreadRange(3)", func(m *Member) {
			var x int
			Reduce(ThreadRange(m, 4-m.Rank()), count, builtin.Sum(&x))
		}},
		"other order": {"member 0 gave reducers.Modified[int] (ordered) over ThreadRange(9), member 1 gave reducers.Modified[int] (with its initial value) over ThreadRange(9)", func(m *Member) {
			var x int
			r := reducers.Ordered(builtin.Sum(&x))
			if m.Rank() == 1 {
				r = reducers.WithInitial(builtin.Sum(&x))
			}
			Reduce(ThreadRange(m, 9), count, r)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			err := runs(t, flat(1, 3), teams.Settings{}, c.body)
			var misuse *lane.Misuse
			require.ErrorAs(t, err, &misuse)
			require.ErrorContains(t, misuse, c.want)
		})
	}
}

func TestReduceThatSomeMembersDoNotReachIsReported(t *testing.T) {
	err := runs(t, flat(1, 4), teams.Settings{}, func(m *Member) {
		var x int
		if m.Rank() == 2 {
			Reduce(ThreadRange(m, 3), func(_ int, acc *int) { *acc++ }, builtin.Sum(&x)) // line A
		} else {
			Scan(ThreadRange(m, 3), func(_ int, acc *int, _ bool) { *acc++ }, builtin.Sum(&x)) // line B
		}
	})
	var d *lane.Divergence
	require.ErrorAs(t, err, &d)
	require.Len(t, d.Places, 2)
	require.Equal(t, "nested scan int", d.Places[0].Op.String())
	require.Equal(t, "nested reduce int", d.Places[1].Op.String())
	require.Equal(t, "nested_test.go", d.Places[0].File[strings.LastIndex(d.Places[0].File, "/")+1:])
	require.Equal(t, d.Places[1].Line+2, d.Places[0].Line)
}

func TestNestedReduceDoesNotAllocate(t *testing.T) {
	for _, size := range []int{1, 8} {
		shape := flat(1, size)
		shape.Vector = 4
		e := lane.New()
		results := make([]struct {
			sum, prefix float64
			most        int
		}, size)
		r := newRunner(shape, teams.Settings{}, func(m *Member) {
			x := &results[m.Rank()]
			For(ThreadRange(m, 20), func(i int) {
				Reduce(VectorRange(m, 10), func(j int, acc *float64) { *acc += float64(i * j) }, builtin.Sum(&x.sum))
			})
			Reduce(ThreadRange(m, 20), func(i int, acc *float64) { *acc += float64(i) }, builtin.Sum(&x.sum))
			Reduce2(TeamVectorRange(m, 20), func(i int, acc *float64, most *int) { *most = max(*most, i) }, builtin.Sum(&x.sum), builtin.Max(&x.most))
			Scan(ThreadRange(m, 20), func(i int, acc *float64, _ bool) { *acc += float64(i) }, builtin.Sum(&x.prefix))
		})
		require.NoError(t, e.Do(func() {
			allocs := testing.AllocsPerRun(100, func() { require.NoError(t, r.Run(e, 0)) })
			assert.Zero(t, allocs, "team of %d", size)
		}))
		require.NoError(t, e.Close())
	}
}
