package target

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// inKmath are the functions of package math that package kmath has in a form for kernels.
var inKmath = map[string]bool{
	"Exp": true, "Exp2": true, "Expm1": true, "Log": true, "Log2": true, "Log1p": true,
	"Sin": true, "Cos": true, "Sincos": true, "Tan": true, "Atan": true, "Atan2": true, "Tanh": true, "Pow": true, "Cbrt": true, "Hypot": true, "Erf": true,
}

// instead maps functions that a target cannot call to the text of a replacement.
var instead = map[string]string{
	"Max": "use max, the builtin", "Min": "use min, the builtin", "Round": "use math.RoundToEven, or math.Floor(x+0.5)",
}

// First returns the first value of an operation in a block, or nil.
func First(op ir.Op, b *ir.Block) (first *ir.Value) {
	b.Walk(func(v *ir.Value) {
		if first == nil && v.Op == op {
			first = v
		}
	})
	return first
}

// NoForm returns why a target has no code for a call of a function in Go, and what to write instead.
func NoForm(call *ir.Value) string {
	pkg, name, _ := strings.Cut(call.Func, ".")
	help := "write it in plain Go"
	switch {
	case pkg != "math":
	case inKmath[name]:
		help = "call kmath." + name + " of package exec/kernel/kmath, which has the same bits on every CPU"
	case instead[name] != "":
		help = instead[name]
	default:
		help = "write it in plain Go of rounded products"
	}
	return fmt.Sprintf("%s.%s has no vector form; %s", pkg[strings.LastIndexByte(pkg, '/')+1:], name, help)
}
