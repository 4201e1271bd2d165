package vector

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// maxStride is the greatest constant distance of neighbours, in elements. Instructions have offsets of 32
// bits, and indices between two that are in range must not wrap around.
const maxStride = 1 << 24

func fits32(n int) bool { return n == int(int32(n)) }

func (e *Emitter) placeOf(v *ir.Value) (p Place) {
	index := v.Args[0]
	mem, size := v.Index, e.k.Mems[v.Index].Elem.Bytes()
	e.Fits(e.k.Mems[mem].Elem)
	if e.k.Mems[mem].Elem.IsNarrow() && !e.shape.Narrow {
		e.Refuse(v, "elements of %s have no vector instructions", e.k.Mems[mem].Elem)
	}
	sum, ok := e.linear(index)
	if !ok {
		e.near(v, mem)
		e.Fits(ir.I64)
		p.Index = e.vector(index)
		p.At = asm.At(e.pointer(mem), p.Index, size, 0)
		return p
	}
	rest, constant := sum.split()
	coefficient, rest, _ := e.ofItem(rest)
	c, isConstant := coefficient.constant()
	constant += c * int64(e.shift)
	counts := e.counts(rest) && !e.jam // an address of its own moves with the item
	if e.shift > 0 && !(isConstant && (c == 0 || c == 1 && !counts)) {
		panic(noUnrolling)
	}
	disp := int(constant) * size
	if constant != int64(int32(constant)) || !fits32(disp) {
		e.Refuse(v, "an offset of %d elements", constant)
	}
	switch {
	case isConstant && c == 0:
		p.Same, p.At = true, asm.At(e.base(mem, size, coefficient, rest), nil, 0, disp)
	case isConstant && c == 1 && !counts:
		p.Together, p.At = true, asm.At(e.base(mem, size, nil, rest), e.item, size, disp)
	case isConstant && (c > maxStride || c < -maxStride || !fits32(disp+(e.Width-1)*int(c)*size)):
		e.Refuse(v, "a stride of %d elements", c)
	default:
		e.near(v, mem)
		p.Together, p.Apart = isConstant && c == 1, true
		a := e.base(mem, size, coefficient, rest)
		p.At, p.Steps = asm.At(a, nil, 0, disp), func() *asm.Reg { return e.steps(coefficient) }
		for l := range e.Width {
			p.Each[l] = e.stride(a, coefficient, size, l, disp)
		}
	}
	return p
}

// near refuses elements anywhere in all memory. Elements of a slice of slices lie one behind the other, if all items
// have that slice.
func (e *Emitter) near(v *ir.Value, mem int) {
	if e.k.Mems[mem].Far {
		e.Refuse(v, "items have elements here behind pointers, or in slices of slices, of their own")
	}
}

// stride is the place l strides behind a.
func (e *Emitter) stride(a *asm.Reg, coefficient poly, size, l, disp int) asm.Operand {
	if c, ok := coefficient.constant(); ok {
		return asm.At(a, nil, 0, disp+l*int(c)*size)
	}
	switch l {
	case 0:
		return asm.At(a, nil, 0, disp)
	case 1, 2, 4:
		return asm.At(a, e.before1(coefficient, size, 1), l, disp)
	case 6:
		return asm.At(a, e.before1(coefficient, size, 3), 2, disp)
	}
	return asm.At(a, e.before1(coefficient, size, l), 1, disp)
}

func (e *Emitter) load(v *ir.Value) *asm.Reg {
	p, t, elem := e.placeOf(v), v.Type, e.k.Mems[v.Index].Elem
	switch {
	case (t == ir.Bool || elem.IsNarrow()) && (e.mask != nil || !p.Together):
		e.singles[v] = bytewise
	case p.Index != nil:
		e.singles[v] = anywhere
	case p.Apart && !p.Together:
		e.singles[v] = strided
	}
	p.Mask = e.mask
	return e.Set.Load(e, elem, p)
}

// laneOf returns the type that elements of a type have in a vector.
func laneOf(t ir.Type) ir.Type {
	if t.IsNarrow() {
		return ir.I32
	}
	return t
}

// LoadEach loads the elements of the lanes that run into r one by one, through the frame. Nothing reads the other lanes.
func (e *Emitter) LoadEach(t ir.Type, p Place, r *asm.Reg) {
	lane := laneOf(t)
	e.KeepIndex(p)
	e.Scattered(t, p, func(l int, at asm.Operand) {
		g := e.Integer()
		e.LoadElement(t, at, g)
		e.StoreElement(lane, g, asm.Frame(l*lane.Bytes()))
	})
	e.Do(e.shape.Files[asm.Vectors].Move, asm.Frame(0), e.V(lane, r))
}

