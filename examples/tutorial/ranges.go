package main

import (
	"errors"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// launches runs two patterns: a functor for each index, and a sum. A launch has returned when all is done, so
// there is no fence.
func launches(on exec.Space) ([]any, error) {
	x := make([]float64, 1000)
	p := policy.Range(0, len(x)).On(on).WithLabel("squares")
	if err := exec.ParallelFor(p, func(i int) { x[i] = math.Sqrt(float64(i)) }); err != nil {
		return nil, err
	}
	var sum float64
	err := exec.ParallelReduce(p, func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&sum))
	return []any{sum}, err
}

// failures shows what goes wrong, and where: a launch that cannot run is an error and has changed nothing, and a
// panic of a functor is a panic of the launch, which names the item.
func failures(on exec.Space) (results []any, err error) {
	sum := 7.0
	if exec.ParallelReduce(policy.Range(10, 0).On(on), func(int, *float64) {}, builtin.Sum(&sum)) == nil {
		return nil, errors.New("a range that ends before it begins has run")
	}
	defer func() {
		if p, ok := recover().(*exec.Panic); ok {
			results = []any{sum, p.Begin}
		}
	}()
	x := make([]float64, 10)
	return nil, exec.ParallelFor(policy.Range(0, 11).On(on).Chunk(1), func(i int) { x[i]++ })
}

// overViews computes yᵀAx with a functor that is called for each row. A view knows its extents.
func overViews(on exec.Space) ([]any, error) {
	a, x, y, err := problem()
	if err != nil {
		return nil, err
	}
	var result float64
	err = exec.ParallelReduce(policy.Range(0, a.Extent(0)).On(on), func(i int, acc *float64) {
		sum := 0.0
		for j := range a.Extent(1) {
			sum += float64(a.At(i, j) * x.At(j))
		}
		*acc += float64(y.At(i) * sum)
	}, builtin.Sum(&result))
	return []any{result}, err
}

// overSpans computes the same with functors that get many rows, and rows as slices: what runs fast on a CPU. The
// order inside a span is the functor's, so the bits may differ from those of the lesson before.
func overSpans(on exec.Space) ([]any, error) {
	a, x, y, err := problem()
	if err != nil {
		return nil, err
	}
	column, _ := x.Slice()
	var result float64
	err = exec.ParallelReduce(policy.Spans(0, a.Extent(0)).On(on), func(s policy.Span, acc *float64) {
		total := *acc
		for i := range s.All() {
			sum := 0.0
			for j, t := range a.Row(i) {
				sum += float64(t * column[j])
			}
			total += float64(y.At(i) * sum)
		}
		*acc = total
	}, builtin.Sum(&result))
	return []any{result}, err
}
