package watch

// An atomic operation orders what its thread did before it before what other threads do after
// a later one at the same address. Most are never asked about, so they are only noted: each is
// a link of the chain of its address.
type release struct {
	point uint32
	prev  uint32 // the one before it at its address, 0 for none
}

// releases are in the order in which they ran; number 0 is none. The last one of an address is
// kept by its page.
var (
	releases []release
	released []*page // those that have one
)

// forgetReleases begins without any.
//
//go:norace
func forgetReleases() {
	releases = append(releases[:0], release{})
	for _, p := range released {
		clear(p.released)
	}
	clear(released)
	released = released[:0]
}

// lastRelease returns where the number of the last operation at an address is kept.
//
//go:norace
func lastRelease(addr uintptr) *uint32 {
	p := pageOf(addr)
	if p.released == nil {
		p.released = make([]uint32, pageSize>>2)
	}
	if n := len(released); n == 0 || released[n-1] != p {
		released = append(released, p)
	}
	return &p.released[addr&(pageSize-1)>>2]
}

// maxSearch bounds the search for an order by way of several addresses.
const maxSearch = 1 << 16

// Atomic says that the running thread makes an atomic operation. It is called by functions of
// package atomics that the functor has called.
//
//go:norace
//go:noinline
func Atomic(addr, bytes uintptr) {
	if !run.on {
		return
	}
	var c caller
	probe(&c, 0, maxDepth)
	if c.g != run.g || !access(&c, addr, bytes, read|write|atomically) {
		return
	}
	last := lastRelease(addr)
	releases = append(releases, release{run.now, *last})
	*last = uint32(len(releases) - 1)
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
		at := pointAt(releases[k].point)
		if at.team != p.team {
			break
		}
		if !precedes(&at, p) {
			continue
		}
		for r := releases[k].prev; r != 0 && !s.seen[r] && len(s.seen) < maxSearch; r = releases[r].prev {
			s.seen[r] = true
			by := pointAt(releases[r].point)
			if by.team == s.old.team && notAfter(s.old, &by) || s.reaches(&by) {
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
		mid := (low + high) / 2
		if at := pointAt(releases[mid].point); at.team < team {
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
