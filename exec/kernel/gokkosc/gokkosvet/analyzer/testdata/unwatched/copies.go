// Package unwatched has kernels in which a launch that is watched does not see all.
package unwatched

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func copies(x []float64, rows [][]float64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		copy(x[i:i+1], rows[i])      // want `does not see what copy does`
		clear(rows[i])               // want `does not see what clear does`
		rows[i] = append(rows[i], 3) // want `does not see what append does`
		mine := append([]int{}, 1, 2)
		clear(mine)
	})
}
