package main

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Memory is copied and cleared, and sums are kept in elements.
func movedMemory(x []float64) {
	y := make([]float64, 4*n)
	for i := range y {
		y[i] = float64(i*i%13) - 3
	}
	each(func(i int) { // loops
		m := copy(y[4*i:4*i+4], y[4*i+1:4*i+4])
		copy(y[4*i+1:4*i+4], y[4*i:])
		x[i] += float64(m) + y[4*i+3]
	})
	z := make([]float64, n)
	each(func(i int) { x[i] += float64(copyOf(y[4*i:4*i+3], z)) }) // body: copyOf stores something
	each(func(i int) {                                             // loops
		copy(z[i:i+1], x[i:])
		clear(y[4*i : 4*i+i%4])
	})
	shared := y[:n]
	each(func(i int) { // loops
		copy(y[2*n+i:2*n+i+1], shared[i:])
	})
	each(func(i int) { x[i] += float64(i) + float64(copy(y[i:i+1], z)) }) // body: copy changes memory
	ps, qs := particles(), particles()
	each(func(i int) { // loops
		copy(ps[i:i+1], qs[(i+1)%n:])
	})
	rows := rowsOf(x)
	each(func(i int) { // loops
		copy(rows[i], rows[i][1:])
		clear(rows[i][1:])
	})
	fails(func(i int) { copy(y[i:], z[:i-20]) }) // loops
	each(func(i int) {                           // loops
		switch i % 5 {
		case 0:
			x[i] += 1
			fallthrough
		case 3:
			x[i] *= 2
			fallthrough
		default:
			x[i] += 5
		case 4:
			x[i] = 7
		}
	})
	summed(x, y, z)
	summed(x, y, x)
	summed(x, x, z)
	box(x, rows)
	for i := range x {
		x[i] += y[i] + z[i] + float64(ps[i].mass) + rows[i][0]
	}
}

func copyOf(dst, src []float64) int { return copy(dst, src) }

// The memories of a, b and c may be the same.
func summed(a, b, c []float64) {
	each(func(i int) { // loops
		for k := range i % 7 {
			a[i] += b[i] * float64(k)
		}
	})
	each(func(i int) { // loops
		c[i] = 0
		for k := 0; k < 5; k++ {
			if b[i] > float64(k) {
				c[i] -= b[i] / 2
			}
			a[i] = max(a[i], c[i])
		}
	})
	each(func(i int) { // loops
		for j := range 5 {
			for k := range 9 {
				a[i] += b[j*k] - b[k*k]
			}
		}
	})
	fails(func(i int) { // loops
		for k := range i {
			a[i] += b[k*k]
		}
	})
}

// points runs a functor for the points of a box.
func points(f func(at policy.Index2)) {
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{1, 1}, [2]int{n - 1, n - 1}), f))
}

// failing is points for a functor that panics.
func failing(f func(at policy.Index2)) {
	defer func() { fmt.Println(recover().(*exec.Panic).Value) }()
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{1, 1}, [2]int{n - 1, n - 1}).On(exec.Serial{}), f))
}

// Points of a box have their elements in slices of slices.
func box(x []float64, rows [][]float64) {
	u, v := make([][]float64, n), make([][]float64, n)
	for i := range n {
		u[i], v[i] = make([]float64, n), make([]float64, n)
		for j := range n {
			u[i][j] = x[i] + float64(j)
		}
	}
	points(func(at policy.Index2) { // loops
		i, j := at.I, at.J
		v[i][j] = .25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1])
	})
	points(func(at policy.Index2) { // loops
		v[at.I][at.J] += u[0][at.J] * u[at.J][2]
	})
	each(func(i int) { // loops
		for j := 1; j < n; j++ {
			x[i] += v[i][j] - v[i][j-1]
		}
	})
	u[3] = u[3][:4]
	failing(func(at policy.Index2) { v[at.I][at.J] = u[at.I][at.J] }) // loops
	failing(func(at policy.Index2) { rows[at.I][0] += u[n][at.J] })   // loops
}
