package exec_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// summary is what each caller computes of the same values.
type summary struct {
	Sum    float64
	Mean   builtin.Average[float64]
	Spread builtin.MinMaxVal[float64]
	Scan   float64
}

func summarize(space exec.Space, x []float64) (s summary, err error) {
	p := policy.Range(0, len(x)).On(space)
	if err := exec.ParallelFold(exec.Slice(p, x), builtin.Sum(&s.Sum), builtin.Mean(&s.Mean), builtin.MinMax(&s.Spread)); err != nil {
		return s, err
	}
	return s, exec.ParallelScan(p, func(i int, acc *float64, _ bool) { *acc += x[i] }, builtin.Sum(&s.Scan))
}

// Many callers share one space, and other callers the parts of another, each with
// another length; none may see anything of the others.
func TestManyCallers(t *testing.T) {
	x := make([]float64, 20000)
	for i := range x {
		x[i] = value(i)
	}
	shared := exec.NewGoroutines(3)
	defer shared.Close()
	parts, err := shared.Partition(1, 2)
	require.NoError(t, err)
	spaces := []exec.Space{shared, shared, shared, shared}
	for _, part := range parts {
		defer part.Close()
		spaces = append(spaces, part, part)
	}
	var callers errgroup.Group
	for k, space := range spaces {
		callers.Go(func() error {
			for round := range 20 {
				n := len(x) - 997*k - 13*round
				want, err := summarize(exec.Serial{}, x[:n])
				if err != nil {
					return err
				}
				got, err := summarize(space, x[:n])
				if err != nil {
					return err
				}
				if diff := cmp.Diff(want, got); diff != "" {
					return fmt.Errorf("caller %d, round %d (-serial +shared):\n%s", k, round, diff)
				}
			}
			return nil
		})
	}
	require.NoError(t, callers.Wait())
}
