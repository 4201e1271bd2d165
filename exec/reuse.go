package exec

import (
	"slices"
	"sync"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/typed"
)

// jobs are those of launches that are over. A launch takes one, with all that launches
// of its kind have needed before: it allocates only what is new to it.
//
// A job is given back once nothing runs any more that could see it, and only after a
// launch that went well: what a panic has torn is left to the garbage collector, as are
// jobs that nobody has taken for a while.
var jobs = sync.Pool{New: func() any { return new(job) }}

// take returns a job, and what it keeps of type K.
func take[K any, P kept[K]]() (*job, P) {
	j := jobs.Get().(*job)
	return j, keep[K, P](j)
}

// keep returns what a job keeps of type K, for the launches that need one.
func keep[K any, P kept[K]](j *job) P {
	if k, ok := j.keptAs(P(nil)).(P); ok {
		return k
	}
	k := P(new(K))
	j.add(k)
	return k
}

// kept is what a job keeps from one launch to the next: kernels, and what knows types.
type kept[K any] interface {
	*K
	owner
}

// An owner lets go of what a launch has given it.
type owner interface{ release() }

// keptAs returns what the job keeps of other's type, or nil. It moves up in the list, as the next launch may want it, too.
func (j *job) keptAs(other owner) owner {
	for n, k := range j.kept {
		if typed.Same(k, other) {
			j.kept[n], j.kept[n/2] = j.kept[n/2], k
			return k
		}
	}
	return nil
}

// add keeps k for launches to come. In a full list k goes to the middle, and the last one goes: at the end, the second of two
// new things would push out the first.
func (j *job) add(k owner) {
	if len(j.kept) == maxKept {
		j.kept = slices.Insert(j.kept[:maxKept-1], maxKept/2, k)
		return
	}
	j.kept = append(j.kept, k)
}

// give gives the job back after a launch. The job then refers to nothing that its caller
// gave.
func (j *job) give() {
	j.kernel.release()
	if j.hint.SlotStride == 1 || j.workers > maxKeptWalks { // what columns let go of is not to be kept here
		for k := range j.walks {
			j.walks[k].lanes = [maxAccumulators]reduce.Lanes{}
		}
	}
	clear(j.columns)
	j.kernel, j.about, j.whole, j.columns, j.later = nil, about{}, nil, j.columns[:0], nil
	j.label, j.origin, j.context, j.done, j.stepped, j.memo = "", "", nil, nil, false, nil
	j.toStep, j.opens, j.carries, j.told = false, 0, false, false
	j.ordered, j.laneAt, j.labels = false, nil, nil
	j.nodes, j.workers, j.span = j.nodes[:0], 0, 0 // not opened
	j.drop()
}

// drop gives back a job that no launch has had.
func (j *job) drop() { jobs.Put(j) }
