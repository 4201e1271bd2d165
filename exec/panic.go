package exec

import "github.com/gokkos/gokkos/exec/space"

// Panic is the value that a pattern panics with if the functor or a reducer panics. It describes the panic at
// the lowest items, the same on every space.
type Panic = space.Panic
