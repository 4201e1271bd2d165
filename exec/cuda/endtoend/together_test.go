//go:build linux && (amd64 || arm64)

package endtoend

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/endtoend/internal/executor"
	"github.com/gokkos/gokkos/exec/cuda/internal/conformance"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/exec/cuda/internal/standin"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/tensor"
)

// Several cards, each of which has some pages of views, have the bits of one. Each of them runs launches.
func TestTogether(t *testing.T) {
	for cards := 1; cards <= 4; cards++ {
		for what, f := range map[string]func(t *testing.T, s *cuda.Space){
			"kernels": func(t *testing.T, s *cuda.Space) {
				for range 2 { // how long items take is known in the second round
					conformance.Kernels(t, s, 4346)
				}
			},
			"boxes": func(t *testing.T, s *cuda.Space) {
				for range 2 {
					conformance.Boxes(t, s, 67, 49)
				}
			},
			"folds": func(t *testing.T, s *cuda.Space) {
				for _, n := range []int{1, 1000, 8190} { // of four pages
					conformance.Folds(t, s, n)
				}
			},
			"scans": func(t *testing.T, s *cuda.Space) {
				for _, n := range []int{1, 33, 6000} {
					conformance.Scans(t, s, n)
				}
			},
			"scans by functors": func(t *testing.T, s *cuda.Space) { conformance.ScanFunctors(t, s, 2500) },
			"tensors":           func(t *testing.T, s *cuda.Space) { conformance.Tensors(t, s, conformance.Shapes...) },
			"random":            func(t *testing.T, s *cuda.Space) { conformance.Random(t, s, 6001) },
		} {
			t.Run(fmt.Sprint(what, " on ", cards), func(t *testing.T) {
				if testing.Short() && cards != 3 {
					t.Skip("three cards are enough")
				}
				s := (&executor.Executor{Cards: cards}).Open(t)
				f(t, s)
				for k := range cards {
					assert.Positive(t, standin.Launches(k), "card %d", k)
				}
			})
		}
	}
}

// Each call of the driver that a card makes for its share fails once: that is an error with the number of the card, results
// stay as they are, and the next time all is well.
func TestTogetherFails(t *testing.T) {
	e := &executor.Executor{Cards: 2}
	s := e.Open(t)
	const n = 2500
	view := func() views.View1[float64] {
		return views.Must(views.As1(views.NewIn[float64](s.Memory(), "v", []int{n})))
	}
	x, y, z := view(), view(), view()
	require.NoError(t, random.FillUniform(x, random.New(7), 0, 1))
	sum, sums := 42.0, views.Must(views.New1[float64]("sums", 1))
	for what, op := range map[string]func() error{
		"scan": func() error { return algorithms.ExclusiveScan(y, x, builtin.Sum(&sum)) },
		"fold": func() error { return exec.ParallelFold(views.Source(x), builtin.Sum(&sum)) },
		"tensor": func() error {
			return tensor.Reduce(tensor.Over(x, 0), tensor.Fold(builtin.Sum[float64], tensor.Into(sums)))
		},
		"random": func() error { return random.FillUniform(y, random.New(1), 0, 1) },
		"fill":   func() error { return views.Fill(y, 3) },
		"copy":   func() error { return views.DeepCopy(y, x) },
		"passes": func() error {
			return exec.ParallelScan(policy.Range(0, n).On(s), kernels.Prefixes(x, y, z), builtin.Sum(&sum))
		},
	} {
		require.NoError(t, op(), what)
		want, wantSum, wantSums := slices.Collect(views.Must(views.MirrorCopy(views.Host, y)).Values()), sum, sums.At(0)
		for _, call := range []string{"cuLaunchKernel", "cuStreamSynchronize", "cuMemcpyDtoDAsync_v2", "cuMemcpyHtoDAsync_v2"} {
			e.Library.Fail("", 0, 0)
			require.NoError(t, op(), what)
			calls := e.Library.Calls(call)
			for number := int32(1); number <= calls; number++ {
				sum = 42
				sums.Set(0, 43)
				e.Library.Fail(call, number, 801)
				err := op()
				e.Library.Fail("", 0, 0)
				require.ErrorContains(t, err, call, "%s, call %d", what, number)
				assert.Regexp(t, "cuda: device [01]: "+call, err.Error())
				assert.Equal(t, []float64{42, 43}, []float64{sum, sums.At(0)}, "%s, call %d of %s", what, number, call)
				require.NoError(t, op(), what)
			}
			require.NoError(t, op(), what)
		}
		if what == "scan" || what == "fold" || what == "passes" {
			assert.Equal(t, wantSum, sum, what)
		}
		if what == "tensor" {
			assert.Equal(t, wantSums, sums.At(0))
		}
		assert.Equal(t, want, slices.Collect(views.Must(views.MirrorCopy(views.Host, y)).Values()), what)
	}
}
