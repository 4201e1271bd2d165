package team

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/reducers"
)

// itemsOf returns the items that a loop and For go over, the loop up to a number of them.
func itemsOf[I any](r Range[I], most int) (loop, functor []I) {
	for i := range r.All() {
		if len(loop) == most {
			break
		}
		loop = append(loop, i)
	}
	For(r, func(i I) { functor = append(functor, i) })
	return loop, append([]I(nil), functor[:min(most, len(functor))]...)
}

func TestAllYieldsTheItemsOfFor(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, l := range levels {
			for _, n := range extents(m) {
				for _, most := range []int{n, 2, 0} {
					loop, functor := itemsOf(newRange(m, l, n), most)
					require.Equal(t, functor, loop, "%s, %d items", levelNames[l], n)
				}
			}
			for _, e := range [][3]int{{0, 2, 3}, {2, 0, 3}, {1, 1, 1}, {3, 5, 7}, {1, 1, 40}, {1, 40, 1}} {
				loop2, functor2 := itemsOf(newRange2(m, l, e[0], e[1]), 20)
				require.Equal(t, functor2, loop2)
				loop3, functor3 := itemsOf(newRange3(m, l, e[0], e[1], e[2]), 50)
				require.Equal(t, functor3, loop3)
			}
		}
	})
}

// What follows the last item and the last block is more than an int can count.
func TestLoopsThatEndWithTheInts(t *testing.T) {
	const n, size = math.MaxInt, math.MaxInt/8 - 1
	runner := newRunner(flat(1, 2), teams.Settings{}, nil)
	runner.shape.Vector = 2
	for _, rank := range []int{0, 1, 7, size / 2, size - 1} {
		m := &Member{run: runner, size: size, rank: rank}
		for _, l := range []level{overThreads, overBoth} {
			width := uint64(l) // 2 lanes or one
			if l == overThreads {
				width = 1
			}
			var want, got []int
			for b := uint64(rank) * width; b < n; b += size * width {
				for i := b; i < min(b+width, n); i++ {
					want = append(want, int(i))
				}
			}
			for i := range newRange(m, l, n).All() {
				if got = append(got, i); len(got) > len(want) {
					break
				}
			}
			require.Equal(t, want, got, "%s, rank %d", levelNames[l], rank)
			got = nil
			for i := range lanesOf(newRange(m, l, n)).Items() {
				if got = append(got, i); len(got) > len(want) {
					break
				}
			}
			require.Equal(t, want, got, "%s, rank %d, lanes", levelNames[l], rank)
		}
	}
}

// lanesOf returns what the functor of ReduceLanes gets, with as many accumulators as lanes.
func lanesOf(r Range[int]) (l Lanes[int]) {
	l.begin, l.end, l.width, l.stride, l.step = r.loop(false)
	l.acc = make([]int, r.lanes())
	return l
}

func TestReduceLanesHasTheBitsOfReduce(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, n := range extents(m) {
			for _, l := range levels {
				r := newRange(m, l, n)
				for _, op := range []func(*float64) reducers.Reducer[float64]{
					func(x *float64) reducers.Reducer[float64] { return builtin.Sum(x) },
					func(x *float64) reducers.Reducer[float64] { return reducers.Ordered(builtin.Sum(x)) },
					func(x *float64) reducers.Reducer[float64] { return reducers.WithInitial(builtin.Sum(x)) },
				} {
					want, got := 0.1, 0.1
					Reduce(r, func(i int, acc *float64) { *acc += uneven(i) }, op(&want))
					ReduceLanes(r, func(l Lanes[float64]) {
						for i, acc := range l.Items() {
							*acc += uneven(i)
						}
					}, op(&got))
					require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%T, %s, %d items", op(nil), levelNames[l], n)
				}
				var text, gotText string
				Reduce(r, func(i int, acc *string) { *acc += letter(i) }, concat(&text))
				ReduceLanes(r, func(l Lanes[string]) {
					for i, acc := range l.Items() {
						*acc += letter(i)
					}
				}, concat(&gotText))
				require.Equal(t, text, gotText)
			}
		}
	})
}

// A loop that is left early leaves out the items that it did not come to.
func TestReduceLanesOfALoopThatIsLeft(t *testing.T) {
	require.NoError(t, runs(t, flat(1, 3), teams.Settings{}, func(m *Member) {
		var sum int
		ReduceLanes(ThreadRange(m, 30), func(l Lanes[int]) {
			for i, acc := range l.Items() {
				if i >= 20 {
					break
				}
				*acc += i
			}
		}, builtin.Sum(&sum))
		require.Equal(t, 190, sum)
	}))
}

