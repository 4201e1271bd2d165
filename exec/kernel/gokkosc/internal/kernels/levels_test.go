//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Levels give the bits of the closure: on special values, all short lengths and unaligned starts.

// same reports whether numbers have the same bits, NaNs apart.
func same(a, b []float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			return false
		}
	}
	return len(a) == len(b)
}

// levels runs f under each level, and compares what it returns.
func levels(t *testing.T, what string, f func() []float64) {
	t.Helper()
	var want []float64
	for _, level := range []kernel.Level{kernel.Closure, kernel.Go, kernel.AVX2, kernel.AVX512} {
		_, undo := kernel.Limit(level)
		got := f()
		undo()
		if level == kernel.Closure {
			want = got
			continue
		}
		require.True(t, same(want, got), "%s: level %v\n%v\n%v", what, level, want, got)
	}
}

// loop runs a for over begin to end on a space.
func loop(t *testing.T, s exec.Space, begin, end int, f func(int)) {
	require.NoError(t, exec.ParallelFor(policy.Range(begin, end).On(s), f))
}

func TestLevels(t *testing.T) {
	spaces := []exec.Space{exec.Serial{}, exec.NewGoroutines(3), exec.NewGoroutines(61)}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 301 {
		if testing.Short() && n%7 > 1 {
			continue
		}
		s := spaces[n%3]
		begin := n % 5
		x, y := floats(r, n+begin), floats(r, n+begin)
		copied := func(x []float64) []float64 { return append([]float64(nil), x...) }
		what := func(name string) string { return fmt.Sprintf("%s of %d from %d on %s", name, n, begin, s.Name()) }
		levels(t, what("axpy"), func() []float64 {
			y := copied(y)
			loop(t, s, begin, begin+n, Axpy(3, x, y))
			return y
		})
		levels(t, what("triad"), func() []float64 {
			z := make([]float64, n+begin)
			loop(t, s, begin, begin+n, Triad(3, x, y, z))
			return z
		})
		for name, f := range map[string]func(int, *float64){"dot": Dot(x, y), "roots": Roots(x)} {
			levels(t, what(name), func() []float64 {
				var sum float64
				require.NoError(t, exec.ParallelReduce(policy.Range(begin, begin+n).On(s), f, builtin.Sum(&sum)))
				return []float64{sum}
			})
		}
		levels(t, what("smallest"), func() []float64 {
			var least float64
			require.NoError(t, exec.ParallelReduce(policy.Range(begin, begin+n).On(s), Smallest(x), builtin.Min(&least)))
			return []float64{least}
		})
		levels(t, what("hash"), func() []float64 {
			h := make([]uint64, n+begin)
			loop(t, s, begin, begin+n, Hash(77, h))
			z := make([]float64, n+begin)
			for i := range h {
				z[i] = math.Float64frombits(h[i] &^ (1 << 62))
			}
			return z
		})
	}
}

func matrix(t *testing.T, r *rand.Rand, n, m int) views.View2[float64] {
	v, err := views.New2[float64]("v", n, m)
	require.NoError(t, err)
	for i := range n {
		for j := range m {
			v.Set(i, j, float(r))
		}
	}
	return v
}

func TestLevelsOfViews(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 4, 5, 31, 70} {
		for _, m := range []int{1, 2, 3, 9, 40} {
			what := fmt.Sprintf("%dx%d", n, m)
			a := matrix(t, r, n, m)
			x := floats(r, m)
			levels(t, "gemv "+what, func() []float64 {
				y := make([]float64, n)
				loop(t, exec.Serial{}, 0, n, Gemv(a, x, y))
				return y
			})
			if n < 3 {
				continue
			}
			levels(t, "relax "+what, func() []float64 {
				v, err := views.New2[float64]("v", n, m)
				require.NoError(t, err)
				loop(t, exec.Serial{}, 1, n-1, Relax(a, v))
				var out []float64
				for i := range n {
					for j := range m {
						out = append(out, v.At(i, j))
					}
				}
				return out
			})
			levels(t, "nearest "+what, func() []float64 {
				points, err := views.New2[float32]("p", n, m)
				require.NoError(t, err)
				centres, err := views.New2[float32]("c", 3, m)
				require.NoError(t, err)
				q := rand.New(rand.NewPCG(5, 6))
				for j := range m {
					for i := range n {
						points.Set(i, j, q.Float32())
					}
					for i := range 3 {
						centres.Set(i, j, q.Float32())
					}
				}
				which := make([]int32, n)
				var sum float64
				require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(exec.Serial{}), Nearest(points, centres, which), builtin.Sum(&sum)))
				out := []float64{sum}
				for _, w := range which {
					out = append(out, float64(w))
				}
				return out
			})
		}
	}
}

// A loop that is too short for the vectors runs as the closure where an index is out of range.
func TestPanicsOfLevels(t *testing.T) {
	for n := range 40 {
		levels(t, "axpy", func() []float64 {
			x, y := make([]float64, 100), make([]float64, n)
			for i := range x {
				x[i] = float64(i)
			}
			p := func() (p *exec.Panic) {
				defer func() { p = recover().(*exec.Panic) }()
				_ = exec.ParallelFor(policy.Range(0, 100).On(exec.Serial{}), Axpy(2, x, y))
				return nil
			}()
			assert.EqualError(t, p.Value.(error), fmt.Sprintf("runtime error: index out of range [%d] with length %d", n, n))
			return y
		})
	}
}

// Rows whose memory overlaps run in the order of the closure.
func TestRowsInPlace(t *testing.T) {
	for shift := range 4 {
		levels(t, "relax", func() []float64 {
			const n, m = 5, 40
			x := floats(rand.New(rand.NewPCG(1, uint64(shift))), n*m+3)
			u := views.Must(views.As2(views.Of("u", x[:n*m], []int{n, m}, views.Stride{m, 1})))
			v := views.Must(views.As2(views.Of("v", x[shift:][:n*m], []int{n, m}, views.Stride{m, 1})))
			loop(t, exec.Serial{}, 1, n-1, Relax(u, v))
			return x
		})
	}
}
