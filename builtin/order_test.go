package builtin_test

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
)

// Location types.
type (
	row   int32
	cell  struct{ row, col row }
	place struct {
		name string
		at   [2]float32
		far  bool
		id   uint8
	}
	version struct{ text string } // ordered by length, by its pointer
	boxed   struct{ Any any }
	shape   interface{ Compare(shape) int }
	square  int
)

func (v *version) Compare(w version) int { return len(v.text) - len(w.text) }

func (s square) Compare(other shape) int { return int(s - other.(square)) }

// TestOrder checks ascending locations of equal values.
func TestOrder(t *testing.T) {
	testOrder(t, -3, 0, 7, math.MaxInt32)
	testOrder(t, int8(-3), 0, 7)
	testOrder(t, int16(-3), 0, 7)
	testOrder(t, int32(-3), 0, 7)
	testOrder(t, int64(-3), 0, 1<<40)
	testOrder(t, uint(0), 7, math.MaxUint)
	testOrder(t, uint8(0), 7, 200)
	testOrder(t, uint16(0), 7)
	testOrder(t, uint32(0), 7, 1<<31)
	testOrder(t, uint64(0), 7, 1<<63)
	testOrder(t, uintptr(0), 7)
	testOrder(t, row(-3), 0, 7)
	testOrder(t, -1.5, 0, inf)
	testOrder(t, float32(-1.5), 0, 2)
	testOrder(t, "", "a", "ab", "b")
	testOrder(t, false, true)
	testOrder(t, [3]int{0, 0, 1}, [3]int{0, 1, 0}, [3]int{1, -1, -1})
	testOrder(t, cell{-1, 5}, cell{0, 0}, cell{0, 1}, cell{1, -1})
	testOrder(t, place{}, place{id: 1}, place{far: true}, place{at: [2]float32{0, 1}}, place{at: [2]float32{1, 0}}, place{name: "x"})
	testOrder(t, policy.Index2{I: -1, J: 4}, policy.Index2{}, policy.Index2{J: 1}, policy.Index2{I: 1})
	testOrder(t, policy.Index6{}, policy.Index6{N: 1}, policy.Index6{M: 1}, policy.Index6{L: 1}, policy.Index6{I: 1})
	testOrder(t, version{"z"}, version{"aa"}, version{"mmm"})
	testOrder[shape](t, square(-1), square(2), square(3))
}

func testOrder[L comparable](t *testing.T, locs ...L) {
	t.Helper()
	eachPair(locs, func(low, high L, at func(i int) L) {
		lo, hi := builtin.ValLoc[int, L]{Val: 5, Loc: at(0)}, builtin.ValLoc[int, L]{Val: 5, Loc: at(0)}
		lo.Min(5, at(1))
		hi.MaxLast(5, at(1))
		var first, last builtin.Found[L]
		for i := range 2 {
			first.First(at(i), true)
			last.Last(at(i), true)
		}
		assert.Equal(t, []L{low, high, low, high}, []L{lo.Loc, hi.Loc, first.Loc, last.Loc})
	})
}

// eachPair calls f with every two of the ascending locations, and with a function that
// returns them in this order, and then in the other.
func eachPair[L any](locs []L, f func(low, high L, at func(i int) L)) {
	for high := range locs {
		for low := range high {
			pair := [2]L{locs[low], locs[high]}
			for swap := range 2 {
				f(pair[0], pair[1], func(i int) L { return pair[i^swap] })
			}
		}
	}
}

// TestOrderOfPartials checks that partial results are joined by the same order.
func TestOrderOfPartials(t *testing.T) {
	testOrderOfPartials(t, -3, 0, 7, math.MaxInt32)
	testOrderOfPartials(t, cell{-1, 5}, cell{0, 0}, cell{0, 1}, cell{1, -1})
	testOrderOfPartials(t, version{"z"}, version{"aa"}, version{"mmm"})
}

func testOrderOfPartials[L comparable](t *testing.T, locs ...L) {
	t.Helper()
	var lo, hi builtin.ValLoc[float64, L]
	var first, last builtin.Found[L]
	minLoc, maxLast := builtin.MinLoc(&lo), builtin.MaxLastLoc(&hi)
	firstLoc, lastLoc := builtin.FirstLoc(&first), builtin.LastLoc(&last)
	eachPair(locs, func(low, high L, at func(i int) L) {
		var a, b [2]builtin.ValLoc[float64, L]
		var c, d [2]builtin.Found[L]
		for i := range 2 {
			minLoc.Init(&a[i])
			maxLast.Init(&b[i])
			a[i].Min(5, at(i))
			b[i].MaxLast(5, at(i))
			c[i].First(at(i), true)
			d[i].Last(at(i), true)
		}
		minLoc.Join(&a[0], &a[1])
		maxLast.Join(&b[0], &b[1])
		firstLoc.Join(&c[0], &c[1])
		lastLoc.Join(&d[0], &d[1])
		assert.Equal(t, []L{low, high, low, high}, []L{a[0].Loc, b[0].Loc, c[0].Loc, d[0].Loc})
	})
}

