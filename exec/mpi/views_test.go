package mpi

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// A view is one rank's: what is done to all of it, each rank does to its own.
func TestViewsAreOfOneRank(t *testing.T) {
	require.NoError(t, Local(3, func(c *Comm) error {
		const n = 5000
		on := policy.On(On(c, exec.Serial{}))
		x, y := views.Must(views.New1[float64]("x", n)), views.Must(views.New1[float64]("y", n))
		if err := views.FillFunc(x, func(s policy.Span, x []float64) {
			for k := range x {
				x[k] = float64(((s.Begin+k)*7919 + c.Rank()) % n)
			}
		}, on); err != nil {
			return err
		}
		if err := algorithms.Sort(x, on); err != nil {
			return err
		}
		if err := views.DeepCopy(y, x, on); err != nil {
			return err
		}
		for i := range n {
			if y.At(i) != float64(i) {
				return fmt.Errorf("rank %d: element %d is %v", c.Rank(), i, y.At(i))
			}
		}
		var total, folded float64
		if err := exec.ParallelFold(views.Source(x, on), builtin.Sum(&folded)); err != nil || folded != n*(n-1)/2 {
			return fmt.Errorf("the fold is %v, %w", folded, err)
		}
		if err := algorithms.InclusiveScan(y, x, builtin.Sum(&total), on); err != nil {
			return err
		}
		if total != n*(n-1)/2 || y.At(n-1) != total {
			return fmt.Errorf("rank %d: the total is %v", c.Rank(), total)
		}
		if err := views.Fill(y, 3, on); err != nil {
			return err
		}
		if slices.ContainsFunc(slices.Collect(y.Values()), func(v float64) bool { return v != 3 }) {
			return fmt.Errorf("rank %d: an element is not filled", c.Rank())
		}
		return nil
	}))
}

// card is a space that has a number.
type card struct{ exec.Serial }

func (card) Name() string   { return "card" }
func (card) String() string { return "device 3, a card" }

// The name of a space over a card has the number of the card.
func TestNameHasTheNumberOfACard(t *testing.T) {
	require.NoError(t, Local(2, func(c *Comm) error {
		for want, inner := range map[string]exec.Space{"card (device 3, a card)": card{}, "serial": exec.Serial{}} {
			if got := On(c, inner).Name(); got != fmt.Sprintf("mpi world, rank %d of 2 on %s", c.Rank(), want) {
				return fmt.Errorf("the name is %q", got)
			}
		}
		return nil
	}))
}
