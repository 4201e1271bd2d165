package scatter_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

func Example() {
	// Particles leave their charge in the two cells next to them.
	at, charge := []float64{0.25, 0.5, 2.75, 1.5}, []float64{1, 2, 4, 8}
	density := views.Must(views.New1[float64]("density", 4))
	total := 0.0
	err := exec.ParallelReduce2(policy.Range(0, len(at)),
		func(i int, acc *scatter.Access[float64], sum *float64) {
			cell := int(at[i])
			right := at[i] - float64(cell)
			acc.Combine1(cell, charge[i]*(1-right))
			acc.Combine1(cell+1, charge[i]*right)
			*sum += charge[i]
		}, scatter.Sum(density), builtin.Sum(&total))
	fmt.Println(density.Slice())
	fmt.Println(total, err)
	// Output:
	// [1.75 5.25 5 3] true
	// 15 <nil>
}

func ExampleSum() {
	letters := views.Must(views.New1[int]("letters", 26))
	const text = "same bits on every space"
	for range 2 { // contributions are added to what the view has
		err := exec.ParallelReduce(policy.Range(0, len(text)), func(i int, acc *scatter.Access[int]) {
			if text[i] != ' ' {
				acc.Combine1(int(text[i]-'a'), 1)
			}
		}, scatter.Sum(letters))
		fmt.Println(letters.At('s'-'a'), letters.At('q'-'a'), err)
	}
	// Output:
	// 3 0 <nil>
	// 6 0 <nil>
}

func ExampleProd() {
	y := views.Must(views.New1[int]("y", 3))
	_ = views.Fill(y, 1) // or the products are those with 0
	err := exec.ParallelReduce(policy.Range(1, 10), func(i int, acc *scatter.Access[int]) {
		acc.Combine1(i%3, i)
	}, scatter.Prod(y))
	fmt.Println(y.At(0), y.At(1), y.At(2), err)
	// Output: 162 28 80 <nil>
}

func ExampleMin() {
	first := views.Must(views.New1[int]("first", 3))
	_ = views.Fill(first, 100)
	err := exec.ParallelReduce(policy.Range(0, 100), func(i int, acc *scatter.Access[int]) {
		acc.Combine1(i*i%3, i)
	}, scatter.Min(first))
	fmt.Println(first.At(0), first.At(1), first.At(2), err) // no square is 2 modulo 3
	// Output: 0 1 100 <nil>
}

func ExampleMax() {
	last := views.Must(views.New1[int]("last", 3))
	err := exec.ParallelReduce(policy.Range(0, 100), func(i int, acc *scatter.Access[int]) {
		acc.Combine1(i*i%3, i)
	}, scatter.Max(last))
	fmt.Println(last.At(0), last.At(1), last.At(2), err)
	// Output: 99 98 0 <nil>
}

func ExampleDuplicated() {
	const cells, n = 100, 1e6
	y := views.Must(views.New1[float64]("y", cells))
	err := exec.ParallelReduce(policy.Spans(0, n).Chunk(4*cells), func(s policy.Span, acc *scatter.Access[float64]) {
		for i := range s.All() {
			j := i % cells
			acc.Combine1(j*j%cells, 0.5)
		}
	}, scatter.Duplicated(scatter.Sum(y)))
	fmt.Println(y.At(0), y.At(25), y.At(26), err)
	// Output: 50000 50000 0 <nil>
}

func ExampleAccess_Cells() {
	// Particles in a row repel those next to them, each pair once.
	at := []float64{0, 1, 3, 7, 8}
	force := views.Must(views.New1[float64]("force", len(at)))
	err := exec.ParallelReduce(policy.Spans(0, len(at)-1), func(s policy.Span, acc *scatter.Access[float64]) {
		f := acc.Cells()
		for i := range s.All() {
			x := 1 / (at[i+1] - at[i])
			f[i] -= x
			f[i+1] += x
		}
	}, scatter.Sum(force))
	fmt.Println(force.Slice())
	fmt.Println(err)
	// Output:
	// [-1 0.5 0.25 -0.75 1] true
	// <nil>
}

func ExampleAccess_Combine1() {
	y := views.Must(views.New1[int]("y", 2))
	err := exec.ParallelReduce(policy.Range(0, 10), func(i int, acc *scatter.Access[int]) {
		acc.Combine1(i%2, i)
	}, scatter.Sum(y))
	fmt.Println(y.At(0), y.At(1), err)
	// Output: 20 25 <nil>
}

func ExampleAccess_Combine2() {
	// The matrix of a chain of springs, which is the sum of those of its springs.
	stiffness := []float64{1, 2, 3}
	a := views.Must(views.New2[float64]("a", 4, 4))
	err := exec.ParallelReduce(policy.Range(0, len(stiffness)), func(e int, acc *scatter.Access[float64]) {
		k := stiffness[e]
		acc.Combine2(e, e, k)
		acc.Combine2(e, e+1, -k)
		acc.Combine2(e+1, e, -k)
		acc.Combine2(e+1, e+1, k)
	}, scatter.Sum(a))
	for i := range 4 {
		fmt.Println(a.Row(i))
	}
	fmt.Println(err)
	// Output:
	// [1 -1 0 0]
	// [-1 3 -2 0]
	// [0 -2 5 -3]
	// [0 0 -3 3]
	// <nil>
}

