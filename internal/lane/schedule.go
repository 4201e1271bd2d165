package lane

import (
	"math/bits"

	"github.com/gokkos/gokkos/internal/schedule"
)

// picker chooses the lane that runs next, of those that can. A meeting is released as soon
// as the last of its lanes has come, so that lanes run ahead of others as far as barriers let
// them.
type picker struct {
	kind   uint64
	warp   int      // lanes of a warp
	ready  []uint64 // the lanes that can run, a bit each
	count  int
	last   int // the lane that was chosen last
	random splitmix
}

// begin makes all lanes of a block ready.
func (p *picker) begin(b Block) {
	p.kind, p.warp = b.Schedule, b.Warp
	if p.warp == 0 {
		p.warp = defaultWarp
	}
	p.count, p.last, p.random = 0, 0, splitmix(b.Schedule)
	words := (b.Lanes + 63) / 64
	if cap(p.ready) < words {
		p.ready = make([]uint64, words)
	}
	p.ready = p.ready[:words]
	clear(p.ready)
	p.add(0, b.Lanes)
}

// defaultWarp is the number of lanes of a warp where the block does not say.
const defaultWarp = 32

// add makes the lanes from begin to end-1 ready, none of which is.
func (p *picker) add(begin, end int) {
	p.count += end - begin
	for r := begin; r < end; {
		n := min(64-r&63, end-r)
		p.ready[r>>6] |= (^uint64(0) >> (64 - n)) << (r & 63)
		r += n
	}
}

// take chooses a lane, of which there must be one, and makes it unready.
func (p *picker) take() int {
	var r int
	switch p.kind {
	case schedule.WarpFirst:
		r = p.within(p.last / p.warp * p.warp)
		if r < 0 {
			r = p.after(p.last)
		}
	case schedule.LastWarpFirst:
		r = p.within(p.highest() / p.warp * p.warp)
	case schedule.LaneFirst:
		r = p.after(p.last)
	default:
		k, _ := bits.Mul64(p.random.next(), uint64(p.count))
		r = p.nth(int(k))
	}
	p.ready[r>>6] &^= 1 << (r & 63)
	p.count--
	p.last = r
	return r
}

// after returns the first ready lane from r on, and then from 0 on.
func (p *picker) after(r int) int {
	if k := p.from(r); k >= 0 {
		return k
	}
	return p.from(0)
}

// within returns the first ready lane of the warp that begins at a rank: from the last chosen
// on, if that is one of them, and then from its beginning. It is -1 if there is none.
func (p *picker) within(begin int) int {
	end := begin + p.warp
	if begin <= p.last && p.last < end {
		if k := p.from(p.last); k >= 0 && k < end {
			return k
		}
	}
	if k := p.from(begin); k < end {
		return k
	}
	return -1
}

// from returns the first ready lane from r on, or -1.
func (p *picker) from(r int) int {
	for w, mask := r>>6, ^uint64(0)<<(r&63); w < len(p.ready); w, mask = w+1, ^uint64(0) {
		if x := p.ready[w] & mask; x != 0 {
			return w<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
}

// highest returns the last ready lane.
func (p *picker) highest() int {
	w := len(p.ready) - 1
	for p.ready[w] == 0 {
		w--
	}
	return w<<6 + 63 - bits.LeadingZeros64(p.ready[w])
}

// nth returns ready lane number k, of those in ascending order.
func (p *picker) nth(k int) int {
	w := 0
	for n := bits.OnesCount64(p.ready[w]); k >= n; n = bits.OnesCount64(p.ready[w]) {
		k -= n
		w++
	}
	x := p.ready[w]
	for range k {
		x &= x - 1
	}
	return w<<6 + bits.TrailingZeros64(x)
}
