package scatter_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
	"github.com/gokkos/gokkos/views/scatter"
)

// perItem reports the time and the memory that f takes for each of n items.
func perItem(b *testing.B, name, unit string, n int, f func() error) {
	b.Run(name, func(b *testing.B) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for b.Loop() {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/"+unit)
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/float64(n), "B/"+unit)
		b.ReportMetric(0, "ns/op")
	})
}

// Sums of n random numbers into m random cells: by a plain loop, and with scatters and atomics
// on one worker and on two.
func BenchmarkSum(b *testing.B) {
	const n = 4e6
	for _, m := range []int{1e3, 4e3, 16e3, 64e3, 1e6} {
		r := rand.New(rand.NewPCG(1, 2))
		cell, x := make([]int32, n), make([]float64, n)
		for k := range cell {
			cell[k], x[k] = r.Int32N(int32(m)), r.Float64()
		}
		y := make([]float64, m)
		v, rows := views.Must(views.Of1("y", y)), views.Must(views.Of2("y", y, m/4, 4))
		perItem(b, fmt.Sprintf("m=%.0e/loop", float64(m)), "contribution", n, func() error {
			for k, i := range cell {
				y[i] += x[k]
			}
			return nil
		})
		for workers := 1; workers <= 2; workers++ {
			s := exec.NewGoroutines(workers)
			p := policy.Range(0, n).On(s)
			for _, f := range []struct {
				name string
				run  func() error
			}{
				{"atomics", func() error {
					return exec.ParallelFor(p, func(k int) { atomics.Add(&y[cell[k]], x[k]) })
				}},
				{"Combine1", func() error {
					return exec.ParallelReduce(p, func(k int, acc *scatter.Access[float64]) {
						acc.Combine1(int(cell[k]), x[k])
					}, scatter.Sum(v, policy.On(s)))
				}},
				{"Combine1 in spans", func() error {
					return exec.ParallelReduce(policy.Spans(0, n).On(s), func(p policy.Span, acc *scatter.Access[float64]) {
						for k := range p.All() {
							acc.Combine1(int(cell[k]), x[k])
						}
					}, scatter.Sum(v, policy.On(s)))
				}},
				{"Combine1 in long spans", func() error {
					return exec.ParallelReduce(policy.Spans(0, n).Chunk(4*m).On(s), func(p policy.Span, acc *scatter.Access[float64]) {
						for k := range p.All() {
							acc.Combine1(int(cell[k]), x[k])
						}
					}, scatter.Sum(v, policy.On(s)))
				}},
				{"Combine2", func() error {
					return exec.ParallelReduce(p, func(k int, acc *scatter.Access[float64]) {
						acc.Combine2(int(cell[k])>>2, int(cell[k])&3, x[k])
					}, scatter.Sum(rows, policy.On(s)))
				}},
			} {
				perItem(b, fmt.Sprintf("m=%.0e/%s/workers=%d", float64(m), f.name, workers), "contribution", n, f.run)
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// Forces of pairs of particles that are near each other, each pair once: three numbers to one
// particle, and their opposites to the other.
func BenchmarkForces(b *testing.B) {
	const particles, neighbours = 20000, 32
	r := rand.New(rand.NewPCG(1, 2))
	x := make([][3]float64, particles)
	for i := range x {
		x[i] = [3]float64{r.Float64(), r.Float64(), r.Float64()}
	}
	near := make([]int32, particles*neighbours)
	for k := range near {
		near[k] = int32((k/neighbours + 1 + r.IntN(500)) % particles)
	}
	force := func(i, j int) (f [3]float64) {
		square := 0.01
		for d := range f {
			f[d] = x[i][d] - x[j][d]
			square += float64(f[d] * f[d])
		}
		for d := range f {
			f[d] /= square
		}
		return f
	}
	y := make([]float64, 3*particles)
	v := views.Must(views.Of2("y", y, particles, 3))
	add := func(y []float64, k int) {
		i, j := k/neighbours, int(near[k])
		for d, x := range force(i, j) {
			y[3*i+d] += x
			y[3*j+d] -= x
		}
	}
	perItem(b, "loop", "pair", len(near), func() error {
		for k := range near {
			add(y, k)
		}
		return nil
	})
	perItem(b, "Cells", "pair", len(near), func() error {
		return exec.ParallelReduce(policy.Spans(0, particles).Chunk(particles/16).On(exec.Serial{}), func(s policy.Span, acc *scatter.Access[float64]) {
			y := acc.Cells()
			for k := s.Begin * neighbours; k < s.End*neighbours; k++ {
				add(y, k)
			}
		}, scatter.Sum(v, policy.On(exec.Serial{})))
	})
	forces := func(name string, pair func(acc *scatter.Access[float64], i, j int, f [3]float64)) {
		perItem(b, name, "pair", len(near), func() error {
			return exec.ParallelReduce(policy.Range(0, particles).On(exec.Serial{}), func(i int, acc *scatter.Access[float64]) {
				for _, j := range near[i*neighbours:][:neighbours] {
					pair(acc, i, int(j), force(i, int(j)))
				}
			}, scatter.Sum(v, policy.On(exec.Serial{})))
		})
	}
	forces("Combine2", func(acc *scatter.Access[float64], i, j int, f [3]float64) {
		for d := range f {
			acc.Combine2(i, d, f[d])
			acc.Combine2(j, d, -f[d])
		}
	})
	forces("CombineRow2", func(acc *scatter.Access[float64], i, j int, f [3]float64) {
		acc.CombineRow2(i, f[:]...)
		acc.CombineRow2(j, -f[0], -f[1], -f[2])
	})
}
