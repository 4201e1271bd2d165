//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/kernels/numeric"
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

func init() {
	for name, make := range map[string]func(r *rand.Rand, n int) run{
		"inlined": func(r *rand.Rand, n int) run {
			l, x, y, m := numeric.Line{A: float(r), B: float(r)}, floats(r, n), floats(r, n), make([]int32, n)
			return run{inlined(l, x, y, m), Inlined(l, x, y, m), []any{y, m}}
		},
		"captured": func(r *rand.Rand, n int) run {
			g := grid{[2]float64{float(r), 1}, float(r), floats(r, n), [4]int32{1, -2, 3, 1 << 30}, numeric.Line{A: 2, B: float(r)}}
			w, y := [5]float64{1, 2, float(r), 4, 5}, floats(r, n)
			return run{captured(g, w, y), Captured(g, w, y), []any{y}}
		},
		"setUp": func(r *rand.Rand, n int) run {
			step, y := float(r), floats(r, n)
			return run{setUp(n, step, y), SetUp(n, step, y), []any{y}}
		},
		"labels": func(r *rand.Rand, n int) run {
			x, m, y := floats(r, n), r.IntN(7), floats(r, n)
			return run{labels(x, m, y), Labels(x, m, y), []any{y}}
		},
		"search": func(r *rand.Rand, n int) run {
			x, at := floats(r, n), make([]int, n)
			v := special[r.IntN(3)]
			return run{search(x, v, at), Search(x, v, at), []any{at}}
		},
		"planes": func(r *rand.Rand, n int) run {
			next := func() float64 { return float(r) }
			a, b, y := view(1, n, next), view(2, n, next), make([]celsius, n)
			row := views.Must(views.Of1("a", append([]float64(nil), a.Row(0)...)))
			c := views.Must(views.Of3("c", floats(r, n*6), n, 2, 3))
			d := views.Must(views.New4[float32]("d", n, 1, 2, 2))
			return run{planes(row, b.Transpose(), c, d, y), Planes(row, b.Transpose(), c, d, y), []any{y}}
		},
		"windows": func(r *rand.Rand, n int) run {
			x, ends, y := floats(r, 2*n), make([]int, n), floats(r, n)
			for i := range ends {
				ends[i] = 2*i + r.IntN(3) - r.IntN(2)*r.IntN(2)
			}
			return run{windows(x, ends, y), Windows(x, ends, y), []any{y}}
		},
		"scattered": func(r *rand.Rand, n int) run {
			to, x, y := make([]int, n+1), floats(r, n), floats(r, n)
			for i := range to {
				to[i] = r.IntN(n+1) - r.IntN(2)*r.IntN(2)
			}
			return run{scattered(to, x, y), Scattered(to, x, y), []any{y}}
		},
		"extents": func(r *rand.Rand, n int) run {
			v, x, y := view(n, 3, func() float64 { return 1 }), make([]celsius, n), make([]celsius, n)
			for i := range x {
				x[i] = celsius(float(r))
			}
			if n == 17 {
				v = views.View2[float64]{}
			}
			m := r.IntN(5)
			return run{extents(v, x, y, m), Extents(v, x, y, m), []any{y}}
		},
		"restored": func(r *rand.Rand, n int) run {
			x, y, z := floats(r, n), floats(r, n), floats(r, 6)
			return run{restored(x, y, z), Restored(x, y, z), []any{y, z}}
		},
		"swapped": func(r *rand.Rand, n int) run {
			m, x, y, z := r.IntN(9), floats(r, n), floats(r, n), floats(r, n)
			return run{swapped(m, x, y, z), Swapped(m, x, y, z), []any{x, y, z}}
		},
		"counted": func(r *rand.Rand, n int) run {
			m, x, y := uint8(r.IntN(9)), floats(r, n), floats(r, n)
			return run{counted(m, x, y), Counted(m, x, y), []any{y}}
		},
		"window": func(r *rand.Rand, n int) run {
			w, x, y := [5]float64(floats(r, 5)), floats(r, n), floats(r, n)
			return run{window(w, x, y), Window(w, x, y), []any{y}}
		},
		"laid": func(r *rand.Rand, n int) run {
			x, z := some[int](r, n), some[int](r, 4*n-min(r.IntN(4), 3*n))
			return run{laid(x, z), Laid(x, z), []any{z}}
		},
		"ended": func(r *rand.Rand, n int) run {
			m := 1 + r.IntN(6)
			x, z := floats(r, n), floats(r, n*m)
			return run{ended(m, x, z), Ended(m, x, z), []any{z}}
		},
		"mixed": func(r *rand.Rand, n int) run {
			seed, h, f := r.Uint32(), make([]uint32, n), make([]float32, n)
			for i := range h {
				h[i] = r.Uint32()
			}
			shift := r.IntN(70) - 2
			return run{mixed(seed, shift, h, f), Mixed(seed, shift, h, f), []any{h, f}}
		},
	} {
		runs[name] = make
	}
}

