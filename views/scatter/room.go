package scatter

import (
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/simd"
)

// shared is what all scatters of one type of numbers have in common.
type shared[T builtin.Number] struct {
	sum, prod, least, most atomic.Pointer[operation[T]]

	pieces pieces
	rooms  [bits.UintSize + 1]sync.Pool // of *room[T], by the length of the number of cells
}

// byType has the *shared of each type.
var byType sync.Map

func sharedBy[T builtin.Number]() *shared[T] {
	t := reflect.TypeFor[T]()
	c, ok := byType.Load(t)
	if !ok {
		c, _ = byType.LoadOrStore(t, new(shared[T]))
	}
	return c.(*shared[T])
}

// operationIn returns the operation that is kept there, for the vectors in use now.
func operationIn[T builtin.Number](kept *atomic.Pointer[operation[T]], make func() operation[T]) *operation[T] {
	op := kept.Load()
	if op == nil || op.level != simd.InUse() {
		made := make()
		made.level = simd.InUse()
		made.identities = identities(made.identity)
		kept.Store(&made)
		op = &made
	}
	return op
}

// A room is the memory of an Access during a launch. The next launches take it again.
type room[T builtin.Number] struct {
	lists []list[T]
	cells []T
	// others are rooms that are to be given back with this one. A room that was joined is among the
	// others of one room, always: of the one that it was joined to, and then of the one that that was
	// joined to. So in the end the root has all, each once.
	others []*room[T]
	joined bool          // it is among the others of a room
	gifts  atomic.Uint32 // how often it was given back
}

// take returns a room with empty lists.
func (s *scatter[T]) take() *room[T] {
	r, ok := s.shared.rooms[bits.Len(uint(s.cells))].Get().(*room[T])
	if !ok {
		r = new(room[T])
	}
	r.lists = reuse.Resize(r.lists, s.buckets())
	return r
}

// give gives r and the others back, at the end of a launch, when none is read any more.
func (s *scatter[T]) give(r *room[T]) {
	for _, other := range r.others {
		if other != r { // which was joined before it became the root's
			s.giveOne(other)
		}
	}
	s.giveOne(r)
}

func (s *scatter[T]) giveOne(r *room[T]) {
	for k := range r.lists {
		r.lists[k].free(&s.shared.pieces)
	}
	clear(r.others)
	r.others, r.joined = r.others[:0], false
	r.gifts.Add(1)
	s.shared.rooms[bits.Len(uint(s.cells))].Put(r)
}

// memory returns n cells with any content.
func (r *room[T]) memory(n int) []T {
	if cap(r.cells) < n {
		r.cells = make([]T, n)
	}
	return r.cells[:n:n]
}

// join takes src, unless some room has it, and the others of src.
func (r *room[T]) join(src *room[T]) {
	if !src.joined {
		src.joined = true
		r.others = append(r.others, src)
	}
	r.others = append(r.others, src.others...)
	clear(src.others)
	src.others = src.others[:0]
}
