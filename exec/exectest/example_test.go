package exectest_test

import (
	"fmt"
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// printer is a [testing.T] that prints what a test fails with.
type printer struct{ testing.TB }

func (printer) Helper() {}

func (printer) Name() string { return "TestSum" }

func (printer) Logf(string, ...any) {}

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// sum adds numbers whose sum is the same in any order.
func sum(s exec.Space) any {
	var sum int
	exec.Must(exec.ParallelReduce(policy.Range(0, 1000).On(s), func(i int, acc *int) { *acc += i }, builtin.Sum(&sum)))
	return sum
}

// assigned assigns to its accumulator, so that some items are lost: which, depends on the leaves.
func assigned(s exec.Space) any {
	var sum int
	exec.Must(exec.ParallelReduce(policy.Range(0, 1000).On(s), func(i int, acc *int) { *acc = i }, builtin.Sum(&sum))) //gokkosvet:ignore a mistake to be found
	return sum
}

func ExampleTestKernel() {
	var t printer // in a test, a *testing.T
	exectest.TestKernel(t, sum)
	fmt.Println("no differences")
	// Output: no differences
}

// With leaves of another size, the kernel that is wrong has another sum.
func ExampleChunks() {
	var t printer // in a test, a *testing.T
	exectest.TestKernel(t, sum, exectest.Chunks(0))
	exectest.TestKernel(t, assigned, exectest.Chunks(0))
	// Output:
	// exectest: the kernel gives another result on SimGPU, device H200, with a chunk of 1
	// 	the result is 499500, and 67168 on Serial
	// 	the result depends on the chunk: look for a functor that assigns to its accumulator in place of joining into it, or uses it as data, and for a reducer that is not associative
}

// A kernel for a card keeps its data in views of the memory of its space.
func ExampleChecks() {
	var t printer // in a test, a *testing.T
	exectest.TestKernel(t, func(s exec.Space) any {
		v := views.Must(views.As1(views.NewIn[int](views.MemoryOf(s), "v", []int{100})))
		exec.Must(exec.ParallelFor(policy.Range(0, 100).On(s), func(i int) { v.Set(i, i*i) }))
		return views.Must(views.MirrorCopy(views.Host, v, policy.On(s)))
	}, exectest.Checks(check.DeviceMemory))
	fmt.Println("no differences")
	// Output: no differences
}

// Options may be kept for the tests of a package.
func ExampleOption() {
	var t printer // in a test, a *testing.T
	options := []exectest.Option{exectest.Chunks(0)}
	exectest.TestKernel(t, sum, options...)
	fmt.Println("no differences")
	// Output: no differences
}
