package main

import "github.com/gokkos/gokkos/views/random"

type asked struct{ times int }

func (a *asked) again(below int) bool {
	a.times++
	return a.times < below
}

func below9(k *int) bool {
	*k += 2
	return *k < 9
}

// Conditions of loops set variables that are read behind the loop.
func askedLoops(x []float64) {
	each(func(i int) { // loops
		c := 0
		next := func() bool { c++; return c < i }
		for next() {
			if c%5 == 2 {
				c++
				continue
			}
			if c == 36 {
				break
			}
			x[i]++
		}
		x[i] += float64(1000 * c)
	})
	each(func(i int) { // loops
		var a asked
		for a.again(i % 7) {
		}
		c := i % 11
		for k := 0; k < 3 && below9(&c); k++ {
			if i%4 == 1 {
				continue
			}
			x[i]++
		}
		x[i] += float64(10*a.times + c)
	})
	pool := random.New(3)
	each(func(i int) { // loops
		g := pool.At(i)
		for g.Float64() < 0.5 {
			x[i]++
		}
		x[i] += g.Float64()
	})
}
