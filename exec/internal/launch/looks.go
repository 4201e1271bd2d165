package launch

import (
	"iter"
	"time"

	"github.com/gokkos/gokkos/internal/workers"
)

// LookClock is the clock that measures the time between looks.
var LookClock = workers.Now

// Pieces yields the parts of items begin to end-1 that a worker runs between two looks, in order. It ends
// early if the launch is cancelled.
//
// A part begins at lane 0 or stays in one row of lanes. Leaves begin at multiples of their number of lanes L,
// so item k of the launch belongs to lane k mod L.
func (w *Walk) Pieces(begin, end int) iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
		for begin < end {
			to := w.UpTo(begin, end)
			if to == begin || !yield(begin, to) {
				return
			}
			begin = to
		}
	}
}

// UpTo returns the end of the items from begin on, at most end, that the worker may run before it looks
// again. It returns begin only if the launch is cancelled. A launch that cannot be cancelled has no looks.
func (w *Walk) UpTo(begin, end int) int {
	if w.done == nil {
		return end
	}
	return w.piece(begin, end)
}

// Left gives back items that UpTo allowed and the worker did not run.
func (w *Walk) Left(items int) { w.until += items }

// Rows is UpTo rounded up to whole rows of lanes.
func (w *Walk) Rows(begin, end int) int {
	to := w.UpTo(begin, end)
	if to > begin {
		to = min(RoundUp(to, rowItems), end)
	}
	return to
}

func (w *Walk) piece(begin, end int) int {
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

// look reports whether the launch is cancelled. If not, it allows as many items as take about pollEvery at
// the speed of the items before.
func (w *Walk) look(begin int) (cancelled bool) {
	if w.Cancelled() {
		return true
	}
	t := LookClock()
	fit := time.Duration(w.items) * pollEvery / max(t-w.last, 1)
	w.items = max(1, min(int(fit), w.items*rowItems, PollItems))
	w.until, w.last = w.items, t
	if w.items >= rowItems {
		w.until -= (begin + w.items) % rowItems // end at a row's end
	}
	return false
}

// RoundUp returns the smallest multiple of unit that is not below n.
func RoundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
