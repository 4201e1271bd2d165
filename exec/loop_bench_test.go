package exec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// BenchmarkItem is the time of an item of the ways to write a functor, on one worker.
func BenchmarkItem(b *testing.B) {
	const n = 100_000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i*7919%n)-n/2, float64(i%7)
	}
	var r float64
	index := policy.Range(0, n).On(exec.Serial{})
	spans := policy.Spans(0, n).On(exec.Serial{})
	box := policy.MDRange2([2]int{}, [2]int{n / 100, 100}).On(exec.Serial{})
	tests := []struct {
		name string
		run  func() error
	}{
		{"for/index", func() error { return exec.ParallelFor(index, func(i int) { y[i] = x[i] }) }},
		{"for/span", func() error {
			return exec.ParallelFor(spans, func(s policy.Span) {
				for i := range s.All() {
					y[i] = x[i]
				}
			})
		}},
		{"for/md2", func() error { return exec.ParallelFor(box, func(i policy.Index2) { y[i.I*100+i.J] = x[i.I*100+i.J] }) }},
		{"sum/index", func() error {
			return exec.ParallelReduce(index, func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&r))
		}},
		{"dot/index", func() error {
			return exec.ParallelReduce(index, func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }, builtin.Sum(&r))
		}},
		{"min/index", func() error {
			return exec.ParallelReduce(index, func(i int, acc *float64) { *acc = min(*acc, x[i]) }, builtin.Min(&r))
		}},
		{"sum/md2", func() error {
			return exec.ParallelReduce(box, func(i policy.Index2, acc *float64) { *acc += x[i.I*100+i.J] }, builtin.Sum(&r))
		}},
		{"sum2/index", func() error {
			var s float64
			return exec.ParallelReduce2(index, func(i int, a, b *float64) { *a += x[i]; *b += y[i] }, builtin.Sum(&r), builtin.Sum(&s))
		}},
		{"sum/lanes", func() error {
			return exec.ParallelReduceLanes(spans, func(s exec.Lanes[float64]) {
				for i, acc := range s.Items() {
					*acc += x[i]
				}
			}, builtin.Sum(&r))
		}},
		{"dot/lanes", func() error {
			return exec.ParallelReduceLanes(spans, func(s exec.Lanes[float64]) {
				for i, acc := range s.Items() {
					*acc += float64(x[i] * y[i])
				}
			}, builtin.Sum(&r))
		}},
		{"min/lanes", func() error {
			return exec.ParallelReduceLanes(spans, func(s exec.Lanes[float64]) {
				for i, acc := range s.Items() {
					*acc = min(*acc, x[i])
				}
			}, builtin.Min(&r))
		}},
		{"sum/span", func() error {
			return exec.ParallelReduce(spans, func(s policy.Span, acc *float64) {
				sum := 0.0
				for i := range s.All() {
					sum += x[i]
				}
				*acc += sum
			}, builtin.Sum(&r))
		}},
		{"sum/loop", func() error {
			sum := 0.0
			for i := range x {
				sum += x[i]
			}
			r = sum
			return nil
		}},
		{"min/loop", func() error {
			low := math.Inf(1)
			for i := range x {
				low = min(low, x[i])
			}
			r = low
			return nil
		}},
	}
	for _, t := range tests {
		b.Run(t.name, func(b *testing.B) {
			for b.Loop() {
				if err := t.run(); err != nil {
					b.Fatal(err)
				}
			}
			perItem(b, n, "ns/item")
		})
	}
}

// exclusive is the loop that one would write.
func exclusive(y, x []float64) (sum float64) {
	for i, v := range x {
		y[i] = sum
		sum += v
	}
	return sum
}

// BenchmarkScan is an exclusive scan, and the loop that one would write.
func BenchmarkScan(b *testing.B) {
	sizes := []int{1000, 100_000, 1_000_000, 50_000_000}
	if testing.Short() {
		sizes = sizes[:3]
	}
	for _, n := range sizes {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(i%7), 1
		}
		f := func(i int, acc *float64, final bool) {
			if final {
				y[i] = *acc
			}
			*acc += x[i]
		}
		spans := func(s policy.Span, acc *float64, final bool) {
			sum := *acc
			if final {
				for i, v := range x[s.Begin:s.End] {
					y[s.Begin+i] = sum
					sum += v
				}
			} else {
				for _, v := range x[s.Begin:s.End] {
					sum += v
				}
			}
			*acc = sum
		}
		var total float64
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.Run("loop", func(b *testing.B) {
				for b.Loop() {
					total = exclusive(y, x)
				}
				perItem(b, n, "ns/item")
			})
			b.Run("spans", func(b *testing.B) {
				benchSpaces(b, func(b *testing.B, space exec.Space) {
					p := policy.Spans(0, n).On(space)
					for b.Loop() {
						if err := exec.ParallelScan(p, spans, builtin.Sum(&total)); err != nil {
							b.Fatal(err)
						}
					}
					perItem(b, n, "ns/item")
				})
			})
			benchSpaces(b, func(b *testing.B, space exec.Space) {
				p := policy.Range(0, n).On(space)
				for b.Loop() {
					if err := exec.ParallelScan(p, f, builtin.Sum(&total)); err != nil {
						b.Fatal(err)
					}
				}
				perItem(b, n, "ns/item")
			})
		})
	}
}
