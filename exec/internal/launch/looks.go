package launch

import (
	"iter"
	"time"

	"github.com/gokkos/gokkos/internal/workers"
)

// LookClock is the clock that items are timed with.
var LookClock = workers.Now

// Pieces yields the parts of items begin to end that a worker runs between two looks, in
// order, and no more of them once the launch is cancelled.
//
// A part begins at lane 0 or stays in a row. Leaves begin at multiples of their number of
// lanes L, so that item k of the launch is of lane k mod L.
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

// UpTo returns up to where the worker may run items begin to end now; that is begin, and
// nowhere else, if the launch is cancelled. A launch that cannot be cancelled has no looks.
func (w *Walk) UpTo(begin, end int) int {
	if w.done == nil {
		return end
	}
	return w.piece(begin, end)
}

// Left takes note that the worker has not run that many of the items that it might have.
func (w *Walk) Left(items int) { w.until += items }

// Rows is UpTo for items that are run in whole rows.
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

// look looks whether the launch is cancelled. If not, it lets the worker run as many items
// from that one on as take about pollEvery if they are like those before.
func (w *Walk) look(begin int) (cancelled bool) {
	if w.Cancelled() {
		return true
	}
	t := LookClock()
	fit := time.Duration(w.items) * pollEvery / max(t-w.last, 1)
	w.items = max(1, min(int(fit), w.items*rowItems, PollItems))
	w.until, w.last = w.items, t
	if w.items >= rowItems {
		w.until -= (begin + w.items) % rowItems // no part of a row
	}
	return false
}

// RoundUp returns the smallest multiple of unit that is not below n.
func RoundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
