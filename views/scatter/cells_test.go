package scatter_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

// A functor that joins to the cells itself has the bits of the documented order: in every leaf, in some
// whose neighbours keep contributions, before Combine1, behind it, and in turn.
func TestCellsHaveTheOrderOfParts(t *testing.T) {
	all := spaces(t)
	const chunk = 64
	for _, c := range []struct{ n, cells int }{{1, 1}, {1000, 7}, {1000, 300}, {1500, 3000}, {500, 20000}} {
		items, old := random(c.n, c.cells, 5), content(c.cells)
		for name, m := range models {
			m.cells, m.few = c.cells, scatter.FewOf(c.cells)
			for every := 1; every <= 3; every += 2 { // leaves
				owns := func(i int) bool { return i/chunk%every == every-1 }
				leaf := space.NewGrid(c.n, chunk, false).Leaf
				want := slices.Clone(old)
				m.owned = func(k int) bool { return owns(k * leaf) }
				m.run(want, items, leaf)
				own := func(acc *scatter.Access[float64], x contribution) {
					cell := &acc.Cells()[x.cell]
					*cell = m.op(*cell, x.x)
				}
				for how, f := range map[string]func(acc *scatter.Access[float64], k int, x contribution){
					"all":     func(acc *scatter.Access[float64], _ int, x contribution) { own(acc, x) },
					"in turn": inTurn(own, func(k int) bool { return k%3 == 0 }),
					"first":   inTurn(own, func(k int) bool { return k < 5 }),
					"last":    inTurn(own, func(k int) bool { return k == leaf-1 }),
				} {
					for _, s := range all {
						y := slices.Clone(old)
						r := reducerOf(name, views.Must(views.Of1("y", y)), policy.On(s))
						require.NoError(t, exec.ParallelReduce(policy.Range(0, c.n).Chunk(chunk).On(s), func(i int, acc *scatter.Access[float64]) {
							if last := i%leaf == leaf-1 || i == c.n-1; owns(i) && (last || how != "last") {
								acc.Cells()
							}
							for _, x := range items[i] {
								if owns(i) {
									f(acc, i%leaf, x)
								} else {
									acc.Combine1(x.cell, x.x)
								}
							}
						}, r))
						requireBits(t, want, y, "%s of %d items into %d cells on %s, of 1 leaf in %d, %s", name, c.n, c.cells, s.Name(), every, how)
					}
				}
			}
		}
	}
}

// inTurn joins the contribution of item k of a leaf by own or by Combine1.
func inTurn(own func(acc *scatter.Access[float64], x contribution), owned func(k int) bool) func(acc *scatter.Access[float64], k int, x contribution) {
	return func(acc *scatter.Access[float64], k int, x contribution) {
		if owned(k) {
			own(acc, x)
		} else {
			acc.Combine1(x.cell, x.x)
		}
	}
}

// A loop over a span that owns the cells has the bits of a scatter that is duplicated, launch after launch.
func TestCellsOfSpans(t *testing.T) {
	const n, chunk = 3000, 256
	for _, cells := range []int{0, 1, 100, 30000} {
		r := rand.New(rand.NewPCG(3, 4))
		cell, x := make([]int, n), make([]float64, n)
		for k := range cell {
			cell[k], x[k] = r.IntN(max(cells, 1)), r.NormFloat64()
		}
		spans := policy.Spans(0, n).Chunk(chunk)
		if cells == 0 {
			spans = policy.Spans(0, 0)
		}
		into := func(y []float64) views.View1[float64] { return views.Must(views.Of1("y", y)) }
		want, y := content(cells), content(cells)
		owning := scatter.Sum(into(y))
		for range 3 {
			require.NoError(t, exec.ParallelReduce(spans, func(s policy.Span, acc *scatter.Access[float64]) {
				for k := range s.All() {
					acc.Combine1(cell[k], x[k])
				}
			}, scatter.Duplicated(scatter.Sum(into(want)))))
			require.NoError(t, exec.ParallelReduce(spans, func(s policy.Span, acc *scatter.Access[float64]) {
				sums := acc.Cells()
				for k := range s.All() {
					sums[cell[k]] += x[k]
				}
			}, owning))
			requireBits(t, want, y, "%d cells", cells)
		}
	}
}

