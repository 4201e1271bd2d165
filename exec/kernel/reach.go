package kernel

import "math"

// Reach returns the largest end for which the index base + step*i is from 0 to limit-1 for all i from
// begin to end-1, but not more than the given one, and begin if there is none. With a step that is
// not 1 it may return less. Generated loops ask it once for many items.
func Reach(begin, end, base, step, limit int) int {
	switch {
	case end <= begin || limit <= 0:
		return begin
	case step == 0:
		if base < 0 || base >= limit {
			return begin
		}
		return end
	case step == 1:
		return unitReach(begin, end, base, limit)
	}
	if !within(base, step, begin, limit) {
		return begin
	}
	for !within(base, step, end-1, limit) { // what lies between two that are within is within, too
		end = begin + int(uint(end-begin)/2)
	}
	return end
}

func unitReach(begin, end, base, limit int) int {
	if base == math.MinInt || begin < -base {
		return begin
	}
	if base < 0 && limit > math.MaxInt+base {
		return end // beyond all integers
	}
	return max(begin, min(end, limit-base))
}

// within reports whether base + step*i is from 0 to limit-1, as a number of any size.
func within(base, step, i, limit int) bool {
	if size := math.Abs(float64(step)) * math.Abs(float64(i)); size >= 1<<61 {
		return false // and who has as many elements?
	}
	x := step * i
	if base > 0 && x > math.MaxInt-base || base < 0 && x < math.MinInt-base {
		return false
	}
	return x+base >= 0 && x+base < limit
}
