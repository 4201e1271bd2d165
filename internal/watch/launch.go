package watch

import "runtime/debug"

// On says that a launch is watched. Code that is not the functor's asks it before it tells of
// threads.
var On bool

// Begin begins to watch a launch on a device with sub-groups of that many members, whose
// results are at these places. One launch is watched at a time.
//
//go:norace
func Begin(warp int) {
	if shadow == nil {
		shadow = make([]*arena, arenas)
		run.points = make([]point, 1, 1<<12)
	}
	if len(run.points) > maxPoints { // numbers are getting scarce
		run.points = run.points[:1]
		clear(shadow)
	}
	releases, newest = append(releases[:0], release{}), map[uintptr]uint32{}
	findings, inOrder, accesses = map[findingKey]*Finding{}, nil, 0
	scratch, results = scratch[:0], results[:0]
	run.here, run.warp, run.on, run.items = point{}, uint32(max(warp, 1)), false, true
	began = uint32(len(run.points))
	run.first = began
	percent = debug.SetGCPercent(-1) // memory that is used again would be another variable's
	On = true
}

// maxPoints is how many points are kept from launch to launch.
const maxPoints = 1 << 24

var percent int // of the garbage collector

// End ends the launch. It returns what was found, in the order in which it was, and how many
// accesses were seen.
//
//go:norace
func End() ([]*Finding, int) {
	On, run.on = false, false
	debug.SetGCPercent(percent)
	found := inOrder
	findings, inOrder, newest = nil, nil, nil
	return found, accesses
}

// Result says that no functor may touch that memory.
//
//go:norace
func Result(addr, bytes uintptr) { results = with(results, addr, bytes) }

// Scratch says where the scratch memory of teams is.
//
//go:norace
func Scratch(addr, bytes uintptr) { scratch = with(scratch, addr, bytes) }

// with adds memory that is looked at more closely.
//
//go:norace
func with(to []region, addr, bytes uintptr) []region {
	r := region{addr, addr + bytes}
	mark(r)
	return append(to, r)
}

// Renew says that memory begins anew: nobody has touched it.
//
//go:norace
func Renew(addr, bytes uintptr) {
	for end := addr + bytes; addr < end; addr += 1 << wordBits {
		*pageOf(addr).at(addr) = cell{}
	}
}
