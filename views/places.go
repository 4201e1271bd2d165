package views

import "github.com/gokkos/gokkos/internal/memory"

// The places of elements, counted from the first, of typed views. Code that is built to tell of
// its accesses to memory does not tell of those here, see package internal/watch: it is about
// the elements.

//go:norace
func (s *shape) dense1(i int) int {
	if memory.ChecksDimensions {
		s.check(i)
	}
	return s.touchAt(i)
}

//go:norace
func (s *shape) strided1(i int) int {
	if memory.ChecksDimensions {
		s.check(i)
	}
	return s.touchAt(i * s.stride[0])
}
