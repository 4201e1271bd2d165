package builtin_test

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

var temperatures = []float64{11, 14, 9, 14, 9, 12}

var days = policy.Range(0, len(temperatures))

// Several reductions of the same values take one pass.
func Example() {
	var total float64
	var coldest builtin.ValLoc[float64, int]
	var mean builtin.Average[float64]
	err := exec.ParallelFold(exec.Slice(days, temperatures),
		builtin.Sum(&total), builtin.MinLoc(&coldest), builtin.Mean(&mean))
	fmt.Println(total, coldest.Val, coldest.Loc, mean.Value(), err)
	// Output: 69 9 2 11.5 <nil>
}

func ExampleSum() {
	var sum float64
	err := exec.ParallelReduce(days, func(i int, acc *float64) { *acc += temperatures[i] }, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 69 <nil>
}

// A histogram is a sum of slices.
func ExampleSum_slice() {
	histogram := make([]int, 4)
	err := exec.ParallelReduce(policy.Range(0, 1000), func(i int, acc *[]int) { (*acc)[i*i%4]++ },
		reducers.Slice(&histogram, builtin.Sum))
	fmt.Println(histogram, err)
	// Output: [500 500 0 0] <nil>
}

func ExampleProd() {
	var factorial int
	err := exec.ParallelReduce(policy.Range(1, 11), func(i int, acc *int) { *acc *= i }, builtin.Prod(&factorial))
	fmt.Println(factorial, err)
	// Output: 3628800 <nil>
}

func ExampleMin() {
	var lowest float64
	err := exec.ParallelReduce(days, func(i int, acc *float64) { *acc = min(*acc, temperatures[i]) }, builtin.Min(&lowest))
	fmt.Println(lowest, err)
	// Output: 9 <nil>
}

func ExampleMax() {
	var highest float64
	err := exec.ParallelFold(exec.Slice(days, temperatures), builtin.Max(&highest))
	fmt.Println(highest, err)
	// Output: 14 <nil>
}

func ExampleMinMax() {
	var span builtin.MinMaxVal[float64]
	err := exec.ParallelFold(exec.Slice(days, temperatures), builtin.MinMax(&span))
	fmt.Println(span.Min, span.Max, err)
	// Output: 9 14 <nil>
}

func ExampleMinLoc() {
	var at builtin.ValLoc[float64, policy.Index2]
	p := policy.MDRange2([2]int{-3, -3}, [2]int{4, 4})
	err := exec.ParallelReduce(p, func(i policy.Index2, acc *builtin.ValLoc[float64, policy.Index2]) {
		acc.Min(math.Hypot(float64(i.I-1), float64(i.J+2)), i)
	}, builtin.MinLoc(&at))
	fmt.Println(at.Val, at.Loc, at.Found(), err)
	// Output: 0 {1 -2} true <nil>
}

func ExampleMinFirstLoc() {
	var at builtin.ValLoc[float64, int]
	err := exec.ParallelFold(exec.Slice(days, temperatures), builtin.MinFirstLoc(&at))
	fmt.Println(at.Val, at.Loc, err)
	// Output: 9 2 <nil>
}

func ExampleMinLastLoc() {
	var at builtin.ValLoc[float64, int]
	err := exec.ParallelFold(exec.Slice(days, temperatures), builtin.MinLastLoc(&at))
	fmt.Println(at.Val, at.Loc, err)
	// Output: 9 4 <nil>
}

func ExampleMaxLoc() {
	var at builtin.ValLoc[float64, int]
	err := exec.ParallelReduce(days, func(i int, acc *builtin.ValLoc[float64, int]) {
		acc.Max(temperatures[i], i)
	}, builtin.MaxLoc(&at))
	fmt.Println(at.Val, at.Loc, err)
	// Output: 14 1 <nil>
}

func ExampleMaxFirstLoc() {
	var at builtin.ValLoc[float64, int]
	err := exec.ParallelFold(exec.Slice(days, temperatures), builtin.MaxFirstLoc(&at))
	fmt.Println(at.Val, at.Loc, err)
	// Output: 14 1 <nil>
}

func ExampleMaxLastLoc() {
	var at builtin.ValLoc[float64, int]
	err := exec.ParallelFold(exec.Slice(days, temperatures), builtin.MaxLastLoc(&at))
	fmt.Println(at.Val, at.Loc, err)
	// Output: 14 3 <nil>
}

func ExampleMinMaxLoc() {
	var ends builtin.MinMaxLocVal[float64, int]
	err := exec.ParallelReduce(days, func(i int, acc *builtin.MinMaxLocVal[float64, int]) {
		acc.Add(temperatures[i], i)
	}, builtin.MinMaxLoc(&ends))
	fmt.Println(ends.Min, ends.MinLoc, ends.Max, ends.MaxLoc, err)
	// Output: 9 2 14 1 <nil>
}

func ExampleMinMaxFirstLastLoc() {
	var ends builtin.MinMaxLocVal[float64, int]
	err := exec.ParallelFold(exec.Slice(days, temperatures), builtin.MinMaxFirstLastLoc(&ends))
	fmt.Println(ends.Min, ends.MinLoc, ends.Max, ends.MaxLoc, err)
	// Output: 9 2 14 3 <nil>
}

// warm is a source of predicates.
var warm = exec.Map(days, func(i int) bool { return temperatures[i] > 11 })

func ExampleFirstLoc() {
	var first builtin.Found[int]
	err := exec.ParallelReduce(days, func(i int, acc *builtin.Found[int]) {
		acc.First(i, temperatures[i] > 11)
	}, builtin.FirstLoc(&first))
	fmt.Println(first.Loc, first.Found, err)
	// Output: 1 true <nil>
}

func ExampleLastLoc() {
	var last builtin.Found[int]
	err := exec.ParallelFold(warm, builtin.LastLoc(&last))
	fmt.Println(last.Loc, last.Found, err)
	// Output: 5 true <nil>
}

func ExampleIsPartitioned() {
	var parts builtin.Partitioned[int]
	err := exec.ParallelFold(warm, builtin.IsPartitioned(&parts))
	fmt.Println(parts.IsPartitioned(), err)
	// Output: false <nil>
}

func ExamplePartitionPoint() {
	sorted := []int{1, 3, 5, 8, 13}
	p := policy.Range(0, len(sorted))
	var point builtin.Found[int]
	err := exec.ParallelFold(exec.Map(p, func(i int) bool { return sorted[i] < 6 }), builtin.PartitionPoint(&point))
	fmt.Println(point.Loc, point.Found, err)
	// Output: 3 true <nil>
}

func ExampleLAnd() {
	var all bool
	err := exec.ParallelFold(warm, builtin.LAnd(&all))
	fmt.Println(all, err)
	// Output: false <nil>
}

func ExampleLOr() {
	var any bool
	err := exec.ParallelFold(warm, builtin.LOr(&any))
	fmt.Println(any, err)
	// Output: true <nil>
}

func ExampleCount() {
	var n int
	err := exec.ParallelFold(warm, builtin.Count(&n))
	fmt.Println(n, err)
	// Output: 3 <nil>
}

var masks = []uint8{0b1110, 0b0110, 0b0111}

func ExampleBAnd() {
	var bits uint8
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(masks)), masks), builtin.BAnd(&bits))
	fmt.Printf("%04b %v\n", bits, err)
	// Output: 0110 <nil>
}

