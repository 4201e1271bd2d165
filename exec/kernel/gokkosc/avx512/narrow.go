package avx512

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"

// Integers of 8 and 16 bits are extended to 32 where they are loaded, and truncated where they are stored.

// extends are the instructions that load vectors of them, moves those that load one.
var (
	extends = map[ir.Type]string{ir.I8: "VPMOVSXBD", ir.U8: "VPMOVZXBD", ir.I16: "VPMOVSXWD", ir.U16: "VPMOVZXWD"}
	moves   = map[ir.Type]string{ir.I8: "MOVBLSX", ir.U8: "MOVBLZX", ir.I16: "MOVWLSX", ir.U16: "MOVWLZX"}
)

func (e emitter) loadNarrow(t ir.Type, p place) *reg {
	r := e.Temporary(ir.I32)
	switch {
	case p.Same:
		g := e.Integer()
		e.Do(moves[t], p.At, whole(g))
		return Set{}.Everywhere(e.Emitter, ir.I32, g)
	case p.Together && p.Mask == nil:
		e.Do(extends[t], p.At, e.V(ir.I32, r))
		return r
	case p.Together:
		e.Do(extends[t]+".Z", p.At, whole(p.Mask), e.V(ir.I32, r))
		return r
	}
	e.KeepIndex(p)
	e.Scattered(t, p, func(l int, at operand) { // what is left in the other lanes nobody asks for
		g := e.Integer()
		e.Do(moves[t], at, whole(g))
		e.Effect("MOVL", whole(g), frame(4*l))
	})
	e.Do("VMOVDQU64", frame(0), e.V(ir.I32, r))
	return r
}

func (e emitter) storeNarrow(t ir.Type, v *reg, p place) {
	size := t.Bytes()
	if p.Together {
		truncate, args := map[int]string{1: "VPMOVDB", 2: "VPMOVDW"}[size], []operand{e.V(ir.I32, v)}
		if p.Mask != nil {
			args = append(args, whole(p.Mask))
		}
		e.Effect(truncate, append(args, p.At)...)
		return
	}
	e.Effect("VMOVDQU64", e.V(ir.I32, v), frame(0))
	e.KeepIndex(p)
	e.Scattered(t, p, func(l int, at operand) {
		g := e.Integer()
		e.Do("MOVL", frame(4*l), whole(g))
		e.Effect(map[int]string{1: "MOVB", 2: "MOVW"}[size], whole(g), at)
	})
}
