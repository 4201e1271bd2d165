package tensor

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// An Operation is one of the reductions of a source of values of type T, and where its
// results go. It is made by [Fold] or [FoldMap].
type Operation[T any] interface {
	// open appends the reduction to those that are under way.
	open(s *shape, list []column[T]) ([]column[T], error)
}

// Fold returns the reduction of values by the reducer that a constructor makes, such as
// builtin.Sum[float32], or any other that is a [reducers.Folder] as well. Each of the outputs
// gets the accumulators, after Final.
//
// A reducer that keeps a location is told the number of an element among those of its
// result: its index over the reduced dimensions, in their order, the last one fastest.
//
// A reducer that wants the old content of its result place is an error of [Reduce]; see
// [Output.Scaled].
func Fold[R builtin.Reduction[A, V], A, V any](constructor func(result *A) R, to ...Output[A]) Operation[V] {
	return reduction[V, V, A, R]{constructor: constructor, to: to, plain: true}
}

// FoldMap is [Fold] of the values before(x).
func FoldMap[T any, R builtin.Reduction[A, V], A, V any](before func(x T) V, constructor func(result *A) R, to ...Output[A]) Operation[T] {
	return reduction[T, V, A, R]{before: before, constructor: constructor, to: to}
}

type reduction[T, V, A any, R builtin.Reduction[A, V]] struct {
	before      func(T) V
	plain       bool // there is no function: T is V
	constructor func(*A) R
	to          []Output[A]
}

func (r reduction[T, V, A, R]) open(s *shape, list []column[T]) ([]column[T], error) {
	switch {
	case r.constructor == nil:
		return nil, errors.New("tensor: the constructor of a reducer is nil")
	case r.before == nil && !r.plain:
		return nil, errors.New("tensor: FoldMap was given a nil function")
	case len(r.to) == 0:
		return nil, errors.New("tensor: a reduction without outputs")
	}
	list, f := taken[folding[T, V, A]](list)
	f.before, f.shape = eachOf(r.before), s
	made := r.constructor(&f.acc)
	if f.made == nil || f.made != any(made) {
		if err := f.study(made, made, &f.acc); err != nil {
			return nil, err
		}
	}
	f.to = f.to[:0]
	var err error
	for _, o := range r.to {
		if o.to == nil {
			return nil, errors.New("tensor: a zero Output, expected one made by Into or IntoMap")
		}
		if f.to, err = o.to.open(s, f.to, o.alpha, o.beta); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// open makes the columns, and what writes their results. A panic of a reducer that is asked what it is
// is that of a launch over all elements.
func (c *call[T]) open(operations []Operation[T]) (err error) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil || !goexit.Runs() {
			panic(&exec.Panic{Value: value, Stack: debug.Stack(), End: c.elements, Label: policy.Range(0, 0).With(c.source.on).Plan().Label})
		}
	}()
	err = c.openAll(operations)
	returned = true
	return err
}

func (c *call[T]) openAll(operations []Operation[T]) error {
	for k, o := range operations {
		if o == nil {
			return fmt.Errorf("tensor: operation %d is nil", k+1)
		}
		var err error
		if c.columns, err = o.open(&c.shape, c.columns); err != nil {
			return err
		}
		c.to = c.columns[k].appendWriters(c.to)
	}
	return nil
}

// A column is one reduction during one call, with the types of its accumulators and
// outputs hidden.
type column[T any] interface {
	appendWriters(to []writer) []writer
	// divide makes room for what the units leave.
	divide(p split)
	// alone reports whether reduceAlone may be called: it reduces n results, number k and those after
	// it in the innermost loop, each of which is at most mostAlone neighbours in memory, which begins
	// with the first of them.
	alone() bool
	reduceAlone(memory []T, k, n int)
	// release ends the use of the column.
	release()
	// walker returns what one worker reduces blocks with, leaf by leaf.
	walker(p split) walker[T]
	// laneBytes is not 0 if rows can be used instead: what one result takes there.
	laneBytes() int
	rows(p split) rowWalker[T]
	// finish makes results begin to end of what the units left.
	finish(begin, end int)
	// whole returns what a fold over all the elements reduces them with, or nil, and folded
	// makes the one result of what that comes to.
	whole() reducers.Folder[T]
	folded()
	// told returns what a space has to know of the reduction, to do it itself.
	told() (device.Result, error)
	// carry, appendRoot and setRoot are for units of several processes.
	carry() error
	appendRoot(buf []byte, k, s int) []byte
	setRoot(data []byte, k, s int) (rest []byte)
	// setRoots is setRoot of n results from number k on, of subtree 0.
	setRoots(data []byte, k, n int) (rest []byte)
}

