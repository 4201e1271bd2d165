package exec_test

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func ExampleParallelFor() {
	x, y := []float64{1, 2, 3}, []float64{10, 20, 30}
	err := exec.ParallelFor(policy.Range(0, len(x)), func(i int) {
		y[i] += 2 * x[i]
	})
	fmt.Println(y, err)
	// Output: [12 24 36] <nil>
}

func ExampleParallelFor_mdRange() {
	const n, m = 3, 4
	var a [n][m]int
	err := exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{n, m}), func(at policy.Index2) {
		a[at.I][at.J] = 10*at.I + at.J
	})
	fmt.Println(a, err)
	// Output: [[0 1 2 3] [10 11 12 13] [20 21 22 23]] <nil>
}

func ExampleParallelReduce() {
	x, y := []float64{1, 2, 3}, []float64{4, 5, 6}
	var dot float64
	err := exec.ParallelReduce(policy.Range(0, len(x)), func(i int, acc *float64) {
		*acc += float64(x[i] * y[i])
	}, builtin.Sum(&dot))
	fmt.Println(dot, err)
	// Output: 32 <nil>
}

// The functor owns its loop, which then costs what the bare loop costs.
func ExampleParallelReduce_spans() {
	x := []float64{1, 2, 3, 4, 5}
	var sum float64
	err := exec.ParallelReduce(policy.Spans(0, len(x)), func(s policy.Span, acc *float64) {
		local := 0.0
		for i := range s.All() {
			local += x[i]
		}
		*acc += local
	}, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 15 <nil>
}

// One accumulator, each field of which has a reducer.
func ExampleParallelReduce_fields() {
	x := []float64{3, -1, 4, -1, 5}
	type stats struct{ sum, min, max float64 }
	var sum, low, high float64
	err := exec.ParallelReduce(policy.Range(0, len(x)), func(i int, acc *stats) {
		acc.sum += x[i]
		acc.min = min(acc.min, x[i])
		acc.max = max(acc.max, x[i])
	},
		reducers.Field(func(s *stats) *float64 { return &s.sum }, builtin.Sum(&sum)),
		reducers.Field(func(s *stats) *float64 { return &s.min }, builtin.Min(&low)),
		reducers.Field(func(s *stats) *float64 { return &s.max }, builtin.Max(&high)))
	fmt.Println(sum, low, high, err)
	// Output: 10 -1 5 <nil>
}

func ExampleParallelReduce2() {
	x := []int{3, -1, 4, -1, 5}
	var sum, high int
	err := exec.ParallelReduce2(policy.Range(0, len(x)), func(i int, a, b *int) {
		*a += x[i]
		*b = max(*b, x[i])
	}, builtin.Sum(&sum), builtin.Max(&high))
	fmt.Println(sum, high, err)
	// Output: 10 5 <nil>
}

func ExampleParallelReduce3() {
	x := []int{3, -1, 4, -1, 5}
	var sum, high int
	var positive bool
	err := exec.ParallelReduce3(policy.Range(0, len(x)), func(i int, a, b *int, c *bool) {
		*a += x[i]
		*b = max(*b, x[i])
		*c = *c && x[i] > 0
	}, builtin.Sum(&sum), builtin.Max(&high), builtin.LAnd(&positive))
	fmt.Println(sum, high, positive, err)
	// Output: 10 5 false <nil>
}

func ExampleParallelReduce4() {
	x := []int{3, -1, 4, -1, 5}
	var sum, product, low, high int
	err := exec.ParallelReduce4(policy.Range(0, len(x)), func(i int, a, b, c, d *int) {
		*a += x[i]
		*b *= x[i]
		*c = min(*c, x[i])
		*d = max(*d, x[i])
	}, builtin.Sum(&sum), builtin.Prod(&product), builtin.Min(&low), builtin.Max(&high))
	fmt.Println(sum, product, low, high, err)
	// Output: 10 60 -1 5 <nil>
}

func ExampleParallelReduceLanes() {
	x, y := []float64{1, 2, 3}, []float64{4, 5, 6}
	var dot float64
	err := exec.ParallelReduceLanes(policy.Spans(0, len(x)), func(s exec.Lanes[float64]) {
		for i, acc := range s.Items() {
			*acc += float64(x[i] * y[i])
		}
	}, builtin.Sum(&dot))
	fmt.Println(dot, err)
	// Output: 32 <nil>
}

func ExampleParallelScan() {
	x := []int{1, 2, 3, 4}
	exclusive, inclusive := make([]int, 4), make([]int, 4)
	var total int
	err := exec.ParallelScan(policy.Range(0, len(x)), func(i int, acc *int, final bool) {
		if final {
			exclusive[i] = *acc
		}
		*acc += x[i]
		if final {
			inclusive[i] = *acc
		}
	}, builtin.Sum(&total))
	fmt.Println(exclusive, inclusive, total, err)
	// Output: [0 1 3 6] [1 3 6 10] 10 <nil>
}

func ExampleParallelFold() {
	x := []float64{3, -1, 4, -1, 5}
	var sum float64
	var mean builtin.Average[float64]
	var low builtin.ValLoc[float64, int]
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(x)), x),
		builtin.Sum(&sum), builtin.Mean(&mean), builtin.MinLoc(&low))
	fmt.Println(sum, mean.Value(), low.Val, low.Loc, err)
	// Output: 10 2 -1 1 <nil>
}

