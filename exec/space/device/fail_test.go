package device_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
)

// failing is a space whose code has found out that the functor would panic in some items: a real one is told
// by its kernel.
type failing struct {
	fails []int
	early bool // it tells before Open
}

func (*failing) Name() string     { return "failing" }
func (*failing) Concurrency() int { return 1 }

func (d *failing) Launch(g space.Grid, j space.Job) error {
	job, ok := j.(device.Failer)
	if !ok || len(d.fails) == 0 {
		space.Alone(g, j)
		return nil
	}
	if d.early {
		job.Fail(d.fails[0], "early")
		return nil
	}
	job.Open(1, 1)
	for _, item := range d.fails {
		job.Fail(item, fmt.Errorf("no %d", item))
	}
	return nil
}

func ExampleFailer() {
	defer func() {
		p := recover().(*exec.Panic)
		fmt.Println(p.Begin, p.End, p.Label, p.Value)
	}()
	_ = exec.ParallelFor(policy.Range(0, 100).WithLabel("step").On(&failing{fails: []int{70, 41, 43}}), func(int) {})
	// Output: 41 42 step no 41
}

// The panic is that of the lowest item, whether in one leaf or not and in whatever order they are told, and no
// result is written.
func TestFail(t *testing.T) {
	panicOf := func(on space.Space, launch func(p policy.RangePolicy) error) (p *exec.Panic) {
		defer func() { p = recover().(*exec.Panic) }()
		assert.NoError(t, launch(policy.Range(1000, 2000).On(on)))
		return nil
	}
	sum := 7.0
	reduce := func(p policy.RangePolicy) error {
		return exec.ParallelReduce(p, func(i int, acc *float64) { *acc += float64(i) }, builtin.Sum(&sum))
	}
	for _, c := range []struct {
		fails []int
		want  int
	}{{[]int{0}, 0}, {[]int{999}, 999}, {[]int{998, 999}, 998}, {[]int{999, 998}, 998}, {[]int{40, 700, 39, 41}, 39}, {[]int{500, 20, 300}, 20}} {
		p := panicOf(&failing{fails: c.fails}, reduce)
		require.NotNil(t, p)
		assert.Equal(t, []any{c.want, c.want + 1, fmt.Sprintf("no %d", c.want)}, []any{p.Begin, p.End, fmt.Sprint(p.Value)})
		assert.EqualError(t, errors.Unwrap(p), fmt.Sprintf("no %d", c.want))
	}
	half := shared{exec.Serial{}, &failing{fails: []int{3, 2}}} // the items of a part are those of the whole, less 512
	assert.Equal(t, 512+2, panicOf(half, reduce).Begin)
	half.left = &failing{fails: []int{9}}
	assert.Equal(t, 9, panicOf(half, reduce).Begin)
	assert.Equal(t, 7.0, sum)
}

func TestFailOfNoItem(t *testing.T) {
	for _, on := range []space.Space{&failing{fails: []int{-1}}, &failing{fails: []int{10}}, &failing{fails: []int{3}, early: true},
		shared{exec.Serial{}, &failing{fails: []int{-1}}}, shared{&failing{fails: []int{8}}, exec.Serial{}}} {
		err := exec.ParallelFor(policy.Range(0, 10).On(on), func(int) {})
		assert.ErrorContains(t, err, "exec: the space told of a panic in item ", "%+v", on)
	}
}
