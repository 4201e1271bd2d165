package launch

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/tools"
)

// These methods answer spaces that compute nodes with code of their own. A launch computes nothing for them
// unless a space asks.

// Fold implements [device.Job].
func (j *Job) Fold() (f device.Fold, ok bool) { return j.FoldOf(0, j.Grid.Items) }

// FoldOf implements [device.Job].
func (j *Job) FoldOf(begin, end int) (f device.Fold, ok bool) {
	if j.ask().Kind != tools.Fold || !j.asked("fold") {
		return device.Fold{}, false
	}
	return j.foldOf(begin, end) // which allocates
}

func (j *Job) foldOf(begin, end int) (f device.Fold, ok bool) {
	a := j.ask()
	if begin < 0 || begin > end || end > j.Grid.Items {
		return f, j.Refuse(fmt.Errorf("exec: the space asked for the fold of items %d to %d, expected 0 <= begin <= end <= %d", begin, end, j.Grid.Items))
	}
	if a.Folds == nil || !j.GuardAt(j.All(), func() bool { // reducers are asked
		if !a.Folds.Fold(&f, begin, end) {
			return false
		}
		for c, r := range j.results() {
			f.Columns[c].Column, f.Columns[c].Layout = r.Column, r.Layout
		}
		return true
	}) {
		return device.Fold{}, false
	}
	return f, true
}

// Functor implements [device.Job].
func (j *Job) Functor() device.Functor {
	f := device.Functor{Label: j.label}
	if !j.asked("functor") {
		return f
	}
	a := j.ask()
	f.Func = a.Functor
	if a.Items != nil {
		f.Box = a.Items.Box()
	}
	if a.Teams != nil {
		f.Teams = a.Teams.Shape()
	}
	j.GuardAt(j.All(), func() bool { // reducers are asked
		if a.Scans != nil {
			if x := new(device.Scan); !a.Scans.Values(x) {
				f.Scan = x
			}
		}
		f.Columns = j.results()
		for k, c := range j.Columns {
			if f.Columns[k].Layout != "" {
				f.Columns[k].Identity, _ = c.AppendIdentity(nil) // nil if its form cannot have it
			}
		}
		return true
	})
	return f
}

// asked reports whether the space may ask: before Open, or at any time if the job has a fingerprint.
// Otherwise it refuses the space.
func (j *Job) asked(what string) bool {
	return j.Opens == 0 || j.Carries || j.Refuse(fmt.Errorf("exec: the space asked for the job's %s after Open, expected it before", what))
}

// results describes the columns and the layouts of their values.
func (j *Job) results() []device.Result {
	list := make([]device.Result, len(j.Columns))
	for k, c := range j.Columns {
		list[k] = device.Result{Column: j.Describe(c), Operation: c.Operation()}
		list[k].Layout, _ = c.Layout() // zero if there is none
	}
	return list
}

// Describe returns the description of a column for devices.
func (j *Job) Describe(c Column) device.Column {
	x := c.Profile(j.Grid.Lanes)
	return device.Column{Reducer: c.Name(), Bytes: x.Bytes, Flat: x.Flat, Exact: x.Exact, Lanes: x.Lanes}
}

// Accept implements [device.Job].
func (j *Job) Accept(worker, first, last, slot int, value []byte) bool {
	n := Node{first, last}
	if !j.ready(worker, slot, n) {
		return false
	}
	ok := j.guard(&j.Walks[worker].Place, func() bool {
		if j.Past(first) || j.Cancelled() {
			return false
		}
		var err error
		if a := j.ask(); a.Scans != nil {
			err = a.Scans.AcceptAll(n, value)
		} else {
			err = j.putLeaves(worker, slot, n, value)
		}
		if err != nil {
			return j.Refuse(fmt.Errorf("exec: the space computed leaves %d to %d: %w", first, last-1, err))
		}
		return true
	})
	if !ok {
		j.hold(slot, Node{})
	}
	return ok
}

// Fail implements [device.Failer].
func (j *Job) Fail(item int, value any) {
	if j.Opens == 0 || item < 0 || item >= j.Grid.Items {
		j.Refuse(fmt.Errorf("exec: the space told of a panic in item %d, having opened the job %d times, expected once or more and an item from 0 to %d", item, j.Opens, j.Grid.Items-1))
		return
	}
	leaf := item / j.leaf()
	index := ""
	if j.ask().Items != nil {
		index = j.ask().Items.IndexOf(item)
	}
	j.Keep(leaf, fault{panic: &space.Panic{Value: value, Index: index, Begin: item, End: item + 1, Label: j.label}})
}

// Scan implements [device.Job].
func (j *Job) Scan() (x device.Scan, ok bool) {
	a := j.ask()
	if a.Kind != tools.Scan || !j.asked("scan") || a.Scans == nil {
		return device.Scan{}, false
	}
	return j.scan(a.Scans) // which allocates
}

func (j *Job) scan(s Scanner) (x device.Scan, ok bool) {
	if !j.GuardAt(j.All(), func() bool { return s.Values(&x) }) { // the reducer is asked
		return device.Scan{}, false
	}
	return x, true
}
