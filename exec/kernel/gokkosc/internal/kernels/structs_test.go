//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

// accumulated runs items of a functor with a pointer to any type, by its loop if there is one, and says what came
// out.
func accumulated(t *testing.T, f any, byLoop bool, begin, end, item, lanes int) string {
	fn := reflect.ValueOf(f)
	var accs []reflect.Value
	for k := 1; k < fn.Type().NumIn(); k++ {
		accs = append(accs, reflect.MakeSlice(reflect.SliceOf(fn.Type().In(k).Elem()), lanes, lanes))
	}
	next := begin
	if byLoop {
		loop := kernel.Of(f)
		require.NotNil(t, loop)
		in := []reflect.Value{reflect.ValueOf(begin), reflect.ValueOf(end), reflect.ValueOf(item)}
		next = int(reflect.ValueOf(loop).MethodByName("Span").Call(append(in, accs...))[0].Int())
		require.Equal(t, end, next, "%T", loop)
	}
	for ; next < end; next++ {
		in := []reflect.Value{reflect.ValueOf(next)}
		for _, a := range accs {
			in = append(in, a.Index((item+next-begin)&(lanes-1)).Addr())
		}
		fn.Call(in)
	}
	out := ""
	for _, a := range accs {
		out += hex(a.Interface())
	}
	return out
}

// Accumulators that are structs have the bits of the closure in each lane, and so have results of launches.
func TestStructs(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	r := rand.New(rand.NewPCG(5, 6))
	x, y, z, w := make([]float32, 300), make([]float32, 300), make([]float32, 300), floats(r, 300)
	for i := range x {
		x[i], y[i], z[i] = float32(float(r)), float32(float(r)), float32(r.IntN(5))
	}
	bytes, keys, words := make([]int8, 300), make([]uint32, 300), make([]uint64, 300)
	for i := range bytes {
		bytes[i], keys[i], words[i] = int8(r.IntN(256)), r.Uint32N(3)<<30, r.Uint64N(3)<<62
	}
	own := [2][]float64{make([]float64, 300), make([]float64, 300)} // of a closure, and a loop
	for name, pair := range map[string][2]any{
		"ends": {ends(w), Ends(w)}, "lowest": {lowest(w), Lowest(w)}, "between": {between(z), Between(z)},
		"average": {average(w), Average(w)}, "variance": {variance(w), Variance(w)}, "around": {around(x, y, z, w), Around(x, y, z, w)},
		"digits": {digits(z), Digits(z)}, "pressed": {pressed(3, 2, 1, []bool{true}, w, own[0]), Pressed(3, 2, 1, []bool{true}, w, own[1])},
		"least": {least(w), Least(w)}, "largest": {largest(z, keys), Largest(z, keys)}, "lastLeast": {lastLeast(bytes), LastLeast(bytes)},
		"firstLargest": {firstLargest(words, w), FirstLargest(words, w)}, "outer": {outer(w), Outer(w)}, "outermost": {outermost(z), Outermost(z)},
	} {
		for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
			_, undo := kernel.Limit(level)
			for n := range 80 {
				for lanes := 1; lanes <= 32; lanes *= 2 {
					begin, item := n%7, n%5*8
					want := accumulated(t, pair[0], false, begin, begin+n, item, lanes)
					require.Equal(t, want, accumulated(t, pair[1], true, begin, begin+n, item, lanes), "%s at %v: %d items, %d lanes", name, level, n, lanes)
				}
			}
			undo()
		}
	}
	require.Equal(t, hex(own[0]), hex(own[1]))
}