// TestNoOrder checks that launches with such locations fail. TestEveryTypeWithoutOrder has
// more of them.
func TestNoOrder(t *testing.T) {
	testNoOrder[*int](t, "*int")
	for name, err := range map[string]error{
		"[2]*int":            errOf(builtin.FirstLoc[[2]*int]),
		"builtin_test.boxed": errOf(builtin.FirstLoc[boxed]),
	} {
		assert.ErrorContains(t, err, "builtin: locations of type "+name+" have no order; expected integers")
	}
}

func testNoOrder[L comparable](t *testing.T, name string) {
	for _, err := range []error{
		errOf(builtin.MinLoc[float64, L]),
		errOf(builtin.MaxLastLoc[float64, L]),
		errOf(builtin.MinMaxLoc[float64, L]),
		errOf(builtin.MinMaxFirstLastLoc[float64, L]),
		errOf(builtin.FirstLoc[L]),
		errOf(builtin.LastLoc[L]),
		errOf(builtin.PartitionPoint[L]),
		errOf(builtin.IsPartitioned[L]),
		foldOnce(builtin.MinLoc[float64, L]),
		foldOnce(builtin.IsPartitioned[L]),
		exec.ParallelReduce(policy.Range(0, 1), func(int, *builtin.Found[L]) { panic("the functor runs") }, builtin.FirstLoc(new(builtin.Found[L]))),
	} {
		assert.ErrorContains(t, err, "builtin: locations of type "+name+" have no order; expected integers")
	}
}

// errOf returns the error that a launch of a reducer returns.
func errOf[A, V any](reducer func(*A) builtin.Reduction[A, V]) error {
	return concept.TraitsOf[A](reducer(new(A))).Err
}

func foldOnce[A, V any](reducer func(*A) builtin.Reduction[A, V]) error {
	return exec.ParallelFold(exec.Slice(policy.Range(0, 1), make([]V, 1)), reducers.Folder[V](reducer(new(A))))
}

// TestFoldOtherLocations checks that a fold, which knows the location of a value
// as an int, takes no other.
func TestFoldOtherLocations(t *testing.T) {
	for _, err := range []error{
		foldOnce(builtin.MinLoc[float64, policy.Index2]),
		foldOnce(builtin.MinLastLoc[float64, policy.Index2]),
		foldOnce(builtin.MaxLoc[float64, policy.Index2]),
		foldOnce(builtin.MinMaxLoc[float64, policy.Index2]),
		foldOnce(builtin.FirstLoc[policy.Index2]),
		foldOnce(builtin.LastLoc[policy.Index2]),
		foldOnce(builtin.PartitionPoint[policy.Index2]),
		foldOnce(builtin.IsPartitioned[policy.Index2]),
	} {
		assert.EqualError(t, err, "builtin: a fold over values knows their location as an int, given a reducer with locations of type team.Index2; use exec.ParallelReduce")
	}
	assert.ErrorContains(t, foldOnce(builtin.FirstLoc[row]), "locations of type builtin_test.row;")
}

func TestNilResult(t *testing.T) {
	p := policy.Range(0, 1)
	assert.ErrorContains(t, exec.ParallelReduce(p, func(int, *int) {}, reducers.Reducer[int](builtin.Sum[int](nil))), "nil result place")
	assert.ErrorContains(t, exec.ParallelFold(exec.Slice(p, []int{1}), builtin.MinLoc[int, int](nil)), "nil result place")
	assert.ErrorContains(t, exec.ParallelFold(exec.Slice(p, []int{1}), builtin.MinLoc[int, row](nil)), "nil result place")
}

func TestFoldOverIndices(t *testing.T) {
	x := []float64{9, 9, 9, 4, 9, 3, 9}
	var at builtin.ValLoc[float64, int]
	require.NoError(t, exec.ParallelFold(exec.Slice(policy.Range(2, 5), x), builtin.MinLoc(&at)))
	assert.Equal(t, builtin.ValLoc[float64, int]{Val: 4, Loc: 3}, at)
}

// TestNoAllocation checks that a constructor makes no garbage.
func TestNoAllocation(t *testing.T) {
	var s float64
	var at builtin.ValLoc[float64, policy.Index2]
	var r reducers.Reducer[float64]
	var l reducers.Reducer[builtin.ValLoc[float64, policy.Index2]]
	assert.Zero(t, testing.AllocsPerRun(100, func() { r, l = builtin.Sum(&s), builtin.MinLoc(&at) }))
	assert.Same(t, &s, r.Reference())
	l.Init(&at)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		at.Min(3, policy.Index2{I: 5, J: 7})
		at.Min(3, policy.Index2{I: 5, J: 6})
	}))
}
