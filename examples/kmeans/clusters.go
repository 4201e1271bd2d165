package main

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/builtin/reduction"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// clusters are points and the centres that they belong to.
type clusters struct {
	*points
	policy   policy.RangePolicy
	centres  []float64 // d coordinates each
	nearest  []int32   // centre of each point
	sums     []float64 // for each centre the number of its points, and the sums of their d coordinates
	distance float64   // of all points from their centres, squared
}

// newClusters chooses k centres among the points.
func newClusters(on exec.Space, p *points, k int) (*clusters, error) {
	n, d := p.len(), p.d
	c := &clusters{
		points: p, policy: policy.Range(0, n).On(on),
		centres: append([]float64(nil), p.at(0)...), nearest: make([]int32, n), sums: make([]float64, k*(d+1)),
	}
	away := make([]float64, n)
	for i := range away {
		away[i] = math.Inf(1)
	}
	for len(c.centres) < k*d {
		last := c.centres[len(c.centres)-d:]
		var far builtin.ValLoc[float64, int]
		if err := exec.ParallelReduce(c.policy.WithLabel("farthest"), func(i int, acc *builtin.ValLoc[float64, int]) {
			away[i] = min(away[i], between(c.at(i), last))
			acc.Max(away[i], i)
		}, builtin.MaxLoc(&far)); err != nil {
			return nil, err
		}
		c.centres = append(c.centres, c.at(far.Loc)...)
	}
	for i := range c.nearest {
		c.nearest[i] = -1
	}
	return c, nil
}

// round finds the nearest centre of each point, moves the centres to the means of their points, and returns how many
// points have another centre than before. A centre without points stays.
func (c *clusters) round() (changed int, err error) {
	d := c.d
	err = exec.ParallelReduce3(c.policy.WithLabel("round"), func(i int, sums *reduction.Array[reduction.Sum[float64]], distance *float64, changed *int) {
		x := c.at(i)
		k, least := c.find(x)
		if c.nearest[i] != int32(k) {
			c.nearest[i] = int32(k)
			*changed++
		}
		*distance += least
		sums.At(k * (d + 1)).Inc()
		for j, t := range x {
			sums.At(k*(d+1) + 1 + j).Add(t)
		}
	}, reduction.Span(c.sums, reduction.Plus), builtin.Sum(&c.distance), builtin.Sum(&changed))
	if err != nil {
		return 0, err
	}
	for k := range len(c.centres) / d {
		if n := c.sums[k*(d+1)]; n > 0 {
			for j := range d {
				c.centres[k*d+j] = c.sums[k*(d+1)+1+j] / n
			}
		}
	}
	return changed, c.finite()
}

// finite is an error if a sum has overflowed.
func (c *clusters) finite() error {
	for _, x := range append([]float64{c.distance}, c.centres...) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("a centre or a distance is %v, expected points whose sums and squares a float64 can hold", x)
		}
	}
	return nil
}

// find returns the centre nearest to a point, the first of several, and the square of the distance.
func (c *clusters) find(x []float64) (nearest int, least float64) {
	least = math.Inf(1)
	for k := range len(c.centres) / c.d {
		if away := between(x, c.centre(k)); away < least {
			nearest, least = k, away
		}
	}
	return nearest, least
}

func (c *clusters) centre(k int) []float64 { return c.centres[k*c.d : (k+1)*c.d] }
func (c *clusters) count(k int) int        { return int(c.sums[k*(c.d+1)]) }

// between returns the square of the distance of two points.
func between(x, y []float64) (sum float64) {
	y = y[:len(x)]
	for j := range x {
		sum += float64((x[j] - y[j]) * (x[j] - y[j]))
	}
	return sum
}
