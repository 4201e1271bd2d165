//go:build !386 && !arm && !mips && !mipsle

package scatters

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/compiled"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

func TestMain(m *testing.M) { os.Exit(compiled.Tests(m, Histogram(nil, nil))) }

// inLaunches calls a function for launches on several spaces, into few cells and into many.
func inLaunches(t *testing.T, f func(t *testing.T, on exec.Space, n, cells int)) {
	three := exec.NewGoroutines(3)
	defer three.Close()
	sim := exec.NewSimGPU(gpu.Device{}).WithSchedule(2)
	defer sim.Close()
	for _, on := range []exec.Space{exec.Serial{}, three, sim} {
		for _, n := range []int{0, 1, 50, 6000, 20_011} {
			for _, cells := range []int{1, 40, 18_000} {
				t.Run(fmt.Sprint(on.Name(), " ", n, " to ", cells), func(t *testing.T) { f(t, on, n, cells) })
			}
		}
	}
}

// result returns what a launch leaves in memory, or how it fails. Where several items fail, workers may differ in
// which is the first.
func result(on exec.Space, launch func() error, memory ...any) (out string) {
	defer func() {
		if p, ok := recover().(*exec.Panic); ok {
			out = fmt.Sprint("panic ", p.Value, " at ", p.Index, " of ", p.Begin, " to ", p.End)
			if on.Concurrency() > 1 {
				out = "panic"
			}
		}
	}()
	if err := launch(); err != nil {
		return err.Error()
	}
	for _, m := range memory {
		out += fmt.Sprintf("%x ", reflect.ValueOf(m).Elem().Interface())
	}
	return out
}

// same compares what a functor and its compiled form leave. launch makes memory anew.
func same[F any](t *testing.T, plain, compiled F, launch func(constructor F) string) {
	t.Helper()
	want := launch(plain)
	require.True(t, launch(compiled) == want, "%.200s, expected %.200s", launch(compiled), want)
}

// data returns random cells and numbers of n items, and of some more.
func data(n, cells int) (cell []int32, x []float64) {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	for range n + 9 {
		cell, x = append(cell, r.Int32N(int32(cells))), append(x, r.NormFloat64())
	}
	return cell, x
}

// vector returns a view of n old contents.
func vector[T builtin.Real](n int) ([]T, views.View1[T]) {
	y := make([]T, n)
	for k := range y {
		y[k] = T(k)
	}
	return y, views.Must(views.Of1("y", y))
}

func TestHistogram(t *testing.T) {
	kinds := []func(v views.Viewer[int64], on ...policy.Launch) reducers.Reducer[scatter.Access[int64]]{
		scatter.Sum[int64], scatter.Prod[int64], scatter.Min[int64], scatter.Max[int64],
		func(v views.Viewer[int64], on ...policy.Launch) reducers.Reducer[scatter.Access[int64]] {
			return scatter.Duplicated(scatter.Sum(v, on...))
		},
		func(v views.Viewer[int64], on ...policy.Launch) reducers.Reducer[scatter.Access[int64]] {
			return scatter.AtomicSum(v)
		},
	}
	inLaunches(t, func(t *testing.T, on exec.Space, n, cells int) {
		cell, _ := data(n, cells)
		by := make([]int64, n+5)
		for k := range by {
			by[k] = int64(k*k%101) - 50
		}
		for _, kind := range kinds {
			same(t, histogram, Histogram, func(constructor func([]int32, []int64) func(int, *scatter.Access[int64])) string {
				y, v := vector[int64](cells)
				return result(on, func() error {
					return exec.ParallelReduce(policy.Range(5, 5+n).On(on), constructor(cell, by), kind(v, policy.On(on)))
				}, &y)
			})
		}
	})
}

func TestSums(t *testing.T) {
	inLaunches(t, func(t *testing.T, on exec.Space, n, cells int) {
		cell, x := data(n, cells)
		same(t, sums, Sums, func(constructor func([]int32, []float64) func(int, *scatter.Access[float64])) string {
			y, v := vector[float64](cells)
			return result(on, func() error {
				return exec.ParallelReduce(policy.Range(5, 5+n).On(on), constructor(cell, x), scatter.Sum(v, policy.On(on)))
			}, &y)
		})
	})
}

func TestTransposed(t *testing.T) {
	inLaunches(t, func(t *testing.T, on exec.Space, n, cells int) {
		cell, x := data(n, cells)
		row, column := []int{0}, make([]int, len(cell))
		for k, c := range cell {
			column[k] = int(c)
			row = append(row, min(row[k]+k%7, len(cell)))
		}
		for _, fails := range []bool{false, true} { // before the launch fails, cells have got contributions of the row
			if behind := row[n/2+1]; fails && behind > 0 {
				column[behind-1] = cells
			}
			same(t, transposed, Transposed, func(constructor func(row, column []int, a, x []float64) func(int, *scatter.Access[float64], *int)) string {
				y, v := vector[float64](cells)
				rows := 0
				return result(on, func() error {
					return exec.ParallelReduce2(policy.Range(0, n).On(on), constructor(row, column, x, x), scatter.Sum(v, policy.On(on)), builtin.Sum(&rows))
				}, &y, &rows)
			})
		}
	})
}

