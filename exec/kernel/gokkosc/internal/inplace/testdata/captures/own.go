package main

import "github.com/gokkos/gokkos/views/atomics"

// Large arrays of the functor's own.
func ownArrays(x []float64) {
	for i := range x {
		x[i] = float64(i % 17)
	}
	each(func(i int) { // loops
		var k [24][24]float64
		for a := range k {
			for b := range k[a] {
				k[a][b] += float64(a*b) + x[i]
			}
		}
		sum := 0.0
		for a := 0; a < 24; a++ {
			sum += k[a][(a*i)%24]
		}
		k[3] = k[5]
		x[i] += sum + k[3][7]
	})
	each(func(i int) { // loops
		for range 2 { // each round has zeros
			var counts [40]int
			for k := range i {
				counts[k*k%40]++
			}
			multiply(&counts, 3)
			first := counts[0]
			x[i] += float64(first + counts[i%40] + len(counts))
		}
	})
	each(func(i int) { // loops
		given := [20]float64{3: 1, 19: x[i]}
		also := given
		also[i%20] += 2
		x[i] = given[i%20] + also[(i+1)%20] + total20(&also)
	})
	fails(func(i int) { // loops
		var own [33]float32
		own[i%33] = 1
		x[i] = float64(own[i])
	})
	each(func(i int) { // loops
		var order [32]int
		for k := range order {
			order[k] = (k*7 + i) % 32
		}
		for k := 1; k < 32; k++ {
			for j := k; j > 0 && order[j-1] > order[j]; j-- {
				order[j-1], order[j] = order[j], order[j-1]
			}
		}
		x[order[i%32]%32/32+i] += float64(order[3])
	})
	each(func(i int) { // loops
		var weights [24]float64
		for k := range weights {
			weights[k] = float64(k) + x[i]
		}
		sum := 0.0
		for k, w := range weights {
			sum += float64(k) * w
		}
		x[i] = sum
	})
	each(func(i int) { // body: a loop stores to the array whose elements it ranges over
		var counts [20]int64
		s := counts[:]
		for k, c := range counts {
			atomics.Add(&s[(k+1)%20], c+1)
			x[i] += float64(c)
		}
	})
	each(func(i int) { // body: a loop stores to the array whose elements it ranges over
		var weights [24]float64
		for k, w := range weights {
			weights[(k+1)%24] += w + x[i]
		}
		for _, w := range weights {
			x[i] += w
		}
	})
	each(func(i int) { // body: the functor has a variable mixed of type [30]particle
		var mixed [30]particle
		mixed[i%30].mass = 1
		x[i] += float64(mixed[3].mass)
	})
	each(func(i int) { // loops
		var points [30]point
		p := &points[i%30]
		p.x, p.y = 1, x[i]
		x[i] = points[7].x + points[i%30].y
	})
}

func twiceOf(v int) int { return 2 * v }

func multiply(counts *[40]int, by int) {
	for k := range counts {
		counts[k] = twiceOf(counts[k]) * by
	}
}

func total20(v *[20]float64) (sum float64) {
	for k := range 20 {
		sum += v[k]
	}
	return sum
}
