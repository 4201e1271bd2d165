package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/views"
)

// special are numbers that go wrong most easily.
var special = []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, -0x1p-1060, math.MaxFloat64, 1, -1, 0x1p53 + 1}

func float(r *rand.Rand) float64 {
	switch r.IntN(4) {
	case 0:
		return special[r.IntN(len(special))]
	case 1:
		return math.Float64frombits(r.Uint64())
	}
	return r.NormFloat64()
}

func floats(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float(r)
	}
	return x
}

// A run is a functor with its memory, made anew from the same numbers: as a closure, or compiled.
type run struct {
	plain, compiled any
	memory          []any // slices that it writes
}

// view returns a view whose rows are apart.
func view[T any](n, m int, next func() T) views.View2[T] {
	x := make([]T, n*(m+3))
	for i := range x {
		x[i] = next()
	}
	if n*m == 0 {
		return views.Must(views.New2[T]("v", n, m))
	}
	return views.Must(views.As2(views.Of("v", x[:(n-1)*(m+3)+m], []int{n, m}, views.Stride{m + 3, 1})))
}

// runs are the kernels over n items.
var runs = map[string]func(r *rand.Rand, n int) run{
	"axpy": func(r *rand.Rand, n int) run {
		a, x, y := float(r), floats(r, n), floats(r, n)
		return run{axpy(a, x, y), Axpy(a, x, y), []any{y}}
	},
	"axpy, x too short": func(r *rand.Rand, n int) run {
		a, x, y := float(r), floats(r, n-n/3), floats(r, n)
		return run{axpy(a, x, y), Axpy(a, x, y), []any{y}}
	},
	"triad": func(r *rand.Rand, n int) run {
		a, x, y, z := float(r), floats(r, n), floats(r, n+2), floats(r, n+1)
		return run{triad(a, x, y, z), Triad(a, x, y, z), []any{z}}
	},
	"dot": func(r *rand.Rand, n int) run {
		x, y := floats(r, n), floats(r, n)
		return run{dot(x, y), Dot(x, y), nil}
	},
	"smallest": func(r *rand.Rand, n int) run {
		x := floats(r, n)
		return run{smallest(x), Smallest(x), nil}
	},
	"roots": func(r *rand.Rand, n int) run {
		x := floats(r, n)
		return run{roots(x), Roots(x), nil}
	},
	"relax": func(r *rand.Rand, n int) run {
		m := r.IntN(9)
		next := func() float64 { return float(r) }
		u, v := view(n+1, m, next), view(n, m, next)
		data, _ := views.As1(views.Of("all", all(v), []int{len(all(v))}))
		return run{relax(u, v), Relax(u, v), []any{data.Row()}}
	},
	"gemv": func(r *rand.Rand, n int) run {
		m := r.IntN(9)
		a, x, y := view(n, m, func() float64 { return float(r) }), floats(r, m), floats(r, n)
		return run{gemv(a, x, y), Gemv(a, x, y), []any{y}}
	},
	"hash": func(r *rand.Rand, n int) run {
		seed, h := r.Uint64(), make([]uint64, n)
		return run{hash(seed, h), Hash(seed, h), []any{h}}
	},
	"nearest": func(r *rand.Rand, n int) run {
		m, next := 1+r.IntN(4), func() float32 { return float32(float(r)) }
		points, centres, which := view(n, m, next), view(r.IntN(4), m, next), make([]int32, n)
		return run{nearest(points, centres, which), Nearest(points, centres, which), []any{which}}
	},
	"spmv": func(r *rand.Rand, n int) run {
		ptr := make([]int, n+1)
		for i := range n {
			ptr[i+1] = ptr[i] + r.IntN(5)
		}
		nonzero := ptr[n]
		col := make([]int, nonzero)
		for k := range col {
			col[k] = r.IntN(max(n, 1))
		}
		if nonzero > 0 && r.IntN(2) == 0 {
			col[r.IntN(nonzero)] = -1
		}
		val, x, y := floats(r, nonzero), floats(r, n), floats(r, n)
		return run{spmv(ptr, col, val, x, y), Spmv(ptr, col, val, x, y), []any{y}}
	},
}