// The functor of a member without items is not called; it still gets the result.
func TestLoopsOfMembersWithoutItems(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, n := range []int{0, 1} {
			mine := n == 1 && m.Rank() == 0
			calls := 0
			var high int
			ReduceLanes(ThreadRange(m, n), func(l Lanes[int]) {
				calls++
				for i, acc := range l.Items() {
					*acc = max(*acc, i-5)
				}
			}, builtin.Max(&high))
			Reduce(Shares(ThreadRange(m, n)), func(r Range[int], acc *int) { calls++ }, builtin.Max(new(int)))
			For(Shares(ThreadRange(m, n)), func(r Range[int]) { calls++ })
			for range Shares(ThreadRange(m, n)).All() {
				calls++
			}
			want := math.MinInt
			if n == 1 {
				want = -5
			}
			require.Equal(t, want, high)
			require.Equal(t, map[bool]int{true: 4}[mine], calls)
		}
	})
}

func TestSharesHaveTheItemsAndTheBitsOfTheRange(t *testing.T) {
	expected := expecting(uneven)
	everyTeam(t, func(m *Member) {
		for _, n := range extents(m) {
			for _, l := range levels {
				r := newRange(m, l, n)
				var items []int
				For(Shares(r), func(r Range[int]) {
					loop, functor := itemsOf(r, n)
					require.Equal(t, functor, loop)
					items = append(items, loop...)
				})
				_, want := itemsOf(r, n)
				require.Equal(t, want, items)

				sums := expected(trial{l, n, m.Size(), 1, false}) // one lane
				if l == overBoth {
					sums = sharesOfBoth(n, m.Size(), m.VectorLength())
				}
				var a, b, c, d, e, f, g, h, in float64
				Reduce(Shares(r), func(r Range[int], a *float64) { *a += sumOf(r) }, builtin.Sum(&a))
				Reduce2(Shares(r), func(r Range[int], a, b *float64) { *a += sumOf(r); *b = *a }, builtin.Sum(&b), builtin.Sum(&c))
				Reduce3(Shares(r), func(r Range[int], a, b, c *float64) { *a += sumOf(r); *b, *c = *a, *a },
					builtin.Sum(&d), builtin.Sum(&e), builtin.Sum(&f))
				Reduce4(Shares(r), func(r Range[int], a, b, c, d *float64) { *a += sumOf(r); *b = *a },
					builtin.Sum(&g), builtin.Sum(&h), builtin.Sum(new(float64)), builtin.Sum(new(float64)))
				for k, x := range []float64{a, b, c, d, e, f, g, h} {
					require.Equal(t, math.Float64bits(sums), math.Float64bits(x), "%s, %d items, result %d", levelNames[l], n, k)
				}
				Reduce(Shares(r), func(r Range[int], a *float64) { *a += sumOf(r) }, reducers.Ordered(builtin.Sum(&in)))
				require.Equal(t, expected(trial{l, n, m.Size(), 1, true}), in)

				var text strings.Builder
				for i := range n {
					text.WriteString(letter(i))
				}
				var got string
				Reduce(Shares(r), func(r Range[int], acc *string) {
					for i := range r.All() {
						*acc += letter(i)
					}
				}, concat(&got))
				require.Equal(t, text.String(), got)
			}
		}
	})
}

func sumOf(r Range[int]) (sum float64) {
	for i := range r.All() {
		sum += uneven(i)
	}
	return sum
}

// sharesOfBoth is the sum over the shares of a TeamVectorRange, each in one lane.
func sharesOfBoth(n, members, v int) float64 {
	values := make([]*float64, members)
	for i := range n {
		k, _ := place(overBoth, i, n, members, v, false)
		x := uneven(i)
		if values[k] != nil {
			x += *values[k]
		}
		values[k] = &x
	}
	if x := pairwise(values, add); x != nil {
		return *x
	}
	return 0
}

func TestScanOfShares(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, n := range extents(m) {
			want, got := make([]float64, n), make([]float64, n)
			var total, gotTotal float64
			Scan(ThreadRange(m, n), func(i int, acc *float64, final bool) {
				*acc += uneven(i)
				want[i] = *acc
			}, builtin.Sum(&total))
			Scan(Shares(ThreadRange(m, n)), func(r Range[int], acc *float64, final bool) {
				For(Shares(r), func(r Range[int]) { // shares of a share are all of it
					for i := range r.All() {
						*acc += uneven(i)
						got[i] = *acc
					}
				})
			}, builtin.Sum(&gotTotal))
			require.Equal(t, want, got)
			require.Equal(t, total, gotTotal)
		}
	})
}

func TestLoopsDoNotAllocate(t *testing.T) {
	shape := flat(1, 1)
	shape.Vector = 4
	var sum float64
	r := newRunner(shape, teams.Settings{}, func(m *Member) {
		for i := range ThreadRange(m, 20).All() {
			sum += float64(i)
		}
		for i := range TeamVectorRange3(m, 2, 3, 4).All() {
			sum += float64(i.K)
		}
		Reduce(Shares(ThreadRange(m, 20)), func(r Range[int], acc *float64) {
			for i := range r.All() {
				*acc += float64(i)
			}
		}, builtin.Sum(&sum))
		ReduceLanes(VectorRange(m, 20), func(l Lanes[float64]) {
			for i, acc := range l.Items() {
				*acc += float64(i)
			}
		}, builtin.Sum(&sum))
	})
	require.Zero(t, testing.AllocsPerRun(100, func() { require.NoError(t, r.Run(nil, 0)) }))
}
