package tensor

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/reducers"
)

// A Reduction is one of the reductions of a source of values of type T, and where its
// results go. It is made by [Fold] or [FoldMap].
type Reduction[T any] interface {
	open(s shape) (column[T], error)
}

// A Reducer has accumulators of type A and takes values of type V: a reducer of package
// builtin, or any other that is a [reducers.Folder] as well.
type Reducer[A, V any] interface {
	reducers.Reducer[A]
	reducers.Folder[V]
}

// Fold returns the reduction of values by the reducer that a constructor makes, such as
// builtin.Sum[float32]. Each of the outputs gets the accumulators, after Final.
//
// A reducer that keeps a location is told the number of an element among those of its
// result: its index over the reduced dimensions, in their order, the last one fastest.
//
// A reducer that wants the old content of its result place is an error of [Reduce]; see
// [Output.Scaled].
func Fold[R Reducer[A, V], A, V any](constructor func(result *A) R, to ...Output[A]) Reduction[V] {
	return reduction[V, V, A, R]{constructor: constructor, to: to, plain: true}
}

// FoldMap is [Fold] of the values before(x).
func FoldMap[T any, R Reducer[A, V], A, V any](before func(x T) V, constructor func(result *A) R, to ...Output[A]) Reduction[T] {
	return reduction[T, V, A, R]{before: before, constructor: constructor, to: to}
}

type reduction[T, V, A any, R Reducer[A, V]] struct {
	before      func(T) V
	plain       bool // there is no function: T is V
	constructor func(*A) R
	to          []Output[A]
}

func (r reduction[T, V, A, R]) open(s shape) (column[T], error) {
	switch {
	case r.constructor == nil:
		return nil, errors.New("tensor: the constructor of a reducer is nil")
	case r.before == nil && !r.plain:
		return nil, errors.New("tensor: FoldMap was given a nil function")
	case len(r.to) == 0:
		return nil, errors.New("tensor: a reduction without outputs")
	}
	made := r.constructor(new(A))
	traits := reducers.TraitsOf[A](made)
	if traits.Err == nil && traits.Initial {
		traits.Err = fmt.Errorf("tensor: %T joins in the old content of its result place, which it has not here; use Scaled", made)
	}
	if traits.Err != nil {
		return nil, traits.Err
	}
	f := &folding[T, V, A]{reducer: made, folder: made, before: r.before, shape: s}
	if _, err := f.newFold(); err != nil {
		return nil, err
	}
	for _, o := range r.to {
		if o.to == nil {
			return nil, errors.New("tensor: a zero Output, expected one made by Into or IntoMap")
		}
		res, err := o.to.open(s, o.alpha, o.beta)
		if err != nil {
			return nil, err
		}
		f.to = append(f.to, res)
	}
	return f, nil
}

// A column is one reduction during one call, with the types of its accumulators and
// outputs hidden.
type column[T any] interface {
	writers() []writer
	// divide makes room for what the units leave.
	divide(p split)
	// worker returns what one worker reduces blocks with, leaf by leaf.
	worker(p split) walker[T]
	// finish makes results begin to end of what the units left.
	finish(begin, end int)
}

// A walker reduces one leaf after the other of all the results of a block.
type walker[T any] interface {
	// begin begins a leaf of that many elements of result j.
	begin(j, items int)
	// add joins elements of result j: x[0] is number first, a multiple of the lanes.
	add(j, first int, x []T)
	// end joins the leaf, number leaf of the unit, to those before it.
	end(j, leaf, items int)
	// leave hands over what has been joined of result j, number k: subtree number s of it.
	leave(j, k, s, leaves int)
}

// folding is a reduction by any reducer.
type folding[T, V, A any] struct {
	reducer  reducers.Reducer[A]
	folder   reducers.Folder[V]
	before   func(T) V
	shape    shape
	to       []results[A]
	subtrees int
	roots    []A // result by result, if there are several subtrees
}

func (f *folding[T, V, A]) writers() (w []writer) {
	for _, r := range f.to {
		w = append(w, r)
	}
	return w
}

func (f *folding[T, V, A]) newFold() (x foldOf[V, A], err error) {
	x.Fold = f.folder.Fold()
	if err := x.Column().Err(); err != nil {
		return x, err
	}
	var ok bool
	if x.slots, ok = x.Column().(*reducers.Slots[A]); !ok {
		err = fmt.Errorf("tensor: the fold of %T has not its accumulators, %T", f.reducer, *new(A))
	}
	return x, err
}

func (f *folding[T, V, A]) divide(p split) {
	if f.subtrees = p.subtrees; p.subtrees > 1 {
		f.roots = make([]A, f.shape.outputs*p.subtrees)
	}
}

func (f *folding[T, V, A]) worker(p split) walker[T] {
	x, err := f.newFold()
	if err != nil {
		panic(err) // the same reducer made one before
	}
	levels := 1
	for n := 1; n < p.leaves; n *= 2 {
		levels++
	}
	x.slots.Open(p.width, p.width*levels, f.shape.grid.Lanes)
	return &slotWalker[T, V, A]{f: f, fold: x, levels: levels}
}

// put makes result number k of its accumulator.
func (f *folding[T, V, A]) put(k int, acc *A) {
	f.reducer.Final(acc)
	for _, r := range f.to {
		r.put(k, acc, f.shape.items)
	}
}

func (f *folding[T, V, A]) finish(begin, end int) {
	for k := begin; k < end; k++ {
		if f.shape.items == 0 {
			var acc A
			f.reducer.Init(&acc)
			f.put(k, &acc)
			continue
		}
		roots := f.roots[k*f.subtrees:][:f.subtrees]
		reducers.JoinTree(f.reducer, roots)
		f.put(k, &roots[0])
	}
}

type foldOf[V, A any] struct {
	reducers.Fold[V]
	slots *reducers.Slots[A]
}

// slotWalker has a worker of the slots for each result of a block, and some slots: slot
// number l holds a subtree that is complete, those before it larger ones.
type slotWalker[T, V, A any] struct {
	f      *folding[T, V, A]
	fold   foldOf[V, A]
	levels int // slots per result
	buf    []V
}

func (w *slotWalker[T, V, A]) begin(j, items int) { w.fold.Start(j, items) }

func (w *slotWalker[T, V, A]) add(j, first int, x []T) {
	if w.f.before == nil {
		w.fold.Add(j, first, any(x).([]V))
		return
	}
	if len(w.buf) < len(x) {
		w.buf = make([]V, len(x))
	}
	for k, v := range x {
		w.buf[k] = w.f.before(v)
	}
	w.fold.Add(j, first, w.buf[:len(x)])
}

func (w *slotWalker[T, V, A]) end(j, leaf, items int) {
	slot := j * w.levels
	for b := leaf; b > 0; b &= b - 1 {
		slot++ // one slot for each bit of the number of leaves so far
	}
	w.fold.slots.End(j, slot, items)
	for ; leaf&1 == 1; leaf >>= 1 {
		slot--
		w.fold.slots.Join(slot, slot+1)
	}
}

func (w *slotWalker[T, V, A]) leave(j, k, s, leaves int) {
	first := j * w.levels
	last := first - 1
	for b := leaves; b > 0; b &= b - 1 {
		last++
	}
	for ; last > first; last-- {
		w.fold.slots.Join(last-1, last)
	}
	acc := w.fold.slots.At(first)
	if w.f.subtrees > 1 { // a swap: two must not share memory
		root := &w.f.roots[k*w.f.subtrees+s]
		*root, *acc = *acc, *root
		return
	}
	w.f.put(k, acc)
}
