package exec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func ExampleSlicePart() {
	x := []float64{3, 1, 4, 1, 5} // those of indices 10 to 15, all that this process runs
	var sum float64
	err := exec.ParallelFold(exec.SlicePart(policy.Range(10, 15), policy.Span{Begin: 10, End: 15}, x), builtin.Sum(&sum))
	fmt.Println(sum, err)
	err = exec.ParallelFold(exec.SlicePart(policy.Range(0, 15), policy.Span{Begin: 10, End: 15}, x), builtin.Sum(&sum))
	fmt.Println(err)
	// Output:
	// 14 <nil>
	// exec: the values of indices 0 to 1 are to be folded in this process, which has those of 10 to 15
}

func ExampleProductsPart() {
	x, y := []float64{1, 2}, []float64{10, 100}
	var dot float64
	err := exec.ParallelFold(exec.ProductsPart(policy.Range(6, 8), policy.Span{Begin: 6, End: 8}, x, y), builtin.Sum(&dot))
	fmt.Println(dot, err)
	// Output: 210 <nil>
}

// some runs those leaves of launches that a process has, into slot 0 of a job that is not done.
type some struct {
	exec.Space
	first, last int
	nodes       *[]space.Node
}

func (s some) Launch(g space.Grid, j space.Job) error {
	c := j.(space.Carrier)
	if _, err := c.AppendFingerprint(nil); err != nil {
		return err
	}
	for first, last := range g.Nodes(s.first, min(s.last, g.Leaves)) {
		part, job := space.Part(g, c, first, last)
		if err := s.Space.Launch(part, job); err != nil {
			return err
		}
		data, err := c.AppendNode(nil, 0, first, last)
		if err != nil {
			return err
		}
		*s.nodes = append(*s.nodes, space.Node{First: first, Last: last, Data: data})
	}
	if s.last < g.Leaves {
		return errRest
	}
	return space.Assemble(g, c, *s.nodes)
}

var errRest = fmt.Errorf("the rest is elsewhere")

// Two processes that have a part each come to the bits of one that has all.
func TestPartsOfSlices(t *testing.T) {
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	two := exec.NewGoroutines(2)
	defer two.Close()
	for _, n := range []int{1, 2, 33, 1000, 5000, 100_000} {
		const begin = 7
		x, y := make([]float64, begin+n), make([]float64, begin+n)
		for i := range x {
			x[i], y[i] = math.Sin(float64(i)), math.Cos(float64(3*i+1))
		}
		p := policy.Range(begin, begin+n)
		g := space.NewGrid(n, 0, false)
		cut := g.Leaves / 3
		at := begin + cut*g.Leaf
		for _, on := range []exec.Space{exec.Serial{}, two, sim} {
			for name, fold := range map[string]func(on exec.Space, from, to int) ([]float64, error){
				"one": func(on exec.Space, from, to int) ([]float64, error) {
					var sum float64
					err := exec.ParallelFold(exec.SlicePart(p.On(on), policy.Span{Begin: from, End: to}, x[from:to]), builtin.Sum(&sum))
					return []float64{sum}, err
				},
				"several": func(on exec.Space, from, to int) ([]float64, error) {
					var sum float64
					var least builtin.ValLoc[float64, int]
					err := exec.ParallelFold(exec.SlicePart(p.On(on), policy.Span{Begin: from, End: to}, x[from:to]), builtin.Sum(&sum), builtin.MinLoc(&least))
					return []float64{sum, least.Val, float64(least.Loc)}, err
				},
				"a join of one's own": func(on exec.Space, from, to int) ([]float64, error) {
					var sum float64
					err := exec.ParallelFold(exec.SlicePart(p.On(on), policy.Span{Begin: from, End: to}, x[from:to]), reducers.Folder[float64](reducers.New(&sum, func(dst, src *float64) { *dst += *src })))
					return []float64{sum}, err
				},
				"dot": func(on exec.Space, from, to int) ([]float64, error) {
					var sum float64
					err := exec.ParallelFold(exec.ProductsPart(p.On(on), policy.Span{Begin: from, End: to}, x[from:to], y[from:to]), builtin.Sum(&sum))
					return []float64{sum}, err
				},
				"dot and another": func(on exec.Space, from, to int) ([]float64, error) {
					var sum, most float64
					err := exec.ParallelFold(exec.ProductsPart(p.On(on), policy.Span{Begin: from, End: to}, x[from:to], y[from:to]), builtin.Sum(&sum), builtin.Max(&most))
					return []float64{sum, most}, err
				},
			} {
				want, err := fold(exec.Serial{}, begin, begin+n)
				require.NoError(t, err)
				var nodes []space.Node
				if cut > 0 {
					_, err = fold(some{on, 0, cut, &nodes}, begin, at)
					require.ErrorIs(t, err, errRest)
				}
				got, err := fold(some{on, cut, g.Leaves, &nodes}, at, begin+n)
				require.NoError(t, err)
				assert.Equal(t, want, got, "%s of %d on %s", name, n, on.Name())
				_, err = fold(on, begin, begin+n-1)
				assert.ErrorContains(t, err, fmt.Sprintf("which has those of %d to %d", begin, begin+n-1))
				if n > 1 {
					_, err = fold(on, begin+1, begin+n)
					assert.ErrorContains(t, err, fmt.Sprintf("which has those of %d to %d", begin+1, begin+n))
				}
			}
		}
	}
	var dot float64
	all := policy.Span{Begin: 4, End: 7}
	err := exec.ParallelFold(exec.ProductsPart(policy.Range(4, 7), all, make([]float64, 3), make([]float64, 2)), builtin.Sum(&dot))
	require.EqualError(t, err, "exec: ProductsPart of the indices 4 to 7 with slices of lengths 3 and 2, expected 3")
	err = exec.ParallelFold(exec.SlicePart(policy.Range(4, 7), all, make([]float64, 4)), builtin.Sum(&dot))
	require.EqualError(t, err, "exec: SlicePart of the indices 4 to 7 with a slice of length 4, expected 3")
	err = exec.ParallelFold(exec.SlicePart(policy.Range(5, 3), policy.Span{}, []float64{}), builtin.Sum(&dot))
	require.ErrorContains(t, err, "Range(5, 3)")
}
