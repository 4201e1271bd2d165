package atomics_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

func Example() {
	// How many numbers have how many divisors?
	const n = 100
	count := views.Must(views.New2[int]("count", 2, 13)) // odd and even numbers
	err := exec.ParallelFor(policy.Range(1, n+1), func(i int) {
		divisors := 0
		for k := 1; k <= i; k++ {
			if i%k == 0 {
				divisors++
			}
		}
		atomics.Add(&count.Row(1 - i%2)[divisors], 1)
	})
	fmt.Println(count.Row(0), err)
	fmt.Println(count.Row(1), err)
	// Output:
	// [0 1 24 3 17 1 4 0 0 0 0 0 0] <nil>
	// [0 0 1 1 15 1 12 1 10 2 2 0 5] <nil>
}

func ExampleAdd() {
	x := 1.5
	fmt.Println(atomics.Add(&x, 2), x)
	// Output: 3.5 3.5
}

func ExampleFetchAdd() {
	next := 0 // each caller gets a number of its own
	a, b := atomics.FetchAdd(&next, 1), atomics.FetchAdd(&next, 1)
	fmt.Println(a, b, next)
	// Output: 0 1 2
}

func ExampleSub() {
	x := uint8(1)
	fmt.Println(atomics.Sub(&x, 2)) // it wraps
	// Output: 255
}

func ExampleFetchSub() {
	left := 2
	last := atomics.FetchSub(&left, 1) == 1
	fmt.Println(last, left)
	// Output: false 1
}

func ExampleMul() {
	x := 2.5
	fmt.Println(atomics.Mul(&x, 2))
	// Output: 5
}

func ExampleFetchMul() {
	x := 2.5
	fmt.Println(atomics.FetchMul(&x, 2), x)
	// Output: 2.5 5
}

func ExampleMin() {
	x := 3
	fmt.Println(atomics.Min(&x, 5), atomics.Min(&x, 2))
	// Output: 3 2
}

func ExampleFetchMin() {
	x := 3
	fmt.Println(atomics.FetchMin(&x, 2), x)
	// Output: 3 2
}

func ExampleMax() {
	x := 3
	fmt.Println(atomics.Max(&x, 5), atomics.Max(&x, 2))
	// Output: 5 5
}

func ExampleFetchMax() {
	x := 3
	fmt.Println(atomics.FetchMax(&x, 5), x)
	// Output: 3 5
}

func ExampleAnd() {
	x := 0b1100
	fmt.Printf("%04b\n", atomics.And(&x, 0b0110))
	// Output: 0100
}

func ExampleFetchAnd() {
	x := 0b1100
	fmt.Printf("%04b %04b\n", atomics.FetchAnd(&x, 0b0110), x)
	// Output: 1100 0100
}

func ExampleOr() {
	x := 0b1100
	fmt.Printf("%04b\n", atomics.Or(&x, 0b0110))
	// Output: 1110
}

func ExampleFetchOr() {
	set := uint8(0) // the first to set a bit sees that it was not set
	first := atomics.FetchOr(&set, 1)&1 == 0
	again := atomics.FetchOr(&set, 1)&1 == 0
	fmt.Println(first, again)
	// Output: true false
}

func ExampleXor() {
	x := 0b1100
	fmt.Printf("%04b\n", atomics.Xor(&x, 0b0110))
	// Output: 1010
}

func ExampleFetchXor() {
	x := 0b1100
	fmt.Printf("%04b %04b\n", atomics.FetchXor(&x, 0b0110), x)
	// Output: 1100 1010
}

func ExampleLoad() {
	x := 1
	fmt.Println(atomics.Load(&x))
	// Output: 1
}

func ExampleStore() {
	x := 1
	atomics.Store(&x, 2)
	fmt.Println(x)
	// Output: 2
}

func ExampleExchange() {
	x := 1
	fmt.Println(atomics.Exchange(&x, 2), x)
	// Output: 1 2
}

func ExampleCompareExchange() {
	x := 1
	fmt.Println(atomics.CompareExchange(&x, 1, 2))
	fmt.Println(atomics.CompareExchange(&x, 1, 3))
	fmt.Println(x)
	// Output:
	// 1 true
	// 2 false
	// 2
}

func ExampleUpdate() {
	x := 10.0
	halve := func(x float64) float64 { return x / 2 }
	fmt.Println(atomics.Update(&x, halve))
	// Output: 5
}
