package tensor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// A sum and a sum of squares are found among reductions in any order, of which each has the bits that it has alone.
func checkSumsAmongOthers[T float32 | float64](t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, items := range []int{1, 2, 3, 7, 8, 12, 31, 40, 150, 700, 1100} {
		rows := 1 + rng.IntN(400)
		x := views.Must(views.Must(views.New[T]("x", []int{2, rows, items + 3})).Sub(views.All(), views.All(), views.Range(2, 2+items)))
		x = views.Must(x.Permute(1, 0, 2)) // results that are neighbours in memory are not so by number
		for i := range x.All() {
			x.Set(i, T(rng.ExpFloat64()-rng.ExpFloat64()))
		}
		var operations []func(to tensor.Output[T]) tensor.Operation[T]
		for range 2 {
			operations = append(operations,
				func(to tensor.Output[T]) tensor.Operation[T] { return tensor.Fold(builtin.Norm1[T], to) },
				func(to tensor.Output[T]) tensor.Operation[T] { return tensor.Fold(builtin.SumSq[T], to) },
				func(to tensor.Output[T]) tensor.Operation[T] { return tensor.Fold(builtin.Max[T], to) },
				func(to tensor.Output[T]) tensor.Operation[T] { return tensor.Fold(builtin.Sum[T], to) })
		}
		for range 6 {
			var together []tensor.Operation[T]
			var want, got []views.View2[T]
			for _, k := range rng.Perm(len(operations))[:2+rng.IntN(6)] {
				y, z := views.Must(views.New2[T]("y", rows, 2)), views.Must(views.New2[T]("z", rows, 2))
				require.NoError(t, tensor.Reduce(tensor.Over(x, 2).On(exec.Serial{}), operations[k](tensor.Into(y))))
				together = append(together, operations[k](tensor.Into(z).Scaled(-2, 0)))
				want, got = append(want, y), append(got, z)
			}
			require.NoError(t, tensor.Reduce(tensor.Over(x, 2).On(exec.Serial{}), together...))
			for k, y := range want {
				for i, sum := range y.All() {
					require.Equal(t, -2*sum, got[k].At(i.I, i.J), "operation %d of %d, row %v of %d items", k, len(want), i, items)
				}
			}
		}
	}
}

func TestSumsAmongOthers(t *testing.T) {
	checkSumsAmongOthers[float64](t)
	checkSumsAmongOthers[float32](t)
}

// Rows by one reducer have the bits of a fold of each that takes leaves one by one, without kernels.
func checkRowsByOne[T float32 | float64](t *testing.T) {
	constructors := map[string]func(*T) builtin.Reduction[T, T]{
		"Sum": builtin.Sum[T], "SumSq": builtin.SumSq[T], "Norm1": builtin.Norm1[T], "Norm2": builtin.Norm2[T],
		"Min": builtin.Min[T], "Max": builtin.Max[T], "AMax": builtin.AMax[T],
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for _, items := range []int{0, 1, 2, 3, 7, 12, 31, 32, 33, 63, 95, 150, 316, 511, 1000, 1100, 2050} {
		for _, rows := range []int{1, 16, 35} {
			all := views.Must(views.New[T]("x", []int{rows, 2*items + 5}))
			memory, _ := all.Slice()
			for k := range memory {
				switch memory[k] = T(math.Ldexp(rng.NormFloat64(), rng.IntN(30))); {
				case k%5 == 0:
					memory[k] = 0
				case k%5 == 1:
					memory[k] = T(math.Copysign(0, -1))
				}
			}
			for form, part := range map[string]views.Selector{"neighbours": views.Range(3, 3+items), "apart": views.Range(3, 3+2*items).By(2)} {
				x := views.Must(all.Sub(views.All(), part))
				for name, constructor := range constructors {
					want := make([]T, rows)
					_, undo := simd.Limit(simd.None)
					for r := range want {
						row := make([]T, items)
						for k := range row {
							row[k] = x.At(r, k)
						}
						f := leafwise[T]{constructor(&want[r])}
						require.NoError(t, exec.ParallelFold(exec.Slice(policy.Range(0, items).On(exec.Serial{}), row), reducers.Folder[T](f)))
					}
					undo()
					for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
						_, undo := simd.Limit(l)
						y := views.Must(views.New[T]("y", []int{rows}))
						require.NoError(t, tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), tensor.Fold(constructor, tensor.Into(y))))
						got, _ := y.Slice()
						require.Equal(t, fmt.Sprintf("%x", want), fmt.Sprintf("%x", got), "%s of %d rows of %d %s, %v", name, rows, items, form, l)
						undo()
					}
				}
			}
		}
	}
}

