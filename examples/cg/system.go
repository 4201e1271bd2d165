package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/mtx"
)

// A system is A·x = b on one space.
type system struct {
	rows policy.RangePolicy
	a    *mtx.Matrix
	b, p []float64
}

// newSystem returns the system with a right side for which the solution is 1 everywhere.
func newSystem(on exec.Space, a *mtx.Matrix) (*system, error) {
	s := &system{policy.Range(0, a.Rows).On(on), a, make([]float64, a.Rows), make([]float64, a.Rows)}
	for j := range s.p {
		s.p[j] = 1
	}
	return s, s.Multiply(s.b)
}

func (s *system) Right() []float64         { return s.b }
func (s *system) Direction() []float64     { return s.p }
func (s *system) Each(f func(k int)) error { return exec.ParallelFor(s.rows.WithLabel("rows"), f) }

func (s *system) Multiply(q []float64) error {
	return exec.ParallelFor(s.rows.WithLabel("multiply"), func(k int) { q[k] = s.a.Times(k, s.p) })
}

func (s *system) Dot(x, y []float64) (sum float64, err error) {
	err = exec.ParallelFold(exec.Products(s.rows.WithLabel("dot"), x, y), builtin.Sum(&sum))
	return sum, err
}