// Launches whose functors join a value and where it is have the bits of closures at all levels: of NaN, of zeros of
// both signs, of equal values and keys, and of what is the identity.
func TestLaunchesOfPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	for _, n := range []int{0, 1, 2, 33, 500, 1000, 9973} {
		few, singles, keys, bytes, words, numbers := make([]float64, n), make([]float32, n), make([]uint32, n), make([]int8, n), make([]uint64, n), make([]float64, n)
		for i := range few {
			few[i] = []float64{math.Copysign(0, -1), 0, 1, math.Inf(1), math.Inf(-1), math.MaxFloat64}[r.IntN(6)]
			if n < 1000 && r.IntN(3*n) == 0 {
				few[i] = math.NaN()
			}
			singles[i], keys[i], bytes[i], words[i] = float32(few[i]), r.Uint32N(3)<<30, int8(100+r.IntN(28)), r.Uint64N(2)
			numbers[i] = []float64{math.Copysign(0, -1), 0, math.NaN(), -1}[r.IntN(4)]
		}
		for _, s := range []exec.Space{exec.Serial{}, exec.NewGoroutines(3)} {
			var want string
			for _, level := range []kernel.Level{kernel.Closure, kernel.Go, kernel.AVX2, kernel.AVX512} {
				_, undo := kernel.Limit(level)
				var a builtin.ValLoc[float64, int]
				var b builtin.ValLoc[float32, uint32]
				var c builtin.ValLoc[int8, int]
				var d builtin.ValLoc[uint64, float64]
				var e builtin.MinMaxLocVal[float64, int]
				var f builtin.MinMaxLocVal[float32, [2]int32]
				p := policy.Range(0, n).On(s)
				require.NoError(t, exec.ParallelReduce(p, Least(few), builtin.MinLoc(&a)))
				require.NoError(t, exec.ParallelReduce(p, Largest(singles, keys), builtin.MaxLastLoc(&b)))
				require.NoError(t, exec.ParallelReduce(p, LastLeast(bytes), builtin.MinLastLoc(&c)))
				require.NoError(t, exec.ParallelReduce(p, FirstLargest(words, numbers), builtin.MaxLoc(&d)))
				require.NoError(t, exec.ParallelReduce(p, Outer(few), builtin.MinMaxLoc(&e)))
				require.NoError(t, exec.ParallelReduce(p, Outermost(singles), builtin.MinMaxFirstLastLoc(&f)))
				got := fmt.Sprintf("%+v %+v %+v %+v %+v %+v %x %x", a, b, c, d, e, f, math.Float64bits(a.Val), math.Float64bits(e.Max))
				undo()
				if level == kernel.Closure {
					want = got
				}
				assert.Equal(t, want, got, "%d items, %v on %s", n, level, s.Name())
			}
		}
	}
}

// Where the least point of a box is has the bits of the closure, with any tiles and in both orders.
func TestLowestPoint(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := 1; n < 40; n++ {
		u := view(n, 3+r.IntN(30), func() float64 { return float64(r.IntN(3)) })
		p := policy.MDRange2([2]int{0, 1}, [2]int{n, u.Extent(1)}).On(exec.NewGoroutines(3))
		if n%3 == 0 {
			p = p.Tile([2]int{4, 5})
		}
		if n%2 == 0 {
			p = p.Iterate(policy.Left, policy.Left)
		}
		var want builtin.ValLoc[float64, policy.Index2]
		for _, level := range []kernel.Level{kernel.Closure, kernel.Go, kernel.AVX2, kernel.AVX512} {
			_, undo := kernel.Limit(level)
			var got builtin.ValLoc[float64, policy.Index2]
			require.NoError(t, exec.ParallelReduce(p, LowestPoint(u), builtin.MinLoc(&got)))
			undo()
			if level == kernel.Closure {
				want = got
			}
			assert.Equal(t, want, got, "%d rows at %v", n, level)
		}
	}
}

// Launches of a reduction to a struct have the same bits at all levels, leaves in one call or not.
func TestLaunchesOfStructs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 33, 1000, 20_000, 100_003} {
		w := floats(r, n)
		for _, s := range []exec.Space{exec.Serial{}, exec.NewGoroutines(3)} {
			var all []string
			for _, level := range []kernel.Level{kernel.Closure, kernel.Go, kernel.AVX2, kernel.AVX512} {
				_, undo := kernel.Limit(level)
				var a builtin.MinMaxVal[float64]
				var b builtin.ValLoc[float64, int]
				var c builtin.Moments[float64]
				p := policy.Range(0, n).On(s)
				require.NoError(t, exec.ParallelReduce(p, Ends(w), builtin.MinMax(&a)))
				require.NoError(t, exec.ParallelReduce(p, Lowest(w), builtin.MinLoc(&b)))
				require.NoError(t, exec.ParallelReduce(p, Variance(w), builtin.Variance(&c)))
				all = append(all, fmt.Sprint(a, b, c))
				undo()
			}
			assert.Equal(t, all[0], all[1])
			assert.Equal(t, all[0], all[2])
		}
	}
}
