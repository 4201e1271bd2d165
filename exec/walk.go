package exec

import (
	"iter"
	"time"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/workers"
)

// A walk is where a worker of a launch is, and what it works with. Everything that the worker changes is here, in
// lines of the cache of its own.
type walk struct {
	place
	worker int
	job    *job
	lanes  [maxAccumulators]reduce.Lanes // that the loop over a leaf joins items into, of each reduction
	looks
	_ [lineBytes]byte
}

// at lets the worker be at the leaves of a node, and in no functor.
func (w *walk) at(n node) { w.node, w.form = n, nowhere }

// A place is the leaves that are worked on, and the index that the functor has.
type place struct {
	node
	where
}

// maxAccumulators is how many accumulators a functor may have.
const maxAccumulators = 4

// openWalks makes ready for that many workers. Walks of before are used again.
func (j *job) openWalks(workers int) {
	if cap(j.walks) < workers {
		j.walks = make([]walk, 0, workers)
	}
	for k := len(j.walks); k < workers; k++ {
		j.walks = j.walks[:k+1]
		j.walks[k].worker, j.walks[k].job = k, j
	}
	if j.done != nil {
		for k := range workers {
			j.walks[k].looks = looks{}
		}
	}
}

// looks says how many items a worker may run before it looks whether the launch is cancelled.
//
// What an item takes is measured from look to look, and anew in each launch, as the functor
// may have heavier items than in the one before. The first look is before the first item,
// the second one behind it, the third one behind its row of lanes.
type looks struct {
	until int // items until the next look
	items int // items from the last look to the next, 0 before the first
	last  time.Duration
}

// lookClock is the clock that items are timed with.
var lookClock = workers.Now

// cancelled looks whether the launch is cancelled. It is for kernels that do not run item by
// item.
func (w *walk) cancelled() bool { return w.job.cancelled() }

// pieces yields the parts of items begin to end that a worker runs between two looks, in
// order, and no more of them once the launch is cancelled.
//
// A part begins at lane 0 or stays in a row. Leaves begin at multiples of their number of
// lanes L, so that item k of the launch is of lane k mod L.
func (w *walk) pieces(begin, end int) iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
		for begin < end {
			to := w.upTo(begin, end)
			if to == begin || !yield(begin, to) {
				return
			}
			begin = to
		}
	}
}

// upTo returns up to where the worker may run items begin to end now; that is begin, and
// nowhere else, if the launch is cancelled. A launch that cannot be cancelled has no looks.
func (w *walk) upTo(begin, end int) int {
	if w.job.done == nil {
		return end
	}
	return w.piece(begin, end)
}

// left takes note that the worker has not run that many of the items that it might have.
func (w *walk) left(items int) { w.until += items }

// rows is upTo for items that are run in whole rows.
func (w *walk) rows(begin, end int) int {
	to := w.upTo(begin, end)
	if to > begin {
		to = min(roundUp(to, rowItems), end)
	}
	return to
}

func (w *walk) piece(begin, end int) int {
	if w.until == 0 && w.look(begin) {
		return begin
	}
	to := min(begin+w.until, end)
	if before := begin % rowItems; before > 0 {
		to = min(to, begin-before+rowItems)
	}
	w.until -= to - begin
	return to
}

// look looks whether the launch is cancelled. If not, it lets the worker run as many items
// from that one on as take about pollEvery if they are like those before.
func (w *walk) look(begin int) (cancelled bool) {
	if w.job.cancelled() {
		return true
	}
	t := lookClock()
	fit := time.Duration(w.items) * pollEvery / max(t-w.last, 1)
	w.items = max(1, min(int(fit), w.items*rowItems, pollItems))
	w.until, w.last = w.items, t
	if w.items >= rowItems {
		w.until -= (begin + w.items) % rowItems // no part of a row
	}
	return false
}

// roundUp returns the smallest multiple of unit that is not below n.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
