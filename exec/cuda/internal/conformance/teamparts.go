//go:build linux && (amd64 || arm64)

package conformance

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// inParts is a space whose card runs a launch in two parts, as two processes would.
type inParts struct{ Space }

func (s inParts) Launch(g space.Grid, j space.Job) error {
	c := j.(ranks.Carrier)
	if _, err := c.AppendFingerprint(nil); err != nil {
		return err
	}
	left, err := ranks.RunShare(g, c, s.Space, 0, 2)
	if err != nil {
		return err
	}
	right, err := ranks.RunShare(g, c, s.Space, 1, 2)
	if err != nil {
		return err
	}
	return ranks.Assemble(g, c, append(left, right...))
}

// Parts checks that parts of a launch know which teams of the league they have, and that a scan is not run in parts.
func Parts(t *testing.T, s Space) {
	compiled(t)
	const rows, columns = 5, 21
	real := func(i int) float64 { return float64((i*7919)%1013)/31 - float64(i%7) }
	for _, of := range []League{{2, 1, 1}, {9, 3, 2}, {70, 1, 4}, {300, 2, 1}} {
		name, n := fmt.Sprintf("%+v in parts", of), of.Teams*rows
		p := policy.Team(of.Teams, of.Size).Vector(of.Vector).Scratch(0, team.ScratchBytes[float64](columns), 0)
		y, x, a := newPair(t, s, n, real), newPair(t, s, columns, real), newPair(t, s, n*columns, real)
		var want, got float64
		require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), kernels.Yax(rows, columns, y.host, a.host, x.host), builtin.Sum(&want)), name)
		require.NoError(t, exec.ParallelReduce(p.On(inParts{s}), kernels.Yax(rows, columns, y.card, a.card, x.card), builtin.Sum(&got)), name)
		assert.Equal(t, want, got, name)
		z := newPair(t, s, of.Teams*columns, real)
		var most, sum, most2, sum2 float64
		require.NoError(t, exec.ParallelReduce2(p.On(exec.Serial{}), kernels.Softmax(columns, z.host, a.host), builtin.Sum(&sum), builtin.Max(&most)), name)
		require.NoError(t, exec.ParallelReduce2(p.On(inParts{s}), kernels.Softmax(columns, z.card, a.card), builtin.Sum(&sum2), builtin.Max(&most2)), name)
		z.same(t, "softmax of "+name, math.Float64bits)
		assert.Equal(t, []float64{sum, most}, []float64{sum2, most2}, name)
		q := panicOf(t, func() error { // one team more than there are rows
			return exec.ParallelReduce(policy.Team(of.Teams+1, of.Size).Vector(of.Vector).On(inParts{s}), kernels.Yax(rows, columns, y.card, a.card, x.card), builtin.Sum(&got))
		})
		if assert.NotNil(t, q, name) {
			assert.Equal(t, of.Teams, q.Begin, name)
			assert.ErrorContains(t, errors.Unwrap(q), fmt.Sprintf(", in team %d of the kernel", of.Teams), name)
		}
		err := exec.ParallelScan(policy.Range(0, n).On(inParts{s}), kernels.Prefixes(a.card, y.card, y.card), builtin.Sum(&got))
		assert.ErrorContains(t, err, "is one of a scan, and its launch is none, or a part of one; expected a scan of all items on one card", name)
		require.NoError(t, errors.Join(views.Free(y.card), views.Free(x.card), views.Free(a.card), views.Free(z.card)))
	}
}
