package reduction_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/builtin/reduction"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// BenchmarkUpdate compares the methods of accumulators with what they stand for.
func BenchmarkUpdate(b *testing.B) {
	const n = 100_000
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i*7919%n) - n/2
	}
	p := policy.Range(0, n).On(exec.Serial{})
	var s float64
	bench(b, "Sum/plain", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&s))
	})
	bench(b, "Sum/method", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *reduction.Sum[float64]) { acc.Add(x[i]) }, reduction.Plus(&s))
	})
	bench(b, "Prod/plain", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *float64) { *acc *= x[i] }, builtin.Prod(&s))
	})
	bench(b, "Prod/method", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *reduction.Prod[float64]) { acc.Mul(x[i]) }, reduction.Multiplies(&s))
	})
	bench(b, "Max/plain", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *float64) { *acc = max(*acc, x[i]) }, builtin.Max(&s))
	})
	bench(b, "Max/method", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *reduction.Max[float64]) { acc.Combine(x[i]) }, reduction.Maximum(&s))
	})
	var partial reducers.Partial[float64]
	op := func(a, b float64) float64 { return a + b }
	bench(b, "New/plain", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *reducers.Partial[float64]) { acc.Combine(x[i]) }, reducers.WithoutIdentity(&partial, op))
	})
	bench(b, "New/method", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *reduction.Value[float64]) { acc.Combine(x[i]) }, reduction.New(&s, op))
	})
	cells := make([]int, 256)
	bench(b, "Span/plain", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *[]int) { (*acc)[i*7919&255]++ }, reducers.Slice(&cells, builtin.Sum))
	})
	bench(b, "Span/method", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *reduction.Array[reduction.Sum[int]]) { acc.At(i * 7919 & 255).Inc() }, reduction.Span(cells, reduction.Plus))
	})
	bench(b, "Items/plain", n, func() error {
		return exec.ParallelReduce(p, func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&s))
	})
	bench(b, "Items/items", n, func() error {
		return exec.ParallelReduce(p.Items(), func(t policy.Item[int], acc *float64) { *acc += x[t.Index] }, builtin.Sum(&s))
	})
}

func bench(b *testing.B, name string, items int, launch func() error) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, launch())
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(items), "ns/item")
	})
}
