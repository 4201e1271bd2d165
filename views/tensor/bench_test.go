package tensor_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// BenchmarkSums compares sums of rows and columns of a matrix with the sum of the same
// memory as one slice, on two workers. The two take turns, so that a busy machine slows
// down both: metric speed is the median of time of the slice / time of the tensor.
func BenchmarkSums(b *testing.B) {
	const n = 8192
	space := exec.NewGoroutines(2)
	defer func() { require.NoError(b, space.Close()) }()
	x := views.Must(views.New[float32]("x", []int{n, n}))
	memory, _ := x.Slice()
	for k := range memory {
		memory[k] = float32(k*7919%1000) - 500
	}
	y, z := views.Must(views.New[float32]("y", []int{n})), views.Must(views.New[float32]("z", []int{n}))
	var total, squares float32
	var at builtin.ValLoc[float32, int]
	for _, c := range []struct {
		name    string
		folders []reducers.Folder[float32]
		tensor  []tensor.Operation[float32]
	}{
		{"sum", []reducers.Folder[float32]{builtin.Sum(&total)},
			[]tensor.Operation[float32]{tensor.Fold(builtin.Sum[float32], tensor.Into(y))}},
		{"sum,sumsq", []reducers.Folder[float32]{builtin.Sum(&total), builtin.SumSq(&squares)},
			[]tensor.Operation[float32]{tensor.Fold(builtin.Sum[float32], tensor.Into(y)), tensor.Fold(builtin.SumSq[float32], tensor.Into(z))}},
		{"maxloc", []reducers.Folder[float32]{builtin.MaxLoc(&at)},
			[]tensor.Operation[float32]{tensor.Fold(builtin.MaxLoc[float32, int], tensor.IntoMap(y, tensor.Value[float32]))}},
	} {
		p := policy.Range(0, len(memory)).On(space)
		slice := func() error { return exec.ParallelFold(exec.Slice(p, memory), c.folders[0], c.folders[1:]...) }
		for dim, name := range []string{"columns", "rows"} {
			s := tensor.Over(x, dim).On(space)
			compare(b, name+"/"+c.name, slice, func() error { return tensor.Reduce(s, c.tensor...) })
		}
	}
}

// compare reports the median times of f and of its peer, and of their ratio.
func compare(b *testing.B, name string, peer, f func() error) {
	b.Run(name, func(b *testing.B) {
		var ours, theirs, ratios []float64
		measure := func(f func() error) float64 {
			begin := time.Now()
			require.NoError(b, f())
			return float64(time.Since(begin).Nanoseconds())
		}
		for b.Loop() {
			theirs = append(theirs, measure(peer))
			ours = append(ours, measure(f))
			ratios = append(ratios, theirs[len(theirs)-1]/ours[len(ours)-1])
		}
		median := func(x []float64) float64 {
			slices.Sort(x)
			return x[len(x)/2]
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(median(ours)/1e6, "ms")
		b.ReportMetric(median(theirs)/1e6, "peer-ms")
		b.ReportMetric(median(ratios), "speed")
		b.ReportMetric(ours[0]/1e6, "best-ms")
		b.ReportMetric(theirs[0]/1e6, "best-peer-ms")
	})
}
