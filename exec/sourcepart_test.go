package exec_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func ExampleSource_PartOf() {
	x := []float64{3, 1, 4, 1, 5} // those of indices 10 to 15, all that this process runs
	part := exec.Slice(policy.Range(0, 5), x)
	var sum float64
	err := exec.ParallelFold(part.PartOf(policy.Range(10, 15), policy.Span{Begin: 10, End: 15}), builtin.Sum(&sum))
	fmt.Println(sum, err)
	err = exec.ParallelFold(part.PartOf(policy.Range(0, 15), policy.Span{Begin: 10, End: 15}), builtin.Sum(&sum))
	fmt.Println(err)
	// Output:
	// 14 <nil>
	// exec: the values of indices 0 to 1 are to be folded in this process, which has those of 10 to 15
}

// some runs those leaves of launches that a process has, into slot 0 of a job that is not done.
type some struct {
	exec.Space
	first, last int
	nodes       *[]ranks.Node
}

func (s some) Launch(g space.Grid, j space.Job) error {
	c := j.(ranks.Carrier)
	if _, err := c.AppendFingerprint(nil); err != nil {
		return err
	}
	for first, last := range g.Nodes(s.first, min(s.last, g.Leaves)) {
		part, job := ranks.Part(g, c, first, last)
		if err := s.Space.Launch(part, job); err != nil {
			return err
		}
		data, err := c.AppendNode(nil, 0, first, last)
		if err != nil {
			return err
		}
		*s.nodes = append(*s.nodes, ranks.Node{First: first, Last: last, Data: data})
	}
	if s.last < g.Leaves {
		return errRest
	}
	return ranks.Assemble(g, c, *s.nodes)
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
					err := exec.ParallelFold(exec.Slice(policy.Range(from, to), x).PartOf(p.On(on), policy.Span{Begin: from, End: to}), builtin.Sum(&sum))
					return []float64{sum}, err
				},
				"several": func(on exec.Space, from, to int) ([]float64, error) {
					var sum float64
					var least builtin.ValLoc[float64, int]
					err := exec.ParallelFold(exec.Slice(policy.Range(from, to), x).PartOf(p.On(on), policy.Span{Begin: from, End: to}), builtin.Sum(&sum), builtin.MinLoc(&least))
					return []float64{sum, least.Val, float64(least.Loc)}, err
				},
				"a join of one's own": func(on exec.Space, from, to int) ([]float64, error) {
					var sum float64
					err := exec.ParallelFold(exec.Slice(policy.Range(from, to), x).PartOf(p.On(on), policy.Span{Begin: from, End: to}), reducers.Folder[float64](reducers.New(&sum, func(dst, src *float64) { *dst += *src })))
					return []float64{sum}, err
				},
				"dot": func(on exec.Space, from, to int) ([]float64, error) {
					var sum float64
					err := exec.ParallelFold(exec.Products(policy.Range(from, to), x, y).PartOf(p.On(on), policy.Span{Begin: from, End: to}), builtin.Sum(&sum))
					return []float64{sum}, err
				},
				"dot and another": func(on exec.Space, from, to int) ([]float64, error) {
					var sum, most float64
					err := exec.ParallelFold(exec.Products(policy.Range(from, to), x, y).PartOf(p.On(on), policy.Span{Begin: from, End: to}), builtin.Sum(&sum), builtin.Max(&most))
					return []float64{sum, most}, err
				},
			} {
				want, err := fold(exec.Serial{}, begin, begin+n)
				require.NoError(t, err)
				var nodes []ranks.Node
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
}

