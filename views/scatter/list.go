package scatter

import (
	"math/bits"
	"reflect"
	"sync"
	"unsafe"
)

// An entry is a contribution to a cell.
type entry[T any] struct {
	cell uint32
	x    T
}

// A list has contributions in the order of items, in pieces.
type list[T any] struct {
	full   [][]entry[T] // these pieces come first; they never change
	open   []entry[T]   // and then this one
	count  int          // contributions in full
	shared bool         // others refer to the memory of open
	length int          // that open is expected to get
}

// The lengths of the memory of pieces, which are powers of two.
const (
	shortest = 32
	longer   = 128 // from this length on, a piece is shared and not copied
	longest  = 1 << longestBits

	longestBits = 10
)

func (l *list[T]) len() int { return l.count + len(l.open) }

// grow makes room in open.
func (l *list[T]) grow(p *pieces) {
	if len(l.open) >= longest {
		l.seal()
	}
	length := min(max(2*len(l.open), l.length, shortest), longest)
	old := l.open
	l.open = append(newPiece[T](p, length), old...)
	if !l.shared {
		freePiece(p, old)
	}
	l.shared = false
}

// seal moves open to the pieces that are full.
func (l *list[T]) seal() {
	if len(l.open) > 0 {
		l.count += len(l.open)
		l.full = append(l.full, l.open)
	}
	l.open, l.shared = nil, false
}

// forget empties the list. Of its memory it keeps what nobody else has.
func (l *list[T]) forget() {
	clear(l.full)
	l.full, l.count = l.full[:0], 0
	if l.shared { // it will be as long again
		l.open, l.shared, l.length = nil, false, len(l.open)
	}
	l.open = l.open[:0]
}

// join appends src to l. Long pieces are then in both.
func (l *list[T]) join(src *list[T], p *pieces) {
	for _, piece := range src.full {
		l.append(piece, p)
	}
	l.append(src.open, p)
	src.shared = src.shared || len(src.open) >= longer
}

func (l *list[T]) append(piece []entry[T], p *pieces) {
	if len(piece) >= longer {
		l.seal()
		l.count += len(piece)
		l.full = append(l.full, piece)
		return
	}
	for len(piece) > 0 {
		if len(l.open) == cap(l.open) {
			l.grow(p)
		}
		n := min(len(piece), cap(l.open)-len(l.open))
		l.open = append(l.open, piece[:n]...)
		piece = piece[n:]
	}
}

// free empties the list, none of whose memory anybody else uses any more.
func (l *list[T]) free(p *pieces) {
	l.seal()
	for _, piece := range l.full {
		freePiece(p, piece)
	}
	*l = list[T]{}
}

// pieces are kept from launch to launch: those of each length, of one type.
type pieces [longestBits + 1]sync.Pool

// pools has the *pieces of each type.
var pools sync.Map

func piecesOf[T any]() *pieces {
	p, _ := pools.LoadOrStore(reflect.TypeFor[T](), new(pieces))
	return p.(*pieces)
}

// newPiece returns an empty piece with room for that many contributions, or some more.
func newPiece[T any](p *pieces, length int) []entry[T] {
	k := bits.Len(uint(length - 1))
	if memory, ok := p[k].Get().(*entry[T]); ok {
		return unsafe.Slice(memory, 1<<k)[:0]
	}
	return make([]entry[T], 0, 1<<k)
}

// freePiece takes back the memory of a piece, all of it.
func freePiece[T any](p *pieces, piece []entry[T]) {
	if cap(piece) > 0 {
		p[bits.Len(uint(cap(piece)-1))].Put(unsafe.SliceData(piece))
	}
}
