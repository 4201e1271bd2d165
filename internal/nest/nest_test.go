package nest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/nest"
)

type loop struct{ n, a, b int }

type places struct{ a, b int }

// of makes the nest of some loops.
func of(loops []loop) nest.Loops {
	x := nest.Loops{Items: 1}
	for _, l := range loops {
		x.Items *= l.n
		x.Push(l.n, l.a, l.b)
	}
	return x
}

// visit returns what loops in loops meet.
func visit(loops []loop) []places {
	all := []places{{}}
	for _, l := range loops {
		var next []places
		for _, p := range all {
			for k := range l.n {
				next = append(next, places{p.a + k*l.a, p.b + k*l.b})
			}
		}
		all = next
	}
	return all
}

// rows returns what the rows of some items are made of, each as long as can be.
func rows(t *testing.T, x nest.Loops, begin, end int) (all []places) {
	n, a, b := x.Inner()
	r := x.Rows(begin, end)
	for r.Next() {
		require.Positive(t, r.N)
		at := begin + len(all)
		assert.Equal(t, min(n-at%n, end-at), r.N, "a row at item %d of %v", at, x)
		for k := range r.N {
			all = append(all, places{r.A + k*a, r.B + k*b})
		}
	}
	return all
}

// random returns up to four loops over two arrays without elements in common places, in any
// order of strides, with gaps, and often so that two can be merged.
func random(r *rand.Rand) []loop {
	loops := make([]loop, r.IntN(5))
	a, b := 1+r.IntN(2), 1
	for _, d := range r.Perm(len(loops)) {
		n := 1 + r.IntN(4)
		loops[d] = loop{n, a, b}
		a, b = a*(n+r.IntN(2)), b*(n+r.IntN(3)/2)
	}
	return loops
}

func TestAgainstLoopsInLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		loops := random(r)
		name := fmt.Sprint(loops)
		want := visit(loops)
		x := of(loops).Merged()
		require.Equal(t, want, rows(t, x, 0, x.Items), name)
		for k := range want {
			a, b := x.At(k)
			require.Equal(t, want[k], places{a, b}, "item %d of %s", k, name)
		}
		begin := r.IntN(len(want) + 1)
		end := begin + r.IntN(len(want)-begin+1)
		assert.ElementsMatch(t, want[begin:end], rows(t, x, begin, end), "items %d to %d of %s", begin, end, name)

		byPlace := x.ByPlace()
		slices.SortFunc(want, func(p, q places) int { return p.a - q.a })
		require.Equal(t, want, rows(t, byPlace, 0, byPlace.Items), "%s by place", name)
	}
}

func TestStopsWhenAsked(t *testing.T) {
	x := of([]loop{{3, 10, 1}, {4, 2, 1}})
	met := 0
	r := x.Rows(1, 12)
	for r.Next() {
		if met++; met == 2 {
			break
		}
	}
	assert.Equal(t, 2, met)
}

func TestMerged(t *testing.T) {
	for _, c := range []struct {
		name        string
		loops, want []loop
	}{
		{"none", nil, []loop{{1, 1, 1}}},
		{"of one item", []loop{{1, 7, 7}, {1, 5, 5}}, []loop{{1, 1, 1}}},
		{"dense", []loop{{2, 12, 12}, {3, 4, 4}, {4, 1, 1}}, []loop{{24, 1, 1}}},
		{"around a loop of one item", []loop{{2, 4, 4}, {1, 9, 9}, {4, 1, 1}}, []loop{{8, 1, 1}}},
		{"a gap in a", []loop{{2, 5, 4}, {4, 1, 1}}, []loop{{2, 5, 4}, {4, 1, 1}}},
		{"a gap in b", []loop{{2, 4, 5}, {4, 1, 1}}, []loop{{2, 4, 5}, {4, 1, 1}}},
		{"the outer ones only", []loop{{2, 30, 30}, {3, 10, 10}, {4, 2, 1}}, []loop{{6, 10, 10}, {4, 2, 1}}},
		{"no items", []loop{{3, 0, 0}, {0, 0, 0}}, []loop{{0, 0, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := of(c.want)
			want.Items = of(c.loops).Items
			assert.Equal(t, want, of(c.loops).Merged())
		})
	}
}

func TestNoItems(t *testing.T) {
	x := of([]loop{{3, 0, 0}, {0, 0, 0}}).Merged()
	assert.Empty(t, rows(t, x, 0, 0))
}

func TestWithout(t *testing.T) {
	x := of([]loop{{2, 60, 30}, {3, 20, 1}, {4, 5, 3}, {5, 1, 12}})
	y := x.Without(1)
	assert.Equal(t, visit([]loop{{2, 60, 30}, {4, 5, 3}}), rows(t, y, 0, y.Items))
	z := of([]loop{{3, 20, 1}, {5, 1, 12}}).Without(0)
	assert.Equal(t, []places{{}}, rows(t, z, 0, z.Items))
}
