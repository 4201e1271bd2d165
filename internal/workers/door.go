package workers

import "sync/atomic"

// A door is where the helpers of a launch come in and leave. Each one that is asked for has a seat, which is in a
// line of the cache of its own: with one counter for all, 15 helpers took turns at it for two
// microseconds as they came, and again as they left.
//
// Helpers may come to a door that was open when they looked, is shut by now, and open again for the
// next launch. So what they compare a seat with is the number of the launch that they saw, and shutting
// the door takes all the seats of its launch that are free.
type door struct {
	open   atomic.Int64  // the launch times seatsEnd, plus the seats that it has
	seats  []seat        // by helper; seat 0 is nobody's
	waited atomic.Bool   // the caller waits until nobody is inside
	empty  chan struct{} // tells it to look
}

// A seat is free for launches after the one of its state: twice that, and one if somebody is inside.
type seat struct {
	state atomic.Int64
	_     line
}

// seatsEnd is more than there are helpers.
const seatsEnd = 1 << 16

// newDoor returns a door for that many helpers at most. It is shut.
func newDoor(helpers int) door {
	return door{seats: make([]seat, helpers+1), empty: make(chan struct{}, 1)}
}

// let opens the door to that many helpers, for a launch with a greater number than those before it.
func (d *door) let(launch int64, helpers int) { d.open.Store(launch*seatsEnd + int64(helpers)) }

// launch returns the number of the launch that the door is or was open for last, and its last seat.
func (d *door) launch() (launch int64, last int) {
	open := d.open.Load()
	return open / seatsEnd, int(open % seatsEnd)
}

// enter lets a helper in if its own seat is free, or if it may take those of others and one is free. It returns the
// number of the seat, or 0.
func (d *door) enter(helper int, others bool) int {
	launch, last := d.launch()
	if helper <= last && d.seats[helper].take(launch, 1) {
		return helper
	}
	for k := 1; others && k <= last; k++ {
		if d.seats[k].take(launch, 1) {
			return k
		}
	}
	return 0
}

// take makes a seat that is free for a launch one that is not, with so many inside.
func (s *seat) take(launch, inside int64) bool {
	state := s.state.Load()
	return state>>1 < launch && s.state.CompareAndSwap(state, launch<<1+inside)
}

// leave lets out the helper in a seat.
func (d *door) leave(seat int) {
	d.seats[seat].state.Add(-1)
	if d.waited.Load() {
		select {
		case d.empty <- struct{}{}:
		default: // there is one that the caller has not taken
		}
	}
}

// close shuts the door, and waits until nobody is inside.
func (d *door) close() {
	launch, last := d.launch()
	for k := 1; k <= last; k++ {
		d.seats[k].take(launch, 0)
	}
	// Who has left does not come back, so that each seat is looked at until it is empty.
	left := func() bool {
		for ; last > 0; last-- {
			if d.seats[last].state.Load() != launch<<1 {
				return false
			}
		}
		return true
	}
	Spin(func() bool { return !left() })
	if !left() {
		d.waited.Store(true)
		for !left() {
			<-d.empty
		}
		d.waited.Store(false)
	}
}

// count returns how many helpers are inside, and how many seats are free.
func (d *door) count() (inside, free int) {
	launch, last := d.launch()
	for k := 1; k <= last; k++ {
		switch state := d.seats[k].state.Load(); {
		case state>>1 < launch:
			free++
		case state&1 == 1:
			inside++
		}
	}
	return inside, free
}
