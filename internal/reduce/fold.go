package reduce

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Fold is one launch of a reducers.Folder: a [Column] that takes plain values, with the type of these hidden as well. It
// is what a reducers.Fold is to patterns, see [FoldOf].
type Fold struct {
	_      [0]func() // nobody compares folds, so nothing is compiled for that
	column *Column
	own    any             // what joins the values, of Func or a reducer; nil if nobody else can use it
	other  bool            // Rejoin has been called
	add    Adder           // what joins values: addFunc, f itself, or what Rejoin has made
	calls  calls           // of own
	adds   typed.Interface // own as an adder, and as these, as far as it is one
	nodes  typed.Interface
	dots   typed.Interface
	rows   typed.Interface
	size   uintptr    // of a value
	pool   *sync.Pool // of owner, which f is in
	owner  any
	taken  atomic.Bool
}

// folded is a fold and its partial results. These are no Slots, whose methods would be compiled for each T.
type folded[T any] struct {
	fold   Fold
	column Column
	of     valuesOf[T]
}

// NewFold returns a fold of r that joins values through own, made by [Func] or a reducer. The types are [TypesOf] what r
// reduces and of the values.
func NewFold[T any](r reducer[T], own any, types Types) *Fold {
	pool := PoolOf[folded[T]]()
	f := pool.Get().(*folded[T])
	reset(&f.column, &f.of, r)
	f.fold.pool, f.fold.owner = pool, f
	f.fold.reset(&f.column, r, own, types)
	return &f.fold
}

func (f *Fold) reset(c *Column, r, own any, types Types) {
	f.column, f.own = c, own
	f.taken.Store(false)
	if add, ok := own.(addFunc); ok {
		f.add = add
		return
	}
	a := abilityOf(types.types, own)
	f.size = a.size
	if err := &c.err; a.adds == nil && *err == nil {
		*err = fmt.Errorf("reducers: a fold of %T was given a nil function, and the reducer has no AddValues for values of type %v", r, valueOf(types.types))
	}
	if a.adds == nil {
		return
	}
	f.add, f.calls, f.adds = (*byReducer)(f), types.calls, typed.Interfaced(a.adds, own)
	if c.nodes = a.nodes != nil && c.err == nil && !c.ordered; c.nodes {
		f.nodes = typed.Interfaced(a.nodes, own)
		f.dots, f.rows = typed.Interfaced(a.products, own), typed.Interfaced(a.rows, own)
	}
}

// byReducer is a fold whose own reducer joins the values.
type byReducer Fold

func (f *byReducer) AddValues(lanes Values, first int, x Values) {
	f.calls.add(&f.adds, lanes, first, x)
}

// FoldOf returns what patterns use of a reducers.Fold, once: the fold may be another launch's after Release.
func FoldOf(fold any) (*Fold, error) {
	if f, ok := fold.(hasFold); ok {
		if f := f.Fold(); !f.taken.Swap(true) {
			return f, nil
		}
		return nil, errors.New("reducers: the fold is that of an earlier launch, expected a new one for each")
	}
	if fold == nil {
		return nil, errors.New("reducers: the fold is nil, expected one made by NewFold or Folding")
	}
	return nil, fmt.Errorf("reducers: a fold that is a %T, expected one made by NewFold or Folding", fold)
}

// hasFold is a reducers.Fold made there.
type hasFold interface{ Fold() *Fold }

// Rejoin lets a reducers.Fold that no launch has join values through what with makes of what has joined them. They come
// leaf by leaf only then, and nobody knows the operation.
func Rejoin(fold any, with func(own Adder) Adder) {
	of, ok := fold.(hasFold)
	if !ok || of.Fold().Taken() {
		return
	}
	f := of.Fold()
	f.add, f.dots, f.rows = with(f.add), typed.Interface{}, typed.Interface{}
	f.own, f.other, f.column.nodes = nil, true, false
}

// Refuse makes a reducers.Fold that no launch has one that cannot be used, and says why.
func Refuse(fold any, err error) {
	if of, ok := fold.(hasFold); ok {
		of.Fold().column.err = err
	}
}