// A part is a slice or products of as many items as it has indices, once.
func TestPartsThatAreNone(t *testing.T) {
	p, here := policy.Range(4, 7), policy.Span{Begin: 4, End: 7}
	three, four := make([]float64, 3), make([]float64, 4)
	slice := exec.Slice(policy.Range(0, 3), three)
	square := exec.Map(policy.Range(0, 3), func(i int) float64 { return float64(i * i) })
	const noPart = "exec: PartOf of a source that is no Slice and no Products"
	for want, s := range map[string]exec.Source[float64]{
		"exec: PartOf of the indices 4 to 7 of a source of 4 items, expected 3": exec.Slice(policy.Range(0, 4), four).PartOf(p, here),
		"exec: Products over Range(0, 3) of slices of lengths 3 and 2, expected 0 <= begin <= end <= 2": exec.
			Products(policy.Range(0, 3), three, four[:2]).PartOf(p, here),
		noPart:       square.PartOf(p, here),
		noPart + " ": slice.PartOf(p, here).PartOf(p, here),
	} {
		sum := 42.0
		require.EqualError(t, exec.ParallelFold(s, builtin.Sum(&sum)), strings.TrimSpace(want))
		assert.Equal(t, 42.0, sum)
	}
	sum := 42.0
	require.ErrorContains(t, exec.ParallelFold(slice.PartOf(policy.Range(5, 3), here), builtin.Sum(&sum)), "Range(5, 3)")
}

// folding is a device that folds int64 in its memory, here that of the host, by code of its own.
type folding struct{ exec.Serial }

func (folding) Name() string          { return "folding" }
func (folding) Memory() device.Memory { return away }
func (folding) FoldsMemory()          {}

func (folding) Launch(g space.Grid, j space.Job) error {
	f, ok := j.(device.Job).Fold() // before Open
	if !ok || f.Memory != away {
		space.Alone(g, j)
		return nil
	}
	var sum int64
	for _, x := range f.X.([]int64) {
		sum += x
	}
	j.Open(1, 1)
	if g.Leaves > 0 {
		j.(device.Job).Accept(0, 0, g.Leaves, 0, binary.NativeEndian.AppendUint64(nil, uint64(sum)))
	}
	return nil
}

// away stands for a memory that the host cannot touch.
var away = &deviceMemory{}

type deviceMemory struct{ device.Memory }

func (*deviceMemory) String() string { return "my device" }

// The device is told that the values are in its memory. Elsewhere they are not read.
func ExampleSource_In() {
	values := []int64{3, 1, 4}
	var sum int64
	for _, on := range []exec.Space{folding{}, exec.Serial{}} {
		source := exec.Slice(policy.Range(0, 3).On(on), values).In(away, values)
		fmt.Println(exec.ParallelFold(source, builtin.Sum(&sum)), sum)
	}
	// Output:
	// <nil> 8
	// exec: the values are in the memory of my device, and the space runs items on the host, expected a space that folds values there 8
}

// Values that the host cannot touch are read by no space that runs items, whatever reads them.
func TestSourcesFarAway(t *testing.T) {
	p := policy.Range(0, 3000)
	workers := exec.NewGoroutines(3)
	defer workers.Close()
	sum, most := 7.0, 7.0
	x := make([]float64, 3000)
	for _, on := range []exec.Space{exec.Serial{}, workers} {
		for _, s := range []exec.Source[float64]{exec.Slice(p.On(on), x), exec.Products(p.On(on), x, x)} {
			for _, err := range []error{
				exec.ParallelFold(s.In(away, x), builtin.Sum(&sum)),
				exec.ParallelFold(s.In(away, x), builtin.Sum(&sum), builtin.Norm2(&most)),
				exec.ParallelFold(s.In(away, x), reducers.Ordered(builtin.Sum(&sum))),
			} {
				assert.EqualError(t, err, "exec: the values are in the memory of my device, and the space runs items on the host, expected a space that folds values there")
			}
		}
	}
	assert.Equal(t, []float64{7, 7}, []float64{sum, most})
	assert.NoError(t, exec.ParallelFold(exec.Slice(policy.Range(3, 3), x).In(away, x), builtin.Sum(&sum)), "no values")
	of := exec.Map(p, func(int) float64 { return 1 }).In(away, nil)
	assert.EqualError(t, exec.ParallelFold(of, builtin.Sum(&sum)), "exec: In of a source that is no Slice and no Products")
	part := exec.Slice(policy.Range(0, 3), x).In(away, x).PartOf(policy.Range(4, 7), policy.Span{Begin: 4, End: 7})
	assert.EqualError(t, exec.ParallelFold(part, builtin.Sum(&sum)), "exec: PartOf of values in the memory of my device, expected them on the host")
}
