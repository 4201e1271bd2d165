package kernel_test

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

// A table is numbers in rows of m. Its functors are what users write, and its loops what a generator does.
type table struct {
	m int
	x []float64
}

func (k *table) at(at policy.Index2) float64          { return k.x[at.I*k.m+at.J] }
func (k *table) double(at policy.Index2)              { k.x[at.I*k.m+at.J] *= 2 }
func (k *table) sum(at policy.Index2, a *float64)     { *a += k.x[at.I*k.m+at.J] }
func (k *table) sum2(at policy.Index2, a, b *float64) { k.sum(at, a); *b = min(*b, k.x[at.I*k.m+at.J]) }
func (k *table) sum3(at policy.Index2, a, b, c *float64) {
	k.sum2(at, a, b)
	*c = max(*c, k.x[at.I*k.m+at.J])
}
func (k *table) sum4(at policy.Index2, a, b, c *float64, n *int) { k.sum3(at, a, b, c); *n++ }

// row returns the elements of a run. A loop stops in front of those that are out of range: the functor
// panics there.
func (k *table) row(r *policy.Run) []float64 {
	first := r.At[0]*k.m + r.At[1]
	if r.Dim != 1 || first < 0 {
		return nil
	}
	return k.x[min(first, len(k.x)):min(first+r.Len, len(k.x))]
}

// walk calls f for the elements of runs, with their numbers, and next behind each leaf.
func (k *table) walk(runs []policy.Run, item, leaf int, f func(x *float64, item int), next func()) (done, items int) {
	for done := range runs {
		row := k.row(&runs[done])
		for n := range row {
			f(&row[n], item)
			if item++; item%leaf == 0 {
				next()
			}
		}
		if len(row) < runs[done].Len {
			return done, len(row)
		}
	}
	return len(runs), 0
}

type (
	table0 table
	table1 table
	table2 table
	table3 table
	table4 table
)

type tableValues table

func (k *tableValues) Runs(runs []policy.Run, dst []float64) (done int) {
	k.each(runs, func(x *float64, item int) { dst[item] = *x; done++ })
	return done
}

func (k *table0) Runs(runs []policy.Run) (done, items int) {
	return (*tableValues)(k).each(runs, func(x *float64, _ int) { *x *= 2 })
}

func (k *tableValues) each(runs []policy.Run, f func(x *float64, item int)) (done, items int) {
	return (*table)(k).walk(runs, 0, math.MaxInt, f, nil)
}

func (k *table1) Runs(runs []policy.Run, item, leaf int, a []float64) (done, items int) {
	return (*table)(k).walk(runs, item, leaf, func(x *float64, item int) { *of(a, item) += *x }, func() { a = kernel.NextLeaf(a) })
}

func (k *table2) Runs(runs []policy.Run, item, leaf int, a, b []float64) (done, items int) {
	return (*table)(k).walk(runs, item, leaf,
		func(x *float64, item int) { *of(a, item) += *x; *of(b, item) = min(*of(b, item), *x) },
		func() { a, b = kernel.NextLeaf(a), kernel.NextLeaf(b) })
}

func (k *table3) Runs(runs []policy.Run, item, leaf int, a, b, c []float64) (done, items int) {
	return (*table)(k).walk(runs, item, leaf, func(x *float64, item int) {
		*of(a, item) += *x
		*of(b, item) = min(*of(b, item), *x)
		*of(c, item) = max(*of(c, item), *x)
	}, func() { a, b, c = kernel.NextLeaf(a), kernel.NextLeaf(b), kernel.NextLeaf(c) })
}

func (k *table4) Runs(runs []policy.Run, item, leaf int, a, b, c []float64, n []int) (done, items int) {
	return (*table)(k).walk(runs, item, leaf, func(x *float64, item int) {
		*of(a, item) += *x
		*of(b, item) = min(*of(b, item), *x)
		*of(c, item) = max(*of(c, item), *x)
		*of(n, item)++
	}, func() {
		a, b, c, n = kernel.NextLeaf(a), kernel.NextLeaf(b), kernel.NextLeaf(c), kernel.NextLeaf(n)
	})
}

func init() {
	source := kernel.Source{Name: "kernel_test.table", File: "runs_example_test.go", Line: 14, Version: 1}
	kernel.Attach(kernel.Go, source, func(k *table) func(policy.Index2) { return k.double }, func(k *table) kernel.ForRuns { return (*table0)(k) })
	kernel.Attach(kernel.Go, source, func(k *table) func(policy.Index2) float64 { return k.at }, func(k *table) kernel.ValuesRuns[float64] { return (*tableValues)(k) })
	kernel.Attach(kernel.Go, source, func(k *table) func(policy.Index2, *float64) { return k.sum }, func(k *table) kernel.ReduceRuns[float64] { return (*table1)(k) })
	kernel.Attach(kernel.Go, source, func(k *table) func(policy.Index2, *float64, *float64) { return k.sum2 }, func(k *table) kernel.ReduceRuns2[float64, float64] { return (*table2)(k) })
	kernel.Attach(kernel.Go, source, func(k *table) func(policy.Index2, *float64, *float64, *float64) { return k.sum3 }, func(k *table) kernel.ReduceRuns3[float64, float64, float64] { return (*table3)(k) })
	kernel.Attach(kernel.Go, source, func(k *table) func(policy.Index2, *float64, *float64, *float64, *int) { return k.sum4 }, func(k *table) kernel.ReduceRuns4[float64, float64, float64, int] { return (*table4)(k) })
}

var (
	points  = policy.MDRange2([2]int{}, [2]int{2, 3}).On(exec.Serial{})
	numbers = &table{3, []float64{3, 1, 2, 6, 5, 4}}
)

func ExampleForRuns() {
	k := &table{3, []float64{1, 2, 3, 4, 5, 6}}
	err := exec.ParallelFor(policy.MDRange2([2]int{0, 1}, [2]int{2, 3}).On(exec.Serial{}), k.double)
	fmt.Println(k.x, err)
	// Output: [1 4 6 4 10 12] <nil>
}

func ExampleValuesRuns() {
	err := exec.ParallelFold(exec.Map(points, numbers.at), builtin.Sum(&sum), builtin.Max(&top))
	fmt.Println(sum, top, err)
	// Output: 21 6 <nil>
}

// The lanes of two leaves: each has two.
func ExampleNextLeaf() {
	lanes := []float64{1, 2, 3, 4}
	first := lanes[:2]
	second := kernel.NextLeaf(first)
	fmt.Println(first, second, kernel.NextLeaf(second))
	// Output: [1 2] [3 4] []
}

func ExampleReduceRuns() {
	err := exec.ParallelReduce(points, numbers.sum, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 21 <nil>
}

func ExampleReduceRuns2() {
	err := exec.ParallelReduce2(points, numbers.sum2, builtin.Sum(&sum), builtin.Min(&low))
	fmt.Println(sum, low, err)
	// Output: 21 1 <nil>
}

func ExampleReduceRuns3() {
	err := exec.ParallelReduce3(points, numbers.sum3, builtin.Sum(&sum), builtin.Min(&low), builtin.Max(&top))
	fmt.Println(sum, low, top, err)
	// Output: 21 1 6 <nil>
}

func ExampleReduceRuns4() {
	err := exec.ParallelReduce4(points, numbers.sum4, builtin.Sum(&sum), builtin.Min(&low), builtin.Max(&top), builtin.Sum(&count))
	fmt.Println(sum, low, top, count, err)
	// Output: 21 1 6 6 <nil>
}
