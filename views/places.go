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

//go:norace
func (s *shape) dense2(i, j int) int {
	if memory.ChecksDimensions {
		s.check(i, j)
	}
	return s.touchAt(i*s.stride[0] + j)
}

//go:norace
func (s *shape) strided2(i, j int) int {
	if memory.ChecksDimensions {
		s.check(i, j)
	}
	return s.touchAt(i*s.stride[0] + j*s.stride[1])
}

//go:norace
func (s *shape) dense3(i, j, k int) int {
	if memory.ChecksDimensions {
		s.check(i, j, k)
	}
	return s.touchAt(i*s.stride[0] + j*s.stride[1] + k)
}

//go:norace
func (s *shape) strided3(i, j, k int) int {
	if memory.ChecksDimensions {
		s.check(i, j, k)
	}
	return s.touchAt(i*s.stride[0] + j*s.stride[1] + k*s.stride[2])
}

//go:norace
func (s *shape) dense4(i, j, k, l int) int {
	if memory.ChecksDimensions {
		s.check(i, j, k, l)
	}
	return s.touchAt(i*s.stride[0] + j*s.stride[1] + k*s.stride[2] + l)
}

//go:norace
func (s *shape) strided4(i, j, k, l int) int {
	if memory.ChecksDimensions {
		s.check(i, j, k, l)
	}
	return s.touchAt(i*s.stride[0] + j*s.stride[1] + k*s.stride[2] + l*s.stride[3])
}
