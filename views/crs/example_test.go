package crs_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/crs"
)

func list(x ...int) views.View1[int] { return views.Must(views.Of1("", x)) }

func ExampleFromCounts() {
	g, err := crs.FromCounts("entries", list(2, 0, 3))
	exec.Must(err)
	exec.Must(exec.ParallelFor(policy.Range(0, g.Rows()), func(i int) {
		for k := range g.Row(i) {
			g.Row(i)[k] = 10*i + k
		}
	}))
	fmt.Println(g.Starts.Row(), g.Entries.Row())
	// Output: [0 2 2 5] [0 1 20 21 22]
}

func ExampleFromEdges() {
	g, err := crs.FromEdges("neighbours", 3, list(2, 0, 2, 0), list(1, 2, 0, 1))
	exec.Must(err)
	for i := range g.Rows() {
		fmt.Println(i, g.Row(i))
	}
	// Output:
	// 0 [2 1]
	// 1 []
	// 2 [1 0]
}

func ExampleGraph_Transpose() {
	g, err := crs.FromEdges("columns", 2, list(0, 0, 1), list(2, 0, 2))
	exec.Must(err)
	t, err := g.Transpose("rows", 3)
	exec.Must(err)
	for j := range t.Rows() {
		fmt.Println(j, t.Row(j))
	}
	// Output:
	// 0 [0]
	// 1 []
	// 2 [0 1]
}

// A team takes rows with about the same number of entries.
func ExampleGraph_Parts() {
	g, err := crs.FromCounts("entries", list(9, 1, 1, 1, 1, 1, 1, 1))
	exec.Must(err)
	fmt.Println(g.Parts(3))
	// Output: [0 1 4 8] <nil>
}

// A team takes the rows of a part, each by one of its threads.
// The sums are those of a launch over rows, since a row is summed up alone.
func ExampleGraph_Parts_teams() {
	g, err := crs.FromEdges("neighbours", 4, list(0, 0, 0, 0, 1, 2, 3), list(0, 1, 2, 3, 0, 1, 3))
	exec.Must(err)
	cuts, err := g.Parts(2)
	exec.Must(err)
	x, y := []float64{1, 10, 100, 1000}, make([]float64, g.Rows())
	exec.Must(exec.ParallelFor(policy.Team(len(cuts)-1, 2).WithLabel("spmv"), func(m *team.Member) {
		first, last := cuts[m.LeagueRank()], cuts[m.LeagueRank()+1]
		for i := range team.ThreadRange(m, last-first).All() {
			for _, j := range g.Row(first + i) {
				y[first+i] += x[j]
			}
		}
	}))
	fmt.Println(cuts, y)
	// Output: [0 1 4] [1111 1 10 1000]
}

func ExampleGraph_Row() {
	g, err := crs.FromCounts("entries", list(1, 2))
	exec.Must(err)
	fmt.Println(g.Rows(), g.Row(1))
	// Output: 2 [0 0]
}
