package scatter

import "github.com/gokkos/gokkos/builtin"

// An Access takes the contributions of a functor to the cells of a view; see [Sum]. It is
// the accumulator of a launch.
//
// An index that is out of range, or is not of the rank of the view, panics as that of
// [views.View.At] does. A functor must not keep an Access: later launches take its memory.
type Access[T builtin.Number] struct {
	line []T // cells, if Combine1 may add to them, or else nil
	sum  []T // cells, if they are added to, or else nil

	s     *scatter[T]
	open  []list[T] // lists, as long as contributions are kept there, or else nil
	shift uint8     // the contributions to a cell are in list cell>>shift
	lists []list[T] // the contributions to each bucket of cells, as long as there are few
	cells []T       // or else a partial result per cell
	room  *room[T]  // memory for lists and cells
	gifts uint32    // of room, when it was taken
}

// Combine1 joins x to the cell i.
func (a *Access[T]) Combine1(i int, x T) {
	if uint(i) < uint(len(a.line)) {
		a.line[i] += T(x) // not to be fused with what x is made of
	} else {
		a.combine1(i, x)
	}
}

func (a *Access[T]) combine1(i int, x T) {
	s := a.s
	if s.rank != 1 || uint(i) >= uint(s.extent[0]) {
		s.refuse(i)
	}
	if !a.push(i, x) {
		a.combine(i, x)
	}
}

// Combine joins x to the cell of an index, which has one number per dimension.
func (a *Access[T]) Combine(index []int, x T) {
	s := a.s
	if len(index) != s.rank || s.cells == 0 {
		s.refuse(index...)
	}
	cell := 0
	for d, i := range index {
		if uint(i) >= uint(s.extent[d]) {
			s.refuse(index...)
		}
		cell += i * s.weight[d]
	}
	if uint(cell) < uint(len(a.sum)) {
		a.sum[cell] += T(x)
	} else if !a.push(cell, x) {
		a.combine(cell, x)
	}
}

// refuse panics: the view knows what is wrong with the index. Inlined, its copy of the index
// would have every contribution save registers.
//
//go:noinline
func (s *scatter[T]) refuse(index ...int) { s.view.At(append([]int(nil), index...)...) }

// push keeps a contribution as it is, if contributions are kept and there is room. It is
// short enough to be inlined.
func (a *Access[T]) push(cell int, x T) bool {
	if k := uint(cell) >> (a.shift & 63); k < uint(len(a.open)) {
		if l := &a.open[k]; len(l.open) < cap(l.open) {
			n := len(l.open)
			l.open = l.open[:n+1]
			l.open[n] = entry[T]{uint32(cell), x}
			return true
		}
	}
	return false
}

// combine joins x to the cell of a number: to a partial result, to the view if the scatter is
// an atomic one, or it makes room for x in a list, as long as there are few contributions.
func (a *Access[T]) combine(cell int, x T) {
	s := a.s
	switch {
	case s.atomic != nil:
		s.atomic(s.at(cell), x)
		return
	case a.cells == nil && a.count() < s.few:
		a.lists[cell>>s.shift].grow(&s.shared.pieces)
		a.push(cell, x)
		return
	}
	a.condense()
	s.one(&a.cells[cell], x)
}

// count returns the number of contributions that are kept.
func (a *Access[T]) count() (n int) {
	for k := range a.lists {
		n += a.lists[k].len()
	}
	return n
}

// condense makes one partial result per cell of the contributions.
func (a *Access[T]) condense() {
	if a.cells != nil {
		return
	}
	s := a.s
	cells := a.room.memory(s.cells)
	for k := 0; k < len(cells); {
		k += copy(cells[k:], s.identities)
	}
	a.joinTo(cells)
	a.forget()
	a.open, a.cells = nil, cells
	if !s.adds {
		return
	}
	if a.sum = cells; s.rank == 1 {
		a.line = cells
	}
}

// settle condenses more contributions than are kept: a list may have room for some more.
func (a *Access[T]) settle() {
	if a.count() > a.s.few {
		a.condense()
	}
}

// joinTo joins what a has to cells, to the right of what they have.
func (a *Access[T]) joinTo(cells []T) {
	if a.cells != nil {
		a.s.all(cells, a.cells)
		return
	}
	for k := range a.lists {
		a.s.join(cells, &a.lists[k])
	}
}

func (a *Access[T]) forget() {
	for k := range a.lists {
		a.lists[k].forget(&a.s.shared.pieces)
	}
}

// reset makes a the identity of s.
func (a *Access[T]) reset(s *scatter[T]) {
	if a.s != s || !a.hasRoom() {
		*a = Access[T]{s: s, shift: uint8(s.shift), room: s.take()}
		a.lists, a.gifts = a.room.lists, a.room.gifts.Load()
	}
	a.sum, a.line, a.cells = nil, nil, nil
	a.forget()
	a.open = a.lists
}

// hasRoom reports whether a has a room, and has not given it back.
func (a *Access[T]) hasRoom() bool { return a.room != nil && a.room.gifts.Load() == a.gifts }

// join joins src to a, to the right of what a has. It does not change what src has.
func (a *Access[T]) join(src *Access[T]) {
	a.room.join(src.room)
	src.settle()
	more := src.count()
	if src.cells == nil && more == 0 {
		return
	}
	if a.cells != nil || src.cells != nil || a.count()+more > a.s.few {
		a.condense()
		src.joinTo(a.cells)
		return
	}
	for k := range a.lists {
		a.lists[k].join(&src.lists[k], &a.s.shared.pieces)
	}
}
