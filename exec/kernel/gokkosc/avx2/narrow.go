package avx2

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
)

// Integers of 8 and 16 bits are extended to 32 where they are loaded, and truncated where they are stored.

// extends are the instructions that load whole vectors of them, moves those that load one.
var (
	extends = map[ir.Type]string{ir.I8: "VPMOVSXBD", ir.U8: "VPMOVZXBD", ir.I16: "VPMOVSXWD", ir.U16: "VPMOVZXWD"}
	moves   = map[ir.Type]string{ir.I8: "MOVBLSX", ir.U8: "MOVBLZX", ir.I16: "MOVWLSX", ir.U16: "MOVWLZX"}
)

func (e emitter) loadNarrow(t ir.Type, p place) *reg {
	r := e.Temporary(ir.I32)
	switch {
	case p.Same:
		g := e.Integer()
		e.Do(moves[t], p.At, y(g))
		return Set{}.Everywhere(e.Emitter, ir.I32, g)
	case p.Together && p.Mask == nil:
		e.Do(extends[t], p.At, e.V(ir.I32, r))
		return r
	}
	e.KeepIndex(p)
	e.Scattered(t, p, func(l int, at operand) { // what is left in the other lanes nobody asks for
		g := e.Integer()
		e.Do(moves[t], at, y(g))
		e.Effect("MOVL", y(g), frame(4*l))
	})
	e.Do("VMOVDQU", frame(0), e.V(ir.I32, r))
	return r
}

func (e emitter) storeNarrow(t ir.Type, v *reg, p place) {
	if p.Together && p.Mask == nil {
		e.pack(t, v, p.At)
		return
	}
	e.Effect("VMOVDQU", e.V(ir.I32, v), frame(0))
	e.KeepIndex(p)
	e.Scattered(t, p, func(l int, at operand) {
		g := e.Integer()
		e.Do("MOVL", frame(4*l), y(g))
		e.Effect(map[int]string{1: "MOVB", 2: "MOVW"}[t.Bytes()], y(g), at)
	})
}

// pack stores the lower bytes of the lanes: they are brought together in each half of a vector.
func (e emitter) pack(t ir.Type, v *reg, at operand) {
	size := t.Bytes()
	table := map[int]uint64{1: 0x8080_8080_0c08_0400, 2: 0x0d0c_0908_0504_0100}[size]
	const none = 0x8080_8080_8080_8080
	shuffle := e.Lookup(fmt.Sprintf("pack %d", size), []uint64{table, none, table, none})
	move := map[int]string{1: "VMOVD", 2: "VMOVQ"}[size]
	packed := e.Temporary(ir.I32)
	e.Do("VPSHUFB", e.V(ir.I32, shuffle), e.V(ir.I32, v), e.V(ir.I32, packed))
	e.Effect(move, x(packed), at)
	if e.Width == 8 {
		top := e.Temporary(ir.I32)
		e.Do("VEXTRACTI128", imm("$1"), y(packed), x(top))
		e.Effect(move, x(top), at.Plus(4*size))
	}
}
