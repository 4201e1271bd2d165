package exec

import (
	"iter"
	"time"

	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/workers"
)

// A poller says how many items each worker of a launch may run before it looks whether the
// launch is cancelled. A nil poller is that of a launch that cannot be: all of them.
//
// What an item takes is measured from look to look, and anew in each launch, as the functor
// may have heavier items than in the one before. The first look is before the first item,
// the second one behind it, the third one behind its row of lanes.
type poller struct {
	job     *job
	workers []poll
}

// poll is when one worker looks.
type poll struct {
	left  int // items until the next look
	items int // items from the last look to the next, 0 before the first
	last  time.Duration
	_     [lineBytes]byte
}

// pollClock is the clock that items are timed with.
var pollClock = workers.Now

// poller returns the poller of a launch on that many workers, nil if it cannot be cancelled.
func (j *job) poller(workers int) *poller {
	if j.done == nil {
		return nil
	}
	p := &j.poll
	p.job, p.workers = j, reuse.Resize(p.workers, workers)
	clear(p.workers)
	return p
}

// cancelled looks whether the launch is cancelled. It is for kernels that do not run item by
// item.
func (p *poller) cancelled() bool { return p != nil && p.job.cancelled() }

// pieces yields the parts of items begin to end that a worker runs between two looks, in
// order, and no more of them once the launch is cancelled.
//
// A part begins at lane 0 or stays in a row. Leaves begin at multiples of their number of
// lanes L, so that item k of the launch is of lane k mod L.
func (p *poller) pieces(worker, begin, end int) iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
		for begin < end {
			to := p.upTo(worker, begin, end)
			if to == begin || !yield(begin, to) {
				return
			}
			begin = to
		}
	}
}

// upTo returns up to where a worker may run items begin to end now; that is begin, and
// nowhere else, if the launch is cancelled.
func (p *poller) upTo(worker, begin, end int) int {
	if p == nil {
		return end
	}
	return p.piece(worker, begin, end)
}

// left takes note that a worker has not run that many of the items that it might have.
func (p *poller) left(worker, items int) {
	if p != nil {
		p.workers[worker].left += items
	}
}

// rows is upTo for items that are run in whole rows.
func (p *poller) rows(worker, begin, end int) int {
	to := p.upTo(worker, begin, end)
	if to > begin {
		to = min(roundUp(to, rowItems), end)
	}
	return to
}

func (p *poller) piece(worker, begin, end int) int {
	w := &p.workers[worker]
	if w.left == 0 && p.look(w, begin) {
		return begin
	}
	to := min(begin+w.left, end)
	if before := begin % rowItems; before > 0 {
		to = min(to, begin-before+rowItems)
	}
	w.left -= to - begin
	return to
}

// look looks whether the launch is cancelled. If not, it lets the worker run as many items
// from that one on as take about pollEvery if they are like those before.
func (p *poller) look(w *poll, begin int) (cancelled bool) {
	if p.job.cancelled() {
		return true
	}
	t := pollClock()
	fit := time.Duration(w.items) * pollEvery / max(t-w.last, 1)
	w.items = max(1, min(int(fit), w.items*rowItems, pollItems))
	w.left, w.last = w.items, t
	if w.items >= rowItems {
		w.left -= (begin + w.items) % rowItems // no part of a row
	}
	return false
}

// roundUp returns the smallest multiple of unit that is not below n.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