func ExampleAccess_Combine3() {
	y := views.Must(views.New3[int]("y", 2, 2, 2))
	err := exec.ParallelReduce(policy.Range(0, 100), func(i int, acc *scatter.Access[int]) {
		acc.Combine3(i%2, i/2%2, i/4%2, 1)
	}, scatter.Sum(y))
	fmt.Println(y.At(0, 0, 0), y.At(1, 1, 1), err)
	// Output: 13 12 <nil>
}

func ExampleAccess_Combine4() {
	y := views.Must(views.New4[int]("y", 2, 2, 2, 2))
	err := exec.ParallelReduce(policy.Range(0, 100), func(i int, acc *scatter.Access[int]) {
		acc.Combine4(i%2, i/2%2, i/4%2, i/8%2, 1)
	}, scatter.Sum(y))
	fmt.Println(y.At(0, 0, 0, 0), y.At(1, 1, 1, 1), err)
	// Output: 7 6 <nil>
}

func ExampleAccess_CombineRow2() {
	// Springs pull at their two ends.
	at := [][3]float64{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {1, 2, 4}}
	force := views.Must(views.New2[float64]("force", 4, 3))
	err := exec.ParallelReduce(policy.Range(0, len(at)-1), func(i int, acc *scatter.Access[float64]) {
		a, b := at[i], at[i+1]
		x, y, z := b[0]-a[0], b[1]-a[1], b[2]-a[2]
		acc.CombineRow2(i, x, y, z)
		acc.CombineRow2(i+1, -x, -y, -z)
	}, scatter.Sum(force))
	for i := range 4 {
		fmt.Println(force.Row(i))
	}
	fmt.Println(err)
	// Output:
	// [1 0 0]
	// [-1 2 0]
	// [0 -2 4]
	// [0 0 -4]
	// <nil>
}

func ExampleAccess_CombineRow3() {
	// The two components of 12 particles, in blocks of 4 whose components lie together.
	blocks := views.Must(views.New3[int]("y", 3, 2, 4))
	y := views.Must(blocks.Permute(0, 2, 1))
	err := exec.ParallelReduce(policy.Range(0, 12), func(i int, acc *scatter.Access[int]) {
		acc.CombineRow3(i/4, i%4, i, -i)
	}, scatter.Sum(y))
	fmt.Println(blocks.Row(2, 0), blocks.Row(2, 1), err)
	// Output: [8 9 10 11] [-8 -9 -10 -11] <nil>
}

func ExampleAccess_Combine() {
	y := views.Must(views.New[int]("y", []int{2, 1, 2, 1, 2})) // of any rank
	err := exec.ParallelReduce(policy.Range(0, 100), func(i int, acc *scatter.Access[int]) {
		acc.Combine([]int{i % 2, 0, 0, 0, i / 50}, 1)
	}, scatter.Sum(y))
	fmt.Println(y.At(1, 0, 0, 0, 1), err)
	// Output: 25 <nil>
}

func ExampleAtomicSum() {
	histogram := views.Must(views.New1[int]("histogram", 4))
	_ = exec.ParallelReduce(policy.Range(0, 1000), func(i int, acc *scatter.Access[int]) {
		acc.Combine1(i%4, 1)
	}, scatter.AtomicSum(histogram))
	fmt.Println(histogram.Slice())
	// Output: [250 250 250 250] true
}

func ExampleAtomicProd() {
	y := views.Must(views.Of1("y", []int{1, 1}))
	_ = exec.ParallelReduce(policy.Range(1, 7), func(i int, acc *scatter.Access[int]) {
		acc.Combine1(i%2, i)
	}, scatter.AtomicProd(y))
	fmt.Println(y.Slice())
	// Output: [48 15] true
}

func ExampleAtomicMin() {
	y := views.Must(views.Of1("y", []float64{9, 9}))
	_ = exec.ParallelReduce(policy.Range(0, 6), func(i int, acc *scatter.Access[float64]) {
		acc.Combine1(i%2, 1/float64(i+1))
	}, scatter.AtomicMin(y))
	fmt.Println(y.Slice())
	// Output: [0.2 0.16666666666666666] true
}

func ExampleAtomicMax() {
	y := views.Must(views.New1[int]("y", 2))
	_ = exec.ParallelReduce(policy.Range(0, 6), func(i int, acc *scatter.Access[int]) {
		acc.Combine1(i%2, i)
	}, scatter.AtomicMax(y))
	fmt.Println(y.Slice())
	// Output: [4 5] true
}
