package split

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// liar is a policy whose Next breaks the contract in some items.
type liar struct {
	policy.RangePolicy
	at []int
}

func (p liar) Next(begin, end int, dst []int) (n, next int) {
	if slices.Contains(p.at, begin) {
		return 0, begin
	}
	return p.RangePolicy.Next(begin, end, dst)
}

// clumsy is a space that breaks its contract in a way of its own, and goes on.
type clumsy struct {
	exec.Serial
	slot int
}

func (c clumsy) Launch(g space.Grid, j space.Job) error {
	err := c.Serial.Launch(g, j)
	j.Run(0, 0, 1, c.slot)
	return err
}

// A launch ends alike on all ranks, whatever goes wrong on which of them.
func TestEndsAlikeOnAllRanks(t *testing.T) {
	serial := exec.Serial{}
	sound, unsound := NewWorld(serial, serial, serial, serial), NewWorld(serial, clumsy{slot: 7}, clumsy{slot: 8}, serial)
	const breach = "exec: the space ran worker 0 and slot 7, having opened 1 workers and 1 slots"
	lied := func(item int) string {
		return fmt.Sprintf("exec: Next of a split.liar returned 0 indices and item %d, expected 1 and %d", item, item+1)
	}
	for name, c := range map[string]struct {
		w               *World
		lies, panics    []int
		cancels, before []int // ranks
		want            string
	}{
		"policy, then a panic":          {sound, []int{10}, []int{90}, nil, nil, lied(10)},
		"panic, then a policy":          {sound, []int{90}, []int{10}, nil, nil, `boom 10 in items 10 to 11 of ""`},
		"policy on two ranks":           {sound, []int{90, 60}, nil, nil, nil, lied(60)},
		"spaces":                        {unsound, nil, nil, nil, nil, breach},
		"spaces and a panic":            {unsound, nil, []int{90}, nil, nil, `boom 90 in items 90 to 91 of ""`},
		"spaces and a policy":           {unsound, []int{90}, nil, nil, nil, lied(90)},
		"spaces and cancels":            {unsound, nil, nil, []int{0, 3}, nil, breach},
		"cancels":                       {sound, nil, nil, []int{3, 1}, nil, "exec: launch cancelled: rank 1"},
		"cancels before":                {sound, nil, nil, []int{3}, []int{1, 2}, "exec: launch cancelled: rank 1"},
		"cancels and a policy":          {sound, []int{0}, nil, []int{3}, nil, lied(0)},
		"a cancel before, and a policy": {sound, []int{99}, nil, nil, []int{0}, lied(99)},
	} {
		t.Run(name, func(t *testing.T) {
			errs := everywhere(c.w, func(rank int, on exec.Space) error {
				ctx, cancel := context.WithCancelCause(context.Background())
				why := fmt.Errorf("rank %d", rank)
				if slices.Contains(c.before, rank) {
					cancel(why)
				}
				p := liar{policy.Range(0, 100).Chunk(1).WithContext(ctx).On(on), c.lies}
				return exec.ParallelReduce(p, func(i int, _ *float64) {
					if slices.Contains(c.cancels, rank) && i%25 == 24 {
						cancel(why)
					}
					if slices.Contains(c.panics, i) {
						panic(fmt.Sprint("boom ", i))
					}
				}, builtin.Sum(new(float64)))
			})
			for rank, err := range errs {
				require.EqualError(t, err, c.want, "rank %d", rank)
			}
		})
	}
}

// An error stays itself where it comes from.
func TestOwnCauseStaysOne(t *testing.T) {
	why := fmt.Errorf("enough")
	errs := everywhere(NewWorld(exec.Serial{}, exec.Serial{}), func(rank int, on exec.Space) error {
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		if rank == 1 {
			cancel(why)
		}
		return exec.ParallelFor(policy.Range(0, 100).WithContext(ctx).On(on), func(int) {})
	})
	require.EqualError(t, errs[0], "exec: launch cancelled: enough")
	require.EqualError(t, errs[1], "exec: launch cancelled: enough")
	require.ErrorIs(t, errs[1], why)
}
