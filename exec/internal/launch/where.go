package launch

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/gokkos/gokkos/policy"
)

// Where is the index that the functor has, for a panic to name it. A loop over items sets the form when it begins, and
// nowhere when it ends. In between it keeps the index here, which is a store for each item: 0.05 ns beside a call of
// 1.9 ns.
type Where struct {
	Form  form
	I     int          // AtInt: the index; atElement: its number in the block
	elem  reflect.Type // atPoint: of the index, which is as many integers of the point
	Point [len(policy.Run{}.At)]int
	Rank  int // atRow
	Row   *policy.Run
	block Block
}

// A form is what an index is.
type form int8

const (
	Nowhere form = iota // no functor runs
	AtInt
	atPoint
	atRow
	atElement
)

// A Block is indices that a policy has given one by one, with their type hidden.
type Block struct {
	At    unsafe.Pointer
	N     int
	elem  reflect.Type
	Items int // that they stand for, where each does so for several
}

// BlockOf returns indices as a block.
func BlockOf[I any](indices []I) Block {
	return Block{At: unsafe.Pointer(unsafe.SliceData(indices)), N: len(indices), elem: reflect.TypeFor[I]()}
}

// IndicesOf returns the indices of a block, which are of that type.
func IndicesOf[I any](b Block) []I { return unsafe.Slice((*I)(b.At), b.N) }

// Cut returns the indices begin to end-1 of a block.
func (b Block) Cut(begin, end int) Block {
	return Block{At: unsafe.Add(b.At, uintptr(begin)*b.elem.Size()), N: end - begin, elem: b.elem}
}

// index returns the index that the functor has as text, "" if none runs.
func (w *Where) index() string {
	switch w.Form {
	case AtInt:
		return strconv.Itoa(w.I)
	case atPoint:
		at := w.Point // a copy, as what reflection sees is on the heap
		return IndexText(reflect.NewAt(w.elem, unsafe.Pointer(&at)).Elem())
	case atRow:
		return rowText(w.Row, w.Rank)
	case atElement:
		one := w.block.Cut(w.I, w.I+1)
		return IndexText(reflect.NewAt(one.elem, one.At).Elem())
	}
	return ""
}

// A Place is the leaves that are worked on, and the index that the functor has.
type Place struct {
	Node
	Where
}
