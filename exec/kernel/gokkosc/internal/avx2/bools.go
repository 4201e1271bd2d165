package avx2

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Bools are bytes in memory that are 0 or 1, and lanes with all bits or none in vectors.

// loadBools loads the bytes of a whole vector.
func (e emitter) loadBools(at operand) *reg {
	bytes, r := e.Temporary(ir.Bool), e.Temporary(ir.Bool)
	e.Do(e.sized(ir.Bool, "VPMOVZXB"), at, y(bytes))
	e.Do(e.sized(ir.Bool, "VPSUB"), y(bytes), y(e.Bits(ir.Bool, 0)), y(r))
	return r
}

// storeBools stores the bytes of a whole vector, four at a time. A product with 1 + 2⁷ + 2¹⁴ + 2²¹ moves bit
// l of a mask to byte l.
func (e emitter) storeBools(r *reg, at operand) {
	mask := e.lanes(r)
	for l := 0; l < e.Width; l += 4 {
		g := e.Integer()
		e.Do("MOVQ", y(mask), y(g))
		if l > 0 {
			e.Update("SHRQ", imm(fmt.Sprintf("$%d", l)), y(g))
		}
		e.Update("ANDQ", imm("$15"), y(g))
		e.Update("IMUL3Q", imm("$0x204081"), y(g), y(g))
		e.Update("ANDQ", imm("$0x1010101"), y(g))
		e.Effect("MOVL", y(g), at.Plus(l))
	}
}

// loadSomeBools loads a byte for each lane of the mask, through the frame.
func (e emitter) loadSomeBools(p place) *reg {
	e.Effect("VMOVDQU", y(e.Bits(ir.Bool, 0)), frame(0))
	e.KeepIndex(p)
	e.Scattered(ir.Bool, p, func(l int, at operand) {
		g := e.Integer()
		e.Do("MOVBLZX", at, y(g))
		e.Effect("MOVB", y(g), frame(l))
	})
	return e.loadBools(frame(0))
}

// storeSomeBools stores a byte for each lane of the mask, through the frame.
func (e emitter) storeSomeBools(r *reg, p place) {
	e.Effect("VMOVDQU", y(r), frame(0))
	e.KeepIndex(p)
	e.Scattered(ir.Bool, p, func(l int, at operand) {
		g := e.Integer()
		e.Do("MOVL", frame(l*e.Lane(ir.Bool)), y(g))
		e.Update("ANDQ", imm("$1"), y(g))
		e.Effect("MOVB", y(g), at)
	})
}
