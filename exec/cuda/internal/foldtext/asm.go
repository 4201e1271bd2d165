package foldtext

import "github.com/gokkos/gokkos/exec/kernel/ptxtext"

// A class is a type of registers.
type class = ptxtext.Class

const (
	f64  class = "f64"
	f32  class = "f32"
	b64  class = "b64"
	b32  class = "b32"
	b16  class = "b16"
	pred class = "pred"
)

// An asm writes the instructions of an entry.
type asm struct{ ptxtext.Writer }
