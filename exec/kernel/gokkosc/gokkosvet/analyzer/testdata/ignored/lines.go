// Package ignored has mistakes on purpose.
package ignored

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func counts() error {
	n := 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		n++ //gokkosvet:ignore the one worker of the test
		//gokkosvet:ignore the same
		n++
		n++ // want `a functor writes n`
		/* want `a functor writes n` */ n++ //gokkosvet:ignored is another word
		/* want `without a reason` `a functor writes n` */ n++ //gokkosvet:ignore
	})
}
