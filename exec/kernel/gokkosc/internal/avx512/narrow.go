package avx512

import (
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
	case p.Together:
		e.Do(amd64.Extends[t]+".Z", p.At, whole(p.Mask), e.V(ir.I32, r))
		return r
	}
	e.LoadEach(t, p, r)
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
	e.StoreEach(t, v, p)
}
