package watch

// An atomic operation orders what its thread did before it before what other threads do after
// a later one at the same address. Most are never asked about, so they are only noted: each is
// a link of the chain of its address.
type release struct {
	point uint32
	prev  uint32 // the one before it at its address, 0 for none
}

var (
	releases []release          // in the order in which they ran; number 0 is none
	newest   map[uintptr]uint32 // of each address
)

// maxSearch bounds the search for an order by way of several addresses.
const maxSearch = 1 << 16

// Atomic says that the running thread makes an atomic operation. It is called by functions of
// package atomics that the functor has called.
//
//go:norace
//go:noinline
func Atomic(addr, bytes uintptr) {
	if !seen(addr, bytes, read|write|atomically, maxDepth) {
		return
	}
	releases = append(releases, release{run.now, newest[addr]})
	newest[addr] = uint32(len(releases) - 1)
	run.here.atoms++
	step()
}

// before reports whether atomic operations order a point before another.
//
//go:norace
func before(old, now *point) bool {
	search := search{old: old, seen: map[uint32]bool{}}
	return search.reaches(now)
}

type search struct {
	old  *point
	seen map[uint32]bool
}

// reaches reports whether the old point is before this one: a thread of this point's team has
// made an operation before it, at an address where an operation was made after the old point.
//
//go:norace
func (s *search) reaches(p *point) bool {
	for k := firstOf(p.team); k < len(releases); k++ {
		at := &run.points[releases[k].point]
		if at.team != p.team {
			break
		}
		if !precedes(at, p) {
			continue
		}
		for r := releases[k].prev; r != 0 && !s.seen[r] && len(s.seen) < maxSearch; r = releases[r].prev {
			s.seen[r] = true
			by := &run.points[releases[r].point]
			if by.team == s.old.team && notAfter(s.old, by) || s.reaches(by) {
				return true
			}
		}
	}
	return false
}

// firstOf returns the first operation of a team, or of a later one: teams run one after another.
//
//go:norace
func firstOf(team uint32) int {
	low, high := 1, len(releases)
	for low < high {
		if mid := (low + high) / 2; run.points[releases[mid].point].team < team {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// precedes reports whether the operation at point a is before point b, of one team.
//
//go:norace
func precedes(a, b *point) bool { return a.lane == b.lane && a.atoms < b.atoms || a.all < b.all }

// notAfter reports whether what happened at point a is before the operation at point b, of one
// team. The operation is the last thing at its point.
//
//go:norace
func notAfter(a, b *point) bool { return a.lane == b.lane && a.atoms <= b.atoms || a.all < b.all }
