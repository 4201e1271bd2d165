package exec

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/gokkos/gokkos/policy"
)

// where is the index that the functor has, for a panic to name it. A loop over items sets the form when it begins, and
// nowhere when it ends. In between it keeps the index here, which is a store for each item: 0.05 ns beside a call of
// 1.9 ns.
type where struct {
	form  form
	i     int          // atInt: the index; atElement: its number in the block
	elem  reflect.Type // atPoint: of the index, which is as many integers of the point
	point [len(policy.Run{}.At)]int
	rank  int // atRow
	row   *policy.Run
	block block
}

// A form is what an index is.
type form int8

const (
	nowhere form = iota // no functor runs
	atInt
	atPoint
	atRow
	atElement
)

// A block is indices that a policy has given one by one, with their type hidden.
type block struct {
	at    unsafe.Pointer
	n     int
	elem  reflect.Type
	items int // that they stand for, where each does so for several
}

// blockOf returns indices as a block.
func blockOf[I any](indices []I) block {
	return block{at: unsafe.Pointer(unsafe.SliceData(indices)), n: len(indices), elem: reflect.TypeFor[I]()}
}

// indicesOf returns the indices of a block, which are of that type.
func indicesOf[I any](b block) []I { return unsafe.Slice((*I)(b.at), b.n) }

// cut returns the indices begin to end-1 of a block.
func (b block) cut(begin, end int) block {
	return block{at: unsafe.Add(b.at, uintptr(begin)*b.elem.Size()), n: end - begin, elem: b.elem}
}

// index returns the index that the functor has as text, "" if none runs.
func (w *where) index() string {
	switch w.form {
	case atInt:
		return strconv.Itoa(w.i)
	case atPoint:
		at := w.point // a copy, as what reflection sees is on the heap
		return indexText(reflect.NewAt(w.elem, unsafe.Pointer(&at)).Elem())
	case atRow:
		return rowText(w.row, w.rank)
	case atElement:
		one := w.block.cut(w.i, w.i+1)
		return indexText(reflect.NewAt(one.elem, one.at).Elem())
	}
	return ""
}

func atPoints[I any](w *walk) { w.form, w.elem = atPoint, reflect.TypeFor[I]() }

func (w *walk) atRows(rank int) { w.form, w.rank = atRow, rank }

func (w *walk) atBlock(b block) { w.form, w.block = atElement, b }

// leaveBlock ends atBlock. It lets go of the indices, which may refer to memory.
func (w *walk) leaveBlock() { w.form, w.block = nowhere, block{} }

// pointAt lets the worker be at the first point of a run, and returns the point as an index, and the coordinate that grows.
// I has the rank of the run.
func pointAt[I any](w *walk, r *policy.Run) (at *I, x *int) {
	w.point = r.At
	return (*I)(unsafe.Pointer(&w.point)), &w.point[r.Dim]
}

// spanOf returns what the coordinate of a run goes over that grows.
func spanOf(r *policy.Run) policy.Span {
	first := r.At[r.Dim]
	return policy.Span{Begin: first, End: first + r.Len}
}
