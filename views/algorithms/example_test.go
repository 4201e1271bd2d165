package algorithms_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// of returns a view of some elements.
func of[T any](x ...T) views.View1[T] { return views.Must(views.Of1("x", x)) }

// elements returns those of a view.
func elements[T any](v views.View1[T]) []T { return slices.Collect(v.Values()) }

func Example() {
	space := exec.NewGoroutines(4)
	defer space.Close()
	on := policy.On(space)

	energies, particles := of(2.5, 0.5, 1.5, 0.5), of("a", "b", "c", "d")
	err := algorithms.SortByKey(energies, particles, on)
	fmt.Println(elements(energies), elements(particles), err)
	n, err := algorithms.CountIf(energies, func(x float64) bool { return x < 2 }, on)
	fmt.Println(n, err)
	// Output:
	// [0.5 0.5 1.5 2.5] [b d c a] <nil>
	// 3 <nil>
}

func ExampleSort() {
	v := of(3.5, -1, 2)
	err := algorithms.Sort(v)
	fmt.Println(elements(v), err)
	// Output: [-1 2 3.5] <nil>
}

func ExampleSortFunc() {
	v := of("pear", "fig", "apple", "nut")
	err := algorithms.SortFunc(v, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	fmt.Println(elements(v), err)
	// Output: [fig nut pear apple] <nil>
}

func ExampleSortByKey() {
	keys, values := of(3, 1, 2, 1), of("c", "a", "b", "A")
	err := algorithms.SortByKey(keys, values)
	fmt.Println(elements(keys), elements(values), err)
	// Output: [1 1 2 3] [a A b c] <nil>
}

func ExampleSortByKeyFunc() {
	keys, values := of(3, 1, 2), of("c", "a", "b")
	err := algorithms.SortByKeyFunc(keys, values, func(a, b int) int { return b - a })
	fmt.Println(elements(keys), elements(values), err)
	// Output: [3 2 1] [c b a] <nil>
}

func ExampleIsSorted() {
	fmt.Println(algorithms.IsSorted(of(1, 2, 2)))
	fmt.Println(algorithms.IsSorted(of(2, 1)))
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleIsSortedFunc() {
	fmt.Println(algorithms.IsSortedFunc(of(3, 2, 1), func(a, b int) int { return b - a }))
	// Output: true <nil>
}

func ExampleIsSortedUntil() {
	fmt.Println(algorithms.IsSortedUntil(of(1, 2, 5, 4, 6)))
	// Output: 3 <nil>
}

func ExampleIsSortedUntilFunc() {
	fmt.Println(algorithms.IsSortedUntilFunc(of("B", "a"), strings.Compare))
	// Output: 2 <nil>
}

func ExampleUnique() {
	v := of(1, 1, 2, 2, 2, 1)
	n, err := algorithms.Unique(v)
	fmt.Println(elements(v)[:n], err)
	// Output: [1 2 1] <nil>
}

func ExampleUniqueFunc() {
	v := of("a", "A", "b")
	n, err := algorithms.UniqueFunc(v, strings.EqualFold)
	fmt.Println(elements(v)[:n], err)
	// Output: [a b] <nil>
}

func ExampleUniqueCopy() {
	dst := of(0, 0, 0)
	n, err := algorithms.UniqueCopy(dst, of(7, 7, 8))
	fmt.Println(elements(dst)[:n], err)
	// Output: [7 8] <nil>
}

func ExampleUniqueCopyFunc() {
	dst := of("", "")
	n, err := algorithms.UniqueCopyFunc(dst, of("a", "A", "b"), strings.EqualFold)
	fmt.Println(elements(dst)[:n], err)
	// Output: [a b] <nil>
}

func ExampleUniqueByKey() {
	keys, values := of(1, 1, 2), of("a", "b", "c")
	n, err := algorithms.UniqueByKey(keys, values)
	fmt.Println(elements(keys)[:n], elements(values)[:n], err)
	// Output: [1 2] [a c] <nil>
}

func ExampleReduceByKey() {
	rows, values := of(0, 0, 2, 2, 2), of(1.0, 2, 3, 4, 5)
	ids, sums := of(0, 0, 0), of(0.0, 0, 0)
	n, err := algorithms.ReduceByKey(ids, sums, rows, values, builtin.Sum)
	fmt.Println(elements(ids)[:n], elements(sums)[:n], err)
	// Output: [0 2] [3 12] <nil>
}

func ExampleExclusiveScan() {
	counts, offsets := of(3, 1, 2), of(0, 0, 0)
	var total int
	err := algorithms.ExclusiveScan(offsets, counts, builtin.Sum(&total))
	fmt.Println(elements(offsets), total, err)

	total = 100
	err = algorithms.ExclusiveScan(offsets, counts, reducers.WithInitial(builtin.Sum(&total)))
	fmt.Println(elements(offsets), total, err)
	// Output:
	// [0 3 4] 6 <nil>
	// [100 103 104] 106 <nil>
}

func ExampleInclusiveScan() {
	v := of(3, 1, 4, 1)
	var highest int
	err := algorithms.InclusiveScan(v, v, builtin.Max(&highest))
	fmt.Println(elements(v), highest, err)
	// Output: [3 3 4 4] 4 <nil>
}

func ExampleAdjacentDifference() {
	v := of(0, 0, 0)
	err := algorithms.AdjacentDifference(v, of(1, 4, 9))
	fmt.Println(elements(v), err)
	// Output: [1 3 5] <nil>
}

func ExampleAdjacentDifferenceFunc() {
	v := of(0, 0, 0)
	err := algorithms.AdjacentDifferenceFunc(v, of(1, 4, 8), func(x, before int) int { return x / before })
	fmt.Println(elements(v), err)
	// Output: [1 4 2] <nil>
}

func ExampleUniformBins() {
	bins := algorithms.UniformBins(0.0, 1, 4)
	fmt.Println(bins.Len(), bins.Index(0.25), bins.Index(1), bins.Index(1.1))
	// Output: 4 1 3 -1
}

func ExampleEdgeBins() {
	bins := algorithms.EdgeBins(0, 10, 100)
	fmt.Println(bins.Len(), bins.Index(9), bins.Index(10), bins.Index(-1))
	// Output: 2 0 1 -1
}

func ExampleHistogram() {
	counts := of(0, 0, 0)
	err := algorithms.Histogram(counts, of(0.1, 0.5, 0.9, 3, 7), algorithms.UniformBins(0.0, 3, 3))
	fmt.Println(elements(counts), err)
	// Output: [3 0 1] <nil>
}

func ExampleWeightedHistogram() {
	sums := of(0.0, 0)
	x, weights := of(1, 20, 2), of(0.5, 1, 0.25)
	err := algorithms.WeightedHistogram(sums, x, weights, algorithms.EdgeBins(0, 10, 100))
	fmt.Println(elements(sums), err)
	// Output: [0.75 1] <nil>
}

func ExampleFind() {
	fmt.Println(algorithms.Find(of(5, 6, 7, 6), 6))
	fmt.Println(algorithms.Find(of(5, 6, 7, 6), 8))
	// Output:
	// 1 <nil>
	// -1 <nil>
}

func ExampleFindIf() {
	fmt.Println(algorithms.FindIf(of(5, 6, 7, 6), func(x int) bool { return x > 5 }))
	// Output: 1 <nil>
}

func ExampleFindIfNot() {
	fmt.Println(algorithms.FindIfNot(of(5, 6, 7, 6), func(x int) bool { return x < 7 }))
	// Output: 2 <nil>
}

func ExampleFindFirstOf() {
	fmt.Println(algorithms.FindFirstOf(of(5, 6, 7), of(7, 6)))
	// Output: 1 <nil>
}

func ExampleAdjacentFind() {
	fmt.Println(algorithms.AdjacentFind(of(5, 6, 6, 7)))
	// Output: 1 <nil>
}

func ExampleAdjacentFindFunc() {
	fmt.Println(algorithms.AdjacentFindFunc(of(1, 2, 4, 3), func(a, b int) bool { return a > b }))
	// Output: 2 <nil>
}

func ExampleSearch() {
	fmt.Println(algorithms.Search(of(1, 2, 1, 2, 3), of(1, 2)))
	// Output: 0 <nil>
}

func ExampleFindEnd() {
	fmt.Println(algorithms.FindEnd(of(1, 2, 1, 2, 3), of(1, 2)))
	// Output: 2 <nil>
}

func ExampleSearchN() {
	fmt.Println(algorithms.SearchN(of(0, 1, 0, 0, 1), 2, 0))
	// Output: 2 <nil>
}

func ExampleAllOf() {
	fmt.Println(algorithms.AllOf(of(1, 2, 3), func(x int) bool { return x > 0 }))
	// Output: true <nil>
}

func ExampleAnyOf() {
	fmt.Println(algorithms.AnyOf(of(1, 2, 3), func(x int) bool { return x > 3 }))
	// Output: false <nil>
}

func ExampleNoneOf() {
	fmt.Println(algorithms.NoneOf(of(1, 2, 3), func(x int) bool { return x > 3 }))
	// Output: true <nil>
}

func ExampleCount() {
	fmt.Println(algorithms.Count(of(1, 2, 1), 1))
	// Output: 2 <nil>
}

func ExampleCountIf() {
	fmt.Println(algorithms.CountIf(of(1, 2, 1), func(x int) bool { return x > 1 }))
	// Output: 1 <nil>
}

func ExampleMismatch() {
	fmt.Println(algorithms.Mismatch(of(1, 2, 3), of(1, 2, 4)))
	fmt.Println(algorithms.Mismatch(of(1, 2), of(1, 2, 4)))
	// Output:
	// 2 <nil>
	// 2 <nil>
}

func ExampleMismatchFunc() {
	fmt.Println(algorithms.MismatchFunc(of(1, 2), of("a", "bbb"), func(n int, s string) bool { return n == len(s) }))
	// Output: 1 <nil>
}

func ExampleEqual() {
	fmt.Println(algorithms.Equal(of(1, 2), of(1, 2)))
	// Output: true <nil>
}

func ExampleEqualFunc() {
	fmt.Println(algorithms.EqualFunc(of("Go"), of("GO"), strings.EqualFold))
	// Output: true <nil>
}

func ExampleCompare() {
	fmt.Println(algorithms.Compare(of(1, 2), of(1, 3)))
	// Output: -1 <nil>
}

func ExampleCompareFunc() {
	fmt.Println(algorithms.CompareFunc(of("a", "c"), of("a", "b"), strings.Compare))
	// Output: 1 <nil>
}

func ExampleMinElement() {
	fmt.Println(algorithms.MinElement(of(3.0, 1, 1)))
	// Output: 1 <nil>
}

func ExampleMaxElement() {
	fmt.Println(algorithms.MaxElement(of(3, 4, 4)))
	// Output: 1 <nil>
}

func ExampleMinMaxElement() {
	fmt.Println(algorithms.MinMaxElement(of(3, 1, 1, 3)))
	// Output: 1 3 <nil>
}

func ExampleMinElementFunc() {
	fmt.Println(algorithms.MinElementFunc(of("b", "a"), strings.Compare))
	// Output: 1 <nil>
}

func ExampleMaxElementFunc() {
	fmt.Println(algorithms.MaxElementFunc(of("b", "a"), strings.Compare))
	// Output: 0 <nil>
}

func ExampleMinMaxElementFunc() {
	fmt.Println(algorithms.MinMaxElementFunc(of("b", "a", "b"), strings.Compare))
	// Output: 1 2 <nil>
}

func ExampleForEach() {
	v := of(1, 2, 3)
	err := algorithms.ForEach(v, func(i int, x *int) { *x *= i })
	fmt.Println(elements(v), err)
	// Output: [0 2 6] <nil>
}

func ExampleGenerate() {
	v := of(0, 0, 0)
	err := algorithms.Generate(v, func(i int) int { return i * i })
	fmt.Println(elements(v), err)
	// Output: [0 1 4] <nil>
}

func ExampleTransform() {
	v := of("", "")
	err := algorithms.Transform(v, of(1, 2), func(x int) string { return fmt.Sprint("#", x) })
	fmt.Println(elements(v), err)
	// Output: [#1 #2] <nil>
}

func ExampleTransform2() {
	v := of(1.0, 2)
	err := algorithms.Transform2(v, v, of(3.0, 4), func(x, y float64) float64 { return x * y })
	fmt.Println(elements(v), err)
	// Output: [3 8] <nil>
}

func ExampleReplace() {
	v := of(1, 2, 1)
	err := algorithms.Replace(v, 1, 9)
	fmt.Println(elements(v), err)
	// Output: [9 2 9] <nil>
}

func ExampleReplaceIf() {
	v := of(1, -2, 3)
	err := algorithms.ReplaceIf(v, func(x int) bool { return x < 0 }, 0)
	fmt.Println(elements(v), err)
	// Output: [1 0 3] <nil>
}

func ExampleReplaceCopy() {
	v := of(0, 0, 0)
	err := algorithms.ReplaceCopy(v, of(1, 2, 1), 1, 9)
	fmt.Println(elements(v), err)
	// Output: [9 2 9] <nil>
}

func ExampleReplaceCopyIf() {
	v := of(0, 0)
	err := algorithms.ReplaceCopyIf(v, of(1, -2), func(x int) bool { return x < 0 }, 0)
	fmt.Println(elements(v), err)
	// Output: [1 0] <nil>
}

func ExampleSwapRanges() {
	a, b := of(1, 2), of(3, 4)
	err := algorithms.SwapRanges(a, b)
	fmt.Println(elements(a), elements(b), err)
	// Output: [3 4] [1 2] <nil>
}

func ExampleReverse() {
	v := of(1, 2, 3)
	err := algorithms.Reverse(v)
	fmt.Println(elements(v), err)
	// Output: [3 2 1] <nil>
}

func ExampleReverseCopy() {
	v := of(0, 0, 0)
	err := algorithms.ReverseCopy(v, of(1, 2, 3))
	fmt.Println(elements(v), err)
	// Output: [3 2 1] <nil>
}

func ExampleRotate() {
	v := of(1, 2, 3, 4)
	err := algorithms.Rotate(v, 1)
	fmt.Println(elements(v), err)
	// Output: [2 3 4 1] <nil>
}

func ExampleRotateCopy() {
	v := of(0, 0, 0)
	err := algorithms.RotateCopy(v, of(1, 2, 3), 2)
	fmt.Println(elements(v), err)
	// Output: [3 1 2] <nil>
}

func ExampleShiftLeft() {
	v := of(1, 2, 3, 4)
	n, err := algorithms.ShiftLeft(v, 1)
	fmt.Println(elements(v), n, err)
	// Output: [2 3 4 4] 3 <nil>
}

func ExampleShiftRight() {
	v := of(1, 2, 3, 4)
	n, err := algorithms.ShiftRight(v, 1)
	fmt.Println(elements(v), n, err)
	// Output: [1 1 2 3] 3 <nil>
}

func ExampleCopyIf() {
	v := of(0, 0, 0)
	n, err := algorithms.CopyIf(v, of(1, -2, 3), func(x int) bool { return x > 0 })
	fmt.Println(elements(v)[:n], err)
	// Output: [1 3] <nil>
}

func ExampleRemoveCopyIf() {
	v := of(0, 0, 0)
	n, err := algorithms.RemoveCopyIf(v, of(1, -2, 3), func(x int) bool { return x > 0 })
	fmt.Println(elements(v)[:n], err)
	// Output: [-2] <nil>
}

func ExampleRemoveCopy() {
	v := of(0, 0, 0)
	n, err := algorithms.RemoveCopy(v, of(1, 2, 1), 1)
	fmt.Println(elements(v)[:n], err)
	// Output: [2] <nil>
}

func ExampleRemove() {
	v := of(1, 2, 1, 3)
	n, err := algorithms.Remove(v, 1)
	fmt.Println(elements(v)[:n], err)
	// Output: [2 3] <nil>
}

func ExampleRemoveIf() {
	v := of(1, 2, 1, 3)
	n, err := algorithms.RemoveIf(v, func(x int) bool { return x > 1 })
	fmt.Println(elements(v)[:n], err)
	// Output: [1 1] <nil>
}

func ExampleIsPartitioned() {
	fmt.Println(algorithms.IsPartitioned(of(1, 2, 9, 8), func(x int) bool { return x < 5 }))
	// Output: true <nil>
}

func ExamplePartitionPoint() {
	fmt.Println(algorithms.PartitionPoint(of(1, 2, 9, 8), func(x int) bool { return x < 5 }))
	// Output: 2 <nil>
}

func ExamplePartitionCopy() {
	yes, no := of(0, 0), of(0, 0)
	n, err := algorithms.PartitionCopy(yes, no, of(9, 1, 8), func(x int) bool { return x < 5 })
	fmt.Println(elements(yes)[:n], elements(no), err)
	// Output: [1] [9 8] <nil>
}

func ExampleStablePartition() {
	v := of(9, 1, 8, 2)
	n, err := algorithms.StablePartition(v, func(x int) bool { return x < 5 })
	fmt.Println(elements(v), n, err)
	// Output: [1 2 9 8] 2 <nil>
}
