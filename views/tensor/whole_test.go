package tensor_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// elsewhere is a sum whose result place is its own.
type elsewhere struct {
	builtin.Reduction[float64, float64]
	place *float64
}

func (e elsewhere) Reference() *float64 { return e.place }

func (e elsewhere) Fold() reducers.Fold[float64] {
	return reducers.NewFold(e, func(lanes []float64, first int, x []float64) {
		builtin.Sum(new(float64)).(adder).AddValues(lanes, first, x)
	})
}

type adder interface {
	AddValues(lanes []float64, first int, x []float64)
}

// stored is a sum that writes its result itself.
type stored struct {
	builtin.Reduction[float64, float64]
	to *float64
}

func (s stored) Traits() concept.Traits[float64] {
	return concept.Traits[float64]{Store: func(val *float64) { *s.to = *val }}
}

func (s stored) Fold() reducers.Fold[float64] {
	return reducers.NewFold(s, func(lanes []float64, first int, x []float64) {
		builtin.Sum(new(float64)).(adder).AddValues(lanes, first, x)
	})
}

// A tensor that is one slice has the bits of a fold over it, with several results of one
// reduction and Final applied once.
func TestReduceOfAllOfASlice(t *testing.T) {
	for _, n := range []int{1, 2, 15, 16, 1000, 5000, 99856} {
		for _, chunk := range []int{0, 1, 100} {
			x := make([]float64, n)
			for k := range x {
				x[k] = math.Sqrt(float64(k)) * math.Pow(10, float64(k%7))
			}
			v := views.Must(views.Of2("x", x, n, 1))
			var sum, norm float64
			var low builtin.ValLoc[float64, int]
			require.NoError(t, exec.ParallelFold(exec.Slice(policy.Range(0, n).Chunk(chunk), x), builtin.Sum(&sum), builtin.Norm2(&norm), builtin.MinLoc(&low)))
			for _, on := range []exec.Space{exec.Serial{}, nil} {
				for _, s := range []tensor.Strategy{tensor.Auto, tensor.Blockwise, tensor.Threadwise} {
					result := func() views.View[float64] { return views.Must(views.New[float64]("result", nil)) }
					a, b, c, d, e, f := result(), result(), result(), result(), result(), result()
					other := -1.0
					require.NoError(t, tensor.Reduce(tensor.Over(v, 0, 1).On(on).Chunk(chunk).WithStrategy(s),
						tensor.Fold(builtin.Sum[float64], tensor.Into(a), tensor.IntoMap(b, func(sum float64, n int) float64 { return sum + float64(n) })),
						tensor.Fold(builtin.Norm2[float64], tensor.Into(c)),
						tensor.Fold(builtin.MinLoc[float64, int], tensor.IntoMap(d, tensor.Value[float64]))))
					all := tensor.Over(v, 0, 1).On(on).Chunk(chunk).WithStrategy(s)
					require.NoError(t, tensor.Reduce(all, tensor.Fold(func(at *float64) elsewhere { return elsewhere{builtin.Sum(at), &other} }, tensor.Into(e))))
					require.NoError(t, tensor.Reduce(all, tensor.Fold(func(at *float64) stored { return stored{builtin.Sum(at), &other} }, tensor.Into(f))))
					got := []float64{a.At(), b.At(), c.At(), d.At(), e.At(), f.At()}
					require.Equal(t, []float64{sum, sum + float64(n), norm, low.Val, sum, sum}, got, "%d items, chunk %d, %v", n, chunk, s)
					require.Equal(t, -1., other, "a tensor has outputs and no other result places")
				}
			}
		}
	}
}

func TestReduceOfAllOfASliceWithGaps(t *testing.T) {
	x := make([]int, 3000)
	for k := range x {
		x[k] = k
	}
	every := views.Must(views.Of("every third", x[1:], []int{1000}, views.Stride{3}))
	sum := views.Must(views.New[int]("sum", nil))
	require.NoError(t, tensor.Reduce(tensor.Over(every, 0), tensor.Fold(builtin.Sum[int], tensor.Into(sum))))
	require.Equal(t, 1000+3*999*1000/2, sum.At())
}

// Few results are written without a launch, wherever they lie.
func TestResultsOfEveryLayout(t *testing.T) {
	x := views.Must(views.New3[int]("x", 3, 4, 5))
	for at := range x.All() {
		x.Set(at.I, at.J, at.K, 100*at.I+10*at.J+at.K)
	}
	for _, layout := range []views.Layout{views.Right, views.Left, views.Stride{20, 3}} {
		y := views.Must(views.New[int]("y", []int{3, 4}, layout))
		require.NoError(t, tensor.Reduce(tensor.Over(x, 2), tensor.Fold(builtin.Max[int], tensor.Into(y))))
		for i := range 3 {
			for j := range 4 {
				require.Equal(t, 100*i+10*j+4, y.At(i, j))
			}
		}
	}
}

func TestReduceOfAllAllocatesLittle(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops some of what is pooled")
	}
	x := views.Must(views.New2[float64]("x", 10, 10))
	mean := views.Must(views.New[float64]("mean", nil))
	allocs := testing.AllocsPerRun(100, func() {
		require.NoError(t, tensor.Reduce(tensor.Over(x, 0, 1).On(exec.Serial{}), tensor.Fold(builtin.Sum[float64], tensor.IntoMap(mean, tensor.Average[float64]))))
	})
	require.LessOrEqual(t, allocs, 35.)
}

// What a call was done with, the next one of its types is done with.
func TestCallsAllocateLittle(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops some of what is pooled")
	}
	x := views.Must(views.New2[float64]("x", 300, 300))
	sums, squares := views.Must(views.New[float64]("sums", []int{300})), views.Must(views.New[float64]("squares", []int{300}))
	sum, square := tensor.Fold(builtin.Sum[float64], tensor.Into(sums)), tensor.Fold(builtin.SumSq[float64], tensor.Into(squares))
	for dim, most := range []float64{40, 12} {
		s := tensor.Over(x, dim).On(exec.Serial{})
		allocs := testing.AllocsPerRun(100, func() { require.NoError(t, tensor.Reduce(s, sum, square)) })
		require.LessOrEqual(t, allocs, most, "over dimension %d", dim)
	}
}
