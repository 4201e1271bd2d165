package reducers_test

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

func ExampleReducer() {
	words := []string{"go", "kokkos", "gokkos", "c"}
	var result string
	r := longest{reducers.Into(&result)} // the type of the package documentation
	err := exec.ParallelReduce(policy.Range(0, len(words)), func(i int, acc *string) {
		r.Join(acc, &words[i])
	}, reducers.Ordered(r)) // of equally long words, the first
	fmt.Println(result, err)
	// Output: kokkos <nil>
}

// bits is a reducer whose identity is the zero value, so that only Join is left
// to be written.
type bits struct{ reducers.Base[uint8] }

func (bits) Join(dst, src *uint8) { *dst |= *src }

func ExampleBase() {
	var seen uint8
	err := exec.ParallelReduce(policy.Range(0, 3), func(i int, acc *uint8) {
		*acc |= 1 << i
	}, bits{reducers.Into(&seen)})
	fmt.Printf("%03b %v\n", seen, err)
	// Output: 111 <nil>
}

func ExampleNew() {
	var factorial int
	err := exec.ParallelReduce(policy.Range(1, 6), func(i int, acc *int) {
		*acc *= i
	}, reducers.New(&factorial,
		func(dst, src *int) { *dst *= *src },
		reducers.Init(func(val *int) { *val = 1 })))
	fmt.Println(factorial, err)
	// Output: 120 <nil>
}

func ExampleFinal() {
	x := []float64{3, 4}
	var norm float64
	err := exec.ParallelReduce(policy.Range(0, len(x)), func(i int, acc *float64) {
		*acc += x[i] * x[i]
	}, reducers.New(&norm,
		func(dst, src *float64) { *dst += *src },
		reducers.Final(func(val *float64) { *val = math.Sqrt(*val) })))
	fmt.Println(norm, err)
	// Output: 5 <nil>
}

func ExampleWithInitial() {
	total := 1000
	sum := reducers.New(&total, func(dst, src *int) { *dst += *src })
	add := func(i int, acc *int) { *acc += i }

	_ = exec.ParallelReduce(policy.Range(0, 5), add, reducers.WithInitial(sum))
	fmt.Println(total)
	_ = exec.ParallelReduce(policy.Range(0, 5), add, sum)
	fmt.Println(total)
	// Output:
	// 1010
	// 10
}

func ExampleOrdered() {
	var text string
	concat := reducers.New(&text, func(dst, src *string) { *dst += *src })
	err := exec.ParallelReduce(policy.Range(0, 26), func(i int, acc *string) {
		*acc += string(rune('a' + i))
	}, reducers.Ordered(concat))
	fmt.Println(text, err)
	// Output: abcdefghijklmnopqrstuvwxyz <nil>
}

func ExampleExact() {
	var result uint32
	xor := reducers.New(&result, func(dst, src *uint32) { *dst ^= *src })
	fmt.Println(concept.TraitsOf(xor).Exact)
	fmt.Println(concept.TraitsOf(reducers.Exact(xor)).Exact)
	fmt.Println(concept.TraitsOf(reducers.Ordered(reducers.Exact(xor))).Exact)
	// Output:
	// false
	// true
	// false
}

func ExampleField() {
	type stats struct{ sum, largest int }
	var sum, largest int
	err := exec.ParallelReduce(policy.Range(0, 10), func(i int, acc *stats) {
		acc.sum += i
		acc.largest = max(acc.largest, i)
	},
		reducers.Field(func(s *stats) *int { return &s.sum },
			reducers.New(&sum, func(dst, src *int) { *dst += *src })),
		reducers.Field(func(s *stats) *int { return &s.largest },
			reducers.New(&largest, func(dst, src *int) { *dst = max(*dst, *src) }, reducers.Init(func(v *int) { *v = math.MinInt }))))
	fmt.Println(sum, largest, err)
	// Output: 45 9 <nil>
}

