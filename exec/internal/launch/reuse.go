package launch

import (
	"slices"
	"sync"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/typed"
)

// jobs are the jobs of launches that are over. A launch takes one, with all that launches of its kind have
// needed before: it allocates only what is new to it.
//
// A job is given back once nothing that could see it runs any more, and only after a launch that went well.
// Jobs of failed launches, and jobs unused for a while, are left to the garbage collector.
var jobs = sync.Pool{New: func() any { return new(Job) }}

// Take returns a job, and its kept value of type K.
func Take[K any, P kept[K]]() (*Job, P) {
	j := jobs.Get().(*Job)
	return j, Keep[K, P](j)
}

// Keep returns the value of type K that a job keeps, or makes one.
func Keep[K any, P kept[K]](j *Job) P {
	if k, ok := j.keptAs(P(nil)).(P); ok {
		return k
	}
	k := P(new(K))
	j.add(k)
	return k
}

// kept is what a job keeps from one launch to the next: kernels, and values that know types.
type kept[K any] interface {
	*K
	Owner
}

// keptAs returns the kept value of other's type, or nil. It moves the value up in the list, as the next
// launch may want it, too.
func (j *Job) keptAs(other Owner) Owner {
	for n, k := range j.kept {
		if typed.Same(k, other) {
			j.kept[n], j.kept[n/2] = j.kept[n/2], k
			return k
		}
	}
	return nil
}

// add keeps k for later launches. In a full list k goes to the middle, and the last value is dropped. At the
// end, the second of two new values would push out the first.
func (j *Job) add(k Owner) {
	if len(j.kept) == maxKept {
		j.kept = slices.Insert(j.kept[:maxKept-1], maxKept/2, k)
		return
	}
	j.kept = append(j.kept, k)
}

// Give clears the job of all that its caller gave, and gives it back for another launch.
func (j *Job) Give() {
	j.kernel.Release()
	if j.Hint.SlotStride == 1 || j.Workers > maxKeptWalks { // columns drop these lanes
		for k := range j.Walks {
			j.Walks[k].Lanes = [MaxAccumulators]reduce.Lanes{}
		}
	}
	clear(j.Columns)
	j.unask()
	j.kernel, j.Columns, j.Later = nil, j.Columns[:0], nil
	j.label, j.origin, j.context, j.done, j.Stepped, j.memo = "", "", nil, nil, false, nil
	j.toStep, j.Opens, j.Carries, j.told = false, 0, false, false
	j.ordered, j.laneAt, j.Labels, j.samples = false, nil, nil, nil
	j.nodes, j.Workers, j.span = j.nodes[:0], 0, 0 // not opened
	j.Drop()
}

// Drop gives back a job as it is.
func (j *Job) Drop() { jobs.Put(j) }
