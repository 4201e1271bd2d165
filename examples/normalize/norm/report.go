package norm

import (
	"fmt"
	"io"
	"math"

	"github.com/gokkos/gokkos/views"
)

// tolerance is how far a result may be off: float32 has 24 bits, of which values around
// 1000 need 10 for the part that is subtracted.
const tolerance = 1e-3

// report compares the statistics and what was normalized with a plain loop, which takes two
// passes in float64, and prints the largest differences.
func report(w io.Writer, n norm, s *statistics, y views.View4[float32]) error {
	var ofVariance, ofDifference, ofResult float64
	x, err := views.MirrorCopy(views.Host, s.x)
	if err != nil {
		return err
	}
	means, variances := twoPasses(s, x)
	for index, mean := range means {
		variance := variances[index]
		a, b, c, d := index[0], index[1], index[2], index[3]
		first, second := s.first.At(a, b, c, d), s.second.At(a, b, c, d)
		ofVariance = max(ofVariance, math.Abs(float64(s.variance.At(a, b, c, d))-variance))
		ofDifference = max(ofDifference, math.Abs(float64(second-first*first)-variance))
		if off := math.Abs(float64(s.mean.At(a, b, c, d)) - mean); !(off <= tolerance) {
			return fmt.Errorf("%s: mean %v of %v is off by %.2g", n.name, s.mean.At(a, b, c, d), index, off)
		}
	}
	for index, v := range x.View.All() {
		at := s.index(index)
		want := (float64(v) - means[at]) / math.Sqrt(variances[at]+epsilon)
		ofResult = max(ofResult, math.Abs(float64(y.View.At(index...))-want))
	}
	fmt.Fprintf(w, "%-18s %6d means and variances; off by at most: E[x²]-E[x]² %.1g, Variance %.1g, result %.1g\n",
		n.name, len(means), ofDifference, ofVariance, ofResult)
	if !(ofVariance <= tolerance && ofResult <= 4*tolerance) {
		return fmt.Errorf("%s: the variance is off by %.2g, the result by %.2g", n.name, ofVariance, ofResult)
	}
	return nil
}

// twoPasses returns means and variances by the index that they have in the statistics.
func twoPasses(s *statistics, x views.View4[float32]) (means, variances map[[4]int]float64) {
	means, variances = map[[4]int]float64{}, map[[4]int]float64{}
	items := float64(x.Len() / s.mean.Len())
	for index, v := range x.View.All() {
		means[s.index(index)] += float64(v) / items
	}
	for index, v := range x.View.All() {
		at := s.index(index)
		d := float64(v) - means[at]
		variances[at] += d * d / items
	}
	return means, variances
}

// index returns the index in the statistics for one of x.
func (s *statistics) index(index []int) (at [4]int) {
	for d, i := range index {
		at[d] = s.at(d, i)
	}
	return at
}
