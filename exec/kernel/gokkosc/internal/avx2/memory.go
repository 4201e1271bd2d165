package avx2

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/vector"
)

// Load implements [vector.Set].
func (Set) Load(a *vector.Emitter, t ir.Type, p place) *reg {
	e := emitter{a}
	if t == ir.Bool {
		if p.Together && p.Mask == nil {
			return e.loadBools(p.At)
		}
		return e.loadSomeBools(p)
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
		e.Do("VMOVUPD", p.At, e.V(t, r))
	case p.Together:
		e.Do(e.masked(t), p.At, e.V(t, e.maskFor(t, p.Mask)), e.V(t, r))
	case p.Apart && p.Mask == nil && t.Bytes() == 8:
		e.pairs(r, p)
	case p.Apart && p.Mask == nil && e.Width == 4:
		e.quad(r, p)
	default:
		e.gather(t, r, p)
	}
	return r
}

func (e emitter) masked(t ir.Type) string {
	if t.Bytes() == 8 {
		return "VMASKMOVPD"
	}
	return "VMASKMOVPS"
}

// pairs loads four elements of 8 bytes one by one, which takes less time than a gather.
func (e emitter) pairs(r *reg, p place) {
	var half [2]*reg
	for h := range half {
		low, both := e.Temporary(ir.F64), e.Temporary(ir.F64)
		e.Do("VMOVSD", p.Each[2*h], x(low))
		e.Do("VMOVHPD", p.Each[2*h+1], x(low), x(both))
		half[h] = both
	}
	e.Do("VINSERTF128", imm("$1"), x(half[1]), y(half[0]), y(r))
}

// quad loads four elements of 4 bytes.
func (e emitter) quad(r *reg, p place) {
	last := e.Temporary(ir.F32)
	e.Do("VMOVSS", p.Each[0], x(last))
	for l := 1; l < 4; l++ {
		next := e.Temporary(ir.F32)
		if l == 3 {
			next = r
		}
		e.Do("VINSERTPS", imm(fmt.Sprintf("$0x%d0", l)), p.Each[l], x(last), x(next))
		last = next
	}
}

// gather loads the elements of the lanes of the mask. Vectors of eight go through the frame, as the
// instruction takes eight indices of 32 bits, and indices have 64.
func (e emitter) gather(t ir.Type, r *reg, p place) {
	if p.Apart && e.Width == 4 {
		p.At = p.At.Indexed(p.Steps(), t.Bytes())
	} else if p.Apart {
		e.LoadEach(t, p, r)
		return
	}
	mask, all := e.Temporary(t), e.ones(t)
	if p.Mask != nil {
		all = e.maskFor(t, p.Mask)
	}
	e.Copy(t, all, mask)
	e.Do("VPXOR", e.V(t, mask), e.V(t, mask), e.V(t, r))
	op := map[int]string{8: "VGATHERQPD", 4: "VGATHERQPS"}[t.Bytes()]
	e.Clobber(op, e.V(t, mask), p.At, e.V(t, r))
}

// Store implements [vector.Set].
func (Set) Store(a *vector.Emitter, t ir.Type, v *reg, p place) {
	e := emitter{a}
	switch {
	case t.IsNarrow():
		e.storeNarrow(t, v, p)
		return
	case t == ir.Bool && p.Together && p.Mask == nil:
		e.storeBools(v, p.At)
		return
	case t == ir.Bool:
		e.storeSomeBools(v, p)
		return
	case p.Together && p.Mask == nil:
		e.Effect("VMOVUPD", e.V(t, v), p.At)
		return
	case p.Together:
		e.Effect(e.masked(t), e.V(t, v), e.V(t, e.maskFor(t, p.Mask)), p.At)
		return
	}
	e.StoreEach(t, v, p)
}
