package reduce

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Sink is one launch of a reducers.Folder: a [Column] that takes plain values. It is what a
// reducers.Fold is to patterns, see [SinkOf].
type Sink[V any] interface {
	// Column is where the values go.
	Column() *Column
	// Start begins a leaf, as [Slots.Begin] does.
	Start(worker, items int)
	// Add joins the values x, of which x[0] is item number first of the source
	// and comes at a multiple of the number of lanes in its leaf.
	Add(worker, first int, x []V)
	// TakesNodes reports whether Node may be called.
	TakesNodes() bool
	// Node sets a slot to the sum of consecutive leaves of that length, of which the last
	// may be shorter. It has the bits of Start, Add and End for each leaf, joined as a
	// tree. x[0] is item number first of the source.
	Node(worker, slot, first int, x []V, leaf int)
	// TakesProducts reports whether NodeOfProducts may be called. It is asked by one goroutine.
	TakesProducts() bool
	// NodeOfProducts is Node of the products x[k]*y[k], rounded, for at most tree.NodeLeaves
	// leaves.
	NodeOfProducts(worker, slot int, x, y []V, leaf int)
	// Values returns the slots if what they hold is of the type of the values, or nil.
	Values() []V
	// Operation returns what the sink computes of values, as far as the reducer that takes
	// them says it.
	Operation() concept.Operation

	// Release ends the use of the sink, which may become another launch's.
	Release()
}

// SinkOf returns the sink of a reducers.Fold[V], once: the fold may be another launch's after
// Release.
func SinkOf[V any](fold any) (Sink[V], error) {
	if f, ok := typed.As[interface{ Sink() Sink[V] }](fold); ok {
		if sink := f.Sink(); sink != nil {
			return sink, nil
		}
		return nil, errors.New("reducers: the fold is that of an earlier launch, expected a new one for each")
	}
	if fold == nil {
		return nil, errors.New("reducers: the fold is nil, expected one made by NewFold or Folding")
	}
	return nil, fmt.Errorf("reducers: a fold that is a %T, expected one made by NewFold or Folding", fold)
}

// Plain is a sink that takes values leaf by leaf only, for those that embed it and have an Add
// of their own.
type Plain[V any] struct{ Sink[V] }

// TakesNodes returns false.
func (Plain[V]) TakesNodes() bool { return false }

// TakesProducts returns false.
func (Plain[V]) TakesProducts() bool { return false }

// Operation returns an operation that nobody knows.
func (Plain[V]) Operation() concept.Operation { return concept.Operation{} }

// An Adder joins x[k] into lanes[k mod len(lanes)], in the order of k: a reducer, or an
// [AddFunc].
type Adder[T, V any] interface {
	AddValues(lanes []T, first int, x []V)
}

// AddFunc is a function as an [Adder].
type AddFunc[T, V any] func(lanes []T, first int, x []V)

// AddValues calls f.
func (f AddFunc[T, V]) AddValues(lanes []T, first int, x []V) { f(lanes, first, x) }

// nodeFolder is a reducer that reduces a node of the tree in one call. FoldNode sets *dst to
// the partial result of the values x. They are leaves of that length, the last of which may
// be shorter, and each leaf is reduced in that many lanes; first is the item number of x[0].
// scratch has scratchValues values, of any content. FoldNode does not panic.
type nodeFolder[T, V any] interface {
	Adder[T, V]
	FoldNode(dst *T, first int, x []V, leaf, lanes int, scratch []T)
}

// productFolder is a nodeFolder that reduces a node of products as well: FoldProducts is FoldNode
// of the products x[k]*y[k], rounded.
type productFolder[T, V any] interface {
	FoldProducts(dst *T, x, y []V, leaf, lanes int, scratch []T)
}

// rowFolder is a nodeFolder that reduces several nodes of one length in one call: FoldRows is FoldNode of the
// values x[k*stride:][:items], the first of which is item 0, into dst[k], for all k.
type rowFolder[T, V any] interface {
	FoldRows(dst []T, x []V, stride, items, leaf, lanes int, scratch []T)
}

// Fold is the [Sink] of [Slots].
type Fold[T, V any] struct {
	slots Slots[T]
	own   any                 // what joins the values: an AddFunc, or a reducer
	node  nodeFolder[T, V]    // it as one, or nil
	add   Adder[T, V]         // it, if it is no nodeFolder
	dot   productFolder[T, V] // it as one, once TakesProducts has asked
	rows  rowFolder[T, V]     // it as one, once TakesRows has asked
	pool  *sync.Pool
	owner any
	taken atomic.Bool
}

// Reset makes f a fold of r that joins values through own, an [AddFunc] or a reducer. Release
// puts owner, which f is in, into the pool.
func (f *Fold[T, V]) Reset(r reducer[T], own any, pool *sync.Pool, owner any) {
	f.slots.Reset(r)
	f.own, f.node, f.add, f.dot, f.rows, f.pool, f.owner = own, nil, nil, nil, nil, pool, owner
	f.taken.Store(false)
	if add, ok := own.(AddFunc[T, V]); ok {
		f.add = add
	} else if f.node, ok = typed.As[nodeFolder[T, V]](own); !ok {
		f.add, ok = own.(Adder[T, V])
		if err := &f.slots.Column.err; !ok && *err == nil {
			*err = fmt.Errorf("reducers: a fold of %T was given a nil function, and the reducer has no AddValues for values of type %v", r, reflect.TypeFor[V]())
		}
	}
	f.slots.Column.nodes = f.node != nil && f.slots.Column.err == nil && !f.slots.Column.ordered
	f.slots.of.rarely = f.slots.Column.nodes
}

