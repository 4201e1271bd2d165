package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/mtx"
)

// A spread is a system as one rank has it: its rows of A, and of the vectors the elements of these
// rows. Of the direction p it also has the elements of other ranks that its rows of A meet, the halo.
type spread struct {
	rows  policy.RangePolicy // of the whole matrix, on all ranks
	inner exec.Space         // which computes what ranks need not agree on
	begin int                // the first row of this rank
	a     *mtx.Matrix        // whose columns are numbered from the first element of p on
	b     []float64
	p     *mpi.Array[float64]
}

// newSpread returns a system whose columns are those of a.
func newSpread(on mpi.Space, rows policy.RangePolicy, a *mtx.Matrix) (*spread, error) {
	far, widest := 0, 0
	for k := range a.Len() {
		columns, _ := a.Row(k)
		for _, j := range columns {
			far = max(far, j-a.First-k, a.First+k-j)
		}
	}
	if err := mpi.Allreduce(on.Comm(), far, builtin.Max(&widest)); err != nil {
		return nil, err
	}
	p, err := mpi.NewArray[float64](rows, "p", nil, widest)
	if err != nil {
		return nil, err
	}
	here := *a
	here.Column = make([]int, len(a.Column))
	for k, j := range a.Column {
		here.Column[k] = j - p.First()
	}
	s := &spread{rows, on.Inner(), a.First, &here, make([]float64, a.Len()), p}
	ones := make([]float64, p.Local().Len())
	for j := range ones {
		ones[j] = 1
	}
	return s, s.Each(func(k int) { s.b[k] = here.Times(k, ones) })
}

// What follows is how ranks compute what the method of conjugate gradients takes.

func (s *spread) Right() []float64 { return s.b }

// Each calls f for each row of this rank, by its number among these.
func (s *spread) Each(f func(k int)) error {
	return exec.ParallelFor(policy.Range(0, s.a.Len()).On(s.inner).WithLabel("rows"), f)
}

func (s *spread) Direction() []float64 {
	mine, _ := s.p.Own().Slice()
	return mine
}

func (s *spread) Multiply(q []float64) error {
	if err := s.p.Exchange(); err != nil {
		return err
	}
	p, _ := s.p.Local().Slice()
	return s.Each(func(k int) { q[k] = s.a.Times(k, p) })
}

// Dot joins the elements of all ranks, of which this one has x and y.
func (s *spread) Dot(x, y []float64) (sum float64, err error) {
	err = exec.ParallelFold(mpi.DistributedProducts(s.rows.WithLabel("dot"), x, y), builtin.Sum(&sum))
	return sum, err
}

// whole gathers the elements by p, which is of no more use then.
func (s *spread) whole(x []float64) ([]float64, error) {
	mine, _ := s.p.Own().Slice()
	copy(mine, x)
	all := make([]float64, s.p.Extents()[0])
	whole, err := views.Of("x", all, s.p.Extents())
	if err != nil {
		return nil, err
	}
	return all, s.p.Gather(whole, 0)
}
