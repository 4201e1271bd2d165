//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// Time per item, in cache, of the closure and of its loops.
func BenchmarkKernels(b *testing.B) {
	const n = 4000
	x, y, z := plain(n), plain(n), plain(n)
	turned := nearZero(rand.New(rand.NewPCG(1, 1)), n)
	rows, rounds, single := make([]int, 402), make([]int, 400), make([]float32, n)
	for i := range rounds {
		rounds[i], rows[i+1] = i*7%9+2, rows[i]+i*7%9+2 // of 6 numbers on average
	}
	rows[401] = rows[400]
	for i := range single {
		single[i] = float32(i%401)/100 - 2
	}
	for _, c := range []struct {
		name            string
		plain, compiled any
		items           int
	}{
		{"axpy", axpy(1e-9, x, y), Axpy(1e-9, x, y), n},
		{"triad", triad(2, x, y, z), Triad(2, x, y, z), n},
		{"dot", dot(x, y), Dot(x, y), n},
		{"smallest", smallest(x), Smallest(x), n},
		{"roots", roots(x), Roots(x), n},
		{"relax", relax(square(60), square(60)), Relax(square(60), square(60)), 58},
		{"gemv", gemv(square(60), x, y), Gemv(square(60), x, y), 60},
		{"hash", hash(1, make([]uint64, n)), Hash(1, make([]uint64, n)), n},
		{"nearest", nearest(table(500, 3), table(8, 3), make([]int32, 500)), Nearest(table(500, 3), table(8, 3), make([]int32, 500)), 500},
		{"spmv", sparse(spmv, x, y), sparse(Spmv, x, y), 400},
		{"mandelbrot", mandelbrot(-2, -1.5, 3./64, 64, 200, make([]int32, n)), Mandelbrot(-2, -1.5, 3./64, 64, 200, make([]int32, n)), n},
		{"cutoff", cutoff(.5, x[:400], y, order(400)), Cutoff(.5, x[:400], y, order(400)), 400},
		{"ragged", ragged(rows, x, z), Ragged(rows, x, z), 400},
		{"gathered", gathered(rows, rows[1:], x, y), Gathered(rows, rows[1:], x, y), 400},
		{"escaped", escaped(50, single, make([]float32, n), make([]int32, n)), Escaped(50, single, make([]float32, n), make([]int32, n)), n},
		{"nested", nested(rounds, x, y, z), Nested(rounds, x, y, z), 400},
		{"decay", decay(x, y), Decay(x, y), n},
		{"entropy", entropy(x, y), Entropy(x, y), n},
		{"powers", powers(x, y, z), Powers(x, y, z), n},
		{"waves", waves(x, y), Waves(x, y), n},
		{"errors", errors(turned, y), Errors(turned, y), n},
	} {
		b.Run(c.name+"/closure", func(b *testing.B) {
			acc := make([]float64, 32)
			for b.Loop() {
				for i := 1; i < c.items; i++ {
					switch f := c.plain.(type) {
					case func(int):
						f(i)
					case func(int, *float64):
						f(i, &acc[i&31])
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.items), "ns/item")
		})
		for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
			for _, lanes := range []int{4, 32} {
				_, undo := kernel.Limit(level)
				loop := kernel.Of(c.compiled)
				undo()
				name := fmt.Sprintf("%s/%v", c.name, level)
				if _, ok := loop.(kernel.For); !ok {
					name = fmt.Sprintf("%s/%d lanes", name, lanes)
				} else if lanes == 4 {
					continue
				}
				b.Run(name, func(b *testing.B) {
					acc := make([]float64, lanes)
					for b.Loop() {
						switch f := loop.(type) {
						case kernel.For:
							f.Span(1, c.items)
						case kernel.Reduce[float64]:
							f.Span(1, c.items, 1, acc)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.items), "ns/item")
				})
			}
		}
	}
}

func order(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func plain(n int) []float64 {
	r := rand.New(rand.NewPCG(1, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.Float64()
	}
	return x
}

func square(n int) views.View2[float64] { return views.Must(views.Of2("u", plain(n*n), n, n)) }

func table(n, m int) views.View2[float32] {
	r := rand.New(rand.NewPCG(1, 1))
	return view(n, m, r.Float32)
}

func sparse(make func(ptr, col []int, val, x, y []float64) func(int), x, y []float64) func(int) {
	r := rand.New(rand.NewPCG(1, 1))
	var col []int
	ptr := []int{0}
	for range 400 {
		for range 9 {
			col = append(col, r.IntN(len(x)))
		}
		ptr = append(ptr, len(col))
	}
	return make(ptr, col, x, x, y)
}

// A sparse matrix times a vector is never slower than the loop that one would write.
func BenchmarkSparse(b *testing.B) {
	const n = 400
	x, y := plain(4000), plain(4000)
	var loop func()
	f := sparse(func(ptr, col []int, val, x, y []float64) func(int) {
		loop = func() {
			for i := range n {
				s := 0.0
				for k := ptr[i]; k < ptr[i+1]; k++ {
					s += float64(val[k] * x[col[k]])
				}
				y[i] = s
			}
		}
		return Spmv(ptr, col, val, x, y)
	}, x, y)
	compiled := kernel.Of(f).(kernel.For)
	for name, run := range map[string]func(){"loop": loop, "compiled": func() { compiled.Span(0, n) }} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/item")
		})
	}
}

// Time per value of folds over functors that return one, with the launch.
func BenchmarkValues(b *testing.B) {
	const n = 128
	x, w := plain(n*n+8), []float64{.25, .5, .25}
	rows, sums := views.Must(views.New2[float32]("rows", n, n)), views.Must(views.New1[float64]("sums", n))
	var sum float64
	for level := kernel.Closure; level <= kernel.AVX512; level++ {
		_, undo := kernel.Limit(level)
		for name, fold := range map[string]func() error{
			"filter": func() error {
				return exec.ParallelFold(exec.Map(policy.Range(0, n*n).On(exec.Serial{}), Smoothed(0, w, x)), builtin.Sum(&sum))
			},
			"logistic": func() error {
				return tensor.Reduce(tensor.Over(rows, 1).On(exec.Serial{}), tensor.FoldMap(Logistic(2), builtin.Sum[float64], tensor.Into(sums)))
			},
		} {
			b.Run(name+"/"+level.String(), func(b *testing.B) {
				for b.Loop() {
					exec.Must(fold())
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/value")
			})
		}
		undo()
	}
}
