package wrong

import (
	"cmp"
	"math"

	"github.com/gokkos/gokkos/reducers"
)

type nearby struct {
	distance [4]float64
	at       [4]int
}

func (n *nearby) insert(distance float64, at int) {
	for k := 0; k < len(n.distance); k++ {
		if distance < n.distance[k] {
			n.distance[k], distance = distance, n.distance[k]
			n.at[k], at = at, n.at[k]
		}
	}
}

type located struct {
	value float64
	at    int
}

func keepLess(d, s *located) {
	if !(s.value >= d.value) {
		*d = *s
	}
}

// Joins that compare, and whose identity is zero, which no item has given.
func compared(all *nearby, one *located, u *uint, least *float64, bound *[2]float64) {
	_ = reducers.New(all, func(d, s *nearby) { // want `this join compares its values`
		for k, distance := range s.distance {
			d.insert(distance, s.at[k])
		}
	})
	_ = reducers.New(one, keepLess)             // want `this join compares its values`
	_ = reducers.New(one, func(d, s *located) { // want `this join compares its values`
		if s.value > d.value || s.value == d.value && s.at < d.at {
			*d = *s
		}
	})
	_ = reducers.New(one, func(d, s *located) { // want `this join compares its values`
		x, y := d.value, s.value
		switch {
		case y <= x:
			*d = *s
		}
	})
	_ = reducers.New(one, func(d, s *located) { // want `this join compares its values`
		if cmp.Compare(s.value, d.value) < 0 {
			*d = *s
		}
	})
	_ = reducers.New(u, func(d, s *uint) { // want `this join compares its values`
		if *d >= *s {
			*d = *s
		}
	})
	_ = reducers.New(least, func(d, s *float64) { *d = math.Min(*d, *s) })                            // want `this join compares its values`
	_ = reducers.New(bound, func(d, s *[2]float64) { d[0], d[1] = min(d[0], s[0]), max(d[1], s[1]) }) // want `the identity of this reducer is not zero`
}
