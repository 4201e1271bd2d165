package tensor_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// leafwise hides that a fold takes nodes.
type leafwise[T any] struct{ reducers.Folder[T] }

func (f leafwise[T]) Fold() reducers.Fold[T] {
	fold := f.Folder.Fold()
	reduce.Rejoin(fold, func(own reduce.Adder) reduce.Adder { return own })
	return fold
}

// Rows of any number of leaves, of one element and more, alone and with another reduction,
// have the bits of a fold that takes leaves one by one.
func TestRowsInNodes(t *testing.T) {
	two := exec.NewGoroutines(2)
	t.Cleanup(func() { require.NoError(t, two.Close()) })
	for _, n := range []int{1, 2, 15, 31, 100, 257, 316, 2047, 2049, 5000, 20_000, 70_000, 140_001} {
		for _, rows := range []int{1, 3} {
			x := views.Must(views.New[float64]("x", []int{rows, n}))
			memory, _ := x.Slice()
			for k := range memory {
				memory[k] = math.Exp2(float64(k*7%40)) * (1 - 2*float64(k*k%7%2)) / 3
			}
			sums, squares := views.Must(views.New[float64]("sums", []int{rows})), views.Must(views.New[float64]("squares", []int{rows}))
			for _, strategy := range []tensor.Strategy{tensor.Threadwise, tensor.Blockwise} {
				for _, chunk := range []int{0, 4, 512} {
					s := tensor.Over(x, 1).On(two).WithStrategy(strategy).Chunk(chunk)
					p := policy.Range(0, n).On(exec.Serial{}).Chunk(chunk)
					doubled := tensor.Map(s, func(x float64) float64 { return 2 * x })
					for _, form := range []string{"alone", "both", "mapped"} {
						scale := 1.0
						switch form {
						case "alone":
							require.NoError(t, tensor.Reduce(s, tensor.Fold(builtin.Sum[float64], tensor.Into(sums))))
							require.NoError(t, tensor.Reduce(s, tensor.Fold(builtin.SumSq[float64], tensor.Into(squares))))
						case "both":
							require.NoError(t, tensor.Reduce(s, tensor.Fold(builtin.Sum[float64], tensor.Into(sums)), tensor.Fold(builtin.SumSq[float64], tensor.Into(squares))))
						case "mapped":
							scale = 2
							require.NoError(t, tensor.Reduce(doubled, tensor.Fold(builtin.Sum[float64], tensor.Into(sums)), tensor.Fold(builtin.SumSq[float64], tensor.Into(squares))))
						}
						for r := range rows {
							var sum, square float64
							row := exec.Slice(p, memory[r*n:(r+1)*n])
							require.NoError(t, exec.ParallelFold(row, reducers.Folder[float64](leafwise[float64]{builtin.Sum(&sum)}), leafwise[float64]{builtin.SumSq(&square)}))
							what := fmt.Sprint(n, " of row ", r, ", ", strategy, ", chunk ", chunk, ", ", form)
							require.Equal(t, scale*sum, sums.At(r), what)
							require.Equal(t, scale*scale*square, squares.At(r), what)
						}
					}
				}
			}
		}
	}
}
