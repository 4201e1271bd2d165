package tensor_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// BenchmarkSums compares sums of rows and columns of a matrix with the sum of the same
// memory as one slice, on two workers. The two take turns, so that a busy machine slows
// down both: metric speed is the median of time of the slice / time of the tensor.
func BenchmarkSums(b *testing.B) {
	const n = 8192
	space := exec.NewGoroutines(2)
	defer func() { require.NoError(b, space.Close()) }()
	x := views.Must(views.New[float32]("x", []int{n, n}))
	memory, _ := x.Slice()
	for k := range memory {
		memory[k] = float32(k*7919%1000) - 500
	}
	y, z := views.Must(views.New[float32]("y", []int{n})), views.Must(views.New[float32]("z", []int{n}))
	var total, squares float32
	var at builtin.ValLoc[float32, int]
	for _, c := range []struct {
		name    string
		folders []reducers.Folder[float32]
		tensor  []tensor.Operation[float32]
	}{
		{"sum", []reducers.Folder[float32]{builtin.Sum(&total)},
			[]tensor.Operation[float32]{tensor.Fold(builtin.Sum[float32], tensor.Into(y))}},
		{"sum,sumsq", []reducers.Folder[float32]{builtin.Sum(&total), builtin.SumSq(&squares)},
			[]tensor.Operation[float32]{tensor.Fold(builtin.Sum[float32], tensor.Into(y)), tensor.Fold(builtin.SumSq[float32], tensor.Into(z))}},
		{"maxloc", []reducers.Folder[float32]{builtin.MaxLoc(&at)},
			[]tensor.Operation[float32]{tensor.Fold(builtin.MaxLoc[float32, int], tensor.IntoMap(y, tensor.Value[float32]))}},
	} {
		p := policy.Range(0, len(memory)).On(space)
		slice := func() error { return exec.ParallelFold(exec.Slice(p, memory), c.folders[0], c.folders[1:]...) }
		for dim, name := range []string{"columns", "rows"} {
			s := tensor.Over(x, dim).On(space)
			compare(b, name+"/"+c.name, slice, func() error { return tensor.Reduce(s, c.tensor...) })
		}
	}
}

// compare reports the median times of f and of its peer, and of their ratio.
func compare(b *testing.B, name string, peer, f func() error) {
	b.Run(name, func(b *testing.B) {
		var ours, theirs, ratios []float64
		measure := func(f func() error) float64 {
			begin := time.Now()
			require.NoError(b, f())
			return float64(time.Since(begin).Nanoseconds())
		}
		for b.Loop() {
			theirs = append(theirs, measure(peer))
			ours = append(ours, measure(f))
			ratios = append(ratios, theirs[len(theirs)-1]/ours[len(ours)-1])
		}
		median := func(x []float64) float64 {
			slices.Sort(x)
			return x[len(x)/2]
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(median(ours)/1e6, "ms")
		b.ReportMetric(median(theirs)/1e6, "peer-ms")
		b.ReportMetric(median(ratios), "speed")
		b.ReportMetric(ours[0]/1e6, "best-ms")
		b.ReportMetric(theirs[0]/1e6, "best-peer-ms")
	})
}

// BenchmarkMeans is the mean and the mean of squares of all elements of a matrix, beside a fold
// over the same memory and a functor that owns its loop. The environment says how many
// workers: GOKKOS_WORKERS, or as many as there are processors.
func BenchmarkMeans(b *testing.B) {
	space := exec.NewGoroutines(0)
	if n, err := strconv.Atoi(os.Getenv("GOKKOS_WORKERS")); err == nil {
		space = exec.NewGoroutines(n)
	}
	defer func() { require.NoError(b, space.Close()) }()
	for _, n := range []int{10, 316, 1000, 4096} {
		x := views.Must(views.New[float64]("x", []int{n, n}))
		memory, _ := x.Slice()
		for k := range memory {
			memory[k] = float64(k*7919%1000) - 500
		}
		mean, square := views.Must(views.New[float64]("mean", nil)), views.Must(views.New[float64]("square", nil))
		var sum, squares float64
		for _, c := range []struct {
			name string
			run  func() error
		}{
			{"loop", func() error {
				sum, squares = 0, 0
				for _, v := range memory {
					sum += v
					squares += v * v
				}
				return nil
			}},
			{"tensor", func() error {
				return tensor.Reduce(tensor.Over(x, 0, 1).On(space),
					tensor.Fold(builtin.Sum[float64], tensor.IntoMap(mean, tensor.Average[float64])),
					tensor.Fold(builtin.SumSq[float64], tensor.IntoMap(square, tensor.Average[float64])))
			}},
			{"fold", func() error {
				return exec.ParallelFold(exec.Slice(policy.Range(0, len(memory)).On(space), memory), builtin.Sum(&sum), builtin.SumSq(&squares))
			}},
			{"span", func() error {
				return exec.ParallelReduce2(policy.Spans(0, len(memory)).On(space), func(s policy.Span, sum, squares *float64) {
					var a, b [4]float64 // several sums, as the processor adds several at a time
					x := memory[s.Begin:s.End]
					for ; len(x) >= 4; x = x[4:] {
						for l, v := range x[:4] {
							a[l] += v
							b[l] += v * v
						}
					}
					for _, v := range x {
						a[0] += v
						b[0] += v * v
					}
					*sum += (a[0] + a[2]) + (a[1] + a[3])
					*squares += (b[0] + b[2]) + (b[1] + b[3])
				}, builtin.Sum(&sum), builtin.Sum(&squares))
			}},
		} {
			b.Run(strconv.Itoa(n)+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					require.NoError(b, c.run())
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*n), "ns/item")
			})
		}
	}
}

