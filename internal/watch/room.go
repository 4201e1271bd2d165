package watch

import "unsafe"

// What is left of a stack. A hook needs some: it looks up sites and makes pages.
const (
	hookRoom   = 16 << 10 // without it, a hook sees nothing
	threadRoom = 64 << 10 // what a function that calls hooks begins with
)

// makeRoom lets the stack grow, if need be, so that hooks called from here have room.
//
//go:norace
func makeRoom() {
	if room() < threadRoom {
		grow()
	}
}

// makeRoomIn is makeRoom at the beginning of a function, which returns to pc there. The results of
// one with a defer are alive before they hold anything: it gets no room, but what it calls does.
//
//go:norace
//go:nosplit
func makeRoomIn(pc uintptr) {
	if room() < threadRoom && !hasDefer(pc) {
		grow()
	}
}

// funcInfo is how the runtime knows a function, and funcStart how that begins.
type (
	funcInfo struct {
		f *funcStart
		_ unsafe.Pointer // its module
	}
	funcStart struct {
		_           [3]uint32 // its entry, its name, and the size of its arguments
		deferReturn uint32    // where deferred functions are called, or 0
	}
)

// hasDefer reports whether the function at pc has a defer.
//
//go:norace
//go:nosplit
func hasDefer(pc uintptr) bool {
	f := findFunc(pc - 1).f
	return f == nil || f.deferReturn != 0
}

// grow has a frame that makes the stack grow.
//
//go:norace
//go:noinline
func grow() byte {
	var frame [2 * threadRoom]byte
	return frame[run.next&1]
}
