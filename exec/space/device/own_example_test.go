package device_test

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers/concept"
)

// adder is a space that adds up float64 with a loop of its own, leaf by leaf. The job joins
// them, and runs all else.
type adder struct{}

func (adder) Name() string     { return "adder" }
func (adder) Concurrency() int { return 1 }

func (adder) Launch(g space.Grid, j space.Job) error {
	job, ok := j.(device.Job)
	if !ok {
		space.Alone(g, j)
		return nil
	}
	f, ok := job.Fold()
	x, floats := f.X.([]float64)
	if !ok || !floats || f.Y != nil || len(f.Columns) != 1 || f.Columns[0].Operation != (concept.Operation{Join: concept.OpSum}) {
		space.Alone(g, j)
		return nil
	}
	fmt.Println(g.Leaves, "leaves of my own")
	j.Open(1, g.Leaves+1)
	for leaf := range g.Leaves {
		sum := sumOfLeaf(x[leaf*g.Leaf:min((leaf+1)*g.Leaf, g.Items)], f.Columns[0].Lanes)
		value := binary.NativeEndian.AppendUint64(nil, math.Float64bits(sum))
		job.Accept(0, leaf, leaf+1, leaf, value)
	}
	for w := 1; w < g.Leaves; w *= 2 {
		for k := 0; k+w < g.Leaves; k += 2 * w {
			j.Join(k, k+w)
		}
	}
	return nil
}

func sumOfLeaf(x []float64, count int) float64 {
	lanes := make([]float64, count)
	for k, v := range x {
		lanes[k%count] += v
	}
	for h := count / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < len(x); l++ {
			lanes[l] += lanes[l+h]
		}
	}
	return lanes[0]
}

func ExampleJob() {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	var sum, same float64
	exec.Must(exec.ParallelFold(exec.Slice(policy.Range(0, 1000).On(adder{}), x), builtin.Sum(&sum)))
	exec.Must(exec.ParallelFold(exec.Slice(policy.Range(0, 1000).On(exec.Serial{}), x), builtin.Sum(&same)))
	fmt.Println(sum == same)
	// Output:
	// 32 leaves of my own
	// true
}

// A generator of code writes the kernel once more, for a target that a space knows.
type scale struct {
	a float64
	x []float64
}

func (k *scale) at(i int) { k.x[i] *= k.a }

func (k *scale) leaf(begin, end int) {
	for i := range k.x[begin:end] {
		k.x[begin+i] *= k.a
	}
}

// Scale returns a functor like any other.
func Scale(a float64, x []float64) func(i int) { return (&scale{a, x}).at }

func init() {
	device.AttachCode("leaves",
		func(k *scale) func(int) { return k.at },
		func(k *scale) any { return func(begin, end int) { k.leaf(begin, end) } })
}

func ExampleAttachCode() {
	x := []float64{1, 2, 3}
	f := Scale(10, x)
	f(0)

	code := device.Functor{Func: f}.Code("leaves").(func(begin, end int))
	code(1, 3)
	fmt.Println(x, device.Functor{Func: f}.Code("ptx"))
	// Output: [10 20 30] <nil>
}

func ExampleFunctor_Without() {
	show := watcher{func(_ space.Grid, j space.Job) {
		f := j.(device.Job).Functor()
		fmt.Println(f.Without("ptx", watcher{}))
		fmt.Println(f.Box.Lower, f.Box.Extent)
	}}
	x := make([]float64, 10)
	fmt.Println(exec.ParallelFor(policy.Range(2, 5).WithLabel("scale").On(show), Scale(10, x)))
	// Output:
	// exec: launch of "scale" on watcher: the functor github.com/gokkos/gokkos/exec/space/device_test.(*scale).at has no ptx code
	// [2] [3]
	// <nil>
}
