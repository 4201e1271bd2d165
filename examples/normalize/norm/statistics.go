package norm

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

const epsilon = 1e-5

// statistics are what a normalization must know of x, in the memory of the host. They have the rank of x, with
// extent 1 in the dimensions that they are taken over.
type statistics struct {
	x              views.View4[float32]
	over           []int
	mean, variance views.View4[float32]
	// E[x] and E[x²], to see how far E[x²] - E[x]² is off.
	first, second views.View4[float32]
}

func newStatistics(x views.View4[float32], over []int) (*statistics, error) {
	s := &statistics{x: x, over: over}
	e := x.Extents()
	for _, d := range over {
		e[d] = 1
	}
	for label, v := range map[string]*views.View4[float32]{"mean": &s.mean, "variance": &s.variance, "E[x]": &s.first, "E[x²]": &s.second} {
		var err error
		if *v, err = views.New4[float32](label, e[0], e[1], e[2], e[3]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// compute reads x once. One reduction gives mean and variance.
func (s *statistics) compute(space exec.Space) error {
	return tensor.Reduce(tensor.Over(s.x, s.over...).On(space).WithLabel("statistics"),
		tensor.Fold(builtin.Variance[float32],
			tensor.IntoMap(s.mean, func(m builtin.Moments[float32], _ int) float32 { return m.Mean }),
			tensor.IntoMap(s.variance, func(m builtin.Moments[float32], _ int) float32 { return m.Variance() })),
		tensor.Fold(builtin.Sum[float32], tensor.IntoMap(s.first, tensor.Average[float32])),
		tensor.Fold(builtin.SumSq[float32], tensor.IntoMap(s.second, tensor.Average[float32])))
}

// apply sets y to what is normalized, row by row: elements that differ in C alone.
func (s *statistics) apply(space exec.Space, y views.View4[float32]) error {
	means, err := views.MirrorCopy(views.MemoryOf(space), s.mean)
	if err != nil {
		return err
	}
	variances, err := views.MirrorCopy(views.MemoryOf(space), s.variance)
	if err != nil {
		return err
	}
	x, e := s.x, s.x.Extents()
	p := policy.MDRange3([3]int{}, [3]int{e[0], e[1], e[2]}).On(space).WithLabel("apply")
	return exec.ParallelFor(p, func(i policy.Index3) {
		src, dst := x.Row(i.I, i.J, i.K), y.Row(i.I, i.J, i.K)
		n, h, w := min(i.I, means.Extent(0)-1), min(i.J, means.Extent(1)-1), min(i.K, means.Extent(2)-1)
		mean, variance := means.Row(n, h, w), variances.Row(n, h, w)
		for c, v := range src {
			k := min(c, means.Extent(3)-1)
			dst[c] = (v - mean[k]) / float32(math.Sqrt(float64(variance[k]+epsilon)))
		}
	})
}

// at returns the index of the statistics in a dimension for index i of x.
func (s *statistics) at(dim, i int) int { return min(i, s.mean.Extent(dim)-1) }
