package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/mtx"
)

// A local is a system on one space.
type local struct {
	rows policy.RangePolicy
	a    *mtx.Matrix
	b, p []float64
}

func newLocal(rows policy.RangePolicy, a *mtx.Matrix) (*local, error) {
	s := &local{rows, a, make([]float64, a.Rows), make([]float64, a.Rows)}
	for j := range s.p {
		s.p[j] = 1
	}
	return s, s.Multiply(s.b)
}

func (s *local) Right() []float64         { return s.b }
func (s *local) Direction() []float64     { return s.p }
func (s *local) Each(f func(k int)) error { return exec.ParallelFor(s.rows.WithLabel("rows"), f) }

func (s *local) whole(x []float64) ([]float64, error) { return x, nil }

func (s *local) Multiply(q []float64) error {
	return exec.ParallelFor(s.rows.WithLabel("multiply"), func(k int) { q[k] = s.a.Times(k, s.p) })
}

func (s *local) Dot(x, y []float64) (sum float64, err error) {
	err = exec.ParallelFold(exec.Products(s.rows.WithLabel("dot"), x, y), builtin.Sum(&sum))
	return sum, err
}