func TestPairs(t *testing.T) {
	inLaunches(t, func(t *testing.T, on exec.Space, n, cells int) {
		for _, width := range []int{3, 2} { // rows of another length: each item is the functor's, which panics
			same(t, pairs, Pairs, func(constructor func(x [][3]float64, far float64, distance []float64) func(int, *forces)) string {
				_, numbers := data(3*n, 1)
				x := make([][3]float64, n)
				for i := range x {
					x[i] = [3]float64(numbers[3*i:])
				}
				y, _ := vector[float64](width * n)
				v := views.Must(views.Of2("y", y, n, width))
				energy, distance := 0.0, make([]float64, n)
				r := reducers.Compose(reducers.Field(func(f *forces) *scatter.Access[float64] { return &f.On }, scatter.Sum(v, policy.On(on))),
					reducers.Field(func(f *forces) *float64 { return &f.Energy }, builtin.Sum(&energy)))
				return result(on, func() error {
					return exec.ParallelReduce(policy.Range(0, n).On(on), constructor(x, 5, distance), r)
				}, &y, &energy, &distance)
			})
		}
	})
}

func TestCorners(t *testing.T) {
	inLaunches(t, func(t *testing.T, on exec.Space, n, cells int) {
		rows, columns := min(cells, 90), n/60+1
		by := make([][]uint8, rows)
		for i := range by {
			by[i] = make([]uint8, columns)
			for j := range by[i] {
				by[i][j] = uint8(i*7 + j*j)
			}
		}
		for _, missing := range []int{0, 1} {
			same(t, corners, Corners, func(constructor func([][]uint8) func(policy.Index2, *scatter.Access[uint8], *builtin.MinMaxVal[uint8])) string {
				y, _ := vector[uint8]((rows + 1) * (columns + 1 - missing) * 2)
				v := views.Must(views.Of3("y", y, rows+1, columns+1-missing, 2))
				var most builtin.MinMaxVal[uint8]
				return result(on, func() error {
					p := policy.MDRange2([2]int{}, [2]int{rows, columns}).On(on)
					return exec.ParallelReduce2(p, constructor(by), scatter.Sum(v, policy.On(on)), builtin.MinMax(&most))
				}, &y, &most)
			})
		}
	})
}

func TestSpans(t *testing.T) {
	inLaunches(t, func(t *testing.T, on exec.Space, n, cells int) {
		few, numbers := data(n, cells)
		cell, x := make([]int, n), make([]float32, n)
		for k := range cell {
			cell[k], x[k] = int(few[k]), float32(numbers[k])
		}
		same(t, spans, Spans, func(constructor func([]int, []float32) func(policy.Span, *scatter.Access[float32], *scatter.Access[int])) string {
			y, v := vector[float32](cells)
			z, _ := vector[int](2)
			w := views.Must(views.Of4("z", z, 1, 1, 1, 2))
			return result(on, func() error {
				return exec.ParallelReduce2(policy.Spans(0, n).Chunk(64).On(on), constructor(cell, x), scatter.Sum(v, policy.On(on)), scatter.Sum(w, policy.On(on)))
			}, &y, &z)
		})
	})
}

// Loops run up to an item that contributes to no cell, and contribute once for each item.
func TestLoops(t *testing.T) {
	loop, ok := kernel.Of(Histogram([]int32{1, 0, 1, 2, 0}, []int64{1, 2, 3, 4, 5})).(kernel.Reduce[scatter.Access[int64]])
	require.True(t, ok)
	_, v := vector[int64](2)
	grid, _ := vector[int64](4)
	for _, c := range []struct {
		v    views.Viewer[int64]
		next int
		sums []int64
	}{{v, 3, []int64{2, 4}}, {views.Must(views.Of2("y", grid, 2, 2)), 0, []int64{0, 0, 0, 0}}} {
		a := make([]scatter.Access[int64], 1)
		scatter.Sum(c.v).Init(&a[0])
		assert.Equal(t, c.next, loop.Span(0, 5, 0, a), "into %v", c.v)
		assert.Equal(t, c.sums, a[0].Cells())
	}
	for _, f := range []any{Sums(nil, nil), Transposed(nil, nil, nil, nil), Pairs(nil, 0, nil), Corners(nil), Spans(nil, nil)} {
		assert.NotNil(t, kernel.Of(f), "%T", f)
	}
}
