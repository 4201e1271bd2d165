package correct

import (
	"bytes"
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"example.com/kernels/claims"
	"github.com/gokkos/gokkos/reducers"
)

type sample struct {
	v, w, m float64
	k, n    int
	u       uint
	set     bool
	t       time.Time
	name    string
	version claims.Version
	bytes   []byte
	list    []float64
	next    *sample
	bins    [4]int
}

func (s *sample) empty() bool { return s.n == 0 }

func square(x float64) float64 { return x * x }

// Joins for which zero is neutral, or that know it.
func joins(all *sample, u *uint, name *string, b *bool, some *any) {
	_ = reducers.New(all, func(d, s *sample) {
		if math.Abs(s.v) > math.Abs(d.v) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if s.v*s.v+s.w*s.w > d.v*d.v+d.w*d.w {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if x, y := square(s.v), square(d.v); x > y {
			d.v = s.v
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if math.Hypot(s.v, s.w) > math.Hypot(d.v, d.w) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { d.v = max(d.v, math.Abs(s.v)) })
	_ = reducers.New(name, func(d, s *string) {
		if strings.Compare(*s, *d) > 0 {
			*d = *s
		}
	})
	_ = reducers.New(name, func(d, s *string) { *d = max(*d, *s) })
	_ = reducers.New(u, func(d, s *uint) {
		if cmp.Compare(*d, *s) < 0 {
			*d = *s
		}
	})
	_ = reducers.New(u, func(d, s *uint) {
		if cmp.Less(*d, *s) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if cmp.Compare(d.u, s.u) == -1 {
			d.u = s.u
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if s.t.After(d.t) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		switch d.set {
		case false:
			*d = *s
		case true:
			if s.set && s.v < d.v {
				*d = *s
			}
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		switch {
		case s.empty():
		case d.empty(), s.v < d.v:
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if s.n > 0 && (d.n == 0 || s.v < d.v) {
			d.v = s.v
		}
		d.n += s.n
	})
	_ = reducers.New(all, func(d, s *sample) {
		have := s.set
		if !have {
			return
		}
		if d.set && d.v <= s.v {
			return
		}
		*d = *s
	})
	_ = reducers.New(all, func(d, s *sample) { // moments
		n := d.n + s.n
		if n == 0 {
			return
		}
		delta := s.m - d.m
		d.m += delta * float64(s.n) / float64(n)
		d.v += s.v + delta*delta*float64(d.n)*float64(s.n)/float64(n)
		d.n = n
	})
	_ = reducers.New(all, func(d, s *sample) {
		if s.next != nil && (d.next == nil || s.v < d.v) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if len(s.list) == 0 {
			return
		}
		if len(d.list) == 0 || slices.Max(s.list) > slices.Max(d.list) {
			d.list = s.list
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		for k, n := range s.bins {
			d.bins[k] += n
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		d.list = append(d.list, s.list...)
		slices.Sort(d.list)
	})
	_ = reducers.New(all, func(d, s *sample) {
		for _, v := range s.list {
			if v < d.v {
				d.v = v
			}
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if string(s.bytes) > string(d.bytes) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if bytes.Compare(d.bytes, s.bytes) < 0 {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if s.t.IsZero() {
			return
		}
		if d.t.IsZero() || s.t.Before(d.t) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if !s.version.None() && (d.version.None() || s.version.Less(d.version)) {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) {
		if s.bins == [4]int{} {
			return
		}
		if (d.bins == [4]int{}) || s.v < d.v {
			*d = *s
		}
	})
	_ = reducers.New(some, func(d, s *any) {
		if x, ok := (*s).(int); ok {
			y, _ := (*d).(int)
			*d = max(x, y)
		}
	})
	_ = reducers.New(b, func(d, s *bool) { *d = *d || *s })
	_ = reducers.New(all, func(d, s *sample) {
		if math.IsNaN(s.v) {
			d.set = true
			return
		}
		d.v += s.v
	})
	_ = reducers.New(all, func(d, s *sample) {
		if s.set && !d.set || s.set && s.v < d.v {
			*d = *s
		}
	})
	_ = reducers.New(all, func(d, s *sample) { d.set, d.v = d.set && s.set || d.set != s.set, d.v+s.v })
	_ = reducers.New(all, func(d, s *sample) { *d = *s })
	_ = reducers.New(all, func(d, s *sample) {
		low := *d
		if d.n == 0 {
			low = *s
		} else if s.n != 0 && s.v < d.v {
			low = *s
		}
		*d = low
	})
}

// Times that are asked for, or whose latest is taken.
func pointers(t *time.Time, n *big.Int) {
	_ = reducers.New(t, func(d, s *time.Time) {
		if s.After(*d) {
			*d = *s
		}
	})
	_ = reducers.New(t, func(d, s *time.Time) {
		if d.IsZero() || !s.IsZero() && s.Before(*d) {
			*d = *s
		}
	})
	_ = reducers.New(n, func(d, s *big.Int) { d.Add(d, s) })
}
