package scan_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// sumScan is a policy that scans leaves of sums by itself, into got.
type sumScan struct {
	policy.SpansPolicy
	x, got []float64
	finals []int
}

func (s sumScan) ScanLeaves(begin, end, leaf int, accs []float64, final bool) {
	for i := begin; i < end; i++ {
		acc := &accs[(i-begin)/leaf]
		if final {
			s.got[i] = *acc
			s.finals[i]++
		}
		*acc += s.x[i]
	}
}

// A single worker joins prefixes on its way while leaves come in order, and in the usual way for leaves
// that come later or earlier.
func TestScanStraight(t *testing.T) { inUnits(t, testScanStraight) }

func testScanStraight(t *testing.T) {
	one, three := exec.NewGoroutines(1), exec.NewGoroutines(3)
	defer one.Close()
	defer three.Close()
	for _, n := range []int{0, 1, 2, 15, 16, 17, 31, 64, 255, 257, 1000, 1024, 5000} {
		x := make([]float64, n)
		for i := range x {
			x[i] = 1 / float64(i+1)
		}
		for _, chunk := range []int{0, 1, 3} {
			for _, initial := range []float64{0, math.Copysign(0, -1), .1} {
				want, total := make([]float64, n), initial
				require.NoError(t, exec.ParallelScan(policy.Range(0, n).Chunk(chunk).On(exec.Serial{}), func(i int, acc *float64, final bool) {
					if final {
						want[i] = *acc
					}
					*acc += x[i]
				}, reducers.WithInitial(builtin.Sum(&total))))
				for _, space := range []exec.Space{exec.Serial{}, one, three, nodeSpace{1, 1}, nodeSpace{2, 1}, nodeSpace{3, 1}, nodeSpace{4, 3}} {
					s := sumScan{policy.Spans(0, n).Chunk(chunk).On(space), x, make([]float64, n), make([]int, n)}
					got := initial
					require.NoError(t, exec.ParallelScan(s, func(policy.Span, *float64, bool) {}, reducers.WithInitial(builtin.Sum(&got))))
					for i := range want {
						require.Equal(t, math.Float64bits(want[i]), math.Float64bits(s.got[i]), "%s, %d items in chunks of %d, item %d", space.Name(), n, chunk, i)
						require.Equal(t, 1, s.finals[i], "%s, %d items in chunks of %d, item %d", space.Name(), n, chunk, i)
					}
					require.Equal(t, math.Float64bits(total), math.Float64bits(got), "%s, %d items in chunks of %d", space.Name(), n, chunk)
				}
			}
		}
	}
}
