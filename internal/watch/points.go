package watch

// A point is a step of a thread: who it is, and which meetings it has passed. Points are
// numbered in the order in which they run; 0 is none.
type point struct {
	team  uint32 // number of the team, or of the item
	lane  uint32 // rank of the member, and 1 + its vector lane in the last vectorBits
	all   uint32 // meetings of the team that are over
	sub   uint32 // and of the member's sub-group
	loop  uint32 // loops over vector lanes that are over
	atoms uint32 // atomic operations that the thread has made
}

// vectorBits is how many bits of a lane are the vector lane.
const vectorBits = 11

//go:norace
func (p *point) member() uint32 { return p.lane >> vectorBits }

//go:norace
func (p *point) vector() uint32 { return p.lane & (1<<vectorBits - 1) }

// member is what is kept of a member of the running team that does not run.
type member struct {
	loop, atoms uint32
	know        knowledge
}

// run is the launch that is watched, as far as threads are concerned.
var run struct {
	// What each hook reads: the stack of the running thread from low on is room bytes, none if no
	// thread runs. Less than hookRoom bytes are before it.
	low, room   uintptr
	deep, ample uintptr // the stack of the last thread from deep on, so many bytes: there is room
	now         uint32  // the number of here
	since       uint32  // first point of the launch
	items       bool    // all threads are items
	careful     bool    // more than two readers of a cell may matter: there are meetings, or atomic operations
	readOnly    bool    // the running thread must write nothing but what it owns
	deviceOnly  bool    // functors must touch nothing but memory of their device
	inViews     bool    // the access is one of a function of package views
	own         []region
	stack       region  // of the running thread
	shared      uintptr // bytes at the end of the stack that vector lanes share
	last        uintptr // the last byte before these
	private     uintptr // bytes up to there

	here      point
	know      knowledge   // of the running thread
	before    knowledge   // of its member, where a loop over vector lanes began
	lanes     []knowledge // of these lanes
	next      uint32      // the number of the next step
	stretches []stretch   // of items
	points    []point     // of teams, from number base on
	base      uint32

	first  uint32   // point of the team
	warp   uint32   // members of a sub-group
	subs   []uint32 // meetings of each sub-group of the team
	others []member // by rank

	g      uintptr // the goroutine of the running thread
	on     bool    // a thread of the functor runs
	nested int     // launches inside of it

	accumulator int // the one that was joined into last
}

// region is memory from begin to end.
type region struct{ begin, end uintptr }

//go:norace
func (r *region) has(addr uintptr) bool { return addr-r.begin < r.end-r.begin }

// stretch is points of items, from a number on: of items that have one point each, the first of
// which is item, or of one that has more.
type stretch struct {
	number uint32
	item   uint32
	alone  bool // of one item
}

// maxPoints bounds the tables of points. When one is full, what happened before is forgotten: a
// race with it is not found.
const maxPoints = 1 << 22

// step gives the running thread a point of its own.
//
//go:norace
func step() {
	run.now = run.next
	run.next++
	if !run.items {
		run.points = append(run.points, run.here)
		return
	}
	if n := len(run.stretches); n > 0 {
		last := &run.stretches[n-1]
		if !last.alone && run.here.atoms == 0 && run.here.team-last.item == run.now-last.number || last.alone && last.item == run.here.team {
			return
		}
		if !last.alone && run.here.atoms > 0 && run.now-1 == last.number { // the item that it began with has more
			last.alone = true
			return
		}
		if run.here.atoms > 0 { // so has the last of several
			run.stretches = append(run.stretches, stretch{run.now - 1, run.here.team, true})
			return
		}
	}
	run.stretches = append(run.stretches, stretch{run.now, run.here.team, false})
}

// bound empties the tables if one is full. It is called between threads.
//
//go:norace
func bound() {
	if max(len(run.points), len(run.stretches), len(chains), len(releases), clocks) > maxPoints {
		run.since, run.base = run.next, run.next
		run.points, run.stretches = run.points[:0], run.stretches[:0]
		forgetReleases()
	}
}

// pointAt returns a point of the launch.
//
//go:norace
func pointAt(n uint32) point {
	if !run.items {
		return run.points[n-run.base]
	}
	low, high := 0, len(run.stretches)
	for high-low > 1 {
		if mid := (low + high) / 2; run.stretches[mid].number <= n {
			low = mid
		} else {
			high = mid
		}
	}
	s := &run.stretches[low]
	if s.alone {
		return point{team: s.item, atoms: n - s.number}
	}
	return point{team: s.item + n - s.number}
}

// depth is how many callers a hook looks at: accessors are called by the functor. Atomic
// operations call one another.
const (
	depth    = 3
	maxDepth = 8
)

// caller is who makes an access.
type caller struct {
	g     uintptr // the goroutine
	stack region
	pcs   [maxDepth]uintptr // return addresses of the function that makes it, and of its callers
}

// ordered reports whether what happened at an earlier point is before what happens now. What
// is on a stack was no other member's.
//
//go:norace
func ordered(then uint32, onStack bool) bool {
	old, now := pointAt(then), &run.here
	if onStack && (old.team != now.team || old.member() != now.member()) {
		return true
	}
	return old.team == now.team && old.before(now) || knows(then, &old)
}

// before reports whether meetings, or the order of one thread, put a point before a later one of
// its team.
//
//go:norace
func (p *point) before(later *point) bool {
	switch {
	case p.lane == later.lane, p.all != later.all:
		return true
	case p.member() == later.member():
		return p.loop != later.loop || p.vector() == 0 || later.vector() == 0
	}
	return p.sub != later.sub && p.member()/run.warp == later.member()/run.warp
}