func ExampleBOr() {
	var bits uint8
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(masks)), masks), builtin.BOr(&bits))
	fmt.Printf("%04b %v\n", bits, err)
	// Output: 1111 <nil>
}

func ExampleBXor() {
	var bits uint8
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(masks)), masks), builtin.BXor(&bits))
	fmt.Printf("%04b %v\n", bits, err)
	// Output: 1111 <nil>
}

func ExampleSumSq() {
	var sum float64
	err := exec.ParallelReduce(days, func(i int, acc *float64) {
		*acc += float64(temperatures[i] * temperatures[i])
	}, builtin.SumSq(&sum))
	fmt.Println(sum, err)
	// Output: 819 <nil>
}

func ExampleMean() {
	var mean builtin.Average[float64]
	err := exec.ParallelReduce(days, func(i int, acc *builtin.Average[float64]) { acc.Add(temperatures[i]) }, builtin.Mean(&mean))
	fmt.Println(mean.Value(), err)
	// Output: 11.5 <nil>
}

func ExampleVariance() {
	var m builtin.Moments[float64]
	err := exec.ParallelFold(exec.Slice(days, temperatures), builtin.Variance(&m))
	fmt.Printf("%d %.2f %.2f %.2f %v\n", m.N, m.Mean, m.Variance(), m.SampleVariance(), err)
	// Output: 6 11.50 4.25 5.10 <nil>
}

var residual = []float64{3, 0, -4, 0}

func ExampleNorm1() {
	var norm float64
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(residual)), residual), builtin.Norm1(&norm))
	fmt.Println(norm, err)
	// Output: 7 <nil>
}

func ExampleNorm2() {
	var norm float64
	err := exec.ParallelReduce(policy.Range(0, len(residual)), func(i int, acc *float64) {
		*acc += float64(residual[i] * residual[i])
	}, builtin.Norm2(&norm))
	fmt.Println(norm, err)
	// Output: 5 <nil>
}

func ExampleAMax() {
	var norm float64
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(residual)), residual), builtin.AMax(&norm))
	fmt.Println(norm, err)
	// Output: 4 <nil>
}
