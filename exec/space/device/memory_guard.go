package device

import "sync"

// A Guard says when functors may touch a [Memory] from the host: while a launch runs on its
// space. The zero value is closed. A space calls Enter and Leave in Launch.
type Guard struct {
	open     bool
	mu       sync.Mutex
	launches int
}

// Open reports whether the memory may be touched now. It changes only when the first of the
// launches begins and the last one ends, so those who ask inside of one need no lock.
func (g *Guard) Open() bool { return g.open }

// Enter opens the memory for a launch.
func (g *Guard) Enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.launches++; g.launches == 1 {
		g.open = true
	}
}

// Leave ends what Enter began.
func (g *Guard) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.launches--; g.launches == 0 {
		g.open = false
	}
}
