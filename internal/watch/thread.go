package watch

import "unsafe"

// Item begins an item, a thread of its own, whose index of that many bytes is at p. text returns
// an index as text. What the functor is given to join into is its own memory, see Own.
//
//go:norace
//go:noinline
func Item(p unsafe.Pointer, bytes uintptr, text func(p unsafe.Pointer) string) {
	names.text, names.bytes = text, bytes
	names.data = append(names.data, unsafe.Slice((*byte)(p), bytes)...)
	run.here = point{team: run.here.team + 1}
	run.items, run.own, run.readOnly = true, run.own[:0], false
	enter()
}

// names are the indices of the items of a launch, one behind the other.
var names struct {
	data  []byte
	bytes uintptr
	text  func(p unsafe.Pointer) string
}

// Own says that memory belongs to the running thread until it ends.
//
//go:norace
func Own(p unsafe.Pointer, bytes uintptr) {
	run.own = append(run.own, region{uintptr(p), uintptr(p) + bytes})
}

// ReadOnly says that the running thread must write nothing but what it owns.
//
//go:norace
func ReadOnly() { run.readOnly = true }

// enter says that a thread begins or goes on, on this goroutine.
//
//go:norace
//go:noinline
func enter() {
	makeRoom()
	var c caller
	probe(&c, 1)
	run.g, run.stack, run.on, run.shared = c.g, c.stack.end, true, 0
	step()
}

// Leave says that no thread of the functor runs.
//
//go:norace
func Leave() { run.on = false }

// Inside reports whether the caller runs in a thread of the functor that is watched.
//
//go:norace
//go:noinline
func Inside() bool {
	return On && run.on && onG()
}

// onG reports whether the caller runs on the goroutine of the launch or its thread.
//
//go:norace
//go:noinline
func onG() bool {
	var c caller
	probe(&c, 1)
	return c.g == run.g
}

// Team begins a team of that many members, in sub-groups of so many.
//
//go:norace
func Team(members, warp int) {
	run.warp = uint32(warp)
	run.here = point{team: run.here.team + 1}
	run.items, run.own, run.readOnly, run.on = false, run.own[:0], false, false
	run.first = uint32(len(run.points))
	run.subs = zeroed(run.subs, (members+int(run.warp)-1)/int(run.warp))
	run.others = zeroed(run.others, members)
	run.here.lane = ^uint32(0) // nobody
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
		if r := run.here.member(); int(r) < len(run.others) {
			run.others[r] = member{run.here.loop, run.here.atoms}
		}
		o := run.others[rank]
		run.here.lane, run.here.loop, run.here.atoms = lane, o.loop, o.atoms
	}
	run.here.sub = run.subs[uint32(rank)/run.warp]
	enter()
}

// Met says that the members of the team have met, or those of the sub-group of a rank.
//
//go:norace
func Met(rank int, whole bool) {
	if whole {
		run.here.all++
	} else {
		run.subs[uint32(rank)/run.warp]++
	}
}

// BeginVector begins a loop over vector lanes, which share what is on the member's stack before
// that address. What the functor puts behind it is each lane's own.
//
//go:norace
func BeginVector(sp unsafe.Pointer) { run.shared = run.stack - uintptr(sp) }

// Vector says which vector lane of the running member runs.
//
//go:norace
func Vector(lane int) {
	run.here.lane = run.here.lane>>vectorBits<<vectorBits | uint32(lane+1)
	step()
}

// EndVector ends a loop over vector lanes: the member goes on alone.
//
//go:norace
func EndVector() {
	run.here.lane = run.here.lane >> vectorBits << vectorBits
	run.here.loop++
	run.shared = 0
	step()
}
