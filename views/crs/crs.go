// Package crs holds rows of different lengths, one behind the other: the neighbours of each atom, the cells
// around each node of a mesh, the columns of a sparse matrix. It is Kokkos::StaticCrsGraph.
//
//	g, err := crs.FromEdges("neighbours", atoms, from, to)
//	err = exec.ParallelFor(policy.Range(0, g.Rows()), func(i int) {
//		for _, j := range g.Row(i) {
//			// ...
//		}
//	})
//
// Its contents are the same on every space, for any number of workers. All views are in host memory.
package crs

import (
	"fmt"
	"math"
	"sort"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A Graph is rows of entries: row i is Entries[Starts[i]:Starts[i+1]], and Starts has one element more than
// there are rows. Both are in host memory. The zero Graph has no rows.
type Graph struct {
	Starts  views.View1[int]
	Entries views.View1[int]
}

// Rows returns the number of rows.
func (g Graph) Rows() int { return max(g.Starts.Len()-1, 0) }

// Row returns the entries of a row, to read or write.
func (g Graph) Row(i int) []int {
	starts := g.Starts.Row()
	from, to := starts[i], starts[i+1]
	return g.Entries.Row()[from:to:to]
}

// items returns a policy for so many items, whose label says what is done with them unless the caller has one. Where a space has several processes, each has the graph in its own memory, and
// makes all of it.
func items(n int, label string, on []policy.Launch) policy.RangePolicy {
	p := policy.Range(0, n).WithLabel("crs: " + label).With(on...)
	return p.On(memory.Here(p.Plan().Space))
}

// FromCounts returns a graph whose row i has counts[i] entries, all 0. It is an error if a count is negative
// or their sum more than half of what an int holds, and what is an error of [exec.ParallelScan].
func FromCounts(label string, counts views.View1[int], on ...policy.Launch) (Graph, error) {
	n := counts.Len()
	starts, err := views.New1[int](label+" starts", n+1)
	if err != nil {
		return Graph{}, err
	}
	c, s := counts.Row(), starts.Row()
	wrong, total, about := n, 0, 0.0
	err = exec.ParallelReduce2(items(n, "look at counts", on), func(i int, first *int, sum *float64) {
		if c[i] < 0 {
			*first = min(*first, i)
		}
		*sum += float64(c[i])
	}, builtin.Min(&wrong), builtin.Sum(&about))
	switch {
	case err != nil:
		return Graph{}, err
	case wrong < n:
		return Graph{}, fmt.Errorf("crs: counts[%d] of %q is %d, expected none below 0", wrong, label, c[wrong])
	case about > math.MaxInt/2:
		return Graph{}, fmt.Errorf("crs: the rows of %q have about %g entries, expected at most %d", label, about, math.MaxInt/2)
	}
	err = exec.ParallelScan(items(n, "start rows", on), func(i int, acc *int, final bool) {
		*acc += c[i]
		if final {
			s[i+1] = *acc
		}
	}, builtin.Sum(&total))
	if err != nil {
		return Graph{}, err
	}
	entries, err := views.New1[int](label, total)
	if err != nil {
		return Graph{}, err
	}
	return Graph{Starts: starts, Entries: entries}, nil
}

// FromEdges returns a graph with an entry to[k] in row from[k] for each k. The entries of a row are in the
// order of k. It is an error if from and to differ in length or a row is not one of rows; what is wrong is
// told of the lowest k.
//
// Cost: edges are counted by row and then put in their places, without a comparison. Memory for up to as many ints as
// there are edges or rows.
func FromEdges(label string, rows int, from, to views.View1[int], on ...policy.Launch) (Graph, error) {
	n := from.Len()
	if to.Len() != n || rows < 0 {
		return Graph{}, fmt.Errorf("crs: %q of %d rows from %d edges to %d, expected as many of both and no rows below 0", label, rows, n, to.Len())
	}
	f := from.Row()
	wrong := n
	err := exec.ParallelReduce(items(n, "look at edges", on), func(k int, first *int) {
		if uint(f[k]) >= uint(rows) {
			*first = min(*first, k)
		}
	}, builtin.Min(&wrong))
	switch {
	case err != nil:
		return Graph{}, err
	case wrong < n:
		return Graph{}, fmt.Errorf("crs: edge %d of %q is from row %d, expected one of %d", wrong, label, f[wrong], rows)
	}
	starts, err := views.New1[int](label+" starts", rows+1)
	if err != nil {
		return Graph{}, err
	}
	entries, err := views.New1[int](label, n)
	if err != nil {
		return Graph{}, err
	}
	c, err := newCounting(rows, f)
	if err != nil {
		return Graph{}, err
	}
	if err := c.sort(starts.Row(), entries.Row(), to.Row(), on); err != nil {
		return Graph{}, err
	}
	return Graph{Starts: starts, Entries: entries}, nil
}

// Transpose returns the graph with an entry i in row j for each entry j in row i of g, where j is one of
// columns. The entries of a row ascend. It is an error if an entry is none of columns.
func (g Graph) Transpose(label string, columns int, on ...policy.Launch) (Graph, error) {
	rows, err := views.New1[int]("rows", g.Entries.Len())
	if err != nil {
		return Graph{}, err
	}
	r, s := rows.Row(), g.Starts.Row()
	err = exec.ParallelFor(items(g.Rows(), "transpose", on), func(i int) {
		for k := s[i]; k < s[i+1]; k++ {
			r[k] = i
		}
	})
	if err != nil {
		return Graph{}, err
	}
	return FromEdges(label, columns, g.Entries, rows, on...)
}

// Parts returns where rows are cut into parts with about the same work, as a team or a worker takes: part p
// is the rows from the p-th element to the next. A row counts as one and its entries, and is in one part:
// no part has more than its share and the longest row. It is an error if parts is below 1.
func (g Graph) Parts(parts int) ([]int, error) {
	if parts < 1 {
		return nil, fmt.Errorf("crs: %d parts, expected at least 1", parts)
	}
	rows := g.Rows()
	cuts := make([]int, parts+1)
	cuts[parts] = rows
	if rows == 0 {
		return cuts, nil
	}
	s := g.Starts.Row()
	whole, rest := (s[rows]+rows)/parts, (s[rows]+rows)%parts
	for p := 1; p < parts; p++ {
		share := p*whole + p*rest/parts // of the work that comes before
		cuts[p] = sort.Search(rows, func(i int) bool { return s[i]+i >= share })
	}
	return cuts, nil
}