// A walker reduces one leaf after the other of all the results of a block.
type walker[T any] interface {
	// begin begins a leaf of that many elements of result j.
	begin(j, items int)
	// add joins elements of result j: x[0] is number first, a multiple of the lanes.
	add(j, first int, x []T)
	// end joins the leaf, number leaf of the unit, to those before it.
	end(j, leaf, items int)
	// plain reports whether values are reduced as they are.
	plain() bool
	// nodes reports whether there can be calls of node, and leaves of nodes instead.
	nodes() bool
	// node reduces the elements x of result j, which are leaves of that length, and joins
	// what they come to as if it were a leaf.
	node(j, leaf, first int, x []T, length int)
	// leave hands over what has been joined of result j, number k: subtree number s of it.
	leave(j, k, s, leaves int)
	// release ends the use of the walker.
	release()
}

// folding is a reduction by any reducer.
type folding[T, V, A any] struct {
	studied[V, A]
	acc      A // the result place
	before   each[T, V]
	shape    *shape
	rooms    *sync.Pool // of *reduce.Room[A], for reduceAlone
	lanes    int        // of a leaf, for reduceAlone
	to       []results[A]
	vector   simd.Rows[A]
	rowsAt   joinRowsAt[V, A] // in place of vector, or nil
	subtrees int
	roots    []A // subtree by subtree, if there are several
	carried  bool
	form     concept.Form[A] // if carried
}

// studied is what follows from a reducer.
type studied[V, A any] struct {
	made      any // the reducer, if a call that makes an equal one need not study it again
	reducer   reducers.Reducer[A]
	folder    reducers.Folder[V]
	first     *reduce.Fold
	operation concept.Operation // of first, if it takes nodes
	stores    bool              // the reducer writes its result itself
}

// study finds out what follows from a reducer, which is a folder as well. One whose result place is not that one refers to
// what is the caller's.
func (f *studied[V, A]) study(r reducers.Reducer[A], folder reducers.Folder[V], place *A) (err error) {
	if f.made != nil {
		f.first.Release()
	}
	*f = studied[V, A]{reducer: r, folder: folder}
	traits := concept.TraitsOf(r)
	if traits.Err == nil && traits.Initial {
		traits.Err = fmt.Errorf("tensor: %T joins in the old content of its result place, which it has not here; use Scaled", r)
	}
	if traits.Err != nil {
		return traits.Err
	}
	f.stores = traits.Store != nil
	if f.first, err = f.newFold(); err != nil {
		return err
	}
	if !f.first.TakesNodes() {
		return nil
	}
	f.operation = f.first.Operation()
	if reduce.IsPlace[A](reflect.TypeOf(r)) && r.Reference() == place {
		f.made = r
	}
	return nil
}

// release ends the use of what the next call cannot use.
func (f *studied[V, A]) release() {
	if f.made == nil {
		f.first.Release()
		*f = studied[V, A]{}
	}
}

func (f *folding[T, V, A]) appendWriters(to []writer) []writer {
	for _, r := range f.to {
		to = append(to, r)
	}
	return to
}

func (f *studied[V, A]) newFold() (x *reduce.Fold, err error) {
	if x, err = reduce.FoldOf(f.folder.Fold()); err != nil {
		return nil, fmt.Errorf("tensor: a reduction by %T: %w", f.reducer, err)
	}
	if err := x.Column().Err(); err != nil {
		return nil, err
	}
	if !x.Column().Holds((*A)(nil)) {
		err = fmt.Errorf("tensor: the fold of %T has not its accumulators, %T", f.reducer, *new(A))
	}
	return x, err
}

func (f *folding[T, V, A]) divide(p split) {
	if f.subtrees = p.subtrees; p.subtrees > 1 {
		if f.vector.Join == nil {
			f.vector = vectorOf[A](f.reducer)
		}
		f.roots = reuse.Resize(f.roots, f.shape.outputs*p.subtrees)
	}
}