// Refuse makes f a fold that cannot be used: because of r, or else because of err.
func (f *Fold[T, V]) Refuse(r reducer[T], err error) {
	f.slots.Column.err = cmp.Or(concept.TraitsOf(r).Err, err)
}

// Take reports whether nobody has called it since Reset.
func (f *Fold[T, V]) Take() bool { return !f.taken.Swap(true) }

// Own returns what joins the values, for a Reset of another fold.
func (f *Fold[T, V]) Own() any { return f.own }

// Column implements [Sink].
func (f *Fold[T, V]) Column() *Column { return &f.slots.Column }

// Release implements [Sink].
func (f *Fold[T, V]) Release() {
	pool, owner := f.pool, f.owner
	f.slots.Release()
	f.own, f.node, f.add, f.dot, f.rows, f.pool, f.owner = nil, nil, nil, nil, nil, nil, nil
	pool.Put(owner)
}

// Start implements [Sink].
func (f *Fold[T, V]) Start(worker, items int) { f.slots.Column.Begin(worker, items) }

// Add implements [Sink].
func (f *Fold[T, V]) Add(worker, first int, x []V) {
	lanes := unsafe.Slice((*T)(f.slots.Column.lanes[worker].at), f.slots.Column.laneCount)
	if f.node != nil {
		f.node.AddValues(lanes, first, x)
	} else {
		f.add.AddValues(lanes, first, x)
	}
}

// TakesNodes implements [Sink].
func (f *Fold[T, V]) TakesNodes() bool { return f.slots.Column.nodes }

// Operation implements [Sink]. A function says nothing.
func (f *Fold[T, V]) Operation() concept.Operation { return operationOf(f.own) }

// Node implements [Sink].
func (f *Fold[T, V]) Node(worker, slot, first int, x []V, leaf int) {
	f.node.FoldNode(f.slots.At(slot), first, x, leaf, f.slots.Column.laneCount, f.scratch(worker))
}

// A Room is what one goroutine at a time calls Rows or RowsOfBoth with.
type Room[T any] struct {
	rows    [2 * RoomRows]T
	scratch [roomValues]T
}

// TakesRows reports whether Rows may be called. It is asked by one goroutine.
func (f *Fold[T, V]) TakesRows() bool {
	if f.slots.Column.nodes {
		f.rows, _ = typed.As[rowFolder[T, V]](f.own)
	}
	return f.slots.Column.nodes
}

// Rows is Node for who has no slots, of n times the values x[k*stride:][:items], the first of which is item 0,
// with that many lanes. It needs no Open. n is at most RoomRows. What it returns is good until the room is used
// again.
func (f *Fold[T, V]) Rows(room *Room[T], n int, x []V, stride, items, leaf, lanes int) []T {
	rows := room.rows[:n]
	if f.rows != nil {
		f.rows.FoldRows(rows, x, stride, items, leaf, lanes, room.scratch[:])
		return rows
	}
	for k := range rows {
		f.node.FoldNode(&rows[k], 0, x[k*stride:][:items], leaf, lanes, room.scratch[:])
	}
	return rows
}

// RowsOfBoth is Rows of the fold of a sum and of that of a sum of squares in one pass, or it does nothing and
// returns nil.
func RowsOfBoth[T any](room *Room[T], n int, x []T, stride, items, leaf, lanes int) (sums, squares []T) {
	rows, scratch := room.rows[:2*n], room.scratch[:]
	ok := false
	switch x := any(x).(type) {
	case []float64:
		ok = simd.Nodes(simd.SumAndSq, any(rows).([]float64), x, stride, items, leaf, lanes, any(scratch).([]float64))
	case []float32:
		ok = simd.Nodes(simd.SumAndSq, any(rows).([]float32), x, stride, items, leaf, lanes, any(scratch).([]float32))
	}
	if !ok {
		return nil, nil
	}
	return rows[:n], rows[n:]
}

// TakesProducts implements [Sink].
func (f *Fold[T, V]) TakesProducts() bool {
	if f.dot == nil && f.slots.Column.nodes {
		f.dot, _ = typed.As[productFolder[T, V]](f.own)
	}
	return f.dot != nil
}

// NodeOfProducts implements [Sink].
func (f *Fold[T, V]) NodeOfProducts(worker, slot int, x, y []V, leaf int) {
	f.dot.FoldProducts(f.slots.At(slot), x, y, leaf, f.slots.Column.laneCount, f.scratch(worker))
}

// Values implements [Sink].
func (f *Fold[T, V]) Values() []V {
	if typed.Of((*V)(nil)) != f.slots.Column.pointer {
		return nil
	}
	return unsafe.Slice((*V)(f.slots.Column.slots.at), f.slots.Column.open)
}

// scratch returns what a worker has for FoldNode.
func (f *Fold[T, V]) scratch(worker int) []T {
	r := &f.slots.Column.scratch[worker]
	if r.at == nil {
		*r = f.slots.Column.room(scratchValues)
	}
	return unsafe.Slice((*T)(r.at), r.n)
}
