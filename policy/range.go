package policy

import (
	"context"
	"iter"

	"github.com/gokkos/gokkos/exec/space"
)

// RangePolicy is the policy made by [Range]. Its index type is int.
type RangePolicy struct {
	interval
	settings
}

// Range returns the policy of the integers i with begin <= i < end, in
// ascending order. Item number k is begin+k.
func Range(begin, end int) RangePolicy {
	iv, s := newInterval("Range", begin, end)
	return RangePolicy{iv, s}
}

// Chunk asks for that many items per leaf of the reduction tree, rounded up to
// a power of two; 0 leaves it to the rule, as no call of Chunk does. It is for functors
// with few, heavy items, and is part of what decides the bits of a floating-point result.
func (p RangePolicy) Chunk(items int) RangePolicy { p.settings = p.withChunk(items); return p }

// On carries the execution space to launch on; nil means the default one.
func (p RangePolicy) On(s space.Space) RangePolicy { p.on.space = s; return p }

// WithContext carries a context that can cancel the launch; see [Launch.WithContext].
func (p RangePolicy) WithContext(ctx context.Context) RangePolicy { p.on.context = ctx; return p }

// WithLabel names the launch; see [Launch.WithLabel].
func (p RangePolicy) WithLabel(label string) RangePolicy { p.on.label = label; return p }

// With carries what launches carry; see [Launch.With].
func (p RangePolicy) With(on ...Launch) RangePolicy { p.on = p.on.With(on...); return p }

// Plan returns what a pattern needs to know of p.
func (p RangePolicy) Plan() (plan Plan) {
	p.plan(&plan, p.items(), false)
	return plan
}

// Next writes the indices of items begin and up to dst, fewer if end comes
// first. It returns how many it wrote and the first item it did not cover.
func (p RangePolicy) Next(begin, end int, dst []int) (n, next int) {
	dst = dst[:min(len(dst), end-begin)]
	i := p.begin + begin
	for k := range dst {
		dst[k] = i + k
	}
	return len(dst), begin + len(dst)
}

// NextRuns writes the items begin to end, which are one run, into dst[0].
func (p RangePolicy) NextRuns(begin, end int, dst []Run) (n, next int) {
	dst[0] = Run{At: point{p.begin + begin}, Len: end - begin}
	return 1, end
}

// Span is a half-open interval of integers, the index type of [Spans].
type Span struct{ Begin, End int }

// Len returns the number of integers in s.
func (s Span) Len() int { return s.End - s.Begin }

// All yields the integers of s in ascending order.
//
// Cost: that of the plain loop, since the compiler inlines it, and a call for each integer in the body of another loop
// over a function. There write the plain one, for i := s.Begin; i < s.End; i++.
func (s Span) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := s.Begin; i < s.End; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// SpansPolicy is the policy made by [Spans]. Its index type is [Span].
type SpansPolicy struct {
	interval
	settings
}

// Spans returns the policy of the integers i with begin <= i < end, handed out
// in contiguous pieces: the functor is called once per leaf of the reduction
// tree and owns the loop over its items. Order inside a piece is the functor's.
func Spans(begin, end int) SpansPolicy {
	iv, s := newInterval("Spans", begin, end)
	return SpansPolicy{iv, s}
}

// Chunk asks for spans of that many items, rounded up to a power of two; the
// last one may be shorter. See [RangePolicy.Chunk].
func (p SpansPolicy) Chunk(items int) SpansPolicy { p.settings = p.withChunk(items); return p }

// On carries the execution space to launch on; nil means the default one.
func (p SpansPolicy) On(s space.Space) SpansPolicy { p.on.space = s; return p }

// WithContext carries a context that can cancel the launch; see [Launch.WithContext].
func (p SpansPolicy) WithContext(ctx context.Context) SpansPolicy { p.on.context = ctx; return p }

// WithLabel names the launch; see [Launch.WithLabel].
func (p SpansPolicy) WithLabel(label string) SpansPolicy { p.on.label = label; return p }

// With carries what launches carry; see [Launch.With].
func (p SpansPolicy) With(on ...Launch) SpansPolicy { p.on = p.on.With(on...); return p }

// Plan returns what a pattern needs to know of p.
func (p SpansPolicy) Plan() (plan Plan) {
	p.plan(&plan, p.items(), true)
	return plan
}

// Next writes the span of items begin to end into dst[0].
func (p SpansPolicy) Next(begin, end int, dst []Span) (n, next int) {
	dst[0] = Span{p.begin + begin, p.begin + end}
	return 1, end
}

// interval is a half-open interval of integers.
type interval struct{ begin, end int }

func newInterval(what string, begin, end int) (interval, settings) {
	var s settings
	switch {
	case end < begin:
		s = s.fail("%s(%d, %d) is reversed, expected begin <= end", what, begin, end)
	case end-begin < 0:
		s = s.fail("%s(%d, %d) has more items than an int can count", what, begin, end)
	}
	if s.fault != nil {
		return interval{}, s
	}
	return interval{begin, end}, s
}

func (iv interval) items() int { return iv.end - iv.begin }