// all returns the memory of a view from its first element to its last one.
func all[T any](v views.View2[T]) []T {
	if v.Len() == 0 {
		return nil
	}
	n := 1
	for d := range v.Rank() {
		n += (v.Extent(d) - 1) * v.Stride(d)
	}
	return unsafe.Slice((*T)(v.Address()), n)
}

// Loops and closures have the same bits, and loops stop where closures panic.
func TestSpans(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
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
					require.Equal(t, hex(a.memory), hex(b.memory), "%d items, seed %d", n, seed)
				}
			}
		})
	}
}

// hex returns memory as text in which NaNs are equal.
func hex(memory any) string { return fmt.Sprintf("%x", memory) }

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
	return fmt.Sprint(next, message, hex(acc))
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
	return fmt.Sprint(next, message, hex(acc))
}

func start(lanes int) []float64 {
	acc := make([]float64, lanes)
	for n := range acc {
		acc[n] = float64(n)
	}
	return acc
}

// stopping are kernels whose data make them stop.
var stopping = []string{
	"search", "window", "windows", "scattered", "restored", "mixed", "far", "apart", "together, an index too large", "quotients", "behind",
}

// Loops run what there is to run: none of these stops at its first item.
func TestLoopsRun(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	for name, make := range runs {
		if slices.Contains(stopping, name) {
			continue
		}
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

// Several accumulators have lanes of their own.
func TestSeveralAccumulators(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	r := rand.New(rand.NewPCG(3, 4))
	x, c := make([]float32, 100), make([]celsius, 100)
	for i := range x {
		x[i], c[i] = float32(float(r)), celsius(float(r))
	}
	for lanes := 1; lanes <= 32; lanes *= 2 {
		for _, item := range []int{0, 1, 31, 77} {
			sum, squares, least, count := make([]float64, lanes), make([]float64, 32), make([]float32, lanes), make([]int64, 1)
			sum2, squares2, least2, count2 := make([]float64, lanes), make([]float64, 32), make([]float32, lanes), make([]int64, 1)
			f := moments(x)
			for i := 3; i < 100; i++ {
				k := item + i - 3
				f(i, &sum[k%lanes], &squares[k%32], &least[k%lanes], &count[0])
			}
			loop := kernel.Of(Moments(x)).(kernel.Reduce4[float64, float64, float32, int64])
			require.Equal(t, 100, loop.Span(3, 120, item, sum2, squares2, least2, count2))
			require.Equal(t, hex([]any{sum, squares, least, count}), hex([]any{sum2, squares2, least2, count2}))

			odd, all := make([]bool, lanes), make([]uint32, 4)
			odd2, all2 := make([]bool, lanes), make([]uint32, 4)
			g := parity(c)
			for i := range 100 {
				g(i, &odd[(item+i)%lanes], &all[(item+i)%4])
			}
			require.Equal(t, 100, kernel.Of(Parity(c)).(kernel.Reduce2[bool, uint32]).Span(0, 100, item, odd2, all2))
			require.Equal(t, []any{odd, all}, []any{odd2, all2})
		}
	}
}
