package exec

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
)

// What a space must know of a job, and may do, to compute nodes with code of its own. Nothing
// of it is kept by a launch that nobody asks.

// Fold implements [space.Folder].
func (j *job) Fold() (f space.Fold, ok bool) { return j.FoldOf(0, j.grid.Items) }

// FoldOf implements [space.PartFolder].
func (j *job) FoldOf(begin, end int) (f space.Fold, ok bool) {
	k := j.about.folds
	if k == nil || !j.asked("fold") {
		return space.Fold{}, false
	}
	if begin < 0 || begin > end || end > j.grid.Items {
		return f, j.refuse(fmt.Errorf("exec: the space asked for the fold of items %d to %d, expected 0 <= begin <= end <= %d", begin, end, j.grid.Items))
	}
	if !j.guardAt(j.all(), func() bool { // reducers are asked
		if !k.fold(&f, begin, end) {
			return false
		}
		for c, r := range j.results() {
			f.Columns[c].Column, f.Columns[c].Layout = r.Column, r.Layout
		}
		return true
	}) {
		return space.Fold{}, false
	}
	return f, true
}

// Functor implements [space.Caller].
func (j *job) Functor() space.Functor {
	f := space.Functor{Label: j.label}
	if !j.asked("functor") {
		return f
	}
	a := &j.about
	f.Func = a.functor
	if a.items != nil && a.nodes == nil { // leaves of a scan have prefixes beside their sums
		f.Box = a.items.box()
	}
	j.guardAt(j.all(), func() bool { f.Columns = j.results(); return true })
	return f
}

// asked refuses a space that asks for what must be known before Open.
func (j *job) asked(what string) bool {
	return j.opens == 0 || j.carries || j.refuse(fmt.Errorf("exec: the space asked for the job's %s after Open, expected it before", what))
}

// results describes the columns, and chooses the forms of their values.
func (j *job) results() []space.Result {
	list := make([]space.Result, len(j.columns))
	for k, c := range j.columns {
		list[k] = space.Result{Column: j.describe(c), Operation: c.Operation()}
		list[k].Layout, _ = c.Layout() // or none
	}
	return list
}

// describe returns what devices know of a column.
func (j *job) describe(c column) space.Column {
	x := c.Profile(j.grid.Lanes)
	return space.Column{Reducer: c.Name(), Bytes: x.Bytes, Flat: x.Flat, Exact: x.Exact, Lanes: x.Lanes}
}

var errRunsItself = errors.New("expected Run: they are more than their values")

// Accept implements [space.Accepter].
func (j *job) Accept(worker, first, last, slot int, value []byte) bool {
	n := node{first, last}
	if !j.ready(worker, slot, n) {
		return false
	}
	ok := j.guard(&j.walks[worker].place, func() bool {
		if j.past(first) || j.Cancelled() {
			return false
		}
		var err error
		switch a := &j.about; {
		case a.scans != nil:
			err = a.scans.acceptAll(n, value)
		case a.runs:
			err = errRunsItself
		default:
			err = j.putNode(slot, n, value)
		}
		if err != nil {
			return j.refuse(fmt.Errorf("exec: the space computed leaves %d to %d: %w", first, last-1, err))
		}
		return true
	})
	if !ok {
		j.hold(slot, node{})
	}
	return ok
}

// Fail implements [space.Failer].
func (j *job) Fail(item int, value any) {
	if j.opens == 0 || item < 0 || item >= j.grid.Items {
		j.refuse(fmt.Errorf("exec: the space told of a panic in item %d, having opened the job %d times, expected once or more and an item from 0 to %d", item, j.opens, j.grid.Items-1))
		return
	}
	leaf := item / j.leaf()
	index := ""
	if j.about.items != nil {
		index = j.about.items.indexOf(item)
	}
	j.keep(leaf, fault{panic: &Panic{Value: value, Index: index, Begin: item, End: item + 1, Label: j.label}})
}

// Scan implements [space.Scanner].
func (j *job) Scan() (x space.Scan, ok bool) {
	k := j.about.scans
	if k == nil || !j.asked("scan") {
		return space.Scan{}, false
	}
	if !j.guardAt(j.all(), func() bool { k.values(&x); return true }) { // the reducer is asked
		return space.Scan{}, false
	}
	return x, true
}
