//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
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
	for name, pair := range map[string][2]any{
		"ends": {ends(w), Ends(w)}, "lowest": {lowest(w), Lowest(w)}, "between": {between(z), Between(z)},
		"average": {average(w), Average(w)}, "variance": {variance(w), Variance(w)}, "around": {around(x, y, z, w), Around(x, y, z, w)},
		"digits": {digits(z), Digits(z)},
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
