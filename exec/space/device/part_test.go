package device_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/exec/space/spacetest"
	"github.com/gokkos/gokkos/policy"
)

// Parts have the optional parts of the whole: spaces that take steps, and such that have code
// of their own, run them as they would run launches.
func TestPartsOfSpaces(t *testing.T) {
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	for name, on := range map[string]shared{
		"own code":  {&card{leaves: 1}, &runner{card: card{leaves: 4}, target: "go"}},
		"no code":   {&runner{card: card{leaves: 2}, target: "go"}, exec.Serial{}},
		"steps":     {sim.WithSchedule(5), sim},
		"of shares": {shared{exec.Serial{}, sim}, &card{leaves: 2}},
	} {
		t.Run(name, func(t *testing.T) { spacetest.TestSpace(t, on) })
	}
}

func TestOwnCodeRunsParts(t *testing.T) {
	const n = 1000
	x, y, want := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i], want[i] = 1/float64(i+1), float64(i), float64(i)+3*(1/float64(i+1))
	}
	left, right := &runner{card: card{leaves: 1}, target: "go"}, &runner{card: card{leaves: 1}, target: "go"}
	on := shared{left, right}
	require.NoError(t, exec.ParallelFor(policy.Range(0, n).On(on), Axpy(3, x, y)))
	assert.Equal(t, want, y)
	assert.Equal(t, []bool{true, true, false, false}, []bool{left.own.Load() > 0, right.own.Load() > 0, left.ran.Load() > 0, right.ran.Load() > 0})

	a, b := &card{leaves: 1}, &card{leaves: 1}
	var got, serial float64
	fold := func(on exec.Space, to *float64) {
		require.NoError(t, exec.ParallelFold(exec.Products(policy.Range(7, n).On(on), x, y), builtin.Sum(to)))
	}
	fold(shared{a, b}, &got)
	fold(exec.Serial{}, &serial)
	assert.Equal(t, serial, got, "values are those of the part")
	assert.Equal(t, []bool{true, true}, []bool{a.own.Load() > 0, b.own.Load() > 0})

	_, part := ranks.Part(space.NewGrid(n, 0, false), nil, 0, 1)
	_, ok := part.(device.Job).Fold()
	assert.False(t, ok, "a job that does not tell what it folds")
	assert.Nil(t, part.(device.Job).Functor().Func)
}

// firstHalf runs the first half of the leaves on a card, in a process that has the values of no others.
type firstHalf struct {
	card
	of *device.Fold // of the half, and none of more
}

func (h *firstHalf) Launch(g space.Grid, j space.Job) error {
	c := j.(ranks.Carrier)
	if _, err := c.AppendFingerprint(nil); err != nil {
		return err
	}
	items := g.Leaves / 2 * g.Leaf
	var here bool
	*h.of, here = j.(device.Job).FoldOf(0, items)
	_, more := j.(device.Job).FoldOf(0, items+1)
	_, all := j.(device.Job).Fold()
	if !here || more || all || !c.Silent() {
		return fmt.Errorf("told of the half: %v, of more: %v, of all: %v", here, more, all)
	}
	part, job := ranks.Part(g, c, 0, g.Leaves/2)
	if err := h.card.Launch(part, job); err != nil {
		return err
	}
	value, err := c.AppendNode(nil, 0, 0, g.Leaves/2)
	if err != nil {
		return err
	}
	return halfDone(value)
}

// halfDone is the value of the half.
type halfDone []byte

func (halfDone) Error() string { return "the other half is elsewhere" }

// A device computes those nodes of a distributed array that its process has the values of.
func TestOwnCodeRunsDistributedFolds(t *testing.T) {
	const n, begin = 1 << 10, 7
	x := make([]float64, n/2)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	h := &firstHalf{card{leaves: 1}, new(device.Fold)}
	p := policy.Range(begin, begin+n)
	half := policy.Span{Begin: begin, End: begin + n/2}
	part := exec.Products(policy.Range(0, n/2), x, x).PartOf(p.On(h), half)
	sum, want := 42.0, 0.0
	err := exec.ParallelFold(part, builtin.Sum(&sum))
	assert.Equal(t, 42.0, sum)
	assert.Equal(t, []any{x, x, begin}, []any{h.of.X, h.of.Y, h.of.First})
	assert.Equal(t, []bool{true, false}, []bool{h.own.Load() > 0, h.ran.Load() > 0})
	require.NoError(t, exec.ParallelFold(exec.Products(policy.Range(0, n/2).Chunk(space.NewGrid(n, 0, false).Leaf), x, x), builtin.Sum(&want)))
	var value halfDone
	require.ErrorAs(t, err, &value)
	assert.Equal(t, math.Float64bits(want), binary.NativeEndian.Uint64(value))
}

func ExampleJob_FoldOf() {
	x := []int{40, 50, 60} // the values of items 4 to 6 of ten
	p := policy.Range(0, 10).On(watcher{func(_ space.Grid, j space.Job) {
		_, all := j.(device.Job).Fold()
		f, ok := j.(device.Job).FoldOf(5, 7)
		fmt.Println(all, f.X, f.First, ok)
	}})
	sum := 0
	_ = exec.ParallelFold(exec.Slice(policy.Range(0, 3), x).PartOf(p, policy.Span{Begin: 4, End: 7}), builtin.Sum(&sum))
	// Output: false [50 60] 5 true
}
