// Package avx512 is the instruction set AVX-512 (F, DQ, BW and VL) as a back end of kernels. A vector has
// eight items, or sixteen if all values have 32 bits. Masks have registers of their own.
//
// The loops of AVX2 run leaves with fewer lanes than a vector has.
package avx512

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/amd64"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/avx2"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/vector"
)

// Target writes z_kernels_avx512_amd64.go and z_kernels_avx512_amd64.s; with slow, also for kernels that gain
// nothing.
func Target(slow bool) vector.Target { return vector.Target{Set: Set{}, Below: avx2.Set{}, Slow: slow} }

// Set implements [vector.Set].
type Set struct{ amd64.Base }

var shape = vector.Shape{
	Name: "avx512", Level: "AVX512", Suffix: "512", File: "avx512_amd64",
	Widths: []int{16, 8}, Masks: asm.Masks, MasksStores: true, Narrow: true, Halves: true,
	Registers: asm.Registers{
		Bytes: 64,
		Text:  amd64.Register, Address: amd64.Address, Frame: amd64.Frame, Slow: amd64.Slow,
		Files: [...]asm.File{
			asm.Integers: {Count: 13, Bytes: 8, Copy: "MOVQ", Move: "MOVQ"},
			asm.Vectors:  {Count: 32, Bytes: 64, Copy: "VMOVDQA64", Move: "VMOVDQU64"},
			asm.Masks:    {Count: 7, Bytes: 8, Copy: "KMOVQ", Move: "KMOVQ"},
		},
	},
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

func whole(r *reg) operand     { return asm.R(r) }
func y(r *reg) operand         { return asm.Part(r, 32) }
func x(r *reg) operand         { return asm.Part(r, 16) }
func imm(text string) operand  { return asm.Imm(text) }
func frame(offset int) operand { return asm.Frame(offset) }

// sized appends the letter of an integer type's lanes to an instruction, single the letter of a float type.
// lanes appends the letter of a mask that has a bit for each lane; its further bits are 0.
func sized(t ir.Type, op string) string {
	if t.Bytes() == 8 {
		return op + "Q"
	}
	return op + "D"
}

func single(t ir.Type, op string) string {
	if t.Bytes() == 8 {
		return op + "PD"
	}
	return op + "PS"
}

func (e emitter) lanes(op string) string {
	if e.Width == 16 {
		return op + "W"
	}
	return op + "B"
}

// Constant implements [vector.Set].
func (Set) Constant(e *vector.Emitter, t ir.Type, bits uint64, r *reg) *asm.Instr {
	op := "VPXORQ"
	switch {
	case t == ir.Bool && bits == 0:
		op = emitter{e}.lanes("KXOR")
	case t == ir.Bool:
		op = emitter{e}.lanes("KXNOR")
	case bits == math.MaxUint64:
		return asm.Make("VPTERNLOGQ", imm("$255"), whole(r), whole(r), whole(r))
	case bits != 0:
		return asm.Make("VPBROADCASTQ", imm(e.Table([]uint64{bits})), whole(r))
	}
	return asm.Make(op, whole(r), whole(r), whole(r))
}

// Uniform implements [vector.Set].
func (Set) Uniform(e *vector.Emitter, t ir.Type, from operand, r *reg) *asm.Instr {
	op := map[ir.Type]string{ir.F64: "VBROADCASTSD", ir.F32: "VBROADCASTSS", ir.I32: "VBROADCASTSS", ir.I64: "VPBROADCASTQ", ir.Bool: "KMOVQ"}[t]
	return asm.Make(op, from, e.V(t, r))
}

// Upper implements [vector.Set].
func (Set) Upper(e *vector.Emitter, t ir.Type, n int, r *reg) *reg {
	h := e.Temporary(t)
	if t == ir.Bool {
		e.Do(emitter{e}.lanes("KSHIFTR"), imm(fmt.Sprintf("$%d", n/2)), whole(r), whole(h))
		return h
	}
	switch n * t.Bytes() {
	case 64:
		e.Do("VEXTRACTF64X4", imm("$1"), whole(r), y(h))
	case 32:
		e.Do("VEXTRACTF64X2", imm("$1"), y(r), x(h))
	case 16:
		e.Do("VPSHUFD", imm("$0x4e"), x(r), x(h))
	default:
		e.Do("VPSHUFD", imm("$0xb1"), x(r), x(h))
	}
	return h
}

// Everywhere implements [vector.Set].
func (Set) Everywhere(e *vector.Emitter, t ir.Type, g *reg) *reg {
	r := e.Temporary(t)
	e.Do(sized(t, "VPBROADCAST"), whole(g), e.V(t, r))
	return r
}

// First implements [vector.Set].
func (Set) First(e *vector.Emitter, n *reg) *reg {
	t, table := ir.I64, []uint64{0, 1, 2, 3, 4, 5, 6, 7}
	if e.Width == 16 {
		t = ir.I32
		for l := range table {
			table[l] = uint64(2*l) | uint64(2*l+1)<<32
		}
	}
	lanes, mask := e.Lookup("lanes", table), e.Temporary(ir.Bool)
	e.Do(sized(t, "VPCMP"), imm("$1"), whole(Set{}.Everywhere(e, t, n)), whole(lanes), whole(mask))
	return mask
}

// Lanes implements [vector.Set].
func (Set) Lanes(e *vector.Emitter, mask *reg) *reg {
	g := e.Integer()
	e.Do(emitter{e}.lanes("KMOV"), whole(mask), whole(g))
	return g
}