// BenchmarkMatrix is the mean and the mean of squares of each row and of each column of a matrix, beside
// a plain loop that does the same on one goroutine, and a fold over the same memory. The three take turns;
// all figures are medians.
func BenchmarkMatrix(b *testing.B) {
	for _, n := range []int{316, 1000} {
		x := views.Must(views.New[float64]("x", []int{n, n}))
		memory, _ := x.Slice()
		for k := range memory {
			memory[k] = float64(k*7919%1000) - 500
		}
		mean, square := views.Must(views.New[float64]("mean", []int{n})), views.Must(views.New[float64]("square", []int{n}))
		means, _ := mean.Slice()
		squares, _ := square.Slice()
		for _, workers := range []int{1, 2} {
			space := exec.NewGoroutines(workers)
			b.Cleanup(func() { require.NoError(b, space.Close()) })
			fold := func() {
				var sum, of float64
				p := policy.Range(0, len(memory)).On(space)
				require.NoError(b, exec.ParallelFold(exec.Slice(p, memory), builtin.Sum(&sum), builtin.SumSq(&of)))
			}
			for dim, loop := range []func(){
				func() { loopOverColumns(means, squares, memory) },
				func() { loopOverRows(means, squares, memory) },
			} {
				ours := func() {
					require.NoError(b, tensor.Reduce(tensor.Over(x, dim).On(space),
						tensor.Fold(builtin.Sum[float64], tensor.IntoMap(mean, tensor.Average[float64])),
						tensor.Fold(builtin.SumSq[float64], tensor.IntoMap(square, tensor.Average[float64]))))
				}
				b.Run(fmt.Sprintf("%d/%s/workers=%d", n, []string{"columns", "rows"}[dim], workers), func(b *testing.B) {
					inTurn(b, []string{"tensor", "loop", "fold"}, ours, loop, fold)
					b.ReportMetric(testing.AllocsPerRun(10, ours), "allocs")
				})
			}
		}
	}
}

// BenchmarkRows is one reduction of each row of a matrix alone, and two together, on one worker.
func BenchmarkRows(b *testing.B) {
	for _, n := range []int{31, 316, 1000} {
		x := views.Must(views.New[float64]("x", []int{n, n}))
		memory, _ := x.Slice()
		for k := range memory {
			memory[k] = float64(k*7919%1000) - 500
		}
		of := func(constructor func(*float64) builtin.Reduction[float64, float64], f func(float64, int) float64) tensor.Operation[float64] {
			return tensor.Fold(constructor, tensor.IntoMap(views.Must(views.New[float64]("y", []int{n})), f))
		}
		mean, square := of(builtin.Sum[float64], tensor.Average[float64]), of(builtin.SumSq[float64], tensor.Average[float64])
		low := of(builtin.Min[float64], func(x float64, _ int) float64 { return x })
		for _, c := range []struct {
			name       string
			operations []tensor.Operation[float64]
		}{
			{"mean", []tensor.Operation[float64]{mean}}, {"square", []tensor.Operation[float64]{square}}, {"min", []tensor.Operation[float64]{low}},
			{"mean+square", []tensor.Operation[float64]{mean, square}}, {"mean+min", []tensor.Operation[float64]{mean, low}},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				for b.Loop() {
					require.NoError(b, tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), c.operations...))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*n), "ns/item")
			})
		}
	}
}

// inTurn reports the median time of each of the functions, which take turns.
func inTurn(b *testing.B, names []string, functions ...func()) {
	times := make([][]float64, len(functions))
	for b.Loop() {
		for k, f := range functions {
			begin := time.Now()
			f()
			times[k] = append(times[k], float64(time.Since(begin).Nanoseconds())/1e3)
		}
	}
	b.ReportMetric(0, "ns/op")
	for k, all := range times {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], names[k]+"-µs")
	}
}

// loopOverRows is the mean and the mean of squares of each row of a square matrix.
func loopOverRows(means, squares, memory []float64) {
	n := len(means)
	for i := range n {
		sum, of := 0.0, 0.0
		for _, v := range memory[i*n : (i+1)*n] {
			sum += v
			of += v * v
		}
		means[i], squares[i] = sum/float64(n), of/float64(n)
	}
}

// loopOverColumns is loopOverRows of each column.
func loopOverColumns(means, squares, memory []float64) {
	n := len(means)
	clear(means)
	clear(squares)
	for i := range n {
		for j, v := range memory[i*n : (i+1)*n] {
			means[j] += v
			squares[j] += v * v
		}
	}
	for j := range n {
		means[j] /= float64(n)
		squares[j] /= float64(n)
	}
}

// BenchmarkResults is what functions of results take: sums of 16 items each, as they are and with a function of each.
func BenchmarkResults(b *testing.B) {
	const results, items = 100_000, 16
	x, y := views.Must(views.New[float64]("x", []int{results, items})), views.Must(views.New[float64]("y", []int{results}))
	memory, _ := x.Slice()
	for k := range memory {
		memory[k] = float64(k*7919%1000)/1000 - .5
	}
	for _, c := range []struct {
		name string
		fold tensor.Operation[float64]
	}{
		{"sum", tensor.Fold(builtin.Sum[float64], tensor.Into(y))},
		{"root", tensor.Fold(builtin.SumSq[float64], tensor.IntoMap(y, func(s float64, n int) float64 { return math.Sqrt(s / float64(n)) }))},
		{"logistic", tensor.Fold(builtin.Sum[float64], tensor.IntoMap(y, func(s float64, n int) float64 { return 1 / (1 + kmath.Exp(-s/float64(n))) }))},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), c.fold))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/results, "ns/result")
		})
	}
}