func ExampleCompose() {
	type stats struct{ sum, count int }
	var sum, count int
	sums := reducers.Field(func(s *stats) *int { return &s.sum },
		reducers.New(&sum, func(dst, src *int) { *dst += *src }))
	counts := reducers.Field(func(s *stats) *int { return &s.count },
		reducers.New(&count, func(dst, src *int) { *dst += *src }))
	f := func(i int, acc *stats) { acc.sum, acc.count = acc.sum+i, acc.count+1 }

	err := exec.ParallelReduce(policy.Range(0, 10), f, reducers.Compose(sums, counts))
	fmt.Println(sum, count, err)
	err = exec.ParallelReduce(policy.Range(0, 10), f, reducers.Compose(sums))
	fmt.Println(err)
	// Output:
	// 45 10 <nil>
	// reducers: no reducer owns field stats.count
}

func ExampleSlice() {
	votes := []int{0, 2, 1, 2, 2, 0}
	histogram := make([]int, 3) // the length is known at run time only
	sum := func(result *int) reducers.Func[int] {
		return reducers.New(result, func(dst, src *int) { *dst += *src })
	}
	err := exec.ParallelReduce(policy.Range(0, len(votes)), func(i int, acc *[]int) {
		(*acc)[votes[i]]++
	}, reducers.Slice(&histogram, sum))
	fmt.Println(histogram, err)
	// Output: [2 1 3] <nil>
}

func ExampleWithoutIdentity() {
	type interval struct{ from, to int }
	x := []interval{{5, 6}, {2, 3}, {9, 12}}
	var hull reducers.Partial[interval] // there is no interval whose hull with x is x
	err := exec.ParallelReduce(policy.Range(0, len(x)), func(i int, acc *reducers.Partial[interval]) {
		acc.Combine(x[i])
	}, reducers.WithoutIdentity(&hull, func(a, b interval) interval {
		return interval{min(a.from, b.from), max(a.to, b.to)}
	}))
	value, ok := hull.Value()
	fmt.Println(value, ok, err)
	// Output: {2 12} true <nil>
}

func ExampleNoIdentity_Start() {
	var latest reducers.Partial[int]
	later := reducers.WithoutIdentity(&latest, func(a, b int) int { return max(a, b) }).Start(2000)
	err := exec.ParallelReduce(policy.Range(0, 3), func(i int, acc *reducers.Partial[int]) {
		acc.Combine(1969 + i)
	}, reducers.WithInitial(later))
	fmt.Println(latest.Value())
	fmt.Println(err)
	// Output:
	// 2000 true
	// <nil>
}

func ExampleFolding() {
	words := []string{"scan", "for", "reduce", "fold"}
	var total, shortest int
	letters := reducers.New(&total, func(dst, src *int) { *dst += *src })
	minimum := reducers.New(&shortest, func(dst, src *int) { *dst = min(*dst, *src) },
		reducers.Init(func(val *int) { *val = math.MaxInt }))
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(words)), words),
		reducers.Folding(letters, func(acc *int, _ int, word string) { *acc += len(word) }),
		reducers.Folding(minimum, func(acc *int, _ int, word string) { *acc = min(*acc, len(word)) }))
	fmt.Println(total, shortest, err)
	// Output: 17 3 <nil>
}

// trues counts the values that are true. It is a reducer with a fold of its own, which sees
// values in batches.
type trues struct{ reducers.Base[int] }

func (trues) Join(dst, src *int) { *dst += *src }

func (r trues) Fold() reducers.Fold[bool] {
	return reducers.NewFold(reducers.Reducer[int](r), func(lanes []int, _ int, x []bool) {
		mask := len(lanes) - 1
		for k, v := range x {
			if v {
				lanes[k&mask]++
			}
		}
	})
}

func ExampleNewFold() {
	var total int
	x := []bool{true, false, true, true, false}
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(x)), x), trues{reducers.Into(&total)})
	fmt.Println(total, err)
	// Output: 3 <nil>
}
