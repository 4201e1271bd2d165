package launch

import "github.com/gokkos/gokkos/internal/reduce"

// A Walk is where a worker of a launch is, and what it works with. Everything that the worker changes is here, in
// lines of the cache of its own.
type Walk struct {
	Place
	Worker int
	Job    *Job
	Lanes  [MaxAccumulators]reduce.Lanes // that the loop over a leaf joins items into, of each reduction
	looks
	_ [LineBytes]byte
}

// At lets the worker be at the leaves of a node, and in no functor.
func (w *Walk) At(n Node) { w.Node, w.Form = n, Nowhere }

// A Place is the leaves that are worked on, and the index that the functor has.
type Place struct {
	Node
	Where
}

// MaxAccumulators is how many accumulators a functor may have.
const MaxAccumulators = 4

// openWalks makes ready for that many workers. Walks of before are used again.
func (j *Job) openWalks(workers int) {
	if cap(j.Walks) < workers {
		j.Walks = make([]Walk, 0, workers)
	}
	for k := len(j.Walks); k < workers; k++ {
		j.Walks = j.Walks[:k+1]
		j.Walks[k].Worker, j.Walks[k].Job = k, j
	}
	if j.done != nil {
		for k := range workers {
			j.Walks[k].looks = looks{}
		}
	}
}

// NextLeaf gives the worker the lanes of the leaf that comes so many behind the one that it has the lanes of.
func (w *Walk) NextLeaf(leaves int) {
	if leaves == 0 {
		return
	}
	for k := range w.Job.Columns {
		w.Lanes[k] = w.Lanes[k].Next(leaves)
	}
}