// all returns the memory of a view from its first element to its last one.
func all(v views.View2[float64]) []float64 {
	data, _ := kernelData(v.View)
	return data
}

// Loops and closures have the same bits, and loops stop where closures panic.
func TestSpans(t *testing.T) {
	for _, level := range []kernel.Level{kernel.Go, kernel.AVX2} {
		_, undo := kernel.Limit(level)
		testSpans(t, level)
		undo()
	}
}

func testSpans(t *testing.T, level kernel.Level) {
	for name, make := range runs {
		t.Run(name+"/"+level.String(), func(t *testing.T) {
			for n := range 70 {
				for seed := range uint64(4) {
					a := make(rand.New(rand.NewPCG(uint64(n), seed)), n)
					b := make(rand.New(rand.NewPCG(uint64(n), seed)), n)
					begin := int(seed) * n / 7
					lanes := 1 << (seed * uint64(n) % 6)
					want := closure(a.plain, begin, n+int(seed), int(seed), lanes)
					got := spans(t, b, begin, n+int(seed), int(seed), lanes)
					require.Equal(t, want, got, "%d items, seed %d", n, seed)
					require.Equal(t, bits(a.memory), bits(b.memory), "%d items, seed %d", n, seed)
				}
			}
		})
	}
}

// bits returns memory as text in which NaNs are equal.
func bits(memory any) string { return fmt.Sprintf("%x", memory) }

// closure runs items one by one up to the first that panics, and says what came out.
func closure(f any, begin, end, item, lanes int) string {
	acc := start(lanes)
	next, message := begin, any(nil)
	func() {
		defer func() { message = recover() }()
		for ; next < end; next++ {
			switch f := f.(type) {
			case func(int):
				f(next)
			case func(int, *float64):
				f(next, &acc[(item+next-begin)&(lanes-1)])
			}
		}
	}()
	return fmt.Sprint(next, message, bits(acc))
}

// spans runs the loop, and the closure for each item that it stops at.
func spans(t *testing.T, r run, begin, end, item, lanes int) string {
	acc := start(lanes)
	next, message := begin, any(nil)
	loop := kernel.Of(r.compiled)
	require.NotNil(t, loop)
	func() {
		defer func() { message = recover() }()
		for next < end {
			to, number := next, item+next-begin
			switch loop := loop.(type) {
			case kernel.For:
				to = loop.Span(next, end)
			case kernel.Reduce[float64]:
				to = loop.Span(next, end, number, acc)
			}
			require.GreaterOrEqual(t, to, next)
			require.LessOrEqual(t, to, end)
			if next = to; next == end {
				return
			}
			switch f := r.compiled.(type) {
			case func(int):
				f(next)
			case func(int, *float64):
				f(next, &acc[(item+next-begin)&(lanes-1)])
			}
			next++
		}
	}()
	return fmt.Sprint(next, message, bits(acc))
}

func start(lanes int) []float64 {
	acc := make([]float64, lanes)
	for n := range acc {
		acc[n] = float64(n)
	}
	return acc
}

// Loops run what there is to run: none of these stops at its first item.
func TestLoopsRun(t *testing.T) {
	for name, make := range runs {
		r := make(rand.New(rand.NewPCG(1, 2)), 50)
		switch loop := kernel.Of(r.compiled).(type) {
		case kernel.For:
			assert.Greater(t, loop.Span(1, 20), 1, name)
		case kernel.Reduce[float64]:
			assert.Equal(t, 20, loop.Span(1, 20, 0, start(4)), name)
		default:
			t.Errorf("%s has the loop %T", name, loop)
		}
	}
}