func ExampleSlice() {
	x := []float64{3, -1, 4, -1, 5}
	var tail float64
	err := exec.ParallelFold(exec.Slice(policy.Range(2, len(x)), x), builtin.Sum(&tail))
	fmt.Println(tail, err)
	// Output: 8 <nil>
}

func ExampleProducts() {
	x, y := []float64{1, 2, 3}, []float64{4, 5, 6}
	var dot float64
	err := exec.ParallelFold(exec.Products(policy.Range(0, len(x)), x, y), builtin.Sum(&dot))
	fmt.Println(dot, err)
	// Output: 32 <nil>
}

func ExampleMap() {
	a := [2][3]int{{1, 2, 3}, {4, 5, 6}}
	var sum int
	err := exec.ParallelFold(exec.Map(policy.MDRange2([2]int{0, 0}, [2]int{2, 3}), func(at policy.Index2) int {
		return a[at.I][at.J]
	}), builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 21 <nil>
}

func ExampleFill() {
	x := []float32{1, 2, 3}
	var sum float64
	err := exec.ParallelFold(exec.Fill(policy.Range(0, len(x)), func(s policy.Span, dst []float64) {
		for k, v := range x[s.Begin:s.End] {
			dst[k] = float64(v)
		}
	}), builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 6 <nil>
}

func ExampleSerial() {
	err := exec.ParallelFor(policy.Range(0, 3).On(exec.Serial{}), func(i int) { fmt.Print(i, " ") })
	fmt.Println(err)
	// Output: 0 1 2 <nil>
}

func ExampleNewGoroutines() {
	space := exec.NewGoroutines(4)
	defer space.Close()
	var sum int
	err := exec.ParallelReduce(policy.Range(0, 1001).On(space), func(i int, acc *int) { *acc += i }, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 500500 <nil>
}

func ExampleGoroutines_Partition() {
	space := exec.NewGoroutines(8)
	defer space.Close()
	parts, err := space.Partition(1, 3)
	for _, part := range parts {
		fmt.Print(part.Concurrency(), " ")
		defer part.Close()
	}
	fmt.Println(err)
	// Output: 2 6 <nil>
}

// reversed is a policy of the integers n-1 down to 0.
type reversed struct{ plan policy.Plan }

func (p reversed) Plan() policy.Plan { return p.plan }

func (p reversed) Next(begin, end int, dst []int) (n, next int) {
	dst = dst[:min(len(dst), end-begin)]
	for k := range dst {
		dst[k] = p.plan.Items - 1 - (begin + k)
	}
	return len(dst), begin + len(dst)
}

// A policy of your own numbers its items and says which index each has.
func ExamplePolicy() {
	p := reversed{policy.Plan{Items: 4, Space: exec.Serial{}}}
	err := exec.ParallelFor(p, func(i int) { fmt.Print(i, " ") })
	fmt.Println(err)
	// Output: 3 2 1 0 <nil>
}

// triangle is a policy of the points (i, j) with j <= i < n, whose rows are runs.
type triangle struct{ n int }

func (p triangle) Plan() policy.Plan {
	return policy.Plan{Items: p.n * (p.n + 1) / 2, Space: exec.Serial{}}
}

// row returns the row of an item, and its place there.
func (p triangle) row(item int) (i, j int) {
	for item > i {
		i++
		item -= i
	}
	return i, item
}

func (p triangle) Next(begin, end int, dst []policy.Index2) (n, next int) {
	for n = 0; n < len(dst) && begin < end; n++ {
		i, j := p.row(begin)
		dst[n] = policy.Index2{I: i, J: j}
		begin++
	}
	return n, begin
}

func (p triangle) NextRuns(begin, end int, dst []policy.Run) (n, next int) {
	for n = 0; n < len(dst) && begin < end; n++ {
		i, j := p.row(begin)
		dst[n] = policy.Run{At: [6]int{i, j}, Dim: 1, Len: min(i+1-j, end-begin)}
		begin += dst[n].Len
	}
	return n, begin
}

// A policy of your own that has runs is as fast as nested loops.
func ExamplePolicy_runs() {
	err := exec.ParallelFor(triangle{3}, func(at policy.Index2) { fmt.Print(at.I, at.J, "; ") })
	fmt.Println(err)
	// Output: 0 0; 1 0; 1 1; 2 0; 2 1; 2 2; <nil>
}

// The sum of a matrix, row by row, with the bits of a sum point by point.
func ExampleParallelReduceLanes_rows() {
	a := [2][3]float64{{1, 2, 3}, {4, 5, 6}}
	var sum float64
	p := policy.MDRange2([2]int{}, [2]int{2, 3})
	err := exec.ParallelReduceLanes(p.Rows(), func(r exec.RowLanes[policy.Index2, float64]) {
		row := a[r.At.I]
		for j, acc := range r.Items() {
			*acc += row[j]
		}
	}, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 21 <nil>
}

// The points of a row, each with the accumulator of its lane.
func ExampleRowLanes_Items() {
	var sum int
	p := policy.MDRange2([2]int{}, [2]int{2, 3}).Chunk(8).On(exec.Serial{})
	err := exec.ParallelReduceLanes(p.Rows(), func(r exec.RowLanes[policy.Index2, int]) {
		for j, acc := range r.Items() {
			fmt.Print(r.At.I, j, "; ")
			*acc += 10*r.At.I + j
		}
	}, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 0 0; 0 1; 0 2; 1 0; 1 1; 1 2; 36 <nil>
}

// The same bits on every space.
func ExampleSpace() {
	three := exec.NewGoroutines(3)
	defer three.Close()
	sums := map[float64]bool{}
	for _, on := range []exec.Space{exec.Serial{}, three} {
		var sum float64
		exec.Must(exec.ParallelReduce(policy.Range(0, 1001).On(on), func(i int, acc *float64) { *acc += 1 / float64(i+1) }, builtin.Sum(&sum)))
		sums[sum] = true
	}
	fmt.Println(len(sums))
	// Output: 1
}

func ExampleGoroutines_Close() {
	space := exec.NewGoroutines(2)
	fmt.Println(space.Close())
	fmt.Println(exec.ParallelFor(policy.Range(0, 10).On(space), func(int) {}))
	// Output:
	// <nil>
	// space: the space is closed
}

func ExampleDefault() {
	// GOKKOS_SPACE, GOKKOS_WORKERS and GOKKOS_SCHEDULE decide.
	space, err := exec.Default()
	fmt.Println(space.Name(), err)
	// Output: goroutines <nil>
}

func ExamplePanic() {
	defer func() {
		p := recover().(*exec.Panic)
		fmt.Println(p.Value, "in items", p.Begin, "to", p.End-1)
	}()
	_ = exec.ParallelFor(policy.Range(0, 100).Chunk(10), func(i int) {
		if i > 40 {
			panic("too far")
		}
	})
	// Output: too far in items 32 to 47
}

// A functor fails by cancelling its launch with a cause.
func ExampleMust() {
	x := make([]int, 5)
	exec.Must(exec.ParallelFor(policy.Range(0, 5), func(i int) { x[i] = i * i }))
	fmt.Println(x)

	defer func() { fmt.Println(recover()) }()
	exec.Must(exec.ParallelFor(policy.Range(5, 0), func(i int) { x[i] = 0 }))
	// Output:
	// [0 1 4 9 16]
	// policy: Range(5, 0) is reversed, expected begin <= end
}

func ExampleParallelFor_error() {
	ctx, cancel := context.WithCancelCause(context.Background())
	x := []string{"1", "2", "three", "4"}
	y := make([]int, len(x))
	err := exec.ParallelFor(policy.Range(0, len(x)).WithContext(ctx), func(i int) {
		var err error
		if y[i], err = strconv.Atoi(x[i]); err != nil {
			cancel(fmt.Errorf("line %d: %w", i+1, err))
		}
	})
	fmt.Println(err)
	// Output: exec: launch cancelled: line 3: strconv.Atoi: parsing "three": invalid syntax
}
