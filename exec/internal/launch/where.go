package launch

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/gokkos/gokkos/policy"
)

// Where is the index that the functor has, so that a panic can name it. A loop over items sets Form when it
// begins, and resets it to Nowhere when it ends. In between it stores each index here: 0.05 ns beside a call
// of 1.9 ns.
type Where struct {
	Form  form                      // which fields hold the index; 0: no functor runs
	I     int                       // AtInt: the index; atElement: its number in the block
	elem  reflect.Type              // atPoint: type of the index, whose ints are the first of Point
	Point [len(policy.Run{}.At)]int // atPoint: coordinates of the index
	Rank  int                       // atRow: number of coordinates
	Row   *policy.Run               // atRow: the row
	block Block                     // atElement: the indices
}

// A form is the kind of an index.
type form int8

const (
	Nowhere form = iota // no functor runs
	AtInt
	atPoint
	atRow
	atElement
)

// A Block is a list of indices from the policy's Next, with their type hidden.
type Block struct {
	At    unsafe.Pointer // the first index
	N     int            // number of indices
	elem  reflect.Type   // type of an index
	Items int            // items that the indices stand for together; 0: not set
}

// BlockOf returns indices as a block.
func BlockOf[I any](indices []I) Block {
	return Block{At: unsafe.Pointer(unsafe.SliceData(indices)), N: len(indices), elem: reflect.TypeFor[I]()}
}

// IndicesOf returns the indices of a block, whose type must be I.
func IndicesOf[I any](b Block) []I { return unsafe.Slice((*I)(b.At), b.N) }

// Cut returns the indices begin to end-1 of a block.
func (b Block) Cut(begin, end int) Block {
	return Block{At: unsafe.Add(b.At, uintptr(begin)*b.elem.Size()), N: end - begin, elem: b.elem}
}

// index returns the functor's index as text, or "" if no functor runs.
func (w *Where) index() string {
	switch w.Form {
	case AtInt:
		return strconv.Itoa(w.I)
	case atPoint:
		at := w.Point // a copy: reflection moves it to the heap
		return IndexText(reflect.NewAt(w.elem, unsafe.Pointer(&at)).Elem())
	case atRow:
		return rowText(w.Row, w.Rank)
	case atElement:
		one := w.block.Cut(w.I, w.I+1)
		return IndexText(reflect.NewAt(one.elem, one.At).Elem())
	}
	return ""
}

// A Place is the leaves that a worker works on, and the index that the functor has.
type Place struct {
	Node
	Where
}
