package workers

import "sync/atomic"

// A door counts the helpers of a launch in and out.
//
// Helpers may come to a door that was open when they looked, is shut by now, and open again for
// the next launch. So counts are added to and never set: one that finds no place takes back what
// it has added.
type door struct {
	state  atomic.Int64  // places that are left, negative if the door is shut, times onePlace, plus the helpers inside
	shut   int64         // the places while it is shut and nobody is inside
	waited atomic.Bool   // the caller waits until nobody is inside
	empty  chan struct{} // tells it to look
}

const (
	onePlace = 1 << 32
	noPlace  = 1 << 20 // more than there are helpers
)

// open opens the door to that many helpers.
func (d *door) open(places int) {
	if d.empty == nil {
		d.empty = make(chan struct{}, 1)
	}
	d.state.Add((int64(places) - d.shut) * onePlace)
}

// places is the number of helpers that may still come in.
func (d *door) places() int { return max(int(d.state.Load()>>32), 0) }

// inside is the number of helpers inside, among them those that will find no place.
func (d *door) inside() int { return int(int32(d.state.Load())) }

// enter lets a helper in, unless it finds no place. It returns how many are left.
func (d *door) enter() (left int, ok bool) {
	if left = int(d.state.Add(1-onePlace) >> 32); left >= 0 {
		return left, true
	}
	d.out(onePlace - 1)
	return 0, false
}

// leave lets a helper out.
func (d *door) leave() { d.out(-1) }

func (d *door) out(change int64) {
	if int32(d.state.Add(change)) == 0 && d.waited.Load() {
		select {
		case d.empty <- struct{}{}:
		default: // there is one that the caller has not taken
		}
	}
}

// close shuts the door, and waits until nobody is inside.
func (d *door) close() {
	d.state.Add(-noPlace * onePlace)
	Spin(func() bool { return !d.left() })
	if !d.left() {
		d.waited.Store(true)
		for !d.left() {
			<-d.empty
		}
		d.waited.Store(false)
	}
}

// left reports whether nobody is inside, and if so keeps how many places that leaves. Nobody
// inside is one who will take back what he has added.
func (d *door) left() bool {
	state := d.state.Load()
	if int32(state) != 0 {
		return false
	}
	d.shut = state >> 32
	return true
}
