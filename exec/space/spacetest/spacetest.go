// Package spacetest tests execution spaces. It is the contract of package space
// as a program: a space that passes gives the bits of [exec.Serial], keeps its
// promises when a functor fails, and may be used from inside a functor and by
// many callers at once.
//
// A space needs one test:
//
//	func TestMySpace(t *testing.T) {
//		space := myspace.New(4)
//		defer space.Close()
//		spacetest.TestSpace(t, space)
//	}
//
// Run it with several sizes of the space (one worker, two, more than the
// machine has), and with -race. It takes seconds.
//
// # The cases
//
// Each case is a subtest, so -run TestMySpace/contract selects the first family.
//
//   - contract/...: hand-made grids and a job that records what the space does
//     with it. Make these pass first: they name the broken rule, and what fails
//     later often fails because of it.
//   - for/..., reduce/..., scan/..., fold/...: the patterns over every policy,
//     compared with Serial bit by bit and with a plain loop.
//   - for/compiled, reduce/compiled: functors with loops of package kernel.
//   - failure/...: panics, runtime.Goexit, cancellation and invalid arguments.
//   - launch/...: empty, nested and concurrent launches, and leaks.
//   - team/...: teams of members that meet at barriers.
//   - parts/...: the optional parts of package space. A space that does without one
//     passes its case, and TestSpace logs which these are (-v shows it).
//
// A case that does not end within a minute is reported with the stacks of all
// goroutines, and the cases behind it are not run: the space is stuck.
//
// A space under test must have no other users meanwhile, because one case
// counts the goroutines of the process.
package spacetest

import (
	"strings"
	"testing"
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/spacetest/internal/suite"
)

// deadline is how long a case may take. The slowest takes seconds under -race.
const deadline = time.Minute

// TestSpace checks that a space keeps the contract of package space.
func TestSpace(t *testing.T, space exec.Space) {
	if space == nil {
		t.Fatal("spacetest: the space is nil")
	}
	all := suite.Cases()
	for k, c := range all {
		var o suite.Outcome
		t.Run(c.Name, func(t *testing.T) {
			o = c.Try(space, deadline)
			for _, f := range o.Failures {
				t.Error(f)
			}
		})
		if o.Hung {
			t.Fatalf("%s hangs, %d cases not run", c.Name, len(all)-k-1)
		}
	}
	if parts := suite.Without(space); len(parts) > 0 {
		t.Logf("spacetest: %s does without %s", space.Name(), strings.Join(parts, ", "))
	}
}
