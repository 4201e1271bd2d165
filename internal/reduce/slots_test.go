package reduce_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// record writes down in which order it is asked to join.
func record(dst, src *string) {
	switch {
	case *dst == "":
		*dst = *src
	case *src != "":
		*dst = "(" + *dst + "+" + *src + ")"
	}
}

// butterfly returns what record makes of the items of a leaf, by the rule as
// docs state it: the lanes l, l+stride, l+2*stride, ... are the tree of those
// with twice the stride, from l on and from l+stride on.
func butterfly(lanes, items, l, stride int) string {
	if l >= items {
		return ""
	}
	if stride == lanes {
		s := strconv.Itoa(l)
		for k := l + lanes; k < items; k += lanes {
			s = "(" + s + "+" + strconv.Itoa(k) + ")"
		}
		return s
	}
	left, right := butterfly(lanes, items, l, 2*stride), butterfly(lanes, items, l+stride, 2*stride)
	if right == "" {
		return left
	}
	return "(" + left + "+" + right + ")"
}

func TestButterfly(t *testing.T) {
	assert.Equal(t, "(((0+4)+(2+6))+((1+5)+3))", butterfly(4, 7, 0, 1))
	assert.Equal(t, "(((0+4)+2)+((1+5)+3))", butterfly(4, 6, 0, 1))
	assert.Equal(t, "((0+2)+1)", butterfly(4, 3, 0, 1))
	assert.Equal(t, "(((0+1)+2)+3)", butterfly(1, 4, 0, 1))

	for _, lanes := range []int{1, 2, 4, 8, 16, 32} {
		t.Run(fmt.Sprint(lanes), func(t *testing.T) {
			var result string
			joins := 0
			r := reducers.New(&result, func(dst, src *string) { record(dst, src); joins++ })
			slots := reduce.NewSlots(r)
			slots.Column.Open(1, 2, lanes)
			for items := range 71 { // one set of lanes for all: nothing may be left over
				acc := slots.Begin(0, items)
				require.Len(t, acc, lanes)
				for k := range items {
					item := strconv.Itoa(k)
					record(&acc[k&(lanes-1)], &item)
				}
				joins = 0
				slots.Column.End(0, items%2, items)
				if items > 0 {
					require.Equal(t, butterfly(lanes, items, 0, 1), *slots.At(items % 2), "%d items", items)
					require.Equal(t, min(lanes, items)-1, joins, "lanes without items are left out")
				}
			}
			assert.Empty(t, result)
		})
	}
}

// together is a reducer that joins lanes in one call, and writes down of each how many.
type together struct {
	reducers.Func[string]
	calls *[]int
}

func (r together) JoinLanes(lanes []string) {
	*r.calls = append(*r.calls, len(lanes))
	for h := len(lanes) / 2; h > 0; h /= 2 {
		for l := range h {
			r.Join(&lanes[l], &lanes[l+h])
			lanes[l+h] = "no matter"
		}
	}
}

func TestLanesAreJoinedTogether(t *testing.T) {
	var result string
	var calls []int
	r := together{reducers.New(&result, record), &calls}
	for _, r := range []reducers.Reducer[string]{r, reducers.WithInitial(reducers.Exact[string](r))} {
		slots := reduce.NewSlots(r)
		slots.Column.Open(1, 1, 8)
		for items, want := range map[int][]int{1: nil, 2: nil, 7: nil, 8: {8}, 50: {8}} {
			calls = nil
			acc := slots.Begin(0, items)
			for k := range items {
				item := strconv.Itoa(k)
				record(&acc[k%8], &item)
			}
			slots.Column.End(0, 0, items)
			assert.Equal(t, want, calls, "%d items", items)
			assert.Equal(t, butterfly(8, items, 0, 1), *slots.At(0), "%d items", items)
		}
	}
}

type large [9]float64

type largest [8]float64

// words has 72 bytes where an int has 8 of them, and counts as such everywhere.
type words struct {
	N    [7]int
	S, T float64
}

func TestLanes(t *testing.T) {
	assert.Equal(t, 32, lanes(t, sum(new(int))))
	assert.Equal(t, 32, lanes(t, reducers.New(new(string), concat)))
	assert.Equal(t, 32, lanes(t, reducers.New(new(largest), func(dst, src *largest) {})), "64 bytes")
	assert.Equal(t, 32, lanes(t, reducers.WithoutIdentity(new(reducers.Partial[int]), func(a, b int) int { return a })))
	assert.Equal(t, 32, lanes(t, reducers.WithInitial(sum(new(int)))))

	assert.Equal(t, 1, lanes(t, reducers.Ordered(sum(new(int)))))
	assert.Equal(t, 1, lanes(t, reducers.New(new(large), func(dst, src *large) {})), "more than 64 bytes")
	assert.Equal(t, 1, lanes(t, reducers.New(new(words), func(dst, src *words) {})), "72 bytes on all machines")
	assert.Equal(t, 1, lanes(t, reducers.Slice(new([]int), sum)))
	assert.Equal(t, 1, lanes(t, reducers.New(new(*int), func(dst, src **int) {})))
	assert.Equal(t, 1, lanes(t, reducers.New(new(map[int]int), func(dst, src *map[int]int) {})))
	assert.Equal(t, 1, lanes(t, reducers.New(new(any), func(dst, src *any) {})))
	assert.Equal(t, 1, lanes(t, reducers.New(new(struct{ x [1]struct{ p *int } }), func(dst, src *struct{ x [1]struct{ p *int } }) {})))
	assert.Equal(t, 1, lanes(t, reducers.WithoutIdentity(new(reducers.Partial[[]int]), func(a, b []int) []int { return a })))
	assert.Equal(t, 1, lanes(t, reducers.Compose(
		countField(new(int)), wordsField(new(string)))), "one ordered field orders all")
}

