package kernels

import "github.com/gokkos/gokkos/views"

// These kernels capture arrays of slices, of views, and of structs that have some, and choose between them by an index.

// rowOf sets y to a slice of several, which is the same for all items.
//
//gokkos:kernel
func rowOf(a int, x [3][]float64, y []float64) func(i int) {
	return func(i int) { y[i] = x[a][i] }
}

// rowsInTurn sets y to an element of one slice or the other.
//
//gokkos:kernel
func rowsInTurn(x [2][]float64, y []float64) func(i int) {
	return func(i int) { y[i] = x[i%2][i] + x[(i+1)&1][i] }
}

// rowsAt sets y to elements of slices from anywhere.
//
//gokkos:kernel
func rowsAt(at []int, x [5][]float32, y []float32) func(i int) {
	return func(i int) { y[i] = x[at[i]][i] }
}

// rowsAdded adds up slices, as many as a parameter says, and lengths of them.
//
//gokkos:kernel
func rowsAdded(n int, x [4][]float64, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for a := range n {
			row := x[a]
			s += row[i] + float64(len(row)-cap(row[1:]))
		}
		for _, row := range x {
			s -= row[0]
		}
		for a := range x {
			s += x[a][1]
		}
		y[i] = s
	}
}

// rowsStored stores to one slice or the other, and adds to a third one.
//
//gokkos:kernel
func rowsStored(a int, at []int, x [2][]float64, z [3][]int8) func(i int) {
	return func(i int) {
		x[at[i]&1][i] = float64(at[i])
		z[a][i] += int8(i)
		x[1-at[i]&1][i] += x[at[i]&1][i] + 0.5
	}
}

// rowsWalked moves along a slice that is one of two.
//
//gokkos:kernel
func rowsWalked(at []int, x [2][]float64, y []float64) func(i int) {
	return func(i int) {
		row := x[at[i]&1]
		for len(row) > 2 && row[1] < 0.5 {
			row = row[1:]
			if row[0] < 0 {
				row = x[(at[i]+1)&1][2:]
				break
			}
		}
		for _, v := range x[at[i]&1][:3] {
			y[i] += v
		}
		y[i] += total(row[:2:3])
	}
}

// total returns the sum of x.
func total(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s + float64(cap(x))
}

// viewsAt sets y to elements of views, whose extents and strides differ.
//
//gokkos:kernel
func viewsAt(a int, at []int, u [2]views.Strided1[float64], v [3]views.View2[float64], y []float64) func(i int) {
	return func(i int) {
		k := at[i] & 1
		y[i] = u[k].At(i) + v[k].At(i, 1) + float64(v[a].Extent(1)*10+v[k].Len())
		v[2-k].Set(i, 0, y[i])
	}
}

// A scaled is a slice and what its elements are multiplied by.
type scaled struct {
	w float64
	x []float64
}

// scaledAt sets y to elements of the slices of structs, and stores to them.
//
//gokkos:kernel
func scaledAt(at []int, x [2]scaled, y []float64) func(i int) {
	return func(i int) {
		p := x[at[i]&1]
		y[i] = float64(p.w * p.x[i])
		x[i&1].x[i] += p.w
	}
}

// rowsOfRows sets y to elements of slices in arrays of arrays.
//
//gokkos:kernel
func rowsOfRows(at []int, x [2][3][]float64, y []float64) func(i int) {
	return func(i int) {
		inner := x[at[i]&1]
		other := inner
		other[i%3], other[0] = inner[0], x[i&1][1]
		y[i] = inner[i%3][i] + x[1][at[i]][i] + other[at[i]][i]
	}
}

// rowsSummed is the sum of slices.
//
//gokkos:kernel
func rowsSummed(a int, at []int, x [3][]float64) func(i int, acc *float64) {
	return func(i int, acc *float64) { *acc += x[a][i] + x[at[i]][i] }
}

// placesInOrder has statements with several left sides, each of which says where the next one is.
//
//gokkos:kernel
func placesInOrder(n int, x, y []float64) func(i int) {
	return func(i int) {
		k, s, b := 1, 0.0, [4]float64{0.25, 0.5}
		for k, b[k] = range x[i : i+4] {
			s += b[0]
		}
		c := [4]int{3, 2, 1, 0}
		for k, c[k] = range [3]int{n, 2, 3} {
		}
		for c[k] = range 3 {
			k = c[k]
		}
		k, c[k], c[c[3]] = c[k], k+7, c[0]
		c[k&3], k = k, c[k&3]
		k &= 3
		b[k], k = both(k)
		k, b[k] = k+1, b[(k+1)&3]
		y[i] = s + b[0] + float64(10*b[1]) - b[2]/3 + float64(7*b[3]) + float64(k+c[0]-5*c[1]+13*c[2]-50*c[3])
	}
}

// storedInOrder stores where a variable has said that is set before the store.
//
//gokkos:kernel
func storedInOrder(n int, x, y []float64) func(i int) {
	return func(i int) {
		k := (n + i) & 1
		k, y[4*i+k] = k+2, x[i]
		y[4*i+k], k = x[i+1], 5-k
		y[4*i+k], k = both(k)
		y[4*i+k]++
	}
}

// both returns two numbers.
func both(k int) (x float64, next int) {
	x, next = 0.5, k
	next, x = (next+1)&3, x+float64(next)
	return x, next
}
