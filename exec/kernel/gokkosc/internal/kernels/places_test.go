//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/crs"
)

// anywhere returns n places in a memory of size n.
func anywhere(r *rand.Rand, n int) []int {
	at := make([]int, n)
	for k := range at {
		at[k] = r.IntN(n)
	}
	return at
}

func init() {
	for name, make := range map[string]func(r *rand.Rand, n int) run{
		"permuted": func(r *rand.Rand, n int) run {
			at, x, y := anywhere(r, n), floats(r, n), floats(r, n)
			return run{permuted(at, x, y), Permuted(at, x, y), []any{y}}
		},
		"weighted": func(r *rand.Rand, n int) run {
			a, at, x, y := float(r), anywhere(r, n), floats(r, n), floats(r, n)
			if n > 20 && r.IntN(3) == 0 {
				at[r.IntN(n-20)+20] = n
			}
			return run{weighted(a, at, x, y), Weighted(a, at, x, y), []any{y}}
		},
		"picked": func(r *rand.Rand, n int) run {
			at, x, y := anywhere(r, 3*n), floats(r, 3*n), floats(r, n)
			return run{picked(3, at, x, y), Picked(3, at, x, y), []any{y}}
		},
		"columns": func(r *rand.Rand, n int) run {
			at, x, y := anywhere(r, 3*n), floats(r, 3*n), floats(r, n)
			return run{columns(3, n, at, x, x, y), Columns(3, n, at, x, x, y), []any{y}}
		},
		"put": func(r *rand.Rand, n int) run {
			at, x, y := r.Perm(n), floats(r, n), floats(r, n)
			return run{put(at, x, y), Put(at, x, y), []any{y}}
		},
		"rowSums": func(r *rand.Rand, n int) run {
			from, to := anywhere(r, n), anywhere(r, n)
			g := views.Must(crs.FromEdges("g", n, views.Must(views.Of1("from", from)), views.Must(views.Of1("to", to))))
			if n > 20 && r.IntN(3) == 0 {
				g.Entries.Set(r.IntN(n), n)
			}
			x, y := floats(r, n), floats(r, n)
			return run{rowSums(g, x, y), RowSums(g, x, y), []any{y}}
		},
	} {
		runs[name] = make
	}
}

// Kernels that do little but gather have no vectors: see BenchmarkGathers.
func TestGathers(t *testing.T) {
	for level, vectors := range map[kernel.Level]string{kernel.AVX2: "AVX2", kernel.AVX512: "AVX512"} {
		t.Run(level.String(), func(t *testing.T) {
			use, undo := kernel.Limit(level)
			defer undo()
			if use < level {
				t.Skip("this processor has no " + level.String())
			}
			for name, loop := range map[string]string{"permuted": "Go", "weighted": "Go", "picked": "Go", "columns": vectors, "put": "Go", "rowSums": "Go"} {
				r := runs[name](rand.New(rand.NewPCG(1, 2)), 50)
				assert.Equal(t, "*kernels."+name+loop, fmt.Sprintf("%T", kernel.Of(r.compiled)))
			}
		})
	}
}

// Time per item of kernels that gather, in cache.
func BenchmarkGathers(b *testing.B) {
	const n = 1000
	at, x, y := anywhere(rand.New(rand.NewPCG(1, 2)), 3*n), plain(3*n), make([]float64, n)
	for name, f := range map[string]func(int){
		"permuted": Permuted(at[:n:n], x, y), "weighted": Weighted(2, at, x, y), "picked": Picked(3, at, x, y),
		"columns": Columns(3, n, at, x, x, y), "put": Put(rand.Perm(n), x, y),
	} {
		for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
			_, undo := kernel.Limit(level)
			loop := kernel.Of(f).(kernel.For)
			undo()
			b.Run(fmt.Sprintf("%s/%v", name, level), func(b *testing.B) {
				for b.Loop() {
					loop.Span(0, n)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/item")
			})
		}
	}
}
