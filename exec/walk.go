package exec

import "github.com/gokkos/gokkos/internal/reduce"

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

// nextLeaf gives the worker the lanes of the leaf that comes so many behind the one that it has the lanes of.
func (w *walk) nextLeaf(leaves int) {
	if leaves == 0 {
		return
	}
	for k := range w.job.columns {
		w.lanes[k] = w.lanes[k].Next(leaves)
	}
}
