package exec

import (
	"sync"

	"github.com/gokkos/gokkos/internal/reduce"
)

// jobs are those of launches that are over. A launch takes one, with all that launches
// of its kind have needed before: it allocates only what is new to it.
//
// A job is given back once nothing runs any more that could see it, and only after a
// launch that went well: what a panic has torn is left to the garbage collector, as are
// jobs that nobody has taken for a while.
var jobs = sync.Pool{New: func() any { return new(job) }}

// take returns a job, and what launches of type K keep.
func take[K any, P interface {
	*K
	owner
}]() (*job, P) {
	j := jobs.Get().(*job)
	for _, old := range j.kept {
		if k, ok := old.(P); ok {
			return j, k
		}
	}
	k := P(new(K))
	j.keepOwner(k)
	return j, k
}

// keepOwner keeps what a launch has for launches of its kind. It is apart from take, which is compiled for each kind.
func (j *job) keepOwner(k owner) {
	if len(j.kept) == maxKeptKernels { // the oldest goes
		j.kept = append(j.kept[:0], j.kept[1:]...)
	}
	j.kept = append(j.kept, k)
}

// An owner is what a launch of some types has: the kernel, and what knows the types.
type owner interface{ release() }

// give gives the job back after a launch. The job then refers to nothing that its caller
// gave.
func (j *job) give() {
	j.kernel.release()
	if j.hints.SlotStride == 1 || j.workers > maxKeptWalks { // what columns let go of is not to be kept here
		for k := range j.walks {
			j.walks[k].lanes = [maxAccumulators]reduce.Lanes{}
		}
	}
	clear(j.columns)
	j.kernel, j.whole, j.columns, j.later = nil, nil, j.columns[:0], nil
	j.label, j.origin, j.context, j.done, j.stepped, j.memo = "", "", nil, nil, false, nil
	j.toStep, j.opens, j.carries, j.told = false, 0, false, false
	j.ordered, j.laneAt, j.labels = false, nil, nil
	j.nodes, j.workers, j.span = j.nodes[:0], 0, 0 // not opened
	jobs.Put(j)
}
