package algorithms_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// The label of a launch is the algorithm's name, or that of the launch given.
func TestLabels(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v := views.Must(views.New1[int]("v", 100))
	for name, call := range map[string]func(on policy.Launch) error{
		"Reverse":       func(on policy.Launch) error { return algorithms.Reverse(v, on) },
		"InclusiveScan": func(on policy.Launch) error { return algorithms.InclusiveScan(v, v, builtin.Sum(new(int)), on) },
		"MinElement":    func(on policy.Launch) error { _, err := algorithms.MinElement(v, on); return err },
		"MinMaxElement": func(on policy.Launch) error { _, _, err := algorithms.MinMaxElement(v, on); return err },
		"MinMaxElementFunc": func(on policy.Launch) error {
			_, _, err := algorithms.MinMaxElementFunc(v, func(a, b int) int { return a - b }, on)
			return err
		},
		"Histogram": func(on policy.Launch) error {
			counts := views.Must(views.New1[int]("counts", 4))
			return algorithms.Histogram(counts, v, algorithms.UniformBins(0, 4, 4), on)
		},
	} {
		for label, on := range map[string]policy.Launch{name: {}, "mine": policy.On(nil).WithLabel("mine")} {
			assert.ErrorContains(t, call(on.WithContext(ctx)), `launch of "`+label+`" cancelled`)
		}
	}
}