// StoreEach stores the elements of the lanes that run one by one, through the frame.
func (e *Emitter) StoreEach(t ir.Type, v *asm.Reg, p Place) {
	lane := laneOf(t)
	e.Effect(e.shape.Files[asm.Vectors].Move, e.V(lane, v), asm.Frame(0))
	e.KeepIndex(p)
	e.Scattered(t, p, func(l int, at asm.Operand) {
		g := e.Integer()
		e.LoadElement(lane, asm.Frame(l*lane.Bytes()), g)
		e.StoreElement(t, g, at)
	})
}

// LoadSame returns the integer of 8 or 16 bits at a place in all lanes.
func (e *Emitter) LoadSame(t ir.Type, p Place) *asm.Reg {
	g := e.Integer()
	e.LoadElement(t, p.At, g)
	return e.Set.Everywhere(e, ir.I32, g)
}

// Scattered does something for each lane that runs.
func (e *Emitter) Scattered(t ir.Type, p Place, do func(l int, at asm.Operand)) {
	var bits *asm.Reg
	if p.Mask != nil {
		bits = e.Set.Lanes(e, p.Mask)
	}
	for l := range e.Width {
		end := ""
		if bits != nil {
			end = e.Label()
			e.BranchBits(bits, 1<<l, false, end)
		}
		switch {
		case p.Apart:
			do(l, p.Each[l])
		case p.Same:
			do(l, p.At)
		case p.Together:
			do(l, p.At.Plus(l*t.Bytes()))
		default:
			g := e.Integer()
			e.Move(asm.Frame(e.shape.Bytes+8*l), asm.R(g))
			do(l, asm.At(p.At.R, g, t.Bytes(), 0))
		}
		if end != "" {
			e.Mark(end)
		}
	}
}

// KeepIndex puts the indices of a vector into the frame, where Scattered finds them.
func (e *Emitter) KeepIndex(p Place) {
	if p.Index != nil {
		e.Effect(e.shape.Files[asm.Vectors].Move, asm.R(p.Index), asm.Frame(e.shape.Bytes))
	}
}

func (e *Emitter) store(v *ir.Value) {
	x := e.vector(v.Args[1])
	p := e.placeOf(v)
	switch {
	case p.Index != nil:
		e.singles[v] = anywhere
	case p.Apart && !p.Together:
		e.singles[v] = spread
	}
	e.stored = true
	p.Mask = e.mask
	e.Set.Store(e, e.k.Mems[v.Index].Elem, x, p)
}

// check stops in front of the vector unless all items that run pass.
func (e *Emitter) check(v *ir.Value) {
	if e.stored {
		e.Refuse(v, "%s here, behind a store, which could not be undone", v.Asked())
	}
	e.stops++
	index, limit := v.Args[0], v.Args[1]
	p, ok := e.linear(index)
	n, uniform := e.linear(limit)
	if uniform {
		c, _, _ := e.ofItem(n)
		uniform = len(c) == 0
	}
	coefficient, _, _ := e.ofItem(p)
	c, isConstant := coefficient.constant()
	if !ok || !uniform || !isConstant || c > maxStride || c < -maxStride || c != 0 && (e.lanesLeave > 0 || !v.IsRange()) { // lanes that have left are not asked
		most := e.vector(limit)
		in := e.below(ir.I64, e.vector(index), most)
		bad := e.under(e.mask, in, false)
		g := e.Set.Lanes(e, bad)
		e.BranchBits(g, AllBits, true, "stop")
		return
	}
	g, most := e.scalar(p, 1), e.scalar(n, 1)
	for _, step := range []int64{0, c * int64(e.Width-1)} {
		if step != 0 {
			e.Add(asm.Const(step), asm.R(g))
		}
		e.Branch(asm.R(g), NotBelow, asm.R(most), "stop")
		if c == 0 {
			break
		}
	}
}

// base returns the address of an element of a memory. Its index is rest plus the coefficient times the index
// of the first item. The address moves on with the item and with the counters of loops.
func (e *Emitter) base(mem, size int, coefficient, rest poly) *asm.Reg {
	if e.counts(rest) {
		return e.loop.pointer(e, mem, size, coefficient, rest)
	}
	name := fmt.Sprintf("at %d %s item %s", mem, rest.key(), coefficient.key())
	if r := e.fixed[name]; r != nil {
		return r
	}
	if len(rest) == 0 && len(coefficient) == 0 {
		return e.pointer(mem)
	}
	e.Aside(&e.before, func() {
		r := e.Integer()
		made := len(e.before)
		defer func() { e.bases = append(e.bases, base{r, rest, size, e.before[made:]}) }()
		e.Move(asm.R(e.pointer(mem)), asm.R(r))
		if len(rest) > 0 {
			e.add(r, e.scalar(rest, int64(size)))
		}
		if len(coefficient) > 0 {
			e.add(r, e.scalar(coefficient.times(poly{{1, []*ir.Value{e.index}}}), int64(size)))
		}
		e.fixed[name] = r
	})
	r := e.fixed[name]
	if len(coefficient) > 0 {
		e.step(&e.latch, r, coefficient, size*e.Width)
	}
	return r
}
