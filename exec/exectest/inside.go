package exectest

import (
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest/internal/inside"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/reducers/concept"
)

func init() {
	inside.Cases = func() (list []inside.Case) {
		for _, c := range cases() {
			list = append(list, inside.Case{Name: c.name, Try: func(s exec.Space, limit time.Duration) inside.Outcome {
				o := c.try(s, limit)
				return inside.Outcome{Failures: o.failures, Hung: o.hung}
			}})
		}
		return list
	}
	inside.TestKernel = func(t inside.Tester, kernel func(s exec.Space) any, env func(name string) string, options any) {
		testKernel(t, kernel, env, options.([]Option)...)
	}
	inside.StaleKernels = staleKernels
	inside.Folding = func(f device.Fold, o concept.Operation, lanes int) func(g space.Grid, first, last int) []byte {
		switch f.X.(type) {
		case []float64:
			return foldingOf[float64](f, o, lanes)
		case []float32:
			return foldingOf[float32](f, o, lanes)
		case []int64:
			return foldingOf[int64](f, o, lanes)
		}
		return nil
	}
}