func (f *folding[T, V, A]) walker(p split) walker[T] {
	x, err := f.newFold()
	if err != nil {
		panic(err) // the same reducer made one before
	}
	w := &slotWalker[T, V, A]{f: f, fold: x, slots: x.Column(), values: values[T, V]{f: f.before}, levels: tree.Slots(p.leaves)}
	line := lineBytes / max(int(unsafe.Sizeof(*new(A))), 1) // that no other worker writes to
	x.Column().Open(p.width, max(p.width*w.levels, line), f.shape.grid.Lanes)
	return w
}

// leave hands over subtree s of results k, k+step, ... . It keeps accs and leaves others in them, as two must
// not share memory.
func (f *folding[T, V, A]) leave(k, step, s int, accs []A) {
	if f.subtrees == 1 && !f.carried {
		f.put(k, step, accs)
		return
	}
	roots := f.roots[s*f.shape.outputs:]
	for j := range accs {
		roots[k], accs[j] = accs[j], roots[k]
		k += step
	}
}

// put makes results number k, k+step, ... of their accumulators.
func (f *folding[T, V, A]) put(k, step int, accs []A) {
	for j := range accs {
		f.reducer.Final(&accs[j])
	}
	for _, r := range f.to {
		r.put(k, step, accs, f.shape.items)
	}
}

func (f *folding[T, V, A]) finish(begin, end int) {
	if f.shape.items == 0 {
		f.put(begin, 1, f.identities(end-begin))
		return
	}
	row := func(s int) []A { return f.roots[s*f.shape.outputs:][begin:end] }
	for width := 1; width < f.subtrees; width *= 2 {
		for s := 0; s+width < f.subtrees; s += 2 * width {
			f.join(row(s), row(s+width))
		}
	}
	f.put(begin, 1, row(0))
}

// join joins src[k] into dst[k].
func (f *folding[T, V, A]) join(dst, src []A) {
	if f.vector.Join != nil {
		f.vector.Join(dst, src)
		return
	}
	for k := range dst {
		f.reducer.Join(&dst[k], &src[k])
	}
}

// values makes the values of a reduction of those of the source.
type values[T, V any] struct {
	f   each[T, V] // none if they are the same
	buf []V
}

func (v *values[T, V]) of(x []T) []V {
	if v.f.f == nil {
		return any(x).([]V)
	}
	if len(v.buf) < len(x) {
		v.buf = make([]V, len(x))
	}
	v.f.set(v.buf[:len(x)], x)
	return v.buf[:len(x)]
}

// slotWalker has a worker of the slots for each result of a block, and slots in which leaves
// are joined as package tree says.
type slotWalker[T, V, A any] struct {
	f      *folding[T, V, A]
	fold   *reduce.Fold
	slots  *reduce.Column // of fold
	values values[T, V]
	levels int // slots of a result
}

func (w *slotWalker[T, V, A]) begin(j, items int) { w.fold.Start(j, items) }

func (w *slotWalker[T, V, A]) add(j, first int, x []T) {
	w.fold.Add(j, first, reduce.ValuesOf(w.values.of(x)))
}

func (w *slotWalker[T, V, A]) end(j, leaf, items int) {
	w.slots.End(j, j*w.levels+tree.Slot(leaf), items)
	tree.Carry(leaf, func(dst int) { w.join(j, dst) })
}

// join joins slot dst+1 of result j into slot dst.
func (w *slotWalker[T, V, A]) join(j, dst int) {
	dst += j * w.levels
	w.slots.Join(dst, dst+1)
}

func (w *slotWalker[T, V, A]) plain() bool { return w.f.before.f == nil }

func (w *slotWalker[T, V, A]) nodes() bool { return w.fold.TakesNodes() }

func (w *slotWalker[T, V, A]) node(j, leaf, first int, x []T, length int) {
	w.fold.Node(0, j*w.levels+tree.Slot(leaf), first, reduce.ValuesOf(w.values.of(x)), length)
	tree.Carry(leaf, func(dst int) { w.join(j, dst) })
}

func (w *slotWalker[T, V, A]) leave(j, k, s, leaves int) {
	tree.Collect(leaves, func(dst int) { w.join(j, dst) })
	w.f.leave(k, 1, s, unsafe.Slice(reduce.At[A](w.slots, j*w.levels), 1))
}

func (w *slotWalker[T, V, A]) release() { w.fold.Release() }