// Taken reports whether a launch has taken the fold: no other may.
func (f *Fold) Taken() bool { return f.taken.Load() }

// Own returns what joins the values, for another fold with partial results of the type that a pointer refers to. It
// returns false if that cannot be.
func (f *Fold) Own(pointer any) (own any, ok bool) {
	return f.own, f.column.Holds(pointer) && !f.other
}

// Column is where the values go.
func (f *Fold) Column() *Column { return f.column }

// Release ends the use of the fold, which may become another launch's.
func (f *Fold) Release() {
	pool, owner := f.pool, f.owner
	f.column.release()
	f.column, f.own, f.other, f.size, f.add, f.calls = nil, nil, false, 0, nil, nil
	f.adds, f.nodes, f.dots, f.rows = typed.Interface{}, typed.Interface{}, typed.Interface{}, typed.Interface{}
	f.pool, f.owner = nil, nil
	pool.Put(owner)
}

// Start begins a leaf, as [Column.Begin] does.
func (f *Fold) Start(worker, items int) { f.column.Begin(worker, items) }

// Add joins the values x, of which x[0] is item number first of the source and comes at a multiple of the number of lanes
// in its leaf.
func (f *Fold) Add(worker, first int, x Values) {
	c := f.column
	f.add.AddValues(valuesAt(c.lanes[worker].at, c.laneCount), first, x)
}

// Operation returns what the fold computes of values, as far as the reducer that takes them says it. A function says
// nothing.
func (f *Fold) Operation() concept.Operation { return operationOf(f.own) }

// TakesNodes reports whether Node may be called.
func (f *Fold) TakesNodes() bool { return f.column.nodes }

// Node sets a slot to the sum of consecutive leaves of that length, of which the last may be shorter. It has the bits of
// Start, Add and End for each leaf, joined as a tree. x[0] is item number first of the source.
func (f *Fold) Node(worker, slot, first int, x Values, leaf int) {
	c := f.column
	f.calls.node(&f.nodes, c.slot(slot), first, x, leaf, c.laneCount, c.scratchOf(worker))
}

// TakesProducts reports whether NodeOfProducts may be called.
func (f *Fold) TakesProducts() bool { return f.dots.Known() }

// NodeOfProducts is Node of the products x[k]*y[k], rounded, for at most tree.NodeLeaves leaves.
func (f *Fold) NodeOfProducts(worker, slot int, x, y Values, leaf int) {
	c := f.column
	f.calls.products(&f.dots, c.slot(slot), x, y, leaf, c.laneCount, c.scratchOf(worker))
}

// scratchOf returns what a worker has for FoldNode.
func (c *Column) scratchOf(worker int) Values {
	r := &c.scratch[worker]
	if r.at == nil {
		*r = c.room(scratchValues)
	}
	return valuesAt(r.at, r.n)
}

// A Room is what one goroutine at a time calls Rows or RowsOfBoth with.
type Room[T any] struct {
	rows    [2 * RoomRows]T
	scratch [roomValues]T
}

// Rows is [Fold.Node] for who has no slots, of n times the values x[k*stride:][:items], the first of which is item 0,
// with that many lanes. It needs no Open, and a fold that takes nodes. n is at most RoomRows. What it returns is good until
// the room is used again.
func Rows[T any](f *Fold, room *Room[T], n int, x Values, stride, items, leaf, lanes int) []T {
	rows := room.rows[:n]
	f.foldRows(ValuesOf(rows), x, stride, items, leaf, lanes, ValuesOf(room.scratch[:]))
	return rows
}

func (f *Fold) foldRows(rows, x Values, stride, items, leaf, lanes int, scratch Values) {
	if f.rows.Known() {
		f.calls.rows(&f.rows, rows, x, stride, items, leaf, lanes, scratch)
		return
	}
	for k := range rows {
		row := x.from(k*stride, f.size)[:items]
		f.calls.node(&f.nodes, f.column.plus(rows.first(), k), 0, row, leaf, lanes, scratch)
	}
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
