//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/tensor"
)

// ranks is a space of two processes, this one of which has a card.
type ranks struct{ space.Space }

func (ranks) Name() string            { return "ranks" }
func (ranks) Processes() int          { return 2 }
func (ranks) Refuse(err error) error  { return err }
func (r ranks) Inner() space.Space    { return r.Space }
func (r ranks) Memory() device.Memory { return device.MemoryOf(r.Space) }

// Operations over all elements of a card's view do not run on one rank alone in place of all, and leave the
// results as they were. What each rank does with its own memory goes on.
func TestOperationsOverRanksOnACardAreErrors(t *testing.T) {
	s, _ := open(t)
	x, y := on(t, s, 1, 2, 3), on(t, s, 4, 5, 6)
	over := policy.On(ranks{s})
	sum := 42.0
	z := views.Must(views.NewIn[float64](s.Memory(), "z", []int{2, 3}))
	sums := views.Must(views.New1[float64]("sums", 2))
	for name, call := range map[string]func() error{
		"views: Source of":            func() error { return exec.ParallelFold(views.Source(x, over), builtin.Sum(&sum)) },
		"algorithms: InclusiveScan: ": func() error { return algorithms.InclusiveScan(y, x, builtin.Sum(new(float64)), over) },
		"algorithms: ExclusiveScan: ": func() error { return algorithms.ExclusiveScan(y, x, builtin.Sum(new(float64)), over) },
		"tensor: Reduce of ": func() error {
			return tensor.Reduce(tensor.Over(z, 1).On(ranks{s}), tensor.Fold(builtin.Sum[float64], tensor.Into(sums)))
		},
		"random: FillUniform of ": func() error { return random.FillUniform(y, random.New(1), 0, 1, over) },
		"random: FillNormal of ":  func() error { return random.FillNormal(y, random.New(1), 0, 1, over) },
		"views: Fill of ":         func() error { return views.Fill(y, 7, over) },
		"views: FillFunc of ":     func() error { return views.FillFunc(y, func(policy.Span, []float64) {}, over) },
	} {
		err := call()
		assert.ErrorContains(t, err, name)
		assert.ErrorContains(t, err, "on the space ranks: it does not run over 2 processes, expected the space of this one", name)
	}
	for name, call := range map[string]func() error{ // which find elements: a fold of a view in that memory, or a functor
		"MinElement":    func() error { _, err := algorithms.MinElement(x, over); return err },
		"MaxElement":    func() error { _, err := algorithms.MaxElement(x, over); return err },
		"MinMaxElement": func() error { _, _, err := algorithms.MinMaxElement(x, over); return err },
		"Sort":          func() error { return algorithms.Sort(x, over) },
		"Unique":        func() error { _, err := algorithms.Unique(x, over); return err },
		"Reverse":       func() error { return algorithms.Reverse(x, over) },
		"Count":         func() error { _, err := algorithms.Count(x, 1, over); return err },
		"Equal":         func() error { _, err := algorithms.Equal(x, y, over); return err },
		"Histogram": func() error {
			return algorithms.Histogram(views.Must(views.New1[int]("h", 2)), x, algorithms.UniformBins(0.0, 1, 2), over)
		},
	} {
		assert.ErrorContains(t, call(), "in the memory of ", name)
	}
	assert.Equal(t, 42.0, sum)
	assert.Zero(t, sums.At(0))
	assert.NoError(t, views.DeepCopy(x, y, over))
}