func TestRowsByOne(t *testing.T) {
	checkRowsByOne[float64](t)
	checkRowsByOne[float32](t)
}

// Columns have the extremes that a fold of each has, and where they are: of values that are mostly equal, in one of many
// places, or in none. Other reductions beside them do not matter.
func checkLocatedColumns[T builtin.Real](t *testing.T, s exec.Space, values []T) {
	constructors := map[string]func(*builtin.ValLoc[T, int]) builtin.Reduction[builtin.ValLoc[T, int], T]{
		"MinLoc": builtin.MinLoc[T, int], "MinLastLoc": builtin.MinLastLoc[T, int], "MaxLoc": builtin.MaxLoc[T, int], "MaxLastLoc": builtin.MaxLastLoc[T, int],
	}
	found := func(v builtin.ValLoc[T, int], _ int) string { return fmt.Sprint(v.Val, v.Loc, v.Found()) }
	rng := rand.New(rand.NewPCG(11, 12))
	for _, size := range [][2]int{{0, 20}, {1, 20}, {2, 16}, {3, 35}, {40, 17}, {150, 40}, {1100, 33}, {2050, 16}, {9, 2100}} {
		x := views.Must(views.New2[T]("x", size[0], size[1]))
		for at := range x.All() {
			x.Set(at.I, at.J, values[rng.IntN(1+at.J%len(values))])
		}
		for name, constructor := range constructors {
			want := make([]string, size[1])
			for j := range want {
				column := make([]T, size[0])
				for i := range column {
					column[i] = x.At(i, j)
				}
				var v builtin.ValLoc[T, int]
				require.NoError(t, exec.ParallelFold(exec.Slice(policy.Range(0, len(column)).On(exec.Serial{}), column), constructor(&v)))
				want[j] = found(v, 0)
			}
			got := func(over func(to tensor.Output[builtin.ValLoc[T, int]]) []tensor.Operation[T]) []string {
				y := views.Must(views.New1[string]("y", size[1]))
				require.NoError(t, tensor.Reduce(tensor.Over(x, 0).On(s), over(tensor.IntoMap(y, found))...))
				all, _ := y.Slice()
				return all
			}
			says := fmt.Sprintf("%s of %v %T on %s", name, size, values[0], s.Name())
			require.Equal(t, want, got(func(to tensor.Output[builtin.ValLoc[T, int]]) []tensor.Operation[T] {
				return []tensor.Operation[T]{tensor.Fold(constructor, to)}
			}), says)
			z := views.Must(views.New1[T]("z", size[1]))
			require.Equal(t, want, got(func(to tensor.Output[builtin.ValLoc[T, int]]) []tensor.Operation[T] {
				return []tensor.Operation[T]{tensor.Fold(builtin.Sum[T], tensor.Into(z)), tensor.Fold(constructor, to)}
			}), says+", beside a sum")
			require.Equal(t, want, got(func(to tensor.Output[builtin.ValLoc[T, int]]) []tensor.Operation[T] {
				return []tensor.Operation[T]{tensor.FoldMap(func(x T) T { return x }, constructor, to)}
			}), says+", of values of a function")
		}
	}
}

func TestLocatedColumns(t *testing.T) {
	two := exec.NewGoroutines(2)
	defer func() { require.NoError(t, two.Close()) }()
	nan, inf, zero := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
		_, undo := simd.Limit(l)
		for _, s := range []exec.Space{exec.Serial{}, two} {
			checkLocatedColumns(t, s, []float64{-inf, zero, 0, 1, -1, inf, nan})
			checkLocatedColumns(t, s, []float32{float32(inf), 0, float32(zero), 2, -1, float32(-inf), float32(nan)})
			checkLocatedColumns(t, s, []int64{math.MinInt64, 3, 3, 5, math.MaxInt64})
			checkLocatedColumns(t, s, []int32{math.MaxInt32, 7, -7, math.MinInt32})
		}
		undo()
	}
}
