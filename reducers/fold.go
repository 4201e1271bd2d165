package reducers

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"sync"
)

// A Folder is a reduction of values of type V, whatever its partial results
// are made of. The built-in reducers are Folders, as is what [New] returns;
// [Folding] makes one of any reducer.
type Folder[V any] interface {
	Fold() Fold[V]
}

// A Fold is one launch of a [Folder]: a [Column] that also takes plain values.
type Fold[V any] interface {
	// Column is where the values go.
	Column() Column
	// Start begins a leaf, as [Slots.Begin] does.
	Start(worker, items int)
	// Add joins the values x, of which x[0] is item number first of the source
	// and comes at a multiple of the number of lanes in its leaf.
	Add(worker, first int, x []V)
	// CanFoldNodes reports whether Node may be called for self. It is false where self
	// embeds this fold and may have an Add of its own, which Node would bypass.
	CanFoldNodes(self Fold[V]) bool
	// Node sets a slot to the sum of consecutive leaves of that length, of which the last
	// may be shorter. It has the bits of Start, Add and End for each leaf, joined as a
	// tree. x[0] is item number first of the source.
	Node(worker, slot, first int, x []V, leaf int)
	// Operation returns what the fold computes of values, for self as in CanFoldNodes. It is
	// known of a fold that [NewFold] made, without a function, of a reducer that says it.
	Operation(self Fold[V]) Operation

	// Release ends the use of the fold, which may become another launch's.
	Release()

	sealed() // it will grow as launches do; NewFold and Folding make one
}

type fold[T, V any] struct {
	slots Slots[T]
	add   valueAdder[T, V]
	dot   productAdder[T, V] // the reducer as one, or nil
	node  nodeFolder[T, V]   // the reducer as one, or nil
	pool  *sync.Pool
}

// valueAdder joins values into lanes as the function given to [NewFold] does.
type valueAdder[T, V any] interface {
	AddValues(lanes []T, first int, x []V)
}

// addFunc is a function as a valueAdder.
type addFunc[T, V any] func(lanes []T, first int, x []V)

func (f addFunc[T, V]) AddValues(lanes []T, first int, x []V) { f(lanes, first, x) }

// productAdder is a reducer that joins the products x[k]*y[k], rounded, into lanes as the
// add of its fold joins values.
type productAdder[T, V any] interface{ AddProducts(lanes []T, x, y []V) }

// nodeFolder is a reducer that reduces a node of the tree in one call. FoldNode sets *dst to
// the partial result of the values x. They are leaves of that length, the last of which may
// be shorter, and each leaf is reduced in that many lanes; first is the item number of x[0].
// scratch has scratchValues values, of any content. FoldNode does not panic.
type nodeFolder[T, V any] interface {
	FoldNode(dst *T, first int, x []V, leaf, lanes int, scratch []T)
}

// NewFold returns a fold for r. It joins values through add, which must join
// x[k] into lanes[k mod len(lanes)] in the order of k; first is the item number
// of x[0], and len(lanes) a power of two. If add is nil, it is r's own method
//
//	AddValues(lanes []T, first int, x []V)
func NewFold[T, V any](r Reducer[T], add func(lanes []T, first int, x []V)) Fold[V] {
	if add != nil {
		return newFold[T, V](r, addFunc[T, V](add))
	}
	own, _ := any(r).(valueAdder[T, V])
	return newFold(r, own)
}

// newFold returns a fold for r that joins values through add, a function or a reducer.
func newFold[T, V any](r Reducer[T], add valueAdder[T, V]) *fold[T, V] {
	pool := poolOf[fold[T, V]]()
	f := pool.Get().(*fold[T, V])
	f.slots.Reset(r)
	f.add, f.pool = add, pool
	err := &f.slots.traits.Err
	if add == nil && *err == nil {
		*err = fmt.Errorf("reducers: a fold of %T was given a nil function, and the reducer has no AddValues for values of type %v", r, reflect.TypeFor[V]())
	}
	f.dot, f.node = nil, nil
	if *err == nil { // a function has neither of the two
		f.dot, _ = add.(productAdder[T, V])
		if !f.slots.traits.Ordered {
			f.node, _ = add.(nodeFolder[T, V])
		}
	}
	f.slots.nodes = f.node != nil
	return f
}

func (*fold[T, V]) sealed() {}

func (f *fold[T, V]) Column() Column { return &f.slots }

func (f *fold[T, V]) Release() {
	f.slots.Release()
	f.add, f.dot, f.node = nil, nil, nil
	f.pool.Put(f)
}

func (f *fold[T, V]) Start(worker, items int) { f.slots.Begin(worker, items) }

func (f *fold[T, V]) Add(worker, first int, x []V) {
	f.add.AddValues(f.slots.lanes[worker], first, x)
}

// AddProducts is Add for the products of x and y, or returns false and does nothing.
func (f *fold[T, V]) AddProducts(worker int, x, y []V) bool {
	if f.dot == nil {
		return false
	}
	f.dot.AddProducts(f.slots.lanes[worker], x, y)
	return true
}

func (f *fold[T, V]) CanFoldNodes(self Fold[V]) bool { return f.node != nil && self == Fold[V](f) }

func (f *fold[T, V]) Operation(self Fold[V]) Operation {
	if self != Fold[V](f) {
		return Operation{}
	}
	return operationOf(f.add) // a function says nothing
}

func (f *fold[T, V]) Node(worker, slot, first int, x []V, leaf int) {
	s := &f.slots
	if s.scratch[worker] == nil {
		s.scratch[worker] = make([]T, scratchValues)
	}
	f.node.FoldNode(&s.slots[slot], first, x, leaf, s.laneCount, s.scratch[worker])
}

type folding[T, V any] struct {
	r      Reducer[T]
	accept func(acc *T, i int, x V)
}

// Folding returns r as a reduction of values: accept joins the value x of item
// i into a partial result.
func Folding[T, V any](r Reducer[T], accept func(acc *T, i int, x V)) Folder[V] {
	return folding[T, V]{r, accept}
}

func (f folding[T, V]) Fold() Fold[V] {
	if f.accept == nil {
		return refusedFold[T, V](f.r, errors.New("reducers: Folding was given a nil function"))
	}
	return NewFold(f.r, func(lanes []T, first int, x []V) {
		mask := len(lanes) - 1
		for k, v := range x {
			f.accept(&lanes[k&mask], first+k, v)
		}
	})
}

// refusedFold returns a fold that cannot be used: because of r, or else because of err.
func refusedFold[T, V any](r Reducer[T], err error) Fold[V] {
	f := newFold[T, V](r, nil)
	f.slots.traits.Err = cmp.Or(TraitsOf(r).Err, err)
	return f
}

// joining returns a fold whose values are partial results themselves.
func joining[T any](r Reducer[T], join func(dst, src *T)) Fold[T] {
	return NewFold(r, func(lanes []T, _ int, x []T) {
		mask := len(lanes) - 1
		for k := range x {
			join(&lanes[k&mask], &x[k])
		}
	})
}
