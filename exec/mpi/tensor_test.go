package mpi

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// Reductions of tensors end with the same outputs on all ranks, with every strategy and layout.
func TestTensorsHaveTheBitsOfSerial(t *testing.T) {
	spaces := inner(t)
	elements := make([]float64, 30*20*70)
	for i := range elements {
		elements[i] = noise(i)
	}
	reduce := func(on exec.Space, extents, dims []int, strategy tensor.Strategy, left bool) (all []uint64, err error) {
		x, err := views.Of("x", elements[:extents[0]*extents[1]*extents[2]], extents)
		if err != nil {
			return nil, err
		}
		if left {
			if x, err = x.Permute(2, 0, 1); err != nil {
				return nil, err
			}
		}
		outputs := 1
		var kept []int
		for d, n := range x.Extents() {
			if !slices.Contains(dims, d) {
				outputs *= n
				kept = append(kept, n)
			}
		}
		sum, err := views.New[float64]("sum", kept)
		if err != nil {
			return nil, err
		}
		most := views.Must(views.New[float64]("most", kept))
		where := views.Must(views.New[int]("where", kept))
		err = tensor.Reduce(tensor.Over(x, dims...).WithStrategy(strategy).On(on),
			tensor.Fold(builtin.Sum[float64], tensor.IntoMap(sum, tensor.Average[float64])),
			tensor.FoldMap(tensor.Abs[float64], builtin.Max[float64], tensor.Into(most)),
			tensor.Fold(builtin.MinLoc[float64, int], tensor.IntoMap(where, tensor.Index[float64])))
		all = append(bitsOf(slices.Collect(sum.Values())...), bitsOf(slices.Collect(most.Values())...)...)
		for at := range where.Values() {
			all = append(all, uint64(at))
		}
		return all, err
	}
	for _, c := range []struct{ extents, dims []int }{
		{[]int{30, 20, 70}, []int{2}},
		{[]int{30, 20, 70}, []int{0}},
		{[]int{30, 20, 70}, []int{0, 1}},
		{[]int{30, 20, 70}, []int{0, 1, 2}},
		{[]int{3, 2, 7000}, []int{2}},
		{[]int{7000, 3, 2}, []int{0}},
		{[]int{30, 0, 70}, []int{1}},
		{[]int{30, 0, 70}, []int{0}},
	} {
		for _, strategy := range []tensor.Strategy{tensor.Auto, tensor.Blockwise, tensor.Threadwise} {
			for _, left := range []bool{false, true} {
				what := fmt.Sprint(c.extents, " over ", c.dims, ", ", strategy, ", permuted ", left)
				want, err := reduce(exec.Serial{}, c.extents, c.dims, strategy, left)
				require.NoError(t, err, what)
				for _, ranks := range []int{2, 3, 7} {
					for rank, err := range everywhere(t, ranks, local.Faults{}, func(comm *Comm) error {
						got, err := reduce(On(comm, spaces[comm.Rank()%len(spaces)]), c.extents, c.dims, strategy, left)
						if err == nil && !slices.Equal(got, want) {
							err = fmt.Errorf("%v, expected %v", got[:min(9, len(got))], want[:min(9, len(want))])
						}
						return err
					}) {
						require.NoError(t, err, "%s, rank %d of %d", what, rank, ranks)
					}
				}
			}
		}
	}
}

// What goes wrong in a tensor goes wrong on all ranks, and outputs keep their content.
func TestTensorFaults(t *testing.T) {
	for rank, err := range everywhere(t, 3, local.Faults{}, func(c *Comm) error {
		x := views.Must(views.New2[float64]("x", 100, 50))
		sum := views.Must(views.New1[float64]("sum", 100))
		sum.Set(3, 42)
		x.Set(70, 7, 1)
		defer func() {
			if sum.At(3) != 42 {
				panic("an output was written")
			}
		}()
		return tensor.Reduce(tensor.Over(x, 1).WithStrategy(tensor.Threadwise).On(On(c, exec.Serial{})), tensor.FoldMap(func(x float64) float64 {
			if x == 1 {
				panic("one")
			}
			return x
		}, builtin.Sum[float64], tensor.Into(sum)))
	}) {
		require.ErrorContains(t, err, "one in items ", "rank %d", rank)
	}
}
