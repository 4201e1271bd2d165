//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"math/rand/v2"
	"unsafe"

	"github.com/gokkos/gokkos/views"
)

// rowsOf are slices of lengths that differ.
func rowsOf(r *rand.Rand, n int) []float64 { return floats(r, n+2+r.IntN(3)-r.IntN(60)/59*2) }

// below are numbers below m, and few that are not.
func below(r *rand.Rand, n, m int) []int {
	at := make([]int, n)
	for i := range at {
		if at[i] = r.IntN(m); r.IntN(200) == 0 {
			at[i] = m - 2*m*r.IntN(2)
		}
	}
	return at
}

// What is chosen between slices, views and structs that have them is of the one that the index says, in loads and stores.
func init() {
	three := func(r *rand.Rand, n int) [3][]float64 {
		return [3][]float64{rowsOf(r, n), rowsOf(r, n), rowsOf(r, n)}
	}
	two := func(r *rand.Rand, n int) [2][]float64 { return [2][]float64{rowsOf(r, n), rowsOf(r, n)} }
	runs["rowOf"] = func(r *rand.Rand, n int) run {
		a, x, y := r.IntN(40)%4, three(r, n), floats(r, n)
		return run{rowOf(a, x, y), RowOf(a, x, y), []any{y}}
	}
	runs["rowOf, into one of them"] = func(r *rand.Rand, n int) run {
		a, x := r.IntN(3), three(r, n)
		y := x[r.IntN(3)]
		return run{rowOf(a, x, y), RowOf(a, x, y), []any{x}}
	}
	runs["rowsInTurn"] = func(r *rand.Rand, n int) run {
		x, y := two(r, n), floats(r, n)
		return run{rowsInTurn(x, y), RowsInTurn(x, y), []any{y}}
	}
	runs["rowsAt"] = func(r *rand.Rand, n int) run {
		at, y := below(r, n, 5), singles(r, n)
		x := [5][]float32{singles(r, n), singles(r, n), singles(r, n), singles(r, n), singles(r, n)}
		return run{rowsAt(at, x, y), RowsAt(at, x, y), []any{y}}
	}
	runs["rowsAdded"] = func(r *rand.Rand, n int) run {
		x, y := [4][]float64{rowsOf(r, n), rowsOf(r, n), rowsOf(r, n), rowsOf(r, n)}, floats(r, n)
		rows := r.IntN(5)
		return run{rowsAdded(rows, x, y), RowsAdded(rows, x, y), []any{y}}
	}
	runs["rowsStored"] = func(r *rand.Rand, n int) run {
		a, at, x := r.IntN(3), below(r, n, 2), two(r, n)
		z := [3][]int8{make([]int8, n), make([]int8, n), make([]int8, n+1)}
		return run{rowsStored(a, at, x, z), RowsStored(a, at, x, z), []any{x, z}}
	}
	runs["rowsStored, the same"] = func(r *rand.Rand, n int) run {
		a, at, x := r.IntN(3), below(r, n, 2), two(r, n)
		x[1] = x[0]
		z := [3][]int8{make([]int8, n), make([]int8, n), make([]int8, n+1)}
		return run{rowsStored(a, at, x, z), RowsStored(a, at, x, z), []any{x, z}}
	}
	runs["rowsWalked"] = func(r *rand.Rand, n int) run {
		at, x, y := below(r, n, 2), two(r, n), floats(r, n)
		return run{rowsWalked(at, x, y), RowsWalked(at, x, y), []any{y}}
	}
	runs["viewsAt"] = func(r *rand.Rand, n int) run {
		next := func() float64 { return float(r) }
		of := func(k int) views.Strided1[float64] {
			return views.Must(views.AsStrided1(views.Of("u", floats(r, k*(n+1)+1), []int{n + 1 - k/3}, views.Stride{k})))
		}
		a, at, u, y := r.IntN(3), below(r, n, 2), [2]views.Strided1[float64]{of(1), of(3)}, floats(r, n)
		v := [3]views.View2[float64]{view(n+1, 2, next), view(n, 3, next), view(n, 4, next)}
		all := []any{y}
		for _, v := range v {
			if n > 0 {
				all = append(all, unsafe.Slice(v.Ptr(0, 0), (v.Extent(0)-1)*v.Stride(0)+v.Extent(1)))
			}
		}
		return run{viewsAt(a, at, u, v, y), ViewsAt(a, at, u, v, y), all}
	}
	runs["scaledAt"] = func(r *rand.Rand, n int) run {
		at, y := below(r, n, 2), floats(r, n)
		x := [2]scaled{{float(r), rowsOf(r, n)}, {float(r), rowsOf(r, n)}}
		return run{scaledAt(at, x, y), ScaledAt(at, x, y), []any{x, y}}
	}
	runs["rowsOfRows"] = func(r *rand.Rand, n int) run {
		at, x, y := below(r, n, 3), [2][3][]float64{three(r, n), three(r, n)}, floats(r, n)
		return run{rowsOfRows(at, x, y), RowsOfRows(at, x, y), []any{y}}
	}
	runs["rowsSummed"] = func(r *rand.Rand, n int) run {
		a, at, x := r.IntN(3), below(r, n, 3), three(r, n)
		return run{rowsSummed(a, at, x), RowsSummed(a, at, x), nil}
	}
	runs["placesInOrder"] = func(r *rand.Rand, n int) run {
		k, x, y := r.IntN(4), floats(r, n+3), floats(r, n)
		return run{placesInOrder(k, x, y), PlacesInOrder(k, x, y), []any{y}}
	}
	runs["storedInOrder"] = func(r *rand.Rand, n int) run {
		k, x, y := r.IntN(4), floats(r, n), floats(r, 4*n)
		return run{storedInOrder(k, x, y), StoredInOrder(k, x, y), []any{y}}
	}
}
