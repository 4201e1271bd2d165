package watch

import (
	"math"
	"runtime/debug"
	"sync"
)

// On says that a launch is watched. Code that is not the functor's asks it before it tells of
// threads.
var On bool

// watching is held by the launch that is watched.
var watching sync.Mutex

// Begin begins to watch a launch on this goroutine. It waits until no other launch is watched.
//
//go:norace
//go:noinline
func Begin() {
	watching.Lock()
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
	run.here, run.on, run.items = point{}, false, true
	names.data = names.data[:0]
	began = uint32(len(run.points))
	run.first = began
	var c caller
	probe(&c, 1)
	run.g = c.g
	// Memory that is used again would be another variable's, and see hooks.go.
	percent, limit = debug.SetGCPercent(-1), debug.SetMemoryLimit(math.MaxInt64)
	On = true
}

// maxPoints is how many points are kept from launch to launch.
const maxPoints = 1 << 24

// percent and limit are those of the garbage collector.
var (
	percent int
	limit   int64
)

// End ends the launch. It returns what was found, in the order in which it was, and how many
// accesses were seen.
//
//go:norace
func End() ([]*Finding, int) {
	On, run.on = false, false
	debug.SetMemoryLimit(limit)
	debug.SetGCPercent(percent)
	found := inOrder
	names.text = nil
	findings, inOrder, newest = nil, nil, nil
	seen := accesses
	watching.Unlock()
	return found, seen
}

// Opening reports whether the caller prepares the launch that is watched.
//
//go:norace
//go:noinline
func Opening() bool {
	return On && !run.on && onG()
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
