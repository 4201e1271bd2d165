package launch

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
var jobs = sync.Pool{New: func() any { return new(Job) }}

// Take returns a job, and what it keeps of type K.
func Take[K any, P kept[K]]() (*Job, P) {
	j := jobs.Get().(*Job)
	return j, Keep[K, P](j)
}

// Keep returns what a job keeps of type K, for the launches that need one.
func Keep[K any, P kept[K]](j *Job) P {
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
	Owner
}

// keptAs returns what the job keeps of other's type, or nil. It moves up in the list, as the next launch may want it, too.
func (j *Job) keptAs(other Owner) Owner {
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
func (j *Job) add(k Owner) {
	if len(j.kept) == maxKept {
		j.kept = slices.Insert(j.kept[:maxKept-1], maxKept/2, k)
		return
	}
	j.kept = append(j.kept, k)
}

// Give gives the job back after a launch. The job then refers to nothing that its caller
// gave.
func (j *Job) Give() {
	j.kernel.Release()
	if j.Hint.SlotStride == 1 || j.Workers > maxKeptWalks { // what columns let go of is not to be kept here
		for k := range j.Walks {
			j.Walks[k].Lanes = [MaxAccumulators]reduce.Lanes{}
		}
	}
	clear(j.Columns)
	j.unask()
	j.kernel, j.whole, j.Columns, j.Later = nil, nil, j.Columns[:0], nil
	j.label, j.origin, j.context, j.done, j.Stepped, j.memo = "", "", nil, nil, false, nil
	j.toStep, j.Opens, j.Carries, j.told = false, 0, false, false
	j.ordered, j.laneAt, j.Labels, j.samples = false, nil, nil, nil
	j.nodes, j.Workers, j.span = j.nodes[:0], 0, 0 // not opened
	j.Drop()
}

// Drop gives the job back.
func (j *Job) Drop() { jobs.Put(j) }
