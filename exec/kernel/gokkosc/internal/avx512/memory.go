package avx512

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/vector"
)

// Load implements [vector.Set].
func (Set) Load(a *vector.Emitter, t ir.Type, p place) *reg {
	e := emitter{a}
	if t == ir.Bool {
		return e.loadBools(p)
	}
	if t.IsNarrow() {
		return e.loadNarrow(t, p)
	}
	r := e.Temporary(t)
	switch {
	case p.Same:
		op := map[int]string{8: "VBROADCASTSD", 4: "VBROADCASTSS"}[t.Bytes()]
		e.Do(op, p.At, e.V(t, r))
	case p.Together && p.Mask == nil:
		e.Do(single(t, "VMOVU"), p.At, e.V(t, r))
	case p.Together:
		e.Do(single(t, "VMOVU")+".Z", p.At, whole(p.Mask), e.V(t, r))
	case p.Apart && p.Mask == nil:
		e.collect(t, r, p)
	default:
		e.gather(t, r, p)
	}
	return r
}

// collect loads the elements one by one, and joins quarters and halves, which takes less time than a gather.
func (e emitter) collect(t ir.Type, r *reg, p place) {
	last := func(n int) *reg { // of several registers, the result
		if n == e.Width*t.Bytes() {
			return r
		}
		return e.Temporary(t)
	}
	var parts []*reg
	for l := 0; l < e.Width; l += 16 / t.Bytes() {
		if t.Bytes() == 8 {
			parts = append(parts, e.pair(p.Each[l], p.Each[l+1]))
		} else {
			parts = append(parts, e.quad(p.Each[l:l+4]))
		}
	}
	for bytes := 32; len(parts) > 1; bytes *= 2 {
		for n := range len(parts) / 2 {
			both := last(bytes)
			if low, high := parts[2*n], parts[2*n+1]; bytes == 32 {
				e.Do("VINSERTF64X2", imm("$1"), x(high), y(low), y(both))
			} else {
				e.Do("VINSERTF64X4", imm("$1"), y(high), whole(low), whole(both))
			}
			parts[n] = both
		}
		parts = parts[:len(parts)/2]
	}
}

// pair loads two elements of 8 bytes, and quad four elements of 4 bytes.
func (e emitter) pair(a, b operand) *reg {
	low, both := e.Temporary(ir.F64), e.Temporary(ir.F64)
	e.Do("VMOVSD", a, x(low))
	e.Do("VMOVHPD", b, x(low), x(both))
	return both
}

func (e emitter) quad(each []operand) *reg {
	last := e.Temporary(ir.F32)
	e.Do("VMOVSS", each[0], x(last))
	for l := 1; l < 4; l++ {
		next := e.Temporary(ir.F32)
		e.Do("VINSERTPS", imm(fmt.Sprintf("$0x%d0", l)), each[l], x(last), x(next))
		last = next
	}
	return last
}

// gather loads the elements of the lanes of the mask. Vectors of sixteen go through the frame, as the
// instruction takes sixteen indices of 32 bits, and indices have 64.
func (e emitter) gather(t ir.Type, r *reg, p place) {
	if e.Width == 16 {
		e.LoadEach(t, p, r)
		return
	}
	if p.Apart {
		p.At = p.At.Indexed(p.Steps(), t.Bytes())
	}
	mask := e.running(p)
	e.Do("VPXORQ", whole(r), whole(r), whole(r))
	e.Clobber(single(t, "VGATHERQ"), p.At, whole(mask), e.V(t, r))
}

// Store implements [vector.Set].
func (Set) Store(a *vector.Emitter, t ir.Type, v *reg, p place) {
	e := emitter{a}
	switch {
	case t.IsNarrow():
		e.storeNarrow(t, v, p)
		return
	case t == ir.Bool:
		e.storeBools(v, p)
		return
	case p.Together && p.Mask == nil:
		e.Effect(single(t, "VMOVU"), e.V(t, v), p.At)
		return
	case p.Together:
		e.Effect(single(t, "VMOVU"), e.V(t, v), whole(p.Mask), p.At)
		return
	}
	if p.Index != nil || p.Apart && e.Width == 8 {
		e.scatter(t, v, p)
		return
	}
	e.StoreEach(t, v, p)
}

// scatter stores the elements of the lanes of the mask, in the order of the lanes.
func (e emitter) scatter(t ir.Type, v *reg, p place) {
	if p.Apart {
		p.At = p.At.Indexed(p.Steps(), t.Bytes())
	}
	e.Scatter(single(t, "VSCATTERQ"), e.V(t, v), whole(e.running(p)), p.At)
}

// running returns a copy of the mask, which an instruction may clear.
func (e emitter) running(p place) *reg {
	if p.Mask != nil {
		return e.Copied(ir.Bool, p.Mask)
	}
	mask := e.Temporary(ir.Bool)
	e.Do(e.lanes("KXNOR"), whole(mask), whole(mask), whole(mask))
	return mask
}

// Bools are bytes in memory that are 0 or 1.

func (e emitter) loadBools(p place) *reg {
	bytes, mask := e.Temporary(ir.I32), e.Temporary(ir.Bool)
	if !p.Together {
		e.Effect("VMOVDQU64", x(e.Bits(ir.I32, 0)), frame(0))
		e.KeepIndex(p)
		e.Scattered(ir.Bool, p, func(l int, at operand) {
			g := e.Integer()
			e.Do("MOVBLZX", at, whole(g))
			e.Effect("MOVB", whole(g), frame(l))
		})
		p.At, p.Mask = frame(0), nil
	}
	switch {
	case p.Mask != nil:
		e.Do("VMOVDQU8.Z", p.At, whole(p.Mask), x(bytes))
	case e.Width == 8:
		e.Do("VMOVQ", p.At, x(bytes))
	default:
		e.Do("VMOVDQU64", p.At, x(bytes))
	}
	e.Do("VPTESTMB", x(bytes), x(bytes), whole(mask))
	return mask
}

func (e emitter) storeBools(v *reg, p place) {
	bytes := e.Temporary(ir.I32)
	e.Do("VMOVDQU8.Z", x(e.Bits(ir.I64, 0x0101010101010101)), whole(v), x(bytes))
	switch {
	case p.Together && p.Mask != nil:
		e.Effect("VMOVDQU8", x(bytes), whole(p.Mask), p.At)
	case p.Together && e.Width == 8:
		e.Effect("VMOVQ", x(bytes), p.At)
	case p.Together:
		e.Effect("VMOVDQU64", x(bytes), p.At)
	default:
		e.Effect("VMOVDQU64", x(bytes), frame(0))
		e.KeepIndex(p)
		e.Scattered(ir.Bool, p, func(l int, at operand) {
			g := e.Integer()
			e.Do("MOVBLZX", frame(l), whole(g))
			e.Effect("MOVB", whole(g), at)
		})
	}
}
