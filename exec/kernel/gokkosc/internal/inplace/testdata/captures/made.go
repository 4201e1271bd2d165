package main

func sorted(s []float64) float64 {
	for a := 1; a < len(s); a++ {
		for b := a; b > 0 && s[b] < s[b-1]; b-- {
			s[b], s[b-1] = s[b-1], s[b]
		}
	}
	return s[len(s)/2]
}

func three(v float64) []float64 { return []float64{v, v + 1, v + 2} }

func added(s []float64) float64    { s[0]++; return s[1] }
func grown(s *[20]float64) float64 { s[0]++; return s[1] }

// Slices that a functor makes, and slices of its arrays.
func madeSlices(x []float64) {
	each(func(i int) { // loops
		w := make([]float64, 5, 6)
		for k := range w {
			w[k] = x[(i+k)%n]
		}
		v := w[1:6]
		v[4] = -1
		x[i] = sorted(w) + sorted(v) + float64(len(w)+cap(v))
	})
	each(func(i int) { // loops
		var w [8]float64
		m := copy(w[:], x[i:min(n, i+8)])
		whole := w
		x[i] += sorted(w[:m]) + whole[0]
	})
	each(func(i int) { // loops
		offsets, rows := []int{-2, -1, 5: 2}, [][3]float64{{1, 2, 3}, {x[i]}}
		for _, d := range offsets {
			if j := i + d; j >= 0 && j < n {
				rows[i%2][(d+3)%3] += float64(j)
			}
		}
		for k, d := range []float64{x[i], 2: 3} {
			x[i] += d * float64(k)
		}
		x[i] += rows[0][0] + 10*rows[1][2]
	})
	each(func(i int) { // loops
		for k := range i % 5 { // each round has zeros
			w := make([]float64, 3)
			w[k%3] += x[i]
			x[i] += w[0] + 2*w[1] + 3*w[2]
		}
		a, b := three(x[i]), three(1)
		a[1] *= 2
		x[i] += added(b) + added(b) + a[1]
	})
	fails(func(i int) { // loops
		w := make([]float64, 3, 9)[:i+1]
		w[2] = 1
		x[i] = w[2]
	})
	each(func(i int) { // body: keep is one of several slices that the functor makes
		keep := []float64{0}
		for k := range i % 3 {
			w := []float64{keep[0] + float64(k)}
			keep = w
		}
		x[i] += keep[0]
	})
	each(func(i int) { // body: a call changes a slice in an expression
		w := []float64{x[i], 1}
		x[i] = w[0] + added(w)
	})
	each(func(i int) { // body: a call changes w in an expression
		var w [20]float64
		x[i] = w[0] + grown(&w)
	})
	each(func(i int) { // body: a call changes w in an expression
		var w [20]float64
		x[i] = grown(&w) + w[0]
	})
}

type scaler interface{ scale(v float64) float64 }

func (f factor) scale(v float64) float64   { return v * float64(f) }
func (d *doubled) scale(v float64) float64 { return v + d.by }

type (
	factor  float64
	doubled struct{ by float64 }
)

func scaledBy[S scaler](s S, x []float64) {
	each(func(i int) { x[i] = s.scale(x[i]) }) // loops loops closure
}

func methodsOfParameters(x []float64) {
	scaledBy(factor(3), x)
	scaledBy(&doubled{1.5}, x)
	scaledBy[scaler](factor(2), x)
}
