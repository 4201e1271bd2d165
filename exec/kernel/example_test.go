package kernel_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

// Scale multiplies x by a. The functor and its loop are what a generator writes.
func Scale(a float64, x []float64) func(i int) {
	return (&scale{a: a, x: x, f: func(i int) { x[i] *= a }}).at
}

type scale struct {
	a float64
	x []float64
	f func(i int)
}

func (k *scale) at(i int) { k.f(i) }

type scaleGo scale

// Span stops where an index is out of range: the closure panics there.
func (k *scaleGo) Span(begin, end int) (next int) {
	if begin < 0 {
		return begin
	}
	end = min(end, max(begin, len(k.x)))
	for i := begin; i < end; i++ {
		k.x[i] *= k.a
	}
	return end
}

func init() {
	source := kernel.Source{Name: "kernel_test.scale", File: "example_test.go", Line: 13, Version: 1}
	kernel.AttachFor(kernel.Go, source, func(k *scale) func(int) { return k.at }, func(k *scale) kernel.For { return (*scaleGo)(k) })
}

func ExampleAttachFor() {
	x := []float64{1, 2, 3}
	f := Scale(10, x)
	f(0) // a functor like any other
	err := exec.ParallelFor(policy.Range(1, 3).On(exec.Serial{}), f)
	fmt.Println(x, err)
	// Output: [10 20 30] <nil>
}

// A sums kernel joins x into one accumulator, or more.
type sums struct{ x []float64 }

func (k *sums) sum(i int, a *float64)                { *a += k.x[i] }
func (k *sums) sum2(i int, a, b *float64)            { *a += k.x[i]; *b = min(*b, k.x[i]) }
func (k *sums) sum3(i int, a, b, c *float64)         { k.sum2(i, a, b); *c = max(*c, k.x[i]) }
func (k *sums) sum4(i int, a, b, c *float64, n *int) { k.sum3(i, a, b, c); *n++ }
func (k *sums) n(begin, end int) int                 { return min(end, max(begin, len(k.x))) }
func of[A any](a []A, item int) *A                   { return &a[item&(len(a)-1)] }
func (k *sum1) Span(begin, end, item int, a []float64) (next int) {
	return (*sums)(k).run1(begin, end, item, a)
}
func (k *sum2) Span(begin, end, item int, a, b []float64) (next int) {
	return (*sums)(k).run2(begin, end, item, a, b)
}
func (k *sum3) Span(begin, end, item int, a, b, c []float64) (n int) {
	return (*sums)(k).run3(begin, end, item, a, b, c)
}
func (k *sum4) Span(begin, end, item int, a, b, c []float64, n []int) (next int) {
	next = (*sums)(k).run3(begin, end, item, a, b, c)
	for i := begin; i < next; i++ {
		*of(n, item+i-begin)++
	}
	return next
}

type (
	sum1 sums
	sum2 sums
	sum3 sums
	sum4 sums
)

func (k *sums) run1(begin, end, item int, a []float64) (next int) {
	next = k.n(begin, end)
	for i := begin; i < next; i++ {
		*of(a, item+i-begin) += k.x[i]
	}
	return next
}

func (k *sums) run2(begin, end, item int, a, b []float64) (next int) {
	next = k.run1(begin, end, item, a)
	for i := begin; i < next; i++ {
		lane := of(b, item+i-begin)
		*lane = min(*lane, k.x[i])
	}
	return next
}

func (k *sums) run3(begin, end, item int, a, b, c []float64) (next int) {
	next = k.run2(begin, end, item, a, b)
	for i := begin; i < next; i++ {
		lane := of(c, item+i-begin)
		*lane = max(*lane, k.x[i])
	}
	return next
}

func init() {
	source := kernel.Source{Name: "kernel_test.sums", File: "example_test.go", Line: 54, Version: 1}
	kernel.AttachReduce(kernel.Go, source, func(k *sums) func(int, *float64) { return k.sum }, func(k *sums) kernel.Reduce[float64] { return (*sum1)(k) })
	kernel.AttachReduce2(kernel.Go, source, func(k *sums) func(int, *float64, *float64) { return k.sum2 }, func(k *sums) kernel.Reduce2[float64, float64] { return (*sum2)(k) })
	kernel.AttachReduce3(kernel.Go, source, func(k *sums) func(int, *float64, *float64, *float64) { return k.sum3 }, func(k *sums) kernel.Reduce3[float64, float64, float64] { return (*sum3)(k) })
	kernel.AttachReduce4(kernel.Go, source, func(k *sums) func(int, *float64, *float64, *float64, *int) { return k.sum4 }, func(k *sums) kernel.Reduce4[float64, float64, float64, int] { return (*sum4)(k) })
}

var (
	values        = []float64{3, 1, 2}
	all           = policy.Range(0, 3).On(exec.Serial{})
	sum, low, top float64
	count         int
)

func ExampleAttachReduce() {
	err := exec.ParallelReduce(all, (&sums{values}).sum, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 6 <nil>
}

func ExampleAttachReduce2() {
	err := exec.ParallelReduce2(all, (&sums{values}).sum2, builtin.Sum(&sum), builtin.Min(&low))
	fmt.Println(sum, low, err)
	// Output: 6 1 <nil>
}

func ExampleAttachReduce3() {
	err := exec.ParallelReduce3(all, (&sums{values}).sum3, builtin.Sum(&sum), builtin.Min(&low), builtin.Max(&top))
	fmt.Println(sum, low, top, err)
	// Output: 6 1 3 <nil>
}

func ExampleAttachReduce4() {
	err := exec.ParallelReduce4(all, (&sums{values}).sum4, builtin.Sum(&sum), builtin.Min(&low), builtin.Max(&top), builtin.Count(&count))
	fmt.Println(sum, low, top, count, err)
	// Output: 6 1 3 3 <nil>
}

func ExampleLimit() {
	level, undo := kernel.Limit(kernel.Closure)
	defer undo()
	fmt.Println(level, kernel.Of(Scale(2, nil)))
	// Output: closure <nil>
}

func ExampleOf() {
	loop := kernel.Of(func(i int) {})
	fmt.Println(loop) // no loop is attached to that
	// Output: <nil>
}
