package asm

import (
	"fmt"
	"maps"
	"slices"
)

// note keeps the operands of all instructions as they are in virtual registers, for check.
func (f *Function) note() {
	for _, i := range f.list {
		i.virtual = slices.Clone(i.Args)
	}
}

// check returns an error unless each instruction reads the same values as in virtual registers. check follows
// control, and keeps the virtual registers that each place holds.
func (f *Function) check() error {
	c := &checker{f: f, number: map[*Reg]int{}}
	first := &held{in: map[place][]*Reg{}}
	c.registers(first)
	flow := f.flow()
	before, behind := make([]*held, len(flow.blocks)), make([]*held, len(flow.blocks))
	before[0] = first
	run := func(h *held, n int) *held {
		for _, i := range f.list[flow.blocks[n].from:flow.blocks[n].to] {
			c.step(h, i)
		}
		return h
	}
	flow.solve(func(n int) { behind[n] = run(before[n].clone(), n) }, func(from, to int) bool {
		if before[to] == nil {
			before[to] = behind[from].clone()
			return true
		}
		return c.meet(before[to], behind[from], to <= from)
	})
	c.report = true
	for n := range flow.blocks {
		if before[n] != nil {
			run(before[n], n)
		}
	}
	return c.err
}

// A place is a register of the machine, or bytes of the frame from an offset on.
type place struct {
	kind Kind
	at   int
}

const inFrame = kinds // in place of a kind of registers

func placeOf(o Operand) place {
	if o.IsRegister() {
		return place{o.R.Kind, o.R.at}
	}
	return place{inFrame, o.disp}
}

// A held is which virtual registers places hold. One that has not been written may be in any place: nothing asks for its value.
type held struct {
	in      map[place][]*Reg
	written set
}

func (h *held) clone() *held { return &held{maps.Clone(h.in), slices.Clone(h.written)} }

type checker struct {
	f      *Function
	number map[*Reg]int // of all virtual registers
	report bool
	err    error
}

// registers numbers all virtual registers. Registers without a place are made anew in front of each instruction that
// reads them, and count as written.
func (c *checker) registers(first *held) {
	var made []*Reg
	for _, i := range c.f.list {
		for _, r := range []*Reg{i.from, i.to} {
			if r != nil && r.Remade != nil && r.at < 0 {
				made = append(made, r)
			}
		}
		was := Instr{Args: i.virtual}
		was.Each(func(r *Reg, _, _ bool) { c.add(r) })
	}
	for _, r := range made {
		c.add(r)
	}
	first.written = newSet(len(c.number))
	for _, r := range made {
		first.written.put(c.number[r])
	}
}

func (c *checker) add(r *Reg) {
	if _, ok := c.number[r]; !ok {
		c.number[r] = len(c.number)
	}
}

// step goes over an instruction.
func (c *checker) step(h *held, i *Instr) {
	switch {
	case i.to != nil:
		if i.from != nil {
			c.reads(h, i, i.from, placeOf(i.Args[0]))
		}
		if to := placeOf(i.Args[len(i.Args)-1]); i.from == nil || i.from == i.to {
			h.in[to] = []*Reg{i.to}
		} else {
			c.writes(h, i.to, to)
		}
	case i.copiesNothing():
		c.reads(h, i, i.virtual[0].R, placeOf(i.Args[0]))
		to := placeOf(i.Args[1])
		also := h.in[to]
		c.writes(h, i.virtual[1].R, to)
		h.in[to] = append(slices.Clone(also), i.virtual[1].R)
	default:
		var now []place
		i.Each(func(r *Reg, _, _ bool) { now = append(now, place{r.Kind, r.at}) })
		was := Instr{Args: i.virtual, Writes: i.Writes, Reads: i.Reads}
		n := 0
		was.Each(func(r *Reg, reads, _ bool) {
			if reads && !i.clears() {
				c.reads(h, i, r, now[n])
			}
			n++
		})
		n = 0
		was.Each(func(r *Reg, _, writes bool) {
			if writes {
				c.writes(h, r, now[n])
			}
			n++
		})
	}
}

// reads checks that a place holds a register that an instruction reads there.
func (c *checker) reads(h *held, i *Instr, r *Reg, from place) {
	if !c.report || c.err != nil || !h.written.has(c.number[r]) || slices.Contains(h.in[from], r) {
		return
	}
	var args []string
	for _, o := range i.Args {
		args = append(args, c.f.operand(o, 0))
	}
	c.err = fmt.Errorf("asm: %s %v: an operand has lost its value, which was to be in %+v", i.Op, args, from)
}

// writes makes a place hold a register, and no other place an older value of it. Older values can be in the place that
// the register was given, or in a register that values of the frame go through.
func (c *checker) writes(h *held, r *Reg, to place) {
	given := place{r.Kind, r.at}
	if r.at < 0 {
		given = place{inFrame, r.slot}
	}
	old := []place{given}
	for n := range scratch {
		old = append(old, place{r.Kind, c.f.registers.Files[r.Kind].Count - 1 - n})
	}
	for _, at := range old {
		if slices.Contains(h.in[at], r) {
			h.in[at] = slices.DeleteFunc(slices.Clone(h.in[at]), func(held *Reg) bool { return held == r })
		}
	}
	h.in[to] = []*Reg{r}
	h.written.put(c.number[r])
}

// meet keeps in h the facts that hold on both of two ways, and reports whether h has changed. On a way back,
// to a label further up, registers that were not written before count as not written. A loop writes them anew
// in each round.
func (c *checker) meet(h, other *held, back bool) (changed bool) {
	both := map[place][]*Reg{}
	for at, list := range h.in {
		for _, r := range list {
			if !other.written.has(c.number[r]) || slices.Contains(other.in[at], r) {
				both[at] = append(both[at], r)
			}
		}
		changed = changed || len(both[at]) < len(list)
	}
	if !back {
		for at, list := range other.in {
			for _, r := range list {
				if !h.written.has(c.number[r]) && !slices.Contains(both[at], r) {
					both[at] = append(both[at], r)
					changed = true
				}
			}
		}
		changed = h.written.add(other.written) || changed
	}
	h.in = both
	return changed
}
