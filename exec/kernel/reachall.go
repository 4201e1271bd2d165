package kernel

// ReachAll returns the largest end for which the indices base+i are from 0 to limit-1 for all bases
// from lo to hi and all i from begin to end-1, but not more than the given one, and begin if there is
// none. The limit is a length, and not negative. It is a [Reach] for the conditions of a short row.
func ReachAll(begin, end, lo, hi, limit int) int {
	if begin > ^lo && end <= limit-hi { // ^lo is -lo-1 and cannot wrap around; where limit-hi does, end is above it
		return end
	}
	return reachAll(begin, end, lo, hi, limit)
}

func reachAll(begin, end, lo, hi, limit int) int {
	return Reach(begin, Reach(begin, end, lo, 1, limit), hi, 1, limit)
}