// lanes returns the number of lanes of a leaf that could have 32.
func lanes[T any](t *testing.T, r reducers.Reducer[T]) int {
	t.Helper()
	slots := reduce.NewSlots(r)
	require.NoError(t, slots.Column.Err())
	slots.Column.Open(1, 1, 32)
	return len(slots.Begin(0, 100))
}

// Each accumulator starts as the identity and no two of them share memory, even
// where memory is used again.
func TestSlotsShareNothing(t *testing.T) {
	x := make([]int, 1)
	slots := reduce.NewSlots(reducers.Slice(&x, sum))
	slots.Column.Open(2, 3, 1)
	for round := range 3 {
		for slot := range 3 {
			acc := slots.Begin(slot%2, 10)
			require.Equal(t, []int{0}, acc[0], "round %d", round)
			acc[0][0] = 10 + slot
			slots.Column.End(slot%2, slot, 10)
		}
		slots.Column.Join(1, 2)
		slots.Column.Join(0, 1)
		require.Equal(t, [][]int{{33}, {23}, {12}}, [][]int{*slots.At(0), *slots.At(1), *slots.At(2)})
		slots.Column.Clear(2)
		require.Equal(t, []int{0}, *slots.At(2))
		require.Equal(t, []int{23}, *slots.At(1))
	}
	slots.Column.Finish(0)
	assert.Equal(t, []int{0}, x)
	slots.Column.Store(0)
	assert.Equal(t, []int{33}, x)
}

func TestSlotsSeedAndPlace(t *testing.T) {
	n := 6
	plain, initial := reduce.NewSlots(product(&n)), reduce.NewSlots[int](reducers.WithInitial(product(&n)))
	var val int
	for _, s := range []*reduce.Slots[int]{plain, initial} {
		s.Column.Open(1, 1, 1)
		assert.Equal(t, any(&n), s.Column.Place())
	}
	plain.Seed(&val)
	assert.Equal(t, 1, val)
	initial.Seed(&val)
	assert.Equal(t, 6, val)
	both := reducers.Compose(countField(&n), wordsField(new(string)))
	assert.True(t, shared(&n, reduce.NewSlots(both).Column.Place()))
	assert.Nil(t, reduce.NewSlots(countField(&n)).Column.Place(), "nobody owns the words")
}

// overriding embeds a modified reducer, and joins in its own way.
type overriding struct{ reducers.Modified[string] }

func (overriding) Join(dst, src *string) { record(src, dst); *dst = *src }

// What embeds a reducer is not that reducer: its lanes are joined by its own Join.
func TestLanesOfAnEmbeddedReducer(t *testing.T) {
	var calls []int
	var result string
	r := overriding{reducers.Exact[string](together{reducers.New(&result, record), &calls})}
	slots := reduce.NewSlots[string](r)
	slots.Column.Open(1, 1, 2)
	acc := slots.Begin(0, 2)
	acc[0], acc[1] = "0", "1"
	slots.Column.End(0, 0, 2)
	assert.Equal(t, "(1+0)", *slots.At(0))
	assert.Empty(t, calls)
}

// partly is a reducer whose result goes to several places.
type partly struct{ reducers.Func[float64] }

func (partly) Traits() concept.Traits[float64] {
	return concept.Traits[float64]{Place: []float64{1, 2}, Store: func(*float64) {}}
}

// A result place that is one piece of memory has its addresses, and any other is left to CheckPlaces.
func TestExtent(t *testing.T) {
	var x [2]float64
	into := func(k int) reducers.Func[float64] {
		return reducers.New(&x[k], func(dst, src *float64) { *dst += *src })
	}
	first, known := reduce.NewSlots[float64](into(0)).Column.Extent()
	assert.True(t, known)
	assert.EqualValues(t, 8, first.End-first.Begin)
	next, _ := reduce.NewSlots[float64](into(1)).Column.Extent()
	assert.Equal(t, first.End, next.Begin)
	assert.True(t, reduce.Apart([]reduce.Extent{next, first}))
	both := reduce.Extent{Begin: first.Begin, End: next.End}
	assert.False(t, reduce.Apart([]reduce.Extent{first, both}))
	assert.False(t, reduce.Apart([]reduce.Extent{both, next}))
	assert.False(t, reduce.Apart([]reduce.Extent{first, next, first}))
	_, known = reduce.NewSlots[float64](partly{into(0)}).Column.Extent()
	assert.False(t, known, "places of its own")
}
