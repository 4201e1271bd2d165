package scatter

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/views"
)

// Accumulators are joined in any order and begin anew, as those of workers are. However often that
// happens, each room is among the others of one room, and in the end the root has all.
func TestRootHasEveryRoomOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 40} {
		s := Sum(views.Must(views.New1[int]("y", 10))).(*scatter[int])
		parts, all, gifts := make([]Access[int], n), make([]*room[int], n), make([]uint32, n)
		for k := range parts {
			s.Init(&parts[k])
			all[k], gifts[k] = parts[k].room, parts[k].gifts
		}
		for range 500 {
			dst, src := r.IntN(n), r.IntN(n)
			if dst == src {
				continue
			}
			s.Join(&parts[dst], &parts[src])
			s.Init(&parts[src])
			parts[dst], parts[src] = parts[src], parts[dst]
			had := 0
			for _, m := range all {
				had += len(m.others)
			}
			require.LessOrEqual(t, had, n, "a room is among the others of two")
		}
		for k := 1; k < n; k++ {
			s.Join(&parts[0], &parts[k])
		}
		root := parts[0].room
		given := []*room[int]{root}
		for _, other := range root.others {
			if other != root {
				given = append(given, other)
			}
		}
		require.ElementsMatch(t, all, given)
		s.store(&parts[0])
		for k, m := range all {
			require.Equal(t, gifts[k]+1, m.gifts.Load(), "given back once")
			require.False(t, m.joined)
			require.Empty(t, m.others)
		}
	}
}

// Accumulators that are used again after their result was stored, and a result that is stored twice,
// share no memory with those of others.
func TestAccumulatorsAfterStore(t *testing.T) {
	const cells, rounds = 10, 8
	for _, duplicated := range []bool{false, true} {
		y := views.Must(views.New1[int]("y", cells))
		r := Sum(y)
		if duplicated {
			r = Duplicated(r)
		}
		store := concept.TraitsOf(r).Store
		kept := make([]Access[int], 3)
		for range rounds {
			fresh := make([]Access[int], 3)
			all := []*Access[int]{&kept[0], &fresh[0], &kept[1], &fresh[1], &kept[2], &fresh[2]}
			for _, a := range all {
				r.Init(a)
			}
			for k, a := range all {
				a.Combine1(k, 1)
				a.Combine1(k, 1)
			}
			for _, a := range all[1:] {
				r.Join(all[0], a)
			}
			r.Final(all[0])
			store(all[0])
			store(all[0])
		}
		want := make([]int, cells)
		for k := range 6 {
			want[k] = 2 * rounds
		}
		got, ok := y.Slice()
		require.True(t, ok)
		assert.Equal(t, want, got, "duplicated: %t", duplicated)
	}
}

// A scatter that cannot be used makes accumulators all the same.
func TestInitOfUnusable(t *testing.T) {
	var a Access[int]
	assert.NotPanics(t, func() { Duplicated[int](nil).Init(&a) })
}