// The cells are in the order of the memory of the view, or if that has gaps, in that of their indices.
func TestOrderOfCells(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	number := func(v views.Viewer[float64], on exec.Space) {
		t.Helper()
		n := views.As(v).Len()
		require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(on), func(i int, acc *scatter.Access[float64]) {
			cells := acc.Cells()
			require.Len(t, cells, n)
			require.Equal(t, n, cap(cells))
			cells[i] += float64(i)
		}, scatter.Sum(v, policy.On(on))))
	}
	inOrder := func(n int) (x []float64) {
		for k := range n {
			x = append(x, float64(k))
		}
		return x
	}
	whole := views.Must(views.New[float64]("whole", []int{4, 3, 5}))
	left := views.Must(views.New[float64]("left", []int{4, 3, 5}, views.Left))
	for _, v := range []views.View[float64]{whole, left, whole.Transpose(), views.Must(whole.Permute(0, 2, 1)), views.Must(left.Permute(1, 0, 2))} {
		for _, memory := range []views.View[float64]{whole, left} {
			require.NoError(t, views.Fill(memory, 0))
		}
		number(v, exec.Serial{})
		a, _ := whole.Slice()
		b, _ := left.Transpose().Slice()
		got := slices.Clone(a)
		for k := range b {
			got[k] += b[k]
		}
		assert.Equal(t, inOrder(60), got, v.String())
	}
	gaps := views.Must(whole.Sub(views.All(), views.Range(1, 3), views.All()))
	far := views.Must(views.NewIn[float64](sim.Memory(), "far", []int{4, 3, 5}, views.Left))
	for v, on := range map[*views.View[float64]]exec.Space{&gaps: exec.Serial{}, &far: sim} {
		require.NoError(t, views.Fill(*v, 0))
		number(*v, on)
		assert.Equal(t, inOrder(v.Len()), elements(views.Must(views.MirrorCopy[float64](views.Host, *v))), v.String())
	}
}

// Cells in a field of an accumulator, in teams, and beside other reducers.
func TestCellsInPatterns(t *testing.T) {
	type acc struct {
		count int
		hist  scatter.Access[int]
	}
	const n, m = 300, 9
	want := make([]int, m)
	for i := range n {
		want[i*i%m] += i
	}
	for _, s := range spaces(t) {
		y, count := make([]int, m), 0
		v := views.Must(views.Of1("y", y))
		require.NoError(t, exec.ParallelReduce(policy.Range(0, n).Chunk(16).On(s), func(i int, a *acc) {
			a.count++
			a.hist.Cells()[i*i%m] += i
		}, reducers.Compose(
			reducers.Field(func(a *acc) *int { return &a.count }, builtin.Sum(&count)),
			reducers.Field(func(a *acc) *scatter.Access[int] { return &a.hist }, scatter.Sum(v)))))
		assert.Equal(t, want, y, s.Name())
		assert.Equal(t, n, count)

		clear(y)
		require.NoError(t, exec.ParallelReduce2(policy.Team(n/4, 4).On(s), func(tm *team.Member, a *scatter.Access[int], k *int) {
			i := 4*tm.LeagueRank() + tm.Rank()
			a.Cells()[i*i%m] += i
			*k++
		}, scatter.Sum(v), builtin.Sum(&count)))
		assert.Equal(t, want, y, s.Name())
		assert.Equal(t, n, count)
	}
}

// A launch that is watched finds nothing in items that share the cells of their leaf.
func TestWatchedCells(t *testing.T) {
	y := views.Must(views.New1[int]("y", 3))
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 1000).On(sim), func(i int, acc *scatter.Access[int]) {
		acc.Cells()[i%3]++
	}, scatter.Sum(y)))
	assert.Equal(t, []int{334, 333, 333}, elements(y.View))
}

// An atomic scatter has no partial results, and what was contributed before stays as it does.
func TestAtomicCells(t *testing.T) {
	y := views.Must(views.New1[int]("y", 3))
	defer func() {
		p, ok := recover().(*exec.Panic)
		require.True(t, ok)
		assert.Equal(t, `scatter: Cells of AtomicSum into "y" [3], which has no partial results`, fmt.Sprint(p.Value))
		assert.Equal(t, 1, y.At(2))
	}()
	_ = exec.ParallelReduce(policy.Range(0, 1), func(_ int, acc *scatter.Access[int]) {
		acc.Combine1(2, 1)
		acc.Cells()[0]++
	}, scatter.AtomicSum(y))
}
