package watch

import "unsafe"

// Item begins an item, a thread of its own, whose index of that many bytes is at p. text returns
// an index as text. What the functor is given to join into is its own memory, see Own.
//
//go:norace
//go:noinline
func Item(p unsafe.Pointer, bytes uintptr, text func(p unsafe.Pointer) string) {
	run.here.team++
	run.here.atoms, run.know = 0, knowledge{}
	name(p, bytes, text)
	run.own, run.readOnly, joined = run.own[:0], false, joined[:0]
	bound()
	enter()
}

// Own says that memory belongs to the running thread until it ends.
//
//go:norace
func Own(p unsafe.Pointer, bytes uintptr) {
	run.own = append(run.own, region{uintptr(p), uintptr(p) + bytes})
}

// Joins says that memory is what the running thread joins into. No other thread may touch it.
//
//go:norace
func Joins(p unsafe.Pointer, bytes uintptr) {
	addr := uintptr(p)
	run.own = append(run.own, region{addr, addr + bytes})
	if run.accumulator < len(accumulators) && accumulators[run.accumulator].has(addr) || run.stack.has(addr) || bytes == 0 {
		return
	}
	for n := range accumulators {
		switch a := &accumulators[n]; {
		case a.has(addr):
			run.accumulator = n
			return
		case a.end == addr:
			a.end += bytes
			mark(*a)
			run.accumulator = n
			return
		}
	}
	run.accumulator = len(accumulators)
	accumulators = with(accumulators, addr, bytes)
}

// owns reports whether memory is the running thread's own, as what is on its stack is.
//
//go:norace
func owns(addr uintptr) bool {
	if run.last-addr < run.private {
		return true
	}
	for n := range run.own {
		if run.own[n].has(addr) {
			return true
		}
	}
	return false
}

// ReadOnly says that the running thread must write nothing but what it owns.
//
//go:norace
func ReadOnly() { run.readOnly = true }

// EndReadOnly ends ReadOnly, and what the running thread owns until then.
//
//go:norace
func EndReadOnly() { run.readOnly, run.own, joined = false, run.own[:0], joined[:0] }

// enter says that a thread begins or goes on, on this goroutine.
//
//go:norace
//go:noinline
func enter() {
	var here byte
	if uintptr(unsafe.Pointer(&here))-run.deep >= run.ample {
		makeRoom()
		var c caller
		probe(&c, 0, 1)
		run.g = c.g
		runOn(c.stack)
	} else if run.shared != 0 {
		share(0)
	}
	run.on = true
	run.room = run.stack.end - run.low
	step()
}

// runOn says which stack the running thread has.
//
//go:norace
func runOn(stack region) {
	run.stack = stack
	run.low, run.deep = stack.begin+hookRoom, stack.begin+threadRoom
	run.ample = stack.end - run.deep
	share(0)
}

// Leave says that no thread of the functor runs.
//
//go:norace
func Leave() { run.on, run.room = false, 0 }

// Inside reports whether the caller runs in a thread of the functor that is watched.
//
//go:norace
//go:noinline
func Inside() bool {
	return launched && run.on && onG()
}

// onG reports whether the caller runs on the goroutine of the launch or its thread.
//
//go:norace
//go:noinline
func onG() bool {
	var c caller
	probe(&c, 0, 1)
	return c.g == run.g
}

// Nest says that a launch begins inside of the running thread, of which it is a part, or that it
// has ended. What helpers do meanwhile is not looked at.
//
//go:norace
func Nest(begins bool) {
	if begins {
		run.nested++
	} else {
		run.nested--
	}
}

// Team begins a team of that many members, in sub-groups of so many.
//
//go:norace
func Team(members, warp int) {
	settle()
	bound()
	run.warp = uint32(warp)
	run.here = point{team: run.here.team + 1}
	run.items, run.own, run.readOnly, run.on, run.room, joined = false, run.own[:0], false, false, 0, joined[:0]
	run.first = run.next
	run.subs = zeroed(run.subs, (members+int(run.warp)-1)/int(run.warp))
	run.others = zeroed(run.others, members)
	run.here.lane = ^uint32(0) // nobody
	run.know, run.careful = knowledge{}, true
	meetings = meetings[:0]
}

