package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/cg/krylov"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views/mtx"
)

// A system is a matrix, and the vectors of the method of conjugate gradients.
type system struct {
	on         exec.Space
	a          *mtx.Matrix
	x, r, p, q []float64
}

func newSystem(on exec.Space, n int) (*system, error) {
	a, err := krylov.Poisson(n, 0, n*n)
	if err != nil {
		return nil, err
	}
	vector := func() []float64 { return make([]float64, a.Rows) }
	return &system{on, a, vector(), vector(), vector(), vector()}, nil
}

// iterations are what a step computes.
const iterations = 2

// steps are iterations from the same start, in each form.
func (s *system) steps() []step {
	form := func(multiply func() error, dot func(x, y []float64) (float64, error), update func(alpha float64) error, direct func(beta float64) error) func() ([]float64, error) {
		return func() ([]float64, error) {
			for k := range s.x {
				s.x[k], s.r[k], s.p[k] = 0, 1/float64(k+1), 1/float64(k+1)
			}
			rr, err := dot(s.r, s.r)
			for range iterations {
				if err == nil {
					rr, err = s.iterate(rr, multiply, dot, update, direct)
				}
			}
			return append([]float64{rr}, s.x...), err
		}
	}
	return []step{
		{"literal: teams, functors per index", form(s.multiplyByTeams, s.dotByIndex, s.updateByIndex, s.turnByIndex)},
		{"a loop per row, folds", form(s.multiplyByRows, s.dotByFold, s.updateByIndex, s.turnByIndex)},
		{"updates compiled", form(s.multiplyByRows, s.dotByFold, s.updateCompiled, s.turnCompiled)},
	}
}

func (s *system) iterate(rr float64, multiply func() error, dot func(x, y []float64) (float64, error), update func(alpha float64) error, direct func(beta float64) error) (float64, error) {
	if err := multiply(); err != nil {
		return 0, err
	}
	pq, err := dot(s.p, s.q)
	if err != nil {
		return 0, err
	}
	if err := update(rr / pq); err != nil {
		return 0, err
	}
	before := rr
	if rr, err = dot(s.r, s.r); err != nil {
		return 0, err
	}
	return rr, direct(rr / before)
}

// multiplyByTeams has a team for each row, which shares the entries: what is fast on a device.
func (s *system) multiplyByTeams() error {
	a, p, q := s.a, s.p, s.q
	return exec.ParallelFor(policy.Team(a.Len(), 1).Vector(4).On(s.on), func(m *team.Member) {
		i := m.LeagueRank()
		begin := a.Starts[i]
		var sum float64
		team.Reduce(team.VectorRange(m, a.Starts[i+1]-begin), func(k int, acc *float64) {
			*acc += float64(a.Values[begin+k] * p[a.Column[begin+k]])
		}, builtin.Sum(&sum))
		team.Single(m, func() { q[i] = sum })
	})
}

// multiplyByRows has a plain loop for each row.
func (s *system) multiplyByRows() error {
	a, p, q := s.a, s.p, s.q
	return exec.ParallelFor(policy.Spans(0, a.Len()).On(s.on), func(rows policy.Span) {
		for i := range rows.All() {
			columns, values := a.Row(i)
			sum := 0.0
			for k, t := range values {
				sum += float64(t * p[columns[k]])
			}
			q[i] = sum
		}
	})
}

func (s *system) each() policy.RangePolicy { return policy.Range(0, len(s.x)).On(s.on) }

// dotByIndex is parallel_reduce as it is written first.
func (s *system) dotByIndex(x, y []float64) (sum float64, err error) {
	err = exec.ParallelReduce(s.each(), func(k int, acc *float64) { *acc += float64(x[k] * y[k]) }, builtin.Sum(&sum))
	return sum, err
}

// dotByFold has the same bits, in vector instructions.
func (s *system) dotByFold(x, y []float64) (sum float64, err error) {
	err = exec.ParallelFold(exec.Products(s.each(), x, y), builtin.Sum(&sum))
	return sum, err
}

func (s *system) updateByIndex(alpha float64) error {
	x, r, p, q := s.x, s.r, s.p, s.q
	return exec.ParallelFor(s.each(), func(k int) {
		x[k] += float64(alpha * p[k])
		r[k] -= float64(alpha * q[k])
	})
}

func (s *system) turnByIndex(beta float64) error {
	p, r := s.p, s.r
	return exec.ParallelFor(s.each(), func(k int) { p[k] = r[k] + float64(beta*p[k]) })
}

func (s *system) updateCompiled(alpha float64) error {
	return exec.ParallelFor(s.each(), Advance(alpha, s.x, s.r, s.p, s.q))
}

func (s *system) turnCompiled(beta float64) error {
	return exec.ParallelFor(s.each(), Turn(beta, s.p, s.r))
}
