package exec

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// What a space must know of a job, and may do, to compute nodes with code of its own. Nothing
// of it is kept by a launch that nobody asks.

// folder is a kernel that may read its values from memory.
type folder interface {
	// inMemory reports whether it does, or calls a function for them.
	inMemory() bool
	// fold tells of items begin to end-1, and returns whether their values are in the memory of this
	// process.
	fold(f *space.Fold, begin, end int) bool
}

// caller is a kernel that may call a functor.
type caller interface {
	called() any
}

// boxed is a kernel whose items may have the indices of a box.
type boxed interface {
	box() *space.Box
}

// describer is a kernel that tells launches over different items apart.
type describer interface {
	appendItems(buf []byte) []byte
}

// indexer is a kernel that knows the index of an item, as text: see [Panic].
type indexer interface {
	indexOf(item int) string
}

// runsItself is a kernel whose nodes are more than values: they must run.
type runsItself interface{ runsItself() }

// Fold implements [space.Folder].
func (j *job) Fold() (f space.Fold, ok bool) { return j.FoldOf(0, j.grid.Items) }

// FoldOf implements [space.PartFolder].
func (j *job) FoldOf(begin, end int) (f space.Fold, ok bool) {
	k, ok := j.kernel.(folder)
	if !ok || !j.asked("fold") {
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
	if k, ok := j.kernel.(caller); ok {
		f.Func = k.called()
	}
	if k, ok := j.kernel.(boxed); ok {
		f.Box = k.box()
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
		if j.past(first) || j.cancelled() {
			return false
		}
		var err error
		switch k := j.kernel.(type) {
		case scanner:
			err = k.acceptAll(n, value)
		case runsItself:
			err = errRunsItself
		default:
			err = j.setNode(slot, n, value)
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

// Cancelled implements [space.Accepter].
func (j *job) Cancelled() bool { return j.cancelled() }

// Fail implements [space.Failer].
func (j *job) Fail(item int, value any) {
	if j.opens == 0 || item < 0 || item >= j.grid.Items {
		j.refuse(fmt.Errorf("exec: the space told of a panic in item %d, having opened the job %d times, expected once or more and an item from 0 to %d", item, j.opens, j.grid.Items-1))
		return
	}
	leaf := item / j.leaf()
	index := ""
	if k, ok := j.kernel.(indexer); ok {
		index = k.indexOf(item)
	}
	j.keep(leaf, fault{panic: &Panic{Value: value, Index: index, Begin: item, End: item + 1, Label: j.label}})
}

func (k *forKernel) called() any  { return k.functor }
func (k *reduction) called() any  { return k.functor }
func (s *scan[A]) called() any    { return s.functor }
func (k *teamKernel) called() any { return k.f }

func (x *items) appendItems(buf []byte) []byte      { return appendPolicy(buf, x.points.policy()) }
func (k *teamKernel) appendItems(buf []byte) []byte { return fmt.Appendf(buf, "%+v", k.shape) }

// Values are located from first on. The key of a fold is not the address of its function alone.
func (k *foldKernel[T]) appendItems(buf []byte) []byte {
	s := &k.source
	buf = strconv.AppendInt(buf, int64(s.first), 10)
	switch {
	case s.times != nil:
		return append(buf, " products"...)
	case s.values == nil:
		return buf
	}
	buf = s.values.appendItems(append(buf, ' '))
	return append(append(buf, " by "...), nameAt(codeOf(s.f))...)
}

// appendPolicy appends what a policy says of itself: which index each item has, of the policies
// of package policy, and what others tell as a [fmt.Stringer].
func appendPolicy(buf []byte, p any) []byte {
	buf = append(buf, reflect.TypeOf(p).String()...)
	if box, ok := policy.BoxOf(p); ok {
		return appendBox(append(buf, ' '), box)
	}
	if s, ok := p.(fmt.Stringer); ok {
		return append(append(buf, ' '), s.String()...)
	}
	return buf
}

func appendBox(buf []byte, b space.Box) []byte {
	buf = appendList(append(buf, "{Lower:"...), b.Lower)
	buf = appendList(append(buf, " Extent:"...), b.Extent)
	buf = appendList(append(buf, " Tile:"...), b.Tile)
	buf = strconv.AppendBool(append(buf, " LeftTiles:"...), b.LeftTiles)
	buf = strconv.AppendBool(append(buf, " LeftPoints:"...), b.LeftPoints)
	return append(buf, '}')
}

func appendList(buf []byte, list []int) []byte {
	buf = append(buf, '[')
	for k, n := range list {
		if k > 0 {
			buf = append(buf, ' ')
		}
		buf = strconv.AppendInt(buf, int64(n), 10)
	}
	return append(buf, ']')
}

// indexOf returns the index of an item of a policy of ours, or "": others may break their contract.
func (x *items) indexOf(item int) string {
	switch {
	case x.plain:
		return strconv.Itoa(x.first + item)
	case !x.kind.ours:
		return ""
	case x.kind.row: // of which an item is one point
		var run [1]policy.Run
		if runs, ok := x.points.walks().(policy.Runs); ok {
			runs.NextRuns(item, item+1, run[:])
		}
		return pointText(run[0].At[:x.kind.rank])
	}
	return indexText(reflect.ValueOf(x.points.index(item)))
}

func (k *foldKernel[T]) indexOf(item int) string {
	if v, ok := k.source.values.(indexer); ok {
		return v.indexOf(item)
	}
	return strconv.Itoa(k.source.first + item)
}

func (m *mapped[I, T, P]) indexOf(item int) string {
	var x items
	new(pointsOf[I, P]).of(&x, m.p, &m.plan)
	return x.indexOf(item)
}

func (x *items) box() *space.Box { return boxOf(x.points.policy()) }

// The leaves of a scan have prefixes beside their sums.
func (s *scan[A]) box() *space.Box { return nil }

func boxOf(p any) *space.Box {
	if box, ok := policy.BoxOf(p); ok {
		return &box
	}
	return nil
}

func (s *scan[A]) runsItself()    {}
func (k *teamKernel) runsItself() {}
