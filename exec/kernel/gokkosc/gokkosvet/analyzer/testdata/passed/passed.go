// Package passed has functors that reach launches elsewhere.
package passed

import (
	"time"

	"example.com/kernels/passed/par"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

type stage struct {
	f func(i int)
	n int
}

func newStage(x []float64) *stage {
	sum := 0.0
	return &stage{func(i int) { sum += x[i] }, len(x)} // want `a functor writes sum, which items share`
}

func (s *stage) run() error { return exec.ParallelFor(policy.Range(0, s.n), s.f) }

var all []func(i int)

func add(x []float64) {
	all = append(all, func(i int) { x[0] = x[i] }) // want `a functor writes x, which items share`
	all = append(all, func(i int) { x[i]++ })
}

func runAll() error {
	for _, f := range all {
		if err := exec.ParallelFor(policy.Range(0, 100), f); err != nil {
			return err
		}
	}
	return nil
}

var hits int

func count(int) { hits++ } // want `a functor writes hits, which items share`

var chosen = map[string]func(i int){"count": count, "none": func(int) {}}

func runChosen(name string) error { return exec.ParallelFor(policy.Range(0, 100), chosen[name]) }

type body struct{ x []float64 }

func (b *body) set(i int) { b.x[0] = float64(i) } // want `a functor writes b, which items share`

func passed(x []float64) error {
	b := &body{x}
	if err := par.For(len(x), b.set); err != nil {
		return err
	}
	par.Last = func(i int) { x[i] = float64(time.Now().Unix()) } // want `a functor uses time.Now`
	par.Nothing(func(int) { hits++ })
	s := par.Step{Each: func(i int) { x[1] = x[i] }} // want `a functor writes x, which items share`
	if err := s.Run(len(x)); err != nil {
		return err
	}
	return par.For(len(x), func(i int) {
		x[i/2] = 1 // want `a functor writes x, which items share`
	})
}
