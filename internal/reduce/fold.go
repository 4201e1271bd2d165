package reduce

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/reducers/concept"
)

// A Sink is one launch of a reducers.Folder: a [Column] that takes plain values. It is what a
// reducers.Fold is to patterns, see [SinkOf].
type Sink[V any] interface {
	// Column is where the values go.
	Column() Column
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
	// TakesProducts reports whether NodeOfProducts may be called.
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
	if f, ok := fold.(interface{ Sink() Sink[V] }); ok {
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
	FoldNode(dst *T, first int, x []V, leaf, lanes int, scratch []T)
}

// productFolder is a nodeFolder that reduces a node of products as well: FoldProducts is FoldNode
// of the products x[k]*y[k], rounded.
type productFolder[T, V any] interface {
	FoldProducts(dst *T, x, y []V, leaf, lanes int, scratch []T)
}

// Fold is the [Sink] of [Slots].
type Fold[T, V any] struct {
	slots Slots[T]
	add   Adder[T, V]
	node  nodeFolder[T, V]    // the adder as one, or nil
	dot   productFolder[T, V] // the adder as one, or nil
	pool  *sync.Pool
	owner any
	taken atomic.Bool
}

// Reset makes f a fold of r that joins values through add, a function or a reducer. Release
// puts owner, which f is in, into the pool.
func (f *Fold[T, V]) Reset(r reducer[T], add Adder[T, V], pool *sync.Pool, owner any) {
	f.slots.Reset(r)
	f.add, f.pool, f.owner = add, pool, owner
	f.taken.Store(false)
	err := &f.slots.traits.Err
	if add == nil && *err == nil {
		*err = fmt.Errorf("reducers: a fold of %T was given a nil function, and the reducer has no AddValues for values of type %v", r, reflect.TypeFor[V]())
	}
	f.node, f.dot = nil, nil
	if *err == nil && !f.slots.traits.Ordered { // a function has neither of the two
		if f.node, _ = add.(nodeFolder[T, V]); f.node != nil {
			f.dot, _ = add.(productFolder[T, V])
		}
	}
	f.slots.nodes = f.node != nil
}

// Refuse makes f a fold that cannot be used: because of r, or else because of err.
func (f *Fold[T, V]) Refuse(r reducer[T], err error) {
	f.slots.traits.Err = cmp.Or(concept.TraitsOf(r).Err, err)
}

// Take reports whether nobody has called it since Reset.
func (f *Fold[T, V]) Take() bool { return !f.taken.Swap(true) }

// Adder returns what joins the values.
func (f *Fold[T, V]) Adder() Adder[T, V] { return f.add }

// Column implements [Sink].
func (f *Fold[T, V]) Column() Column { return &f.slots }

// Release implements [Sink].
func (f *Fold[T, V]) Release() {
	pool, owner := f.pool, f.owner
	f.slots.Release()
	f.add, f.node, f.dot, f.pool, f.owner = nil, nil, nil, nil, nil
	pool.Put(owner)
}

// Start implements [Sink].
func (f *Fold[T, V]) Start(worker, items int) { f.slots.Begin(worker, items) }

// Add implements [Sink].
func (f *Fold[T, V]) Add(worker, first int, x []V) {
	f.add.AddValues(f.slots.lanes[worker], first, x)
}

// TakesNodes implements [Sink].
func (f *Fold[T, V]) TakesNodes() bool { return f.node != nil }

// Operation implements [Sink]. A function says nothing.
func (f *Fold[T, V]) Operation() concept.Operation { return operationOf(f.add) }

// Node implements [Sink].
func (f *Fold[T, V]) Node(worker, slot, first int, x []V, leaf int) {
	f.node.FoldNode(&f.slots.slots[slot], first, x, leaf, f.slots.laneCount, f.scratch(worker))
}

// TakesProducts implements [Sink].
func (f *Fold[T, V]) TakesProducts() bool { return f.dot != nil }

// NodeOfProducts implements [Sink].
func (f *Fold[T, V]) NodeOfProducts(worker, slot int, x, y []V, leaf int) {
	f.dot.FoldProducts(&f.slots.slots[slot], x, y, leaf, f.slots.laneCount, f.scratch(worker))
}

// Values implements [Sink].
func (f *Fold[T, V]) Values() []V {
	v, _ := any(f.slots.slots).([]V)
	return v
}

// scratch returns what a worker has for FoldNode.
func (f *Fold[T, V]) scratch(worker int) []T {
	s := &f.slots
	if s.scratch[worker] == nil {
		s.scratch[worker] = make([]T, scratchValues)
	}
	return s.scratch[worker]
}
