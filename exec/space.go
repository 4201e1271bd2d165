package exec

import "github.com/gokkos/gokkos/exec/space"

// A Space decides who runs which part of a launch. [Serial], [Goroutines] and [SimGPU] are
// spaces; package space is the contract for more.
type Space = space.Space
