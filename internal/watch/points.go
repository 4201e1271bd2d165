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

// member is what the running team knows of one of its members that does not run.
type member struct{ loop, atoms uint32 }

// run is the launch that is watched, as far as threads are concerned.
var run struct {
	points []point
	now    uint32 // the number of here
	here   point
	items  bool     // all threads are items
	first  uint32   // point of the team
	warp   uint32   // members of a sub-group
	subs   []uint32 // meetings of each sub-group of the team
	others []member // by rank

	on       bool    // a thread of the functor runs
	g        uintptr // on this goroutine
	stack    uintptr // the end of whose stack was here
	shared   uintptr // bytes at the end of the stack that vector lanes share
	readOnly bool    // it must write nothing
	own      []region
}

// region is memory from begin to end.
type region struct{ begin, end uintptr }

//go:norace
func (r *region) has(addr uintptr) bool { return addr-r.begin < r.end-r.begin }

// step gives the running thread a point of its own.
//
//go:norace
func step() {
	run.now = uint32(len(run.points))
	run.points = append(run.points, run.here)
}

// depth is how many callers a hook looks at: accessors are called by the functor. Atomic
// operations call one another.
const (
	depth    = 3
	maxDepth = 5
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
	old, now := &run.points[then], &run.here
	if onStack && (old.team != now.team || old.member() != now.member()) {
		return true
	}
	if old.team == now.team {
		switch {
		case old.lane == now.lane, old.all != now.all:
			return true
		case old.member() == now.member():
			return old.loop != now.loop || old.vector() == 0 || now.vector() == 0
		case old.sub != now.sub && old.member()/run.warp == now.member()/run.warp:
			return true
		}
	}
	return len(releases) > 1 && before(old, now)
}
