package tensor_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
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
