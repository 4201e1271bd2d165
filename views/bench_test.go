package views_test

import (
	"fmt"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// The stencils set each inner point of y to the mean of the point of x and its neighbours.
func stencilSlice(y, x []float64, n, m int) {
	for i := 1; i < n-1; i++ {
		for j := 1; j < m-1; j++ {
			y[i*m+j] = 0.2 * (x[i*m+j] + x[(i-1)*m+j] + x[(i+1)*m+j] + x[i*m+j-1] + x[i*m+j+1])
		}
	}
}

func stencilView(y, x views.View2[float64], n, m int) {
	for i := 1; i < n-1; i++ {
		for j := 1; j < m-1; j++ {
			y.Set(i, j, 0.2*(x.At(i, j)+x.At(i-1, j)+x.At(i+1, j)+x.At(i, j-1)+x.At(i, j+1)))
		}
	}
}

func stencilStrided(y, x views.Strided2[float64], n, m int) {
	for i := 1; i < n-1; i++ {
		for j := 1; j < m-1; j++ {
			y.Set(i, j, 0.2*(x.At(i, j)+x.At(i-1, j)+x.At(i+1, j)+x.At(i, j-1)+x.At(i, j+1)))
		}
	}
}

func stencilRows(y, x views.View2[float64], n, m int) {
	for i := 1; i < n-1; i++ {
		up, mid, down, out := x.Row(i-1), x.Row(i), x.Row(i+1), y.Row(i)
		for j := 1; j < m-1; j++ {
			out[j] = 0.2 * (mid[j] + up[j] + down[j] + mid[j-1] + mid[j+1])
		}
	}
}

func BenchmarkStencil(b *testing.B) {
	const n, m = 200, 200
	x, y := make([]float64, n*m), make([]float64, n*m)
	vx, vy := views.Must(views.Of2("x", x, n, m)), views.Must(views.Of2("y", y, n, m))
	sx, sy := views.Must(views.AsStrided2(vx.View, nil)), views.Must(views.AsStrided2(vy.View, nil))
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"slice", func() { stencilSlice(y, x, n, m) }},
		{"View2", func() { stencilView(vy, vx, n, m) }},
		{"Strided2", func() { stencilStrided(sy, sx, n, m) }},
		{"Row", func() { stencilRows(vy, vx, n, m) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(n*m), "ns/point")
		})
	}
}

// Sums of all elements, each element by its index.
func BenchmarkAt(b *testing.B) {
	const n = 16
	x := make([]float64, n*n*n)
	v1 := views.Must(views.Of1("v1", x))
	v2 := views.Must(views.Of2("v2", x, n, n*n))
	v3 := views.Must(views.Of3("v3", x, n, n, n))
	for _, c := range []struct {
		name string
		run  func() float64
	}{
		{"slice", func() (sum float64) {
			for i := range n * n * n {
				sum += x[i]
			}
			return sum
		}},
		{"View1", func() (sum float64) {
			for i := range n * n * n {
				sum += v1.At(i)
			}
			return sum
		}},
		{"View2", func() (sum float64) {
			for i := range n {
				for j := range n * n {
					sum += v2.At(i, j)
				}
			}
			return sum
		}},
		{"slice of rank 3", func() (sum float64) {
			for i := range n {
				for j := range n {
					for k := range n {
						sum += x[i*n*n+j*n+k]
					}
				}
			}
			return sum
		}},
		{"View3", func() (sum float64) {
			for i := range n {
				for j := range n {
					for k := range n {
						sum += v3.At(i, j, k)
					}
				}
			}
			return sum
		}},
		{"All", func() (sum float64) {
			for _, x := range v2.All() {
				sum += x
			}
			return sum
		}},
		{"Values", func() (sum float64) {
			for x := range v2.Values() {
				sum += x
			}
			return sum
		}},
		{"Runs", func() (sum float64) {
			for run := range v2.Runs() {
				for _, x := range run {
					sum += x
				}
			}
			return sum
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			sum := 0.0
			for b.Loop() {
				sum += c.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(n*n*n), "ns/element")
			sink = sum
		})
	}
}

var sink float64

func BenchmarkDeepCopy(b *testing.B) {
	for _, n := range []int{512, 4096} {
		src := views.Must(views.New2[float64]("src", n, n))
		dst := views.Must(views.New2[float64]("dst", n, n))
		if err := views.Fill(src, 1); err != nil { // memory never written is one page of zeros, which is read too fast
			b.Fatal(err)
		}
		for _, c := range []struct {
			name string
			run  func() error
		}{
			{"copy", func() error { x, _ := src.Slice(); y, _ := dst.Slice(); copy(y, x); return nil }},
			{"straight", func() error { return views.DeepCopy(dst, src, policy.On(exec.Serial{})) }},
			{"transposed", func() error { return views.DeepCopy(dst, src.Transpose(), policy.On(exec.Serial{})) }},
			{"straight-default", func() error { return views.DeepCopy(dst, src) }},
			{"transposed-default", func() error { return views.DeepCopy(dst, src.Transpose()) }},
			{"fill", func() error { return views.Fill(dst, 1) }},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				b.SetBytes(int64(8 * n * n))
				for b.Loop() {
					if err := c.run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
