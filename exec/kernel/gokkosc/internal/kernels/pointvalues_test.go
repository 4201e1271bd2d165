//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

func init() {
	boxRuns["curvature"] = func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		u := view(extent[0]+2, extent[1]+2, r.NormFloat64)
		f := pick(compiled, curvature, Curvature)(u)
		var sum, low float64
		return ran(func() error {
			return exec.ParallelFold(exec.Map(inside2(extent, 1, order, s), f), builtin.Sum(&sum), builtin.Min(&low))
		}, &sum, &low)
	}
	boxRuns["beyondAll"] = func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		x := make([]float32, extent[0]+2*extent[1]+3*extent[2])
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		f := pick(compiled, beyondAll, BeyondAll)(4, .25, x)
		var n int
		return ran(func() error { return exec.ParallelFold(exec.Map(inside3(extent, 0, order, s), f), builtin.Count(&n)) }, &n)
	}
}

// The values of each point of runs are those of the functor, up to the first that it panics at, and behind those
// nothing is set.
func TestValuesOfRuns(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	r := rand.New(rand.NewPCG(3, 9))
	u := view(40, 50, r.NormFloat64)
	plain := curvature(u)
	eachLevel(func(level kernel.Level) {
		loop := kernel.Of(Curvature(u)).(kernel.ValuesRuns[float64])
		for dim := range 2 {
			for length := range 48 {
				var runs []policy.Run
				var want []float64
				for n := range 3 {
					run := policy.Run{Dim: dim, Len: min(length, 38)}
					run.At[dim], run.At[1-dim] = 1, 3+n*n
					for k := range run.Len {
						at := policy.Index2{I: run.At[0], J: run.At[1]}
						if dim == 0 {
							at.I += k
						} else {
							at.J += k
						}
						want = append(want, plain(at))
					}
					if run.Len > 0 {
						runs = append(runs, run)
					}
				}
				if len(runs) == 0 {
					continue
				}
				dst := make([]float64, len(want))
				require.Equal(t, len(want), loop.Runs(runs, dst), "runs of %d along %d at level %v", length, dim, level)
				require.Equal(t, hex(want), hex(dst), "runs of %d along %d at level %v", length, dim, level)
				clear(dst)
				runs[1].At[1-dim] = 6000 // out of range
				done := len(want) / 3
				clear(want[done:])
				require.Equal(t, done, loop.Runs(runs, dst), "runs of %d along %d at level %v", length, dim, level)
				require.Equal(t, hex(want), hex(dst), "runs of %d along %d at level %v", length, dim, level)
			}
		}
	})
}

// A panic of the value of a point is that of the closure, at the same item.
func TestPanicOfValueOfPoint(t *testing.T) {
	u := view(30, 30, func() float64 { return 1 })
	message := func(f func(policy.Index2) float64) (text string) {
		defer func() {
			p := recover().(*exec.Panic)
			text = fmt.Sprint(p.Value, p.Begin, p.End)
		}()
		var sum float64
		exec.Must(exec.ParallelFold(exec.Map(policy.MDRange2([2]int{1, 1}, [2]int{29, 33}).On(exec.Serial{}), f), builtin.Sum(&sum)))
		return ""
	}
	want := message(curvature(u))
	require.Contains(t, want, "out of range")
	eachLevel(func(kernel.Level) { require.Equal(t, want, message(Curvature(u))) })
}
