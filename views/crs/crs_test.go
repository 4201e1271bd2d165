package crs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/leaktest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func list(x ...int) views.View1[int] { return views.Must(views.Of1("", x)) }

// A graph of edges and its transpose are those of a loop over the edges, on every space.
func TestEdges(t *testing.T) {
	two, sim := exec.NewGoroutines(2), exec.NewSimGPU(gpu.H200())
	defer two.Close()
	defer sim.Close()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, shape := range [][3]int{{0, 0, 0}, {1, 1, 0}, {1, 1, 1}, {5, 3, 40}, {100, 7, 99}, {3, 900, 20000}, {900, 3, 50001}, {1, 2, 40000}, {20000, 5, 3}, {17000, 9, 70000}} {
		rows, columns, edges := shape[0], shape[1], shape[2]
		from, to := make([]int, edges), make([]int, edges)
		want, across := make([][]int, rows), make([][]int, columns)
		for k := range edges {
			from[k], to[k] = rng.IntN(rows), rng.IntN(columns)
			want[from[k]] = append(want[from[k]], to[k])
		}
		for i, row := range want {
			for _, j := range row {
				across[j] = append(across[j], i)
			}
		}
		for _, s := range []exec.Space{exec.Serial{}, two, sim, sim.WithSchedule(5)} {
			g, err := FromEdges("g", rows, list(from...), list(to...), policy.On(s))
			require.NoError(t, err)
			require.Equal(t, rows, g.Rows())
			for i := range rows {
				require.True(t, slices.Equal(want[i], g.Row(i)), "row %d, in the order of the edges", i)
			}
			h, err := g.Transpose("h", columns, policy.On(s))
			require.NoError(t, err)
			require.Equal(t, columns, h.Rows())
			for j := range columns {
				require.True(t, slices.Equal(across[j], h.Row(j)), "column %d", j)
			}
		}
	}
}

func TestWrongGraphs(t *testing.T) {
	_, err := FromCounts("g", list(1, 2, -3, -4))
	assert.EqualError(t, err, `crs: counts[2] of "g" is -3, expected none below 0`)
	_, err = FromCounts("g", list(math.MaxInt, math.MaxInt, 2))
	assert.ErrorContains(t, err, "expected at most")
	_, err = FromEdges("g", 3, list(0, 3, -1), list(0, 0, 0))
	assert.EqualError(t, err, `crs: edge 1 of "g" is from row 3, expected one of 3`)
	_, err = FromEdges("g", 3, list(0), list(0, 0))
	assert.ErrorContains(t, err, "3 rows from 1 edges to 2")
	_, err = FromEdges("g", -1, list(), list())
	assert.Error(t, err)
	g, err := FromEdges("g", 1, list(0), list(7))
	require.NoError(t, err)
	_, err = g.Transpose("h", 7)
	assert.ErrorContains(t, err, "from row 7, expected one of 7")
	_, err = g.Parts(0)
	assert.Error(t, err)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = FromEdges("g", 1, list(0), list(7), policy.Launch{}.WithContext(cancelled))
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 0, Graph{}.Rows())
	none, err := Graph{}.Transpose("none", 3)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 0, 0, 0}, none.Starts.Row())
	if math.MaxInt > math.MaxInt32 { // elsewhere such a slice may be, and ends the program
		huge, err := FromCounts("huge", list(math.MaxInt/4, 1))
		assert.ErrorContains(t, err, "more memory than there can be")
		assert.Zero(t, huge.Rows())
	}
	cuts, err := Graph{}.Parts(2)
	assert.Equal(t, []int{0, 0, 0}, cuts)
	assert.NoError(t, err)
}

// Launches say what they do, or what the caller calls them.
func TestLabels(t *testing.T) {
	labels := func(on policy.Launch) (all []string) {
		defer tools.Listen(func(e tools.Event) func(error) {
			if e.Kind != tools.Allocation {
				all = append(all, e.Label)
			}
			return nil
		})()
		g, err := FromEdges("g", 2, list(0, 1), list(0, 0), on)
		require.NoError(t, err)
		_, err = g.Transpose("t", 1, on)
		require.NoError(t, err)
		_, err = FromCounts("c", list(1), on)
		require.NoError(t, err)
		return all
	}
	edges := []string{"crs: look at edges", "crs: count", "crs: start rows", "crs: place"}
	assert.Equal(t, slices.Concat(edges, []string{"crs: transpose"}, edges, []string{"crs: look at counts", "crs: start rows"}), labels(policy.On(exec.Serial{})))
	for _, label := range labels(policy.On(exec.Serial{}).WithLabel("mine")) {
		assert.Equal(t, "mine", label)
	}
}

