package avx2

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
)

// A place is where the items of a vector load or store.
type place struct {
	at       operand    // of the first item
	lanes    [8]operand // of each, if they lie apart by the same number of elements
	together bool       // one element after the other
	same     bool       // the same element
	apart    bool       // lanes holds
	step     poly       // from one to the next, then
	index    *reg       // otherwise, of 64-bit integers
}

// maxStride is how many elements neighbours may lie apart by a constant: instructions have offsets of 32
// bits, and the indices between two that are in range must not wrap around.
const maxStride = 1 << 24

func fits32(n int) bool { return n == int(int32(n)) }

func (e *emitter) placeOf(v *ir.Value) (p place) {
	index := v.Args[0]
	mem, size := v.Index, e.k.Mems[v.Index].Elem.Bytes()
	e.fits(e.k.Mems[mem].Elem)
	if e.k.Mems[mem].Elem.IsNarrow() {
		e.refuse(v, "elements of %s have no vector instructions", e.k.Mems[mem].Elem)
	}
	sum, ok := e.linear(index)
	if !ok {
		e.fits(ir.I64)
		p.index = e.vector(index)
		p.at = at(e.pointer(mem), p.index, size, 0)
		return p
	}
	rest, constant := sum.split()
	coefficient, rest, _ := e.ofItem(rest)
	c, isConstant := coefficient.constant()
	constant += c * int64(e.shift)
	if e.shift > 0 && !(isConstant && (c == 0 || c == 1 && !e.counts(rest))) {
		panic(noUnrolling)
	}
	disp := int(constant) * size
	if constant != int64(int32(constant)) || !fits32(disp) {
		e.refuse(v, "an offset of %d elements", constant)
	}
	switch {
	case isConstant && c == 0:
		p.same, p.at = true, at(e.base(mem, size, coefficient, rest), nil, 0, disp)
	case isConstant && c == 1 && !e.counts(rest):
		p.together, p.at = true, at(e.base(mem, size, nil, rest), e.item, size, disp)
	case isConstant && (c > maxStride || c < -maxStride || !fits32(disp+(e.width-1)*int(c)*size)):
		e.refuse(v, "a stride of %d elements", c)
	default:
		p.together, p.apart = isConstant && c == 1, true
		a := e.base(mem, size, coefficient, rest)
		p.at, p.step = at(a, nil, 0, disp), coefficient
		for l := range e.width {
			p.lanes[l] = e.stride(a, coefficient, size, l, disp)
		}
	}
	return p
}

// counts reports whether a counter of a loop is in p.
func (e *emitter) counts(p poly) bool {
	for _, t := range p {
		for _, v := range t.f {
			if e.counter(v) != nil {
				return true
			}
		}
	}
	return false
}

// stride is the place l strides behind a.
func (e *emitter) stride(a *reg, coefficient poly, size, l, disp int) operand {
	if c, ok := coefficient.constant(); ok {
		return at(a, nil, 0, disp+l*int(c)*size)
	}
	switch l {
	case 0:
		return at(a, nil, 0, disp)
	case 1, 2, 4:
		return at(a, e.before1(coefficient, size, 1), l, disp)
	case 6:
		return at(a, e.before1(coefficient, size, 3), 2, disp)
	}
	return at(a, e.before1(coefficient, size, l), 1, disp)
}

// before1 returns a number of the setup, times some bytes, that is made before the loop over items.
func (e *emitter) before1(p poly, size, times int) *reg {
	name := fmt.Sprintf("%d*%d*%s", size, times, p.key())
	if e.fixed[name] == nil {
		e.aside(&e.before, func() { e.fixed[name] = e.scalar(p, int64(size*times)) })
	}
	return e.fixed[name]
}

