package correct

import (
	"math"
	"slices"

	"github.com/gokkos/gokkos/reducers"
)

type welford struct {
	n    int
	mean float64
	m2   float64
}

type matrix [2][2]float64

type window struct {
	ok        bool
	low, high float64
}

func larger(a, b *window) *window {
	if a.high < b.high {
		return b
	}
	return a
}

// Joins for which zero is neutral, as running them shows.
func computed(w *welford, m *matrix, v *window, list *[]float64, n *float64) {
	_ = reducers.New(w, func(d, s *welford) {
		n := d.n + s.n
		if n > 0 {
			delta := s.mean - d.mean
			d.mean += delta * float64(s.n) / float64(n)
			d.m2 += s.m2 + delta*delta*float64(d.n)*float64(s.n)/float64(n)
		}
		d.n = n
	})
	_ = reducers.New(m, func(d, s *matrix) {
		for i := range d {
			for j := range d[i] {
				d[i][j] += s[i][j]
			}
		}
	})
	_ = reducers.New(v, func(d, s *window) {
		if !s.ok {
			return
		}
		if !d.ok {
			*d = *s
			return
		}
		d.low, d.high = math.Min(d.low, s.low), math.Max(d.high, s.high)
	})
	_ = reducers.New(list, func(d, s *[]float64) {
		*d = append(*d, *s...)
		slices.Sort(*d)
		*d = (*d)[:min(len(*d), 3)]
	})
	_ = reducers.New(n, func(d, s *float64) {
		if math.Signbit(*s) {
			*d -= *s
			return
		}
		*d += *s
	})
	_ = reducers.New(n, func(d, s *float64) { *d = min(*d, *s) }, reducers.Init(func(x *float64) { *x = math.Inf(1) }))
	_ = reducers.New(m, func(d, s *matrix) { *d = times(d, s) }, reducers.Init(func(x *matrix) { *x = matrix{{1, 0}, {0, 1}} }))
	_ = reducers.New(v, func(d, s *window) { *d = *larger(d, s) }, reducers.Init(func(x *window) { x.high = math.Inf(-1) }))
}

func times(a, b *matrix) (c matrix) {
	for i := range a {
		for j := range b {
			for k := range c {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}
