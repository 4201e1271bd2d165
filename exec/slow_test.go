//go:build gokkos_slow

package exec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// The ranks that share all of their code with those of TestRunsAreTheIndices, and take the
// compiler as long.
func TestRunsOfEveryRank(t *testing.T) {
	for _, chunk := range runChunks {
		for _, inner := range innerOrders {
			name := fmt.Sprint("inner ", inner, " chunk ", chunk)
			p4 := policy.MDRange4([4]int{0, -1, 2, 5}, [4]int{5, 8, 6, 21}).Tile([4]int{2, 3, 2, 7}).Iterate(policy.Right, inner).Chunk(chunk).On(exec.Serial{})
			v4 := func(i policy.Index4) float64 {
				return 1.1 + math.Sin(float64(100*(100*(100*i.I+i.J)+i.K)+i.L))
			}
			same(t, name, sees(t, p4, v4), sees(t, oneByOne[policy.Index4]{p4}, v4))
			p5 := policy.MDRange5([5]int{0, -1, 2, 5, 0}, [5]int{5, 3, 6, 7, 13}).Tile([5]int{2, 3, 2, 7, 13}).Iterate(policy.Right, inner).Chunk(chunk).On(exec.Serial{})
			v5 := func(i policy.Index5) float64 {
				return 1.1 + math.Sin(float64(100*(100*(100*(100*i.I+i.J)+i.K)+i.L)+i.M))
			}
			same(t, name, sees(t, p5, v5), sees(t, oneByOne[policy.Index5]{p5}, v5))
		}
	}
}
