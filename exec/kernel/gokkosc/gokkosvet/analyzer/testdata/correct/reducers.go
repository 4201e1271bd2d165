package correct

import "github.com/gokkos/gokkos/reducers"

type smallest struct{ reducers.Base[int] }

func (smallest) Init(x *int) { *x = 1 << 60 }

func (smallest) Join(dst, src *int) { *dst = min(*dst, *src) }

type longest struct{ reducers.Base[string] }

func (longest) Join(dst, src *string) {
	if len(*src) > len(*dst) {
		*dst = *src
	}
}

type farthest struct{ reducers.Base[stats] }

type stats struct{ distance float64 }

func (farthest) Join(dst, src *stats) {
	if src.distance > dst.distance {
		*dst = *src
	}
}

type span struct {
	any       bool
	low, high int
}

type spans struct{ reducers.Base[span] }

func (spans) Join(dst, src *span) {
	switch {
	case !src.any:
	case !dst.any:
		*dst = *src
	default:
		dst.low, dst.high = min(dst.low, src.low), max(dst.high, src.high)
	}
}

func made() {
	var total float64
	var most uint
	one := reducers.Init(func(x *float64) { *x = 1 })
	_ = reducers.New(&total, func(d, s *float64) { *d *= *s }, one)
	_ = reducers.New(&total, func(d, s *float64) { *d += *s * *s })
	_ = reducers.New(&most, func(d, s *uint) { *d = max(*d, *s) })
	_ = reducers.New(&most, func(d, s *uint) { *d |= *s })
}

type bounds struct{ reducers.Base[span] }

func (bounds) Join(dst, src *span) {
	if !src.any {
		return
	}
	if !dst.any {
		*dst = *src
		return
	}
	dst.low = min(dst.low, src.low)
	dst.high = max(dst.high, src.high)
}
