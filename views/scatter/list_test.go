package scatter

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// contents returns all contributions of a list.
func contents(l *list[int]) (all []entry[int]) {
	for _, r := range l.runs {
		all = append(all, r.entries()...)
	}
	return append(all, l.open...)
}

// Lists that are joined, go on, and are emptied in any order have what slices have: memory that
// is used again is nobody else's any more.
func TestListsAgainstSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var p pieces
	lists, want := make([]list[int], 5), make([][]entry[int], 5)
	for step := range 2000 {
		k, other := r.IntN(len(lists)), r.IntN(len(lists))
		l := &lists[k]
		what := ""
		switch action := r.IntN(10); {
		case action < 5:
			n := r.IntN(1 << r.IntN(12))
			what = fmt.Sprintf("%d contributions to list %d", n, k)
			for i := range n {
				e := entry[int]{uint32(i), step}
				if len(l.open) == cap(l.open) {
					l.grow(&p)
				}
				l.open = append(l.open, e)
				want[k] = append(want[k], e)
			}
		case action < 8 && k != other && len(want[k])+len(want[other]) < 1<<13:
			what = fmt.Sprintf("list %d joined to %d", other, k)
			l.join(&lists[other], &p)
			want[k] = slices.Concat(want[k], want[other])
		case action == 8 || len(want[k]) > 1<<12:
			what = fmt.Sprintf("list %d forgotten", k)
			l.forget(&p)
			want[k] = nil
		}
		for k := range lists {
			if len(want[k]) != lists[k].len() {
				t.Fatalf("list %d has %d contributions after %s, expected %d", k, lists[k].len(), what, len(want[k]))
			}
			if slices.ContainsFunc(lists[k].runs, func(r run[int]) bool { return 2*r.n < len(r.memory) }) {
				t.Fatalf("list %d after %s has a run that does not fill half of its piece", k, what)
			}
		}
		// The others are looked at in turn: what is wrong stays there for longer.
		for _, k := range []int{k, step % len(lists)} {
			require.True(t, slices.Equal(want[k], contents(&lists[k])), "list %d after %s", k, what)
		}
	}
}

// Memory that nobody refers to is used again: in the end, all of it is.
func TestPiecesComeBack(t *testing.T) {
	var p pieces
	var a, b, c list[int]
	fill := func(l *list[int], n int) {
		for range n {
			if len(l.open) == cap(l.open) {
				l.grow(&p)
			}
			l.open = append(l.open, entry[int]{})
		}
	}
	fill(&a, 3*longest)
	b.join(&a, &p)
	c.join(&b, &p)
	pieces := []*piece[int]{a.last}
	for _, r := range a.runs {
		pieces = append(pieces, r.piece)
	}
	require.Len(t, pieces, 3)
	referring := func(n int32) {
		t.Helper()
		for _, x := range pieces {
			require.Equal(t, n, x.lists.Load())
		}
	}
	referring(3)
	b.forget(&p)
	referring(2)
	a.forget(&p)
	referring(1)
	c.free(&p)
	referring(0)
	for range 2 { // nothing is left to be given back twice
		a.free(&p)
		b.free(&p)
		c.free(&p)
	}
	referring(0)
	require.Zero(t, a.len()+b.len()+c.len())
}
