package cuda

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"

	"github.com/gokkos/gokkos/exec/space"
)

// A pace is how long items of a kernel take, as far as that is known: a piece should end before anybody who
// watches the device takes it for stuck, and before who cancels a launch has waited for long.
type pace struct {
	perItem atomic.Uint64 // nanoseconds, the bits of a float64
	runs    atomic.Int32  // how often that was measured: the first time, the driver may load code
	shared  atomic.Uint64 // the same of launches that several cards share, 0 if not known
	shares  atomic.Int32  // launches that they have shared
}

const (
	pieceTime  = 250 * time.Millisecond
	probeItems = 1 << 20 // of a kernel that nothing is known of
)

// width returns how many leaves the next piece should have, a power of two.
func (p *pace) width(g space.Grid) int {
	items := float64(probeItems)
	if each := math.Float64frombits(p.perItem.Load()); each > 0 {
		items = float64(pieceTime) / each
	}
	leaves := min(max(items/float64(g.Leaf), 1), 1<<30)
	return 1 << (bits.Len(uint(leaves)) - 1)
}

// of returns how long that many items take, or 0 if nothing is known.
func (p *pace) of(items int) time.Duration {
	return time.Duration(math.Float64frombits(p.perItem.Load()) * float64(items))
}

// ran takes note of how long items took, unless that is how long a launch takes.
func (p *pace) ran(items int, took time.Duration) {
	if items < 1<<16 && took < shareTime {
		return
	}
	p.perItem.Store(math.Float64bits(max(float64(took), 1) / float64(items)))
	p.runs.Add(1)
}

// pays reports whether cards should share a launch that takes one of them so long that it begins on the others meanwhile.
// Where no view has parts on several cards, elements may come over the link for too long: launches tell. What
// they have told counts for less each time, so that the cards try it again.
func (p *pace) pays(items int, spread bool) bool {
	alone, shared := p.of(items), math.Float64frombits(p.shared.Load())
	switch {
	case spread:
		return alone >= shareTime/3
	case alone < shareTime || p.runs.Load() < 2:
		return false
	case time.Duration(shared*float64(items)) <= alone:
		return true
	}
	p.shared.Store(math.Float64bits(.99 * shared))
	return false
}

// sharedBy takes note of how long items took several cards. The first time, they make queues.
func (p *pace) sharedBy(items int, took time.Duration) {
	if p.shares.Add(1) > 1 {
		p.shared.Store(math.Float64bits(float64(took) / float64(items)))
	}
}
