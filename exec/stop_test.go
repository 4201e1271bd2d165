package exec_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// lost is a space that is lost while a launch is cancelled.
type lost struct {
	cancel func()
	err    error
}

func (lost) Name() string     { return "lost" }
func (lost) Concurrency() int { return 1 }
func (l lost) Launch(space.Grid, space.Job) error {
	l.cancel()
	return l.err
}

// A cancel does not hide what went wrong.
func TestCancelHidesNoError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	gone := errors.New("device lost")
	err := exec.ParallelFor(policy.Range(0, 10).WithContext(ctx).On(lost{cancel, gone}), func(int) {})
	require.ErrorIs(t, err, gone)
	require.ErrorIs(t, err, context.Canceled)

	ctx, cancel = context.WithCancel(context.Background())
	err = exec.ParallelFor(cutShort{policy.Range(0, 10).WithContext(ctx).On(exec.Serial{}), cancel}, func(int) {})
	require.ErrorContains(t, err, "Next of a")
}

// cutShort is a policy that breaks its contract and is cancelled then.
type cutShort struct {
	policy.RangePolicy
	cancel func()
}

func (c cutShort) Next(begin, end int, dst []int) (n, next int) {
	c.cancel()
	return 0, begin
}
