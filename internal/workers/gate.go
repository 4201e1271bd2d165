package workers

import "sync/atomic"

// A Gate counts the launches that run on a space, and keeps others out once it is closed.
type Gate struct{ state atomic.Int64 } // launches running, or gateClosed

const gateClosed = -1 << 62

// Enter counts a launch in, unless the gate is closed.
func (g *Gate) Enter() bool {
	if g.state.Add(1) > 0 {
		return true
	}
	g.state.Add(-1)
	return false
}

// Leave counts a launch out.
func (g *Gate) Leave() { g.state.Add(-1) }

// Closed reports whether the gate is closed.
func (g *Gate) Closed() bool { return g.state.Load() < 0 }

// Close closes the gate, unless launches are running; it returns their number.
func (g *Gate) Close() (running int64) {
	for !g.state.CompareAndSwap(0, gateClosed) {
		if n := g.state.Load(); n > 0 {
			return n
		} else if n < 0 {
			break
		}
	}
	return 0
}
