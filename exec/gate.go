package exec

import "sync/atomic"

// gate counts the launches that run on a space, and keeps them out once it is closed.
type gate struct{ state atomic.Int64 } // launches running, or gateClosed

const gateClosed = -1 << 62

// enter counts a launch in, unless the gate is closed.
func (g *gate) enter() bool {
	if g.state.Add(1) > 0 {
		return true
	}
	g.state.Add(-1)
	return false
}

func (g *gate) leave() { g.state.Add(-1) }

func (g *gate) closed() bool { return g.state.Load() < 0 }

// close closes the gate, unless launches are running; it returns their number.
func (g *gate) close() (running int64) {
	for !g.state.CompareAndSwap(0, gateClosed) {
		if n := g.state.Load(); n > 0 {
			return n
		} else if n < 0 {
			break
		}
	}
	return 0
}
