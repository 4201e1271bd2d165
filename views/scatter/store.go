package scatter

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// store joins what a has to the view, and gives the memory of the launch back, once.
func (s *scatter[T]) store(a *Access[T]) {
	if !a.hasRoom() {
		return
	}
	s.joinToView(a)
	s.give(a.room)
}

func (s *scatter[T]) joinToView(a *Access[T]) {
	if a.cells == nil && a.count() == 0 {
		return
	}
	if s.packed {
		s.joinTo(s.memory, a)
		return
	}
	// The cells come and go through a copy without gaps that the host can touch.
	r := s.take()
	memory := r.memory(s.cells)
	packed := views.Must(views.Of(s.view.Label(), memory, s.view.Extents())) // they fit
	s.copy(packed, s.view)
	s.joinTo(memory, a)
	s.copy(s.view, packed)
	s.giveOne(r)
}

// copy copies on the space, or if that is closed, without it.
func (s *scatter[T]) copy(dst, src views.View[T]) {
	if views.DeepCopy(dst, src, policy.On(s.space)) != nil {
		_ = views.DeepCopy(dst, src, policy.On(exec.Serial{})) // equal extents, apart
	}
}

// each calls f for the numbers below n, on the space, or if that is closed, without it. The
// launch has succeeded, and all of its results are to be stored. One call is not worth a launch of
// its own: to tools it is a part of the launch whose result is stored.
func (s *scatter[T]) each(n int, f func(k int)) {
	if n == 1 {
		f(0)
		return
	}
	done := make([]bool, n)
	label := fmt.Sprintf("%s into %v", s.name, s.view)
	_ = exec.ParallelFor(policy.Range(0, n).Chunk(1).On(s.space).WithLabel(label), func(k int) {
		f(k)
		done[k] = true
	})
	for k := range done {
		if !done[k] {
			f(k)
		}
	}
}

const (
	pieceCells = 1 << 14 // of the cells that are joined at a time
	fewEntries = 1 << 14 // so many contributions are joined one after the other
)

// joinTo joins what a has to cells, to the right of what they have.
func (s *scatter[T]) joinTo(cells []T, a *Access[T]) {
	switch {
	case a.cells != nil:
		s.each((s.cells-1)/pieceCells+1, func(k int) {
			begin := k * pieceCells
			end := min(begin+pieceCells, s.cells)
			s.all(cells[begin:end], a.cells[begin:end])
		})
	case a.count() <= fewEntries:
		a.joinTo(cells)
	default:
		s.each(len(a.lists), func(k int) { s.join(cells, &a.lists[k]) })
	}
}
