package wrong

import (
	"math"
	"slices"

	"github.com/gokkos/gokkos/reducers"
)

type matrix [2][2]float64

type window struct {
	ok        bool
	low, high float64
}

// Joins to which zero is not neutral, as running them shows.
func computed(m *matrix, v *window, n *float64, k *int) {
	orders := map[string]func(a, b float64) bool{"less": func(a, b float64) bool { return a < b }}
	_ = reducers.New(m, func(d, s *matrix) { // want `the identity of this reducer is not zero`
		var c matrix
		for i := range d {
			for j := range s {
				for k := range c {
					c[i][j] += d[i][k] * s[k][j]
				}
			}
		}
		*d = c
	})
	_ = reducers.New(n, func(d, s *float64) { *d = slices.Min([]float64{*d, *s}) }) // want `the identity of this reducer is not zero`
	_ = reducers.New(n, func(d, s *float64) {                                       // want `the identity of this reducer is not zero`
		list := []float64{*d, *s}
		slices.Sort(list)
		*d = list[0]
	})
	_ = reducers.New(n, func(d, s *float64) { // want `this join compares its values`
		a, b := d, s
		if *b < *a {
			a, b = b, a
		}
		*d = *a
	})
	_ = reducers.New(v, func(d, s *window) { // want `the identity of this reducer is not zero`
		if !s.ok {
			d.ok = false
		}
		d.low += s.low
	})
	_ = reducers.New(n, func(d, s *float64) { // want `this join compares its values`
		if orders["less"](*s, *d) {
			*d = *s
		}
	})
	_ = reducers.New(n, func(d, s *float64) { // want `this join compares its values`
		x := *d
		defer func() { *d = x }()
		if *s < x {
			x = *s
		}
	})
	_ = reducers.New(n, func(d, s *float64) { // want `this join compares its values`
		if *s >= *d {
			goto end
		}
		*d = *s
	end:
	})
	_ = reducers.New(n, func(d, s *float64) { // want `this join compares its values`
		if math.Signbit(*s - *d) {
			*d = *s
		}
	})
	_ = reducers.New(k, func(d, s *int) { *d = min(*d, *s) }, reducers.Init(func(x *int) { *x = 0 })) // want `the value that reducers.Init sets is no identity`
}
