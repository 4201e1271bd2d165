//gokkosvet:ignore a file of mistakes

package ignored

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func all() error {
	n := 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) { n++ })
}
