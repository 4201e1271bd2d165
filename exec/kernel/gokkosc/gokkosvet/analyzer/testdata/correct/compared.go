package correct

import (
	"math"

	"github.com/gokkos/gokkos/reducers"
)

type top struct {
	n      int
	values [4]float64
}

func (t *top) insert(v float64) {
	if t.n < len(t.values) {
		t.values[t.n] = v
		t.n++
		return
	}
	for k := range t.values {
		if v < t.values[k] {
			t.values[k], v = v, t.values[k]
		}
	}
}

// Joins that know which of their values are empty, those of lengths, and those for which zero is the least.
func compared(all *top, one *stats, u *uint, name *string, counts *[]int) {
	_ = reducers.New(all, func(d, s *top) {
		for _, v := range s.values[:s.n] {
			d.insert(v)
		}
	})
	_ = reducers.New(u, func(d, s *uint) {
		if *s > *d {
			*d = *s
		}
	})
	_ = reducers.New(name, func(d, s *string) {
		if len(*s) > len(*d) {
			*d = *s
		}
	})
	_ = reducers.New(counts, func(d, s *[]int) {
		if len(*d) < len(*s) {
			*d = append(*d, make([]int, len(*s)-len(*d))...)
		}
		for k, n := range *s {
			(*d)[k] += n
		}
	})
	_ = reducers.New(one, func(d, s *stats) {
		if s.distance < d.distance {
			*d = *s
		}
	}, reducers.Init(func(x *stats) { x.distance = math.Inf(1) }))
	_ = reducers.New(one, func(d, s *stats) { d.distance += s.distance })
}
