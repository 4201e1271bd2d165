// Package avx2 is the instruction set AVX2, with FMA, as a back end of kernels. A vector has four items, or
// eight if all values have 32 bits.
package avx2

import (
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/amd64"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/vector"
)

// Target writes z_kernels_amd64.go and z_kernels_amd64.s; with slow, also for kernels that gain nothing.
func Target(slow bool) vector.Target { return vector.Target{Set: Set{}, Slow: slow} }

// Set implements [vector.Set].
type Set struct{ amd64.Base }

var shape = vector.Shape{
	Name: "avx2", Level: "AVX2", File: "amd64", Widths: []int{8, 4}, Masks: asm.Vectors, Narrow: true,
	Registers: asm.Registers{
		Bytes: 32,
		Text:  amd64.Register, Address: amd64.Address, Frame: amd64.Frame, Slow: amd64.Slow,
		Files: [...]asm.File{
			asm.Integers: {Count: 13, Bytes: 8, Copy: "MOVQ", Move: "MOVQ"},
			asm.Vectors:  {Count: 16, Bytes: 32, Copy: "VMOVDQA", Move: "VMOVDQU"},
			asm.Masks:    {},
		},
		FromMemory: fromMemory(),
		Commutes:   map[string]bool{"VFMADD231PD": true, "VADDPD": true, "VMULPD": true, "VADDPS": true, "VMULPS": true},
	},
}

// fromMemory returns the number of the operand that an instruction can load from memory, by the instruction.
func fromMemory() map[string]int {
	all := map[string]int{"VCMPPD": 1, "VCMPPS": 1, "VBLENDVPD": 1, "VBLENDVPS": 1, "VPBLENDD": 1}
	for _, op := range strings.Fields(`VADDPD VSUBPD VMULPD VDIVPD VADDPS VSUBPS VMULPS VDIVPS VFMADD231PD
		VPADDQ VPADDD VPSUBQ VPSUBD VPAND VPOR VPXOR VPANDN VPMULUDQ VPCMPEQQ VPCMPEQD VPCMPGTQ VPCMPGTD VMINPD VMAXPD VMINPS VMAXPS`) {
		all[op] = 0
	}
	return all
}

// Shape implements [vector.Set].
func (Set) Shape() *vector.Shape { return &shape }

// An emitter writes operations that take several instructions.
type emitter struct{ *vector.Emitter }

type (
	reg     = asm.Reg
	operand = asm.Operand
	place   = vector.Place
)

func y(r *reg) operand         { return asm.R(r) }
func x(r *reg) operand         { return asm.Part(r, 16) }
func imm(text string) operand  { return asm.Imm(text) }
func frame(offset int) operand { return asm.Frame(offset) }

// Constant implements [vector.Set].
func (Set) Constant(e *vector.Emitter, _ ir.Type, bits uint64, r *reg) *asm.Instr {
	if bits == 0 {
		return asm.Make("VPXOR", y(r), y(r), y(r))
	}
	return asm.Make("VPBROADCASTQ", imm(e.Table([]uint64{bits})), y(r))
}

// Uniform implements [vector.Set].
func (Set) Uniform(e *vector.Emitter, t ir.Type, from operand, r *reg) *asm.Instr {
	op := map[ir.Type]string{ir.F64: "VBROADCASTSD", ir.F32: "VBROADCASTSS", ir.I32: "VBROADCASTSS", ir.I64: "VPBROADCASTQ", ir.Bool: "VPBROADCASTQ"}[t]
	return asm.Make(op, from, e.V(t, r))
}

// Everywhere implements [vector.Set].
func (Set) Everywhere(e *vector.Emitter, t ir.Type, g *reg) *reg {
	one, all := e.Temporary(t), e.Temporary(t)
	e.Do("VMOVQ", y(g), x(one))
	e.Do(emitter{e}.sized(t, "VPBROADCAST"), x(one), e.V(t, all))
	return all
}

// Upper implements [vector.Set].
func (Set) Upper(e *vector.Emitter, t ir.Type, n int, r *reg) *reg {
	h := e.Temporary(t)
	switch n * t.Bytes() {
	case 32:
		e.Do("VEXTRACTF128", imm("$1"), y(r), x(h))
	case 16:
		e.Do("VPSHUFD", imm("$0x4e"), x(r), x(h))
	default:
		e.Do("VPSHUFD", imm("$0xb1"), x(r), x(h))
	}
	return h
}

// First implements [vector.Set].
func (Set) First(e *vector.Emitter, n *reg) *reg {
	t, table := ir.I64, []uint64{0, 1, 2, 3}
	if e.Width == 8 {
		t, table = ir.I32, []uint64{1 << 32, 2 | 3<<32, 4 | 5<<32, 6 | 7<<32}
	}
	lanes := e.Lookup("lanes", table)
	return e.Vec(t, emitter{e}.sized(t, "VPCMPGT"), lanes, Set{}.Everywhere(e, t, n))
}

// Lanes implements [vector.Set].
func (Set) Lanes(e *vector.Emitter, mask *reg) *reg { return emitter{e}.lanes(mask) }

func (e emitter) lanes(mask *reg) *reg {
	g := e.Integer()
	op := "VMOVMSKPD"
	if e.Width == 8 {
		op = "VMOVMSKPS"
	}
	e.Do(op, y(mask), y(g))
	return g
}

func (e emitter) blend(t ir.Type) string {
	if e.Lane(t) == 8 {
		return "VBLENDVPD"
	}
	return "VBLENDVPS"
}

// asBool returns the result of a comparison of numbers in lanes of bools.
func (e emitter) asBool(t ir.Type, r *reg) *reg {
	if e.Lane(t) == e.Lane(ir.Bool) {
		return r
	}
	return e.widen(r, false)
}

// maskFor returns a bool in the lanes of a type.
func (e emitter) maskFor(t ir.Type, r *reg) *reg {
	if e.Lane(t) == e.Lane(ir.Bool) {
		return r
	}
	return e.narrow(r)
}
