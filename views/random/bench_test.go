package random_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
)

const benchItems = 1 << 16

// Fills of memory in the L2 cache, against serial loops over the sources of math/rand/v2.
func BenchmarkFill(b *testing.B) {
	x := make([]float64, benchItems)
	v := views.Must(views.Of1("x", x))
	x32 := views.Must(views.New1[float32]("x32", benchItems))
	ints := views.Must(views.New1[int32]("ints", benchItems))
	left := views.Must(views.New[float64]("left", []int{256, 256}, views.Left))
	pool := random.New(1)
	measure := func(name string, run func() error) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchItems, "ns/item")
		})
	}
	for name, source := range map[string]rand.Source{"PCG": rand.NewPCG(1, 2), "ChaCha8": rand.NewChaCha8([32]byte{})} {
		r := rand.New(source)
		measure("uniform/"+name, func() error {
			for k := range x {
				x[k] = r.Float64()
			}
			return nil
		})
		measure("normal/"+name, func() error {
			for k := range x {
				x[k] = r.NormFloat64()
			}
			return nil
		})
	}
	measure("uniform/Generator", func() error {
		g := pool.At(0)
		for k := range x {
			x[k] = g.Float64()
		}
		return nil
	})
	for _, workers := range []int{1, 2} {
		s := exec.NewGoroutines(workers)
		b.Cleanup(func() { _ = s.Close() })
		on := policy.On(s)
		at := func(kind string) string { return fmt.Sprintf("%s/Fill on %d", kind, workers) }
		measure(at("uniform"), func() error { return random.FillUniform(v, pool, 0, 1, on) })
		measure(at("float32"), func() error { return random.FillUniform(x32, pool, 0, 1, on) })
		measure(at("int32"), func() error { return random.FillUniform(ints, pool, 0, 6, on) })
		measure(at("Left"), func() error { return random.FillUniform(left, pool, 0, 1, on) })
		measure(at("normal"), func() error { return random.FillNormal(v, pool, 0, 1, on) })
		p := policy.Range(0, benchItems).On(s)
		for _, draws := range []int{1, 4} {
			measure(fmt.Sprintf("At/%d draws on %d", draws, workers), func() error {
				return exec.ParallelFor(p, func(i int) {
					g := pool.At(i)
					sum := 0.0
					for range draws {
						sum += g.Float64()
					}
					x[i] = sum
				})
			})
		}
	}
}