// Parts cover all rows in order, and none has more than its share and the longest row.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		counts := make([]int, rng.IntN(60))
		longest, work := 0, len(counts)
		for i := range counts {
			counts[i] = rng.IntN(1 + rng.IntN(50))
			longest, work = max(longest, counts[i]+1), work+counts[i]
		}
		g, err := FromCounts("g", list(counts...), policy.On(exec.Serial{}))
		require.NoError(t, err)
		parts := 1 + rng.IntN(20)
		cuts, err := g.Parts(parts)
		require.NoError(t, err)
		require.Len(t, cuts, parts+1)
		require.Zero(t, cuts[0])
		require.Equal(t, len(counts), cuts[parts])
		for p := range parts {
			require.LessOrEqual(t, cuts[p], cuts[p+1])
			own := 0
			for _, c := range counts[cuts[p]:cuts[p+1]] {
				own += c + 1
			}
			require.LessOrEqual(t, own, work/parts+1+longest)
		}
	}
}

// elsewhere is a space of several processes, of which one is this.
type elsewhere struct {
	exec.Serial
	t *testing.T
}

func (e elsewhere) Launch(space.Grid, space.Job) error {
	e.t.Error("a launch that shares out its items")
	return nil
}

func (e elsewhere) Processes() int         { return 2 }
func (e elsewhere) Refuse(err error) error { return err }
func (e elsewhere) Inner() space.Space     { return e.Serial }

// A process has no memory of others: each makes the whole graph.
func TestSeveralProcesses(t *testing.T) {
	on := policy.On(elsewhere{t: t})
	require.Implements(t, (*ranks.Space)(nil), elsewhere{})
	g, err := FromEdges("g", 3, list(2, 0, 2), list(5, 6, 7), on)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 1, 1, 3}, g.Starts.Row())
	assert.Equal(t, []int{6, 5, 7}, g.Entries.Row())
	h, err := g.Transpose("h", 8, on)
	require.NoError(t, err)
	assert.Equal(t, []int{2, 0, 2}, h.Entries.Row())
	c, err := FromCounts("c", list(1, 2), on)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 1, 3}, c.Starts.Row())
}

func BenchmarkFromEdges(b *testing.B) {
	const rows, edges = 1 << 17, 1 << 21
	rng := rand.New(rand.NewPCG(1, 1))
	from, to := make([]int, edges), make([]int, edges)
	for k := range from {
		from[k], to[k] = rng.IntN(rows), rng.IntN(rows)
	}
	f, e := list(from...), list(to...)
	for b.Loop() {
		if _, err := FromEdges("g", rows, f, e); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/edges, "ns/edge")
}

// Teams over parts, and workers over parts, sum up each row once: with the bits of a loop over the rows, on all spaces and for
// any number of parts.
func TestTeamsOverParts(t *testing.T) {
	const rows = 700
	rng := rand.New(rand.NewPCG(5, 6))
	var from, to []int
	x, want := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i] = rng.Float64()
		for range rng.IntN(1 + 900/(1+i)) { // the first rows are the longest
			from, to = append(from, i), append(to, rng.IntN(rows))
		}
	}
	g, err := FromEdges("g", rows, list(from...), list(to...))
	require.NoError(t, err)
	row := func(y []float64, i int) {
		for _, j := range g.Row(i) {
			y[i] += x[j]
		}
	}
	for i := range rows {
		row(want, i)
	}
	for _, parts := range []int{1, 7, 64, 900} {
		cuts, err := g.Parts(parts)
		require.NoError(t, err)
		for name, multiply := range map[string]func(s exec.Space, y []float64) error{
			"teams": func(s exec.Space, y []float64) error {
				return exec.ParallelFor(policy.Team(parts, 4).On(s), func(m *team.Member) {
					first := cuts[m.LeagueRank()]
					for i := range team.ThreadRange(m, cuts[m.LeagueRank()+1]-first).All() {
						row(y, first+i)
					}
				})
			},
			"workers": func(s exec.Space, y []float64) error {
				return exec.ParallelFor(policy.Range(0, parts).Chunk(1).On(s), func(p int) {
					for i := cuts[p]; i < cuts[p+1]; i++ {
						row(y, i)
					}
				})
			},
		} {
			t.Run(fmt.Sprintf("%s/%d", name, parts), func(t *testing.T) {
				exectest.TestKernel(t, func(s exec.Space) any {
					y := make([]float64, rows)
					exec.Must(multiply(s, y))
					require.Equal(t, want, y)
					return y
				})
			})
		}
	}
}
