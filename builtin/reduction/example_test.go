package reduction_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin/reduction"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Two reductions of the same values: the first program of SYCL's chapter.
func Example() {
	values := make([]int, 1024)
	for i := range values {
		values[i] = i
	}
	var sumResult, maxResult int
	err := exec.ParallelReduce2(policy.Range(0, len(values)), func(i int, sum *reduction.Sum[int], max *reduction.Max[int]) {
		sum.Add(values[i])
		max.Combine(values[i])
	}, reduction.Plus(&sumResult), reduction.Maximum(&maxResult))
	fmt.Println(sumResult, maxResult, err)
	// Output: 523776 1023 <nil>
}

// A histogram in the middle of a slice, on top of what is there.
func ExampleSpan() {
	counts := []int{-1, 100, 0, 0, 0, -1}
	histogram := reduction.Span(counts[1:5], reduction.Plus)
	err := exec.ParallelReduce(policy.Range(0, 1000), func(i int, acc *reduction.Array[reduction.Sum[int]]) {
		acc.At(i * i % 4).Inc()
	}, reducers.WithInitial(histogram))
	fmt.Println(counts, err)
	// Output: [-1 600 500 0 0 -1] <nil>
}

type path struct {
	length float64
	steps  int
	via    [3]string
}

// The shortest path of those that there are: a struct, and an operation that has no
// identity.
func ExampleNew() {
	shorter := func(a, b path) path {
		if b.length < a.length {
			return b
		}
		return a
	}
	roads := []path{
		{7.5, 3, [3]string{"Aa", "Bo", "Ce"}},
		{4.5, 2, [3]string{"Aa", "Ce"}},
		{6, 1, [3]string{"Aa"}},
	}
	var best path
	err := exec.ParallelReduce(policy.Range(0, len(roads)), func(i int, acc *reduction.Value[path]) {
		acc.Combine(roads[i])
	}, reduction.New(&best, shorter))
	fmt.Println(best.length, best.steps, best.via[:best.steps], err)
	// Output: 4.5 2 [Aa Ce] <nil>
}

func ExampleVariable() {
	var longest string
	longer := func(a, b string) string {
		if len(b) > len(a) {
			return b
		}
		return a
	}
	words := []string{"go", "kokkos", "sycl"}
	err := exec.ParallelReduce(policy.Range(0, 0), func(i int, acc *reduction.Value[string]) {
		acc.Combine(words[i])
	}, reduction.New(&longest, longer).WithIdentity("none"))
	fmt.Println(longest, err)
	// Output: none <nil>
}

// A functor asks the reduction for its identity.
func ExampleVariable_identity() {
	x := []int{12, 10, 31, 10}
	used := make([]bool, len(x))
	var highest int
	r := reduction.Maximum(&highest).WithIdentity(10)
	err := exec.ParallelReduce(policy.Range(0, len(x)), func(i int, acc *reduction.Max[int]) {
		if least, _ := r.Identity(); x[i] != least {
			used[i] = true
			acc.Combine(x[i])
		}
	}, r)
	fmt.Println(highest, used, err)
	// Output: 31 [true false true false] <nil>
}

func ExamplePlus() {
	total := 1000
	p := policy.Range(0, 10)
	count := func(_ int, sum *reduction.Sum[int]) { sum.Add(5).Inc() }
	_ = exec.ParallelReduce(p, count, reducers.WithInitial(reduction.Plus(&total)))
	fmt.Println(total)
	_ = exec.ParallelReduce(p, count, reduction.Plus(&total))
	fmt.Println(total)
	// Output:
	// 1060
	// 60
}

func ExampleMultiplies() {
	var factorial int
	err := exec.ParallelReduce(policy.Range(1, 11), func(i int, product *reduction.Prod[int]) { product.Mul(i) },
		reduction.Multiplies(&factorial))
	fmt.Println(factorial, err)
	// Output: 3628800 <nil>
}

func ExampleBitXor() {
	var and, or, xor uint8
	err := exec.ParallelReduce3(policy.Range(4, 7), func(i int, a *reduction.BAnd[uint8], o *reduction.BOr[uint8], x *reduction.BXor[uint8]) {
		a.And(uint8(i))
		o.Or(uint8(i))
		x.Xor(uint8(i))
	}, reduction.BitAnd(&and), reduction.BitOr(&or), reduction.BitXor(&xor))
	fmt.Println(and, or, xor, err)
	// Output: 4 7 7 <nil>
}

func ExampleBitAnd() {
	var common uint8
	err := exec.ParallelReduce(policy.Range(4, 8), func(i int, acc *reduction.BAnd[uint8]) { acc.And(uint8(i)) }, reduction.BitAnd(&common))
	fmt.Println(common, err)
	// Output: 4 <nil>
}

func ExampleBitOr() {
	var seen uint8
	err := exec.ParallelReduce(policy.Range(0, 3), func(i int, acc *reduction.BOr[uint8]) { acc.Or(1 << i) }, reduction.BitOr(&seen))
	fmt.Println(seen, err)
	// Output: 7 <nil>
}

func ExampleLogicalAnd() {
	var all, any bool
	err := exec.ParallelReduce2(policy.Range(0, 9), func(i int, a *reduction.LAnd[bool], o *reduction.LOr[bool]) {
		a.Combine(i < 5)
		o.Combine(i < 5)
	}, reduction.LogicalAnd(&all), reduction.LogicalOr(&any))
	fmt.Println(all, any, err)
	// Output: false true <nil>
}

func ExampleLogicalOr() {
	var any bool
	err := exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *reduction.LOr[bool]) { acc.Combine(i == 5) }, reduction.LogicalOr(&any))
	fmt.Println(any, err)
	// Output: true <nil>
}

func ExampleMinimum() {
	x := []float64{3, -1, 4}
	var low, high float64
	err := exec.ParallelReduce2(policy.Range(0, len(x)), func(i int, l *reduction.Min[float64], h *reduction.Max[float64]) {
		l.Combine(x[i])
		h.Combine(x[i])
	}, reduction.Minimum(&low), reduction.Maximum(&high))
	fmt.Println(low, high, err)
	// Output: -1 4 <nil>
}

func ExampleMaximum() {
	var high int
	err := exec.ParallelReduce(policy.Range(0, 10), func(i int, acc *reduction.Max[int]) { acc.Combine(i).Combine(20 - 3*i) }, reduction.Maximum(&high))
	fmt.Println(high, err)
	// Output: 20 <nil>
}
