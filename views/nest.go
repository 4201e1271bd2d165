package views

import "github.com/gokkos/gokkos/internal/nest"

// noStride stands for the strides of a second view where there is none.
var noStride [maxRank]int

// nestOf returns the loops over the elements in the order of their indices, the last index
// fastest, as few and as long as may be. b are the strides of a second view.
func nestOf(s *shape, b []int) nest.Loops {
	x := nest.Loops{Items: s.length}
	for d := range s.rank {
		x.Push(s.extent[d], s.stride[d], b[d])
	}
	return x.Merged()
}
