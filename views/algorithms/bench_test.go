package algorithms_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// randoms returns n numbers between 0 and 1.
func randoms(n int) []float64 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.Float64()
	}
	return x
}

// A contender is one way to do what a benchmark measures.
type contender struct {
	name string
	run  func()
}

// compete runs the contenders in turns, so that all see the same machine. reset, which is not
// measured, may be nil.
func compete(b *testing.B, n int, reset func(), contenders ...contender) {
	for _, c := range contenders {
		b.Run(fmt.Sprintf("n=%d/%s", n, c.name), func(b *testing.B) {
			for b.Loop() {
				if reset != nil {
					b.StopTimer()
					reset()
					b.StartTimer()
				}
				c.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/item")
		})
	}
}

func BenchmarkSort(b *testing.B) {
	space := exec.NewGoroutines(2)
	defer space.Close()
	on := policy.On(space)
	for _, n := range []int{1e3, 1e5, 1e7} {
		x := randoms(n)
		y := slices.Clone(x)
		v := views.Must(views.Of1("v", y))
		compete(b, n, func() { copy(y, x) },
			contender{"Sort", func() { require.NoError(b, algorithms.Sort(v, on)) }},
			contender{"slices.Sort", func() { slices.Sort(y) }},
			contender{"SortFunc", func() { require.NoError(b, algorithms.SortFunc(v, cmp.Compare[float64], on)) }},
			contender{"slices.SortFunc", func() { slices.SortFunc(y, cmp.Compare[float64]) }},
			contender{"slices.SortStableFunc", func() { slices.SortStableFunc(y, cmp.Compare[float64]) }},
		)
	}
}

// BenchmarkScan compares scans on one worker and on more with the loop that one would write.
func BenchmarkScan(b *testing.B) {
	var spaces []*exec.Goroutines
	for workers := 2; workers <= max(runtime.GOMAXPROCS(0), 2); workers *= 2 {
		spaces = append(spaces, exec.NewGoroutines(workers))
		defer spaces[len(spaces)-1].Close()
	}
	for _, n := range []int{1e3, 1e5, 1e6, 1e7, 5e7} {
		if testing.Short() && n > 1e7 {
			continue
		}
		x := randoms(n)
		y := slices.Clone(x) // which puts it into memory
		src, dst := views.Must(views.Of1("x", x)), views.Must(views.Of1("y", y))
		var total float64
		scan := func(space exec.Space) func() {
			return func() {
				require.NoError(b, algorithms.ExclusiveScan(dst, src, builtin.Sum(&total), policy.On(space)))
			}
		}
		contenders := []contender{
			{"loop", func() {
				sum := 0.0
				for i, e := range x {
					y[i] = sum
					sum += e
				}
			}},
			{"workers=1", scan(exec.Serial{})},
		}
		for _, space := range spaces {
			contenders = append(contenders, contender{fmt.Sprintf("workers=%d", space.Concurrency()), scan(space)})
		}
		compete(b, n, nil, contenders...)
	}
}

func BenchmarkCopyIf(b *testing.B) {
	space := exec.NewGoroutines(2)
	defer space.Close()
	on := policy.On(space)
	half := func(x float64) bool { return x < 0.5 }
	for _, n := range []int{1e5, 1e7} {
		x, y := randoms(n), make([]float64, n)
		src, dst := views.Must(views.Of1("x", x)), views.Must(views.Of1("y", y))
		compete(b, n, func() {},
			contender{"CopyIf", func() { _, err := algorithms.CopyIf(dst, src, half, on); require.NoError(b, err) }},
			contender{"loop", func() {
				k := 0
				for _, e := range x {
					if half(e) {
						y[k] = e
						k++
					}
				}
			}},
		)
	}
}
