package kernel_test

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
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
	kernel.Attach(kernel.Go, source, func(k *scale) func(int) { return k.at }, func(k *scale) kernel.For { return (*scaleGo)(k) })
}

func ExampleAttach() {
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
	kernel.Attach(kernel.Go, source, func(k *sums) func(int, *float64) { return k.sum }, func(k *sums) kernel.Reduce[float64] { return (*sum1)(k) })
	kernel.Attach(kernel.Go, source, func(k *sums) func(int, *float64, *float64) { return k.sum2 }, func(k *sums) kernel.Reduce2[float64, float64] { return (*sum2)(k) })
	kernel.Attach(kernel.Go, source, func(k *sums) func(int, *float64, *float64, *float64) { return k.sum3 }, func(k *sums) kernel.Reduce3[float64, float64, float64] { return (*sum3)(k) })
	kernel.Attach(kernel.Go, source, func(k *sums) func(int, *float64, *float64, *float64, *int) { return k.sum4 }, func(k *sums) kernel.Reduce4[float64, float64, float64, int] { return (*sum4)(k) })
}

var (
	values        = []float64{3, 1, 2}
	all           = policy.Range(0, 3).On(exec.Serial{})
	sum, low, top float64
	count         int
)

func ExampleReduce() {
	err := exec.ParallelReduce(all, (&sums{values}).sum, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 6 <nil>
}

func ExampleReduce2() {
	err := exec.ParallelReduce2(all, (&sums{values}).sum2, builtin.Sum(&sum), builtin.Min(&low))
	fmt.Println(sum, low, err)
	// Output: 6 1 <nil>
}

func ExampleReduce3() {
	err := exec.ParallelReduce3(all, (&sums{values}).sum3, builtin.Sum(&sum), builtin.Min(&low), builtin.Max(&top))
	fmt.Println(sum, low, top, err)
	// Output: 6 1 3 <nil>
}

func ExampleReduce4() {
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

// Levels are amplitudes in decibels: a functor that returns a value.
type levels struct{ reference float64 }

func (k *levels) of(x float64) float64 { return 20 * math.Log10(math.Abs(x)/k.reference) }
func (k *levels) at(i int) float64     { return k.of(float64(i + 1)) }

type (
	levelsMap    levels
	levelsValues levels
)

func (k *levelsMap) Map(dst, src []float64) (done int) {
	for n, x := range src {
		if x == 0 {
			return n // the functor's
		}
		dst[n] = (*levels)(k).of(x)
	}
	return len(src)
}

func (k *levelsValues) Values(first int, dst []float64) (done int) {
	for n := range dst {
		dst[n] = (*levels)(k).at(first + n)
	}
	return len(dst)
}

// The loop of a function of values sets many of them in one call.
func ExampleMap() {
	kernel.Attach(kernel.Go, kernel.Source{Name: "example.levels", Version: kernel.Version},
		func(k *levels) func(x float64) float64 { return k.of }, func(k *levels) kernel.Map[float64, float64] { return (*levelsMap)(k) })
	k := &levels{reference: 1}
	waves := views.Must(views.Of2("waves", []float64{1, -10, 1000, .1, .01, .001}, 2, 3))
	loudest := views.Must(views.New1[float64]("loudest", 2))
	err := tensor.Reduce(tensor.Over(waves, 1), tensor.FoldMap(k.of, builtin.Max[float64], tensor.Into(loudest)))
	fmt.Printf("%.0f dB %v\n", loudest.Row(), err)
	// Output: [60 -20] dB <nil>
}

// Values of indices are what exec.Map asks for.
func ExampleValues() {
	kernel.Attach(kernel.Go, kernel.Source{Name: "example.levels", Version: kernel.Version},
		func(k *levels) func(i int) float64 { return k.at }, func(k *levels) kernel.Values[float64] { return (*levelsValues)(k) })
	k := &levels{reference: 1}
	var loudest float64
	err := exec.ParallelFold(exec.Map(policy.Range(0, 1000), k.at), builtin.Max(&loudest))
	fmt.Printf("%.0f dB %v\n", loudest, err)
	// Output: 60 dB <nil>
}
