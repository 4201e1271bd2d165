//go:build linux && (amd64 || arm64)

package endtoend

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/endtoend/internal/executor"
	"github.com/gokkos/gokkos/exec/cuda/internal/conformance"
	"github.com/gokkos/gokkos/exec/cuda/internal/standin"
)

// Several cards, each of which has some pages of views, have the bits of one. Each of them runs launches.
func TestTogether(t *testing.T) {
	for cards := 1; cards <= 4; cards++ {
		for what, f := range map[string]func(t *testing.T, s *cuda.Space){
			"kernels": func(t *testing.T, s *cuda.Space) {
				for range 2 { // how long items take is known in the second round
					conformance.Kernels(t, s, 4346)
				}
			},
			"boxes": func(t *testing.T, s *cuda.Space) {
				for range 2 {
					conformance.Boxes(t, s, 67, 49)
				}
			},
			"folds": func(t *testing.T, s *cuda.Space) {
				for _, n := range []int{1, 1000, 4346} {
					conformance.Folds(t, s, n)
				}
			},
			"scans": func(t *testing.T, s *cuda.Space) {
				for _, n := range []int{1, 33, 6000} {
					conformance.Scans(t, s, n)
				}
			},
			"scans by functors": func(t *testing.T, s *cuda.Space) { conformance.ScanFunctors(t, s, 2500) },
			"tensors":           func(t *testing.T, s *cuda.Space) { conformance.Tensors(t, s, conformance.Shapes...) },
			"random":            func(t *testing.T, s *cuda.Space) { conformance.Random(t, s, 6001) },
		} {
			t.Run(fmt.Sprint(what, " on ", cards), func(t *testing.T) {
				if testing.Short() && cards != 3 {
					t.Skip("three cards are enough")
				}
				s := (&executor.Executor{Cards: cards}).Open(t)
				f(t, s)
				for k := range cards {
					assert.Positive(t, standin.Launches(k), "card %d", k)
				}
			})
		}
	}
}
