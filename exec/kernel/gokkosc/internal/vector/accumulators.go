package vector

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Accumulators lie beside each other in memory, one for each lane. Accumulators that are numbers are a vector there; the
// parts of structs and arrays lie apart.

// lanesOf returns the address of the accumulators behind a pointer of the functor.
func (e *Emitter) lanesOf(pointer int) *asm.Reg {
	name := "acc" + string(rune('A'+pointer))
	return e.Once(name, asm.Integers, func(r *asm.Reg) *asm.Instr {
		return e.Fetch(asm.Arg(e.argument(name, "", 0, "")), r)
	})
}

// accumulators returns the places of all accumulators of the lanes from one on.
func (e *Emitter) accumulators(lane *asm.Reg) (places []Place) {
	base := map[int]*asm.Reg{} // of structs
	for n, a := range e.k.Accs {
		if e.isNumber(n) {
			places = append(places, Place{At: asm.At(e.lanesOf(a.Lanes), lane, a.Elem.Bytes(), 0), Together: true})
			continue
		}
		at := base[a.Lanes]
		if at == nil {
			at = e.Integer()
			e.Scale(int64(e.k.Lanes[a.Lanes].Size), lane, at)
			e.add(at, e.lanesOf(a.Lanes))
			base[a.Lanes] = at
		}
		places = append(places, e.partsAt(n, asm.At(at, nil, 0, 0)))
	}
	return places
}

// isNumber reports whether accumulator n is no part of another type, so that its lanes are a vector.
func (e *Emitter) isNumber(n int) bool {
	a := e.k.Accs[n]
	return e.k.Lanes[a.Lanes].Size == a.Elem.Bytes()
}

// partsAt returns the place of accumulator n of the lanes whose first begins at an address.
func (e *Emitter) partsAt(n int, at asm.Operand) Place {
	a := e.k.Accs[n]
	if e.isNumber(n) {
		return Place{At: at, Together: true}
	}
	size := e.k.Lanes[a.Lanes].Size
	p := Place{At: at.Plus(a.Offset), Apart: true}
	p.Steps = func() *asm.Reg { return e.steps(sum(term{int64(size / a.Elem.Bytes()), nil})) }
	for l := range e.Width {
		p.Each[l] = at.Plus(a.Offset + l*size)
	}
	return p
}

// lanesFrom loads the accumulators of a vector, lanesTo stores them.
func (e *Emitter) lanesFrom(t ir.Type, p Place) *asm.Reg { return e.Set.Load(e, t, p) }

func (e *Emitter) lanesTo(t ir.Type, r *asm.Reg, p Place) { e.Set.Store(e, t, r, p) }

// lanes is the number of lanes, less one.
func (e *Emitter) lanes() *asm.Reg {
	return e.Once("lanes-1", asm.Integers, func(r *asm.Reg) *asm.Instr {
		return e.Fetch(asm.Arg(e.argument("lanes", "", 0, "")), r)
	})
}
