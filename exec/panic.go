package exec

import "github.com/gokkos/gokkos/exec/space"

// Panic is what a pattern panics with when the functor or a reducer did. It describes the panic at the lowest items, on
// every space the same.
type Panic = space.Panic
