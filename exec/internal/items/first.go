package items

import "github.com/gokkos/gokkos/policy"

// FirstIndex returns the index of item 0 of a [policy.RangePolicy], and 0 of any other policy. located
// reports whether an item is located by its index, as in a RangePolicy, and not by its number.
func FirstIndex[P any](p *P) (first int, located bool) {
	if r, ok := any(p).(*policy.RangePolicy); ok {
		return FirstOf(*r), true
	}
	if r, ok := any(*p).(policy.RangePolicy); ok { // P is an interface
		return FirstOf(r), true
	}
	return 0, false
}

// firstOfSpans returns the integer of item 0 of a [policy.SpansPolicy], and false for any other policy.
func firstOfSpans[P any](p *P) (first int, ok bool) {
	s, ok := any(p).(*policy.SpansPolicy)
	if !ok {
		spans, ok := any(*p).(policy.SpansPolicy) // P is an interface
		if !ok {
			return 0, false
		}
		s = &spans
	}
	var one [1]policy.Span
	s.Next(0, 1, one[:])
	return one[0].Begin, true
}

// FirstOf returns the index of item 0 of a range.
func FirstOf(p policy.RangePolicy) int {
	var at [1]int
	p.Next(0, 1, at[:])
	return at[0]
}
