package items

import (
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/policy"
)

// aheads are the runs that workers have fetched and not yet run. Finding the begin of a leaf in a box takes
// some divisions. Mostly a worker's next leaf begins where its last leaf ended, so a worker fetches runs
// beyond its leaf.
type aheads struct {
	items   int // number of items of the launch
	buf     Buffers[policy.Run]
	workers []ahead
}

// ahead is the runs that one worker has fetched.
type ahead struct {
	begin int          // first item of runs
	end   int          // first item behind runs
	runs  []policy.Run // not yet run, in the worker's buffer
	cut   bool         // runs[0] was handed out up to the end of a leaf: rest is what remains of it
	rest  policy.Run
	_     [launch.LineBytes]byte
}

func (x *aheads) Open(workers, items int) {
	x.items = items
	x.buf.Open(workers, launch.BlockRuns)
	x.workers = reuse.Resize(x.workers, workers)
	clear(x.workers)
}

// next returns at most most runs of items begin to end-1, and the first item behind them. The runs are the
// caller's until its next call.
func (x *aheads) next(of policy.Runs, worker, begin, end, most int) (runs []policy.Run, rest int) {
	a := &x.workers[worker]
	if len(a.runs) == 0 || a.begin != begin {
		dst := x.buf.Room(worker, launch.BlockRuns)
		n, to := of.NextRuns(begin, x.items, dst)
		a.begin, a.end, a.runs, a.cut = begin, to, dst[:n], false
	}
	if a.cut {
		a.runs[0], a.cut = a.rest, false
	}
	n, to := len(a.runs), a.end
	if n > most || to > end {
		n, to = reach(a.runs[:min(n, most)], begin, end)
	}
	runs = a.runs[:n]
	if a.cut = to > end; a.cut { // the last one goes on in the next leaf
		n--
		last := &runs[n]
		a.rest = *last
		last.Len -= to - end
		Advance(&a.rest, last.Len)
		to = end
	}
	a.begin, a.runs = to, a.runs[n:]
	return runs, to
}

// reach returns how many of the runs, which begin at item begin, it takes to reach item end, and the first
// item behind them. It returns all runs if they end before.
func reach(runs []policy.Run, begin, end int) (n, to int) {
	for to = begin; n < len(runs) && to < end; n++ {
		to += runs[n].Len
	}
	return n, to
}
