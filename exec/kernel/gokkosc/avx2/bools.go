package avx2

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
)

// Bools are bytes in memory that are 0 or 1, and lanes with all bits or none in vectors.

// loadBools loads the bytes of a whole vector.
func (e *emitter) loadBools(at operand, r *reg) {
	bytes := e.temporary()
	e.emit(&instr{op: e.sized(ir.Bool, "VPMOVZXB"), args: []operand{at, y(bytes)}, writes: 1})
	e.emit(&instr{op: e.sized(ir.Bool, "VPSUB"), args: []operand{y(bytes), y(e.bits(ir.Bool, 0)), y(r)}, writes: 1})
}

// storeBools stores the bytes of a whole vector, four at a time: bit l of a mask goes to byte l by a product with
// 1 + 2⁷ + 2¹⁴ + 2²¹.
func (e *emitter) storeBools(r *reg, at operand) {
	mask := e.moved(r)
	for l := 0; l < e.width; l += 4 {
		g := e.integer()
		e.emit(&instr{op: "MOVQ", args: []operand{{r: mask}, {r: g}}, writes: 1})
		if l > 0 {
			e.emit(&instr{op: "SHRQ", args: []operand{imm(fmt.Sprintf("$%d", l)), {r: g}}, writes: 1, reads: true})
		}
		e.emit(&instr{op: "ANDQ", args: []operand{imm("$15"), {r: g}}, writes: 1, reads: true})
		e.emit(&instr{op: "IMUL3Q", args: []operand{imm("$0x204081"), {r: g}, {r: g}}, writes: 1, reads: true})
		e.emit(&instr{op: "ANDQ", args: []operand{imm("$0x1010101"), {r: g}}, writes: 1, reads: true})
		to := at
		to.disp += l
		e.emit(&instr{op: "MOVL", args: []operand{{r: g}, to}})
	}
}

// loadSomeBools loads a byte for each lane that runs, through the frame.
func (e *emitter) loadSomeBools(r *reg, p place) {
	e.emit(&instr{op: "VMOVDQU", args: []operand{y(e.bits(ir.Bool, 0)), frame(0)}})
	e.keepIndex(p)
	e.scattered(ir.Bool, p, func(l int, at operand) {
		g := e.integer()
		e.emit(&instr{op: "MOVBLZX", args: []operand{at, {r: g}}, writes: 1})
		e.emit(&instr{op: "MOVB", args: []operand{{r: g}, frame(l)}})
	})
	e.loadBools(frame(0), r)
}

// storeSomeBools stores a byte for each lane that runs, through the frame.
func (e *emitter) storeSomeBools(r *reg, p place) {
	e.emit(&instr{op: "VMOVDQU", args: []operand{y(r), frame(0)}})
	e.keepIndex(p)
	e.scattered(ir.Bool, p, func(l int, at operand) {
		g := e.integer()
		e.emit(&instr{op: "MOVL", args: []operand{frame(l * e.lane(ir.Bool)), {r: g}}, writes: 1})
		e.emit(&instr{op: "ANDQ", args: []operand{imm("$1"), {r: g}}, writes: 1, reads: true})
		e.emit(&instr{op: "MOVB", args: []operand{{r: g}, at}})
	})
}

// lanesFrom loads the accumulators of a vector, lanesTo stores them.
func (e *emitter) lanesFrom(t ir.Type, at operand, r *reg) {
	if t == ir.Bool {
		e.loadBools(at, r)
		return
	}
	e.emit(&instr{op: "VMOVUPD", args: []operand{at, e.v(t, r)}, writes: 1})
}

func (e *emitter) lanesTo(t ir.Type, r *reg, at operand) {
	if t == ir.Bool {
		e.storeBools(r, at)
		return
	}
	e.emit(&instr{op: "VMOVUPD", args: []operand{e.v(t, r), at}})
}