//go:norace
func zeroed[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	clear(x[:n])
	return x[:n]
}

// Member says that a member begins or goes on, on this goroutine.
//
//go:norace
//go:noinline
func Member(rank int) {
	if lane := uint32(rank) << vectorBits; lane != run.here.lane {
		putAside()
		o := &run.others[rank]
		run.here.lane, run.here.loop, run.here.atoms, run.know = lane, o.loop, o.atoms, o.know
	}
	run.here.sub = run.subs[uint32(rank)/run.warp]
	run.ample = 0 // it may be on another goroutine
	enter()
}

// putAside keeps what is to be known of the member that runs.
//
//go:norace
func putAside() {
	if r := run.here.member(); int(r) < len(run.others) {
		run.others[r] = member{run.here.loop, run.here.atoms, run.know}
	}
}

// Met says that the members of the team have met, or those of the sub-group of a rank, in a call
// that returns to pc.
//
//go:norace
func Met(rank int, whole bool, pc uintptr) {
	first, last := 0, len(run.others)
	if whole {
		run.here.all++
		meetings = append(meetings, pc)
	} else {
		n := rank / int(run.warp)
		run.subs[n]++
		first, last = n*int(run.warp), min((n+1)*int(run.warp), last)
	}
	if len(releases) == 0 {
		return
	}
	putAside()
	var all knowledge
	for k := first; k < last; k++ {
		all.join(&run.others[k].know)
	}
	for k := first; k < last; k++ {
		run.others[k].know = all
	}
	if r := int(run.here.member()); first <= r && r < last {
		run.know = all
	}
}

// Combined says that memory is written at a meeting of members, for all of them, in a call that
// returns to pc. The meeting is not over.
//
//go:norace
func Combined(pc, addr, bytes uintptr) {
	if !launched || run.on {
		return
	}
	step()
	set(addr, bytes, cell{write: newEvent(run.now, siteOfCall(pc), write|whole)})
}

// meetings are where the members of the running team have met, all of them.
var meetings []uintptr

// BeginVector begins a loop over vector lanes, which share what is on the member's stack before
// that address. What the functor puts behind it is each lane's own. It reports false for a loop
// inside of a vector lane, of which that is a part.
//
//go:norace
func BeginVector(sp unsafe.Pointer) bool {
	if run.here.vector() != 0 {
		return false
	}
	share(run.stack.end - uintptr(sp))
	run.lanes, run.before = run.lanes[:0], run.know
	return true
}

// share says how many bytes at the end of the stack vector lanes share. What is before them is
// private.
//
//go:norace
func share(bytes uintptr) {
	run.shared = bytes
	run.private = run.stack.end - bytes - run.stack.begin
	run.last = run.stack.begin + run.private - 1
}

// Vector says which vector lane of the running member runs.
//
//go:norace
func Vector(lane int) {
	putLaneAside()
	for len(run.lanes) <= lane {
		run.lanes = append(run.lanes, run.before)
	}
	run.know = run.lanes[lane]
	run.own, joined = run.own[:0], joined[:0]
	run.here.lane = run.here.lane>>vectorBits<<vectorBits | uint32(lane+1)
	step()
}

// putLaneAside keeps what the vector lane knows that runs.
//
//go:norace
func putLaneAside() {
	if v := run.here.vector(); v > 0 {
		run.lanes[v-1] = run.know
	}
}

// EndVector ends a loop over vector lanes: the member goes on alone.
//
//go:norace
func EndVector() {
	putLaneAside()
	run.know = run.before
	run.own, joined = run.own[:0], joined[:0]
	for k := range run.lanes {
		run.know.join(&run.lanes[k])
	}
	run.here.lane = run.here.lane >> vectorBits << vectorBits
	run.here.loop++
	share(0)
	step()
}
