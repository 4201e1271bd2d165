package avx2

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/amd64"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Integers of 8 and 16 bits are extended to 32 where they are loaded, and truncated where they are stored.

func (e emitter) loadNarrow(t ir.Type, p place) *reg {
	r := e.Temporary(ir.I32)
	switch {
	case p.Same:
		return e.LoadSame(t, p)
	case p.Together && p.Mask == nil:
		e.Do(amd64.Extends[t], p.At, e.V(ir.I32, r))
		return r
	}
	e.LoadEach(t, p, r)
	return r
}

func (e emitter) storeNarrow(t ir.Type, v *reg, p place) {
	if p.Together && p.Mask == nil {
		e.pack(t, v, p.At)
		return
	}
	e.StoreEach(t, v, p)
}

// pack stores the lower bytes of the lanes, which it moves together in each half of a vector.
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
