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
func operationIn[T builtin.Number](kept *atomic.Pointer[operation[T]], make func() operation[T]) operation[T] {
	op := kept.Load()
	if op == nil || op.level != simd.InUse() {
		made := make()
		made.level = simd.InUse()
		made.identities = identities(made.identity)
		kept.Store(&made)
		op = &made
	}
	return *op
}

// A room is the memory of an Access during a launch. The next launches take it again.
type room[T builtin.Number] struct {
	lists []list[T]
	cells []T
	// others are the rooms of what was joined to this one, each once. They are known here for
	// the end of the launch, when one Access is left to give all of them back.
	others []*room[T]
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
		s.giveOne(other)
	}
	s.giveOne(r)
}

func (s *scatter[T]) giveOne(r *room[T]) {
	for k := range r.lists {
		r.lists[k].free(&s.shared.pieces)
	}
	clear(r.others)
	r.others = r.others[:0]
	s.shared.rooms[bits.Len(uint(s.cells))].Put(r)
}

// memory returns n cells with any content.
func (r *room[T]) memory(n int) []T {
	if cap(r.cells) < n {
		r.cells = make([]T, n)
	}
	return r.cells[:n]
}

// meet makes src and those that it knows known to r.
func (r *room[T]) meet(src *room[T]) {
	r.add(src)
	for _, other := range src.others {
		r.add(other)
	}
}

func (r *room[T]) add(other *room[T]) {
	if r == other {
		return
	}
	for _, known := range r.others {
		if known == other {
			return
		}
	}
	r.others = append(r.others, other)
}