// base returns the address of an element of a memory: of rest, and of the coefficient times the
// index of the first item, which moves on with the item and with the counters of loops.
func (e *emitter) base(mem, size int, coefficient, rest poly) *reg {
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
	e.aside(&e.before, func() {
		r := e.integer()
		e.emit(&instr{op: "MOVQ", args: []operand{{r: e.pointer(mem)}, {r: r}}, writes: 1})
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
		e.step(&e.latch, r, coefficient, size*e.width)
	}
	return r
}

func (e *emitter) add(r, x *reg) {
	e.emit(&instr{op: "ADDQ", args: []operand{{r: x}, {r: r}}, writes: 1, reads: true})
}

// step adds a number of the setup, times some bytes, at the end of each round.
func (e *emitter) step(list *[]*instr, r *reg, p poly, bytes int) {
	e.aside(list, func() {
		if c, ok := p.constant(); ok && c*int64(bytes) == int64(int32(c*int64(bytes))) {
			if c != 0 {
				e.emit(&instr{op: "ADDQ", args: []operand{imm(fmt.Sprintf("$%d", c*int64(bytes))), {r: r}}, writes: 1, reads: true})
			}
			return
		}
		e.add(r, e.before1(p, bytes, 1))
	})
}

func (e *emitter) load(v *ir.Value) *reg {
	p, t := e.placeOf(v), v.Type
	switch {
	case t == ir.Bool && (e.mask != nil || !p.together):
		e.work.gathered += 6 * e.times // a byte for each lane, in a branch of its own
	case p.index != nil:
		e.work.gathered += e.times
	case p.apart && !p.together:
		e.work.apart += e.times
	}
	r := e.temporary()
	switch {
	case t == ir.Bool && p.together && e.mask == nil:
		e.loadBools(p.at, r)
	case t == ir.Bool:
		e.loadSomeBools(r, p)
	case p.same:
		op := map[int]string{8: "VBROADCASTSD", 4: "VBROADCASTSS"}[t.Bytes()]
		e.emit(&instr{op: op, args: []operand{p.at, e.v(t, r)}, writes: 1})
	case p.together && e.mask == nil:
		e.emit(&instr{op: "VMOVUPD", args: []operand{p.at, e.v(t, r)}, writes: 1})
	case p.together:
		e.emit(&instr{op: e.masked(t), args: []operand{p.at, e.v(t, e.maskFor(t, e.mask)), e.v(t, r)}, writes: 1})
	case p.apart && e.mask == nil && t.Bytes() == 8:
		e.pairs(r, p)
	case p.apart && e.mask == nil && e.width == 4:
		e.quad(r, p)
	default:
		e.gather(t, r, p)
	}
	return r
}

func (e *emitter) masked(t ir.Type) string {
	if t.Bytes() == 8 {
		return "VMASKMOVPD"
	}
	return "VMASKMOVPS"
}

// pairs loads four elements of 8 bytes one by one: that is faster than to gather them.
func (e *emitter) pairs(r *reg, p place) {
	var half [2]*reg
	for h := range half {
		low, both := e.temporary(), e.temporary()
		e.emit(&instr{op: "VMOVSD", args: []operand{p.lanes[2*h], x(low)}, writes: 1})
		e.emit(&instr{op: "VMOVHPD", args: []operand{p.lanes[2*h+1], x(low), x(both)}, writes: 1})
		half[h] = both
	}
	e.emit(&instr{op: "VINSERTF128", args: []operand{imm("$1"), x(half[1]), y(half[0]), y(r)}, writes: 1})
}

// quad loads four elements of 4 bytes.
func (e *emitter) quad(r *reg, p place) {
	last := e.temporary()
	e.emit(&instr{op: "VMOVSS", args: []operand{p.lanes[0], x(last)}, writes: 1})
	for l := 1; l < 4; l++ {
		next := e.temporary()
		if l == 3 {
			next = r
		}
		e.emit(&instr{op: "VINSERTPS", args: []operand{imm(fmt.Sprintf("$0x%d0", l)), p.lanes[l], x(last), x(next)}, writes: 1})
		last = next
	}
}

// gather loads the elements of the lanes that run. Vectors of eight go through the frame: they have no
// indices of 64 bits.
func (e *emitter) gather(t ir.Type, r *reg, p place) {
	if p.apart && e.width == 4 {
		p.at = at(p.at.r, e.steps(p.step), t.Bytes(), p.at.disp)
	} else if p.apart {
		e.scattered(t, p, func(l int, at operand) {
			g := e.integer()
			e.emit(&instr{op: e.moveOf(t), args: []operand{at, {r: g}}, writes: 1})
			e.emit(&instr{op: e.moveOf(t), args: []operand{{r: g}, frame(l * t.Bytes())}})
		})
		e.emit(&instr{op: "VMOVDQU", args: []operand{frame(0), e.v(t, r)}, writes: 1})
		return
	}
	mask := e.temporary()
	all := e.ones(t)
	if e.mask != nil {
		all = e.maskFor(t, e.mask)
	}
	e.emit(&instr{op: "VMOVDQA", args: []operand{e.v(t, all), e.v(t, mask)}, writes: 1})
	e.emit(&instr{op: "VPXOR", args: []operand{e.v(t, mask), e.v(t, mask), e.v(t, r)}, writes: 1})
	op := map[int]string{8: "VGATHERQPD", 4: "VGATHERQPS"}[t.Bytes()]
	e.emit(&instr{op: op, args: []operand{e.v(t, mask), p.at, e.v(t, r)}, writes: 3, reads: true})
	e.gathers++
}

func (e *emitter) moveOf(t ir.Type) string {
	if t.Bytes() == 8 {
		return "MOVQ"
	}
	return "MOVL"
}

// scattered does something for each lane that runs.
func (e *emitter) scattered(t ir.Type, p place, do func(l int, at operand)) {
	var bits *reg
	if e.mask != nil {
		bits = e.moved(e.mask)
	}
	for l := range e.width {
		end := ""
		if bits != nil {
			end = e.label()
			e.emit(&instr{op: "TESTL", args: []operand{imm(fmt.Sprintf("$%d", 1<<l)), {r: bits}}})
			e.jump("JEQ", end)
		}
		switch {
		case p.apart:
			do(l, p.lanes[l])
		case p.same:
			do(l, p.at)
		case p.together:
			next := p.at
			next.disp += l * t.Bytes()
			do(l, next)
		default:
			g := e.integer()
			e.emit(&instr{op: "MOVQ", args: []operand{frame(32 + 8*l), {r: g}}, writes: 1})
			do(l, at(p.at.r, g, t.Bytes(), 0))
		}
		if end != "" {
			e.mark(end)
		}
	}
}

// keepIndex puts the indices of a vector into the frame, where scattered finds them.
func (e *emitter) keepIndex(p place) {
	if p.index != nil {
		e.emit(&instr{op: "VMOVDQU", args: []operand{y(p.index), frame(32)}})
	}
}

func (e *emitter) store(v *ir.Value) {
	x := e.vector(v.Args[1])
	p, t := e.placeOf(v), v.Args[1].Type
	if p.index != nil {
		e.work.scattered += e.times
	}
	e.stored = true
	switch {
	case t == ir.Bool && p.together && e.mask == nil:
		e.storeBools(x, p.at)
		return
	case t == ir.Bool:
		e.storeSomeBools(x, p)
		return
	case p.together && e.mask == nil:
		e.emit(&instr{op: "VMOVUPD", args: []operand{e.v(t, x), p.at}})
		return
	case p.together:
		e.emit(&instr{op: e.masked(t), args: []operand{e.v(t, x), e.v(t, e.maskFor(t, e.mask)), p.at}})
		return
	}
	e.emit(&instr{op: "VMOVDQU", args: []operand{e.v(t, x), frame(0)}})
	e.keepIndex(p)
	e.scattered(t, p, func(l int, at operand) {
		g := e.integer()
		e.emit(&instr{op: e.moveOf(t), args: []operand{frame(l * t.Bytes()), {r: g}}, writes: 1})
		e.emit(&instr{op: e.moveOf(t), args: []operand{{r: g}, at}})
	})
}

// check stops in front of the vector unless all items that run pass.
func (e *emitter) check(v *ir.Value) {
	if e.stored {
		e.refuse(v, "an index is checked behind a store, which could not be undone")
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
	if !ok || !uniform || !isConstant || c > maxStride || c < -maxStride {
		in := e.asBool(ir.I64, e.greater(ir.I64, true, e.vector(limit), e.vector(index)))
		bad := e.under(e.mask, in, false)
		g := e.moved(bad)
		e.emit(&instr{op: "TESTL", args: []operand{{r: g}, {r: g}}})
		e.jump("JNE", "stop")
		return
	}
	g, most := e.scalar(p, 1), e.scalar(n, 1)
	for _, step := range []int64{0, c * int64(e.width-1)} {
		if step != 0 {
			e.emit(&instr{op: "ADDQ", args: []operand{imm(fmt.Sprintf("$%d", step)), {r: g}}, writes: 1, reads: true})
		}
		e.emit(&instr{op: "CMPQ", args: []operand{{r: g}, {r: most}}})
		e.jump("JCC", "stop")
		if c == 0 {
			break
		}
	}
}
