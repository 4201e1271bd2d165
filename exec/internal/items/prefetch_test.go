package items

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// Prefetched runs are the runs of the policy, wherever a worker goes on, in any parts, and whatever it does
// to its runs.
func TestRunsAhead(t *testing.T) {
	type box interface {
		policy.Runs
		Plan() policy.Plan
	}
	boxes := map[string]box{
		"one tile":   policy.MDRange2([2]int{-3, 5}, [2]int{40, 12}),
		"tiles":      policy.MDRange2([2]int{-3, -5}, [2]int{20, 30}).Tile([2]int{4, 7}),
		"first":      policy.MDRange3([3]int{0, -9, 2}, [3]int{7, 4, 13}).Iterate(policy.Left, policy.Left).Tile([3]int{3, 5, 2}),
		"along":      policy.MDRange2([2]int{1, 1}, [2]int{22, 34}).Iterate(policy.Hilbert, policy.Left).Tile([2]int{5, 3}),
		"points":     policy.MDRange4([4]int{0, 0, 0, 0}, [4]int{5, 3, 6, 1}),
		"wide":       policy.MDRange2([2]int{0, -700}, [2]int{3, 700}),
		"rows":       policy.MDRange2([2]int{-3, -5}, [2]int{20, 30}).Tile([2]int{4, 7}).Rows(),
		"large tile": policy.MDRange2([2]int{0, 0}, [2]int{9, 9}).Tile([2]int{100, 4}),
	}
	rank := map[string]int{"one tile": 2, "tiles": 2, "first": 3, "along": 2, "points": 4, "wide": 2, "rows": 2, "large tile": 2}
	r := rand.New(rand.NewPCG(1, 2))
	var x aheads // used by all launches, one after the other
	const workers = 3
	var at [workers]int // kept for the next launch, over another box
	for round := range 100 {
		for name, of := range boxes {
			whole := make([]policy.Run, of.Plan().Items)
			n, _ := of.NextRuns(0, len(whole), whole)
			all := coordinatesOf(whole[:n], rank[name])
			x.Open(workers, len(all))
			for range 20 {
				w := r.IntN(workers)
				if r.IntN(4) == 0 || at[w] >= len(all) {
					at[w] = r.IntN(len(all))
				}
				begin := at[w]
				end := min(begin+1+r.IntN(1<<r.IntN(8)), len(all))
				most := 1 + r.IntN(launch.BlockRuns)
				runs, rest := x.next(of, w, begin, end, most)
				require.NotEmpty(t, runs)
				require.LessOrEqual(t, len(runs), most)
				require.LessOrEqual(t, rest, end)
				require.Equal(t, all[begin:rest], coordinatesOf(runs, rank[name]), "%s, round %d: items %d to %d", name, round, begin, rest-1)
				clear(runs)
				at[w] = rest
			}
		}
	}
}

// coordinatesOf returns the points of runs, with zeros behind their coordinates.
func coordinatesOf(runs []policy.Run, rank int) (all [][6]int) {
	for _, r := range runs {
		for range r.Len {
			var at [6]int
			copy(at[:rank], r.At[:])
			all = append(all, at)
			r.At[r.Dim]++
		}
	}
	return all
}
