package scatter

import "github.com/gokkos/gokkos/builtin"

// An Access takes the contributions of a functor to the cells of a view; see [Sum]. It is
// the accumulator of a launch.
//
// An index that is out of range, or is not of the rank of the view, panics as that of
// [views.View.At] does.
type Access[T builtin.Number] struct {
	line []T // cells, if Combine1 may add to them, or else nil
	sum  []T // cells, if they are added to, or else nil

	s     *scatter[T]
	lists []list[T] // the contributions to each bucket of cells, as long as there are few
	cells []T       // or else a partial result per cell
	spare []T       // memory for cells
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
	a.combine(i, x)
}

// Combine2 joins x to the cell i, j.
func (a *Access[T]) Combine2(i, j int, x T) {
	s := a.s
	if s.rank != 2 || uint(i) >= uint(s.extent[0]) || uint(j) >= uint(s.extent[1]) {
		s.refuse(i, j)
	}
	a.combine(i*s.weight[0]+j*s.weight[1], x)
}

// Combine3 joins x to the cell i, j, k.
func (a *Access[T]) Combine3(i, j, k int, x T) {
	s := a.s
	if s.rank != 3 || uint(i) >= uint(s.extent[0]) || uint(j) >= uint(s.extent[1]) || uint(k) >= uint(s.extent[2]) {
		s.refuse(i, j, k)
	}
	a.combine(i*s.weight[0]+j*s.weight[1]+k*s.weight[2], x)
}

// Combine4 joins x to the cell i, j, k, l.
func (a *Access[T]) Combine4(i, j, k, l int, x T) {
	a.Combine([]int{i, j, k, l}, x)
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
	a.combine(cell, x)
}

// refuse panics: the view knows what is wrong with the index.
func (s *scatter[T]) refuse(index ...int) { s.view.At(append([]int(nil), index...)...) }

// combine joins x to the cell of a number. What is frequent is short enough to be inlined.
func (a *Access[T]) combine(cell int, x T) {
	if uint(cell) < uint(len(a.sum)) {
		a.sum[cell] += T(x)
		return
	}
	a.log(cell, x)
}

// log keeps a contribution as it is, as long as there are few. An atomic scatter keeps none.
func (a *Access[T]) log(cell int, x T) {
	if a.s.atomic != nil {
		a.s.atomic(a.s.at(cell), x)
		return
	}
	if a.cells == nil {
		l := &a.lists[cell>>a.s.shift]
		if len(l.open) < cap(l.open) || a.grow(l) {
			l.open = append(l.open, entry[T]{uint32(cell), x})
			return
		}
		a.condense()
	}
	a.s.one(&a.cells[cell], x)
}

// grow makes room in a list, or returns false if no more contributions are kept.
func (a *Access[T]) grow(l *list[T]) bool {
	if a.count() >= a.s.few {
		return false
	}
	l.grow(a.s.pieces)
	return true
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
	if a.spare == nil {
		a.spare = make([]T, a.s.cells)
	}
	cells := a.spare
	for k := range cells {
		cells[k] = a.s.identity
	}
	a.joinTo(cells)
	a.forget()
	a.cells = cells
	if a.s.adds {
		a.sum = cells
		if a.s.rank == 1 {
			a.line = cells
		}
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
		a.lists[k].forget()
	}
}

// reset makes a the identity of s.
func (a *Access[T]) reset(s *scatter[T]) {
	if a.s != s {
		*a = Access[T]{s: s, lists: make([]list[T], s.buckets())}
	}
	a.line, a.sum, a.cells = nil, nil, nil
	a.forget()
}

// join joins src to a, to the right of what a has. It does not change what src has.
func (a *Access[T]) join(src *Access[T]) {
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
		a.lists[k].join(&src.lists[k], a.s.pieces)
	}
}
