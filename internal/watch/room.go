package watch

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

// grow has a frame that makes the stack grow.
//
//go:norace
//go:noinline
func grow() byte {
	var frame [2 * threadRoom]byte
	return frame[run.next&1]
}
