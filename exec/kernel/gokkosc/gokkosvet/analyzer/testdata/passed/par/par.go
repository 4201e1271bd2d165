// Package par launches functors of others.
package par

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// A Step has a functor.
type Step struct{ Each func(i int) }

// Last is a functor.
var Last func(i int)

// For launches a functor.
func For(n int, f func(i int)) error { return exec.ParallelFor(policy.Range(0, n), f) }

// Nothing calls a function.
func Nothing(f func(i int)) { f(0) }

// Run launches a functor of a step.
func (s *Step) Run(n int) error { return exec.ParallelFor(policy.Range(0, n), s.Each) }

// RunLast launches a functor.
func RunLast(n int) error { return For(n, Last) }
