package wrong

import (
	"cmp"
	"math"
	"math/big"
	"strings"
	"time"

	"example.com/kernels/claims"
	"github.com/gokkos/gokkos/reducers"
)

type sample struct {
	v, w  float64
	k     int
	set   bool
	t     time.Time
	d     time.Duration
	ver   claims.Version
	name  string
	bytes []byte
	bins  [100]int
}

func (s *sample) better(t *sample) bool { return s.v < t.v }

func (s *sample) join(t *sample) {
	if t.v < s.v {
		*s = *t
	}
}

func lesser(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

func pick(first bool, a, b sample) sample {
	if first {
		return a
	}
	return b
}

func joining() func(d, s *sample) {
	return func(d, s *sample) {
		if s.v < d.v {
			*d = *s
		}
	}
}

func (s *sample) key() float64 { return s.v * 3 }

// A condition of one value that zero does not meet does not tell whether there is one.
func joins(all *sample, u *uint, text *string, b *bool) {
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if math.IsNaN(s.v) {
			return
		}
		if s.v > d.v {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if s.k > 3 {
			d.k = s.k
		}
		if s.v < d.v {
			d.v = s.v
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if s.t.Before(d.t) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if s.ver.Less(d.ver) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if d.ver.Compare(s.ver) > 0 {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if claims.Less(d.ver, s.ver) {
			d.ver = s.ver
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if s.v-d.v < 0 {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if 0 < s.d-d.d {
			d.d = s.d
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if !d.better(s) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if d.key() < s.key() {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if strings.Compare(s.name, d.name) < 0 {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if math.Abs(s.v) < math.Abs(d.v) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if !d.set { // an empty src is not asked for
			*d = *s
		} else if s.v < d.v {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `the identity of this reducer is not zero`
		d.v = min(d.v, s.v)
		d.k += s.k
	})
	_ = reducers.New(all, (*sample).join)      // want `this join compares its values`
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if string(s.bytes) < string(d.bytes) {
			d.bytes = s.bytes
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		if cmp.Or(cmp.Compare(s.v, d.v), cmp.Compare(s.k, d.k)) < 0 {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `the identity of this reducer is not zero`
		for k := 0; k < len(d.bins); k++ {
			d.bins[k] = max(d.bins[k], s.bins[k])
		}
	})
	_ = reducers.New(all, joining())                                           // want `this join compares its values`
	_ = reducers.New(all, func(d, s *sample) { d.v = lesser(d.v, s.v) })       // want `this join compares its values`
	_ = reducers.New(all, func(d, s *sample) { *d = pick(d.v < s.v, *d, *s) }) // want `this join compares its values`
	_ = reducers.New(all, func(d, s *sample) {                                 // want `this join compares its values`
		if s.v < d.v == true {
			*d, *s = *s, *d
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		switch cmp.Compare(s.v, d.v) {
		case -1:
			*d = *s
		case 0:
			d.k = s.k
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		for k := range d.bins {
			if s.bins[k] < d.bins[k] {
				d.bins[k] = s.bins[k]
			}
		}
	})
	_ = reducers.New(b, func(d, s *bool) { // want `the identity of this reducer is not zero`
		x := *d
		*d = x && *s
	})
	_ = reducers.New(all, func(d, s *sample) { // want `the identity of this reducer is not zero`
		if s.k > 3 {
			d.k = s.k
		}
		d.v *= s.v
	})
	_ = reducers.New(u, func(d, s *uint) { *d = min(*d, *s) }) // want `the identity of this reducer is not zero`
	_ = reducers.New(text, func(d, s *string) {                // want `this join compares its values`
		if *s < *d {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		better := s.v > d.v
		if better && s.k > 3 {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { // want `this join compares its values`
		switch {
		case s.v < d.v:
			*d = *s
		case s.k == 4:
			d.k++
		}
	})
}

// Times are compared where they are given as pointers, too.
func pointers(t *time.Time, v *claims.Version, n *big.Int) {
	_ = reducers.New(n, func(d, s *big.Int) { // want `this join compares its values`
		if s.Cmp(d) < 0 {
			d.Set(s)
		}
	})
	_ = reducers.New(t, func(d, s *time.Time) { // want `this join compares its values`
		if s.Before(*d) {
			*d = *s
		}
	})
	_ = reducers.New(t, func(d, s *time.Time) { // want `this join compares its values`
		if s.Compare(*d) < 0 {
			*d = *s
		}
	})
	_ = reducers.New(v, func(d, s *claims.Version) { // want `this join compares its values`
		if (*s).Less(*d) {
			*d = *s
		}
	})
	_ = reducers.New(v, func(d, s *claims.Version) { // want `this join compares its values`
		if less(d, s) {
			*d = *s
		}
	})
}

func less(v, w *claims.Version) bool { return v.Less(*w) }
