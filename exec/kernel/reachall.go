package kernel

import "math/bits"

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

// ReachRows reports whether the indices base + step*i are from 0 to limit-1 for all i from begin to end-1, for all
// bases from lo to hi and those that are 1 to rows-1 times perRow beyond them, if they are so for those from lo to
// hi. It may report false where they are. lo is hi unless the step is 1.
func ReachRows(begin, end, lo, hi, step, limit, perRow, rows int) bool {
	const most = 1 << (bits.UintSize/2 - 1) // rows times perRow does not wrap around; where a base does, no index of it is in range
	if rows > most || perRow > most || perRow < -most {
		return false
	}
	by := (rows - 1) * perRow
	if step == 1 {
		return ReachAll(begin, end, lo+by, hi+by, limit) == end
	}
	return Reach(begin, end, lo+by, step, limit) == end
}
