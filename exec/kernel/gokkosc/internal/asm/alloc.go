package asm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Allocate removes instructions whose results nothing reads, and gives registers to all values by a linear scan. If a kind has too
// few registers, the scan is repeated without three of them: values that live in the frame go through these.
//
// If checked, Allocate follows the registers through the function: an error names an instruction that would
// read a wrong value. The check takes as long as the whole compilation before it, so that only tests ask for
// it.
func (f *Function) Allocate(checked bool) error {
	f.clean()
	f.merge()
	all := f.lifetimes()
	for _, k := range []Kind{Vectors, Masks, Integers} {
		kind := slices.DeleteFunc(slices.Clone(all), func(r *Reg) bool { return r.Kind != k })
		if n := f.registers.Files[k].Count; !scan(kind, n) {
			scan(kind, n-scratch)
			f.place(kind, f.registers.Files[k].Bytes)
		}
	}
	f.fromMemory()
	if checked {
		f.note()
	}
	if err := f.spill(); err != nil {
		return err
	}
	if checked {
		if err := f.check(); err != nil {
			return err
		}
	}
	f.unread()
	f.list = slices.DeleteFunc(f.list, (*Instr).copiesNothing)
	return nil
}

// copiesNothing reports whether an instruction copies a register to itself.
func (i *Instr) copiesNothing() bool {
	return i.Copies && i.Args[0].R.Kind == i.Args[1].R.Kind && i.Args[0].R.at == i.Args[1].R.at
}

// scratch is the number of registers that an instruction may need for values in the frame. The value that it writes may take
// the register of one that it reads.
const scratch = 3

// Each calls visit for all registers of an instruction, with how the instruction uses them.
func (i *Instr) Each(visit func(r *Reg, reads, writes bool)) {
	for n := range i.Args {
		o := &i.Args[n]
		if o.R != nil {
			written := !o.mem && n >= len(i.Args)-i.Writes
			visit(o.R, !written || i.Reads, written)
		}
		if o.index != nil {
			visit(o.index, true, false)
		}
	}
}

// number numbers the instructions of a function, and its registers in the order in which they appear. number
// returns the registers.
func (f *Function) number() (all []*Reg) {
	for n, i := range f.list {
		i.place = n
		i.Each(func(r *Reg, _, _ bool) { r.number = -1 })
	}
	for _, i := range f.list {
		i.Each(func(r *Reg, _, _ bool) {
			if r.number < 0 {
				r.number = len(all)
				all = append(all, r)
			}
		})
	}
	return all
}

// depths returns in how many loops each instruction is, without their first and last ones.
func (f *Function) depths() []int {
	depth := make([]int, len(f.list)+1)
	for _, l := range f.loops {
		depth[l.first.place+1]++
		depth[l.last.place]--
	}
	for n := range f.list {
		depth[n+1] += depth[n]
	}
	return depth
}

// innermost returns the innermost loop that each instruction is in, nil if it is in none.
func (f *Function) innermost() []*loopRange {
	loops := slices.Clone(f.loops)
	slices.SortFunc(loops, func(a, b *loopRange) int {
		return cmp.Or(cmp.Compare(a.first.place, b.first.place), cmp.Compare(b.last.place, a.last.place))
	})
	in := make([]*loopRange, len(f.list))
	var l *loopRange
	for n := range f.list {
		for l != nil && l.last.place < n {
			l = l.outer
		}
		for ; len(loops) > 0 && loops[0].first.place == n; loops = loops[1:] {
			loops[0].outer = l
			l = loops[0]
		}
		in[n] = l
	}
	return in
}

// lifetimes returns all registers with their lifetimes. A lifetime goes from the first write to the last use.
// If a loop uses the register and begins behind that write, the lifetime goes to the end of the loop.
// Instruction n reads at 2n and writes at 2n+1.
func (f *Function) lifetimes() (all []*Reg) {
	all = f.number()
	last := make([]int, len(all)) // the last instruction that uses each register
	for n := range last {
		last[n] = -1
	}
	depth := f.depths()
	for n, i := range f.list {
		weight := math.Ldexp(1, 3*depth[n])
		i.Each(func(r *Reg, reads, writes bool) {
			if last[r.number] < 0 {
				r.first, r.last, r.at, r.weight, r.from = 2*n+1, 2*n+1, -1, 0, nil
				if reads {
					r.first = 2*n - 1
				}
				if i.Copies && writes {
					r.from = i.Args[0].R
				}
			}
			if reads {
				r.last = max(r.last, 2*n)
			}
			if writes {
				r.last = max(r.last, 2*n+1)
			}
			r.weight += weight
			last[r.number] = n
		})
	}
	inner := f.innermost()
	for _, r := range all {
		for l := inner[last[r.number]]; l != nil && r.first < 2*l.first.place; l = l.outer {
			r.last = max(r.last, 2*l.last.place+1)
		}
	}
	return all
}

// scan gives n registers to values, and reports whether each has one. If too many live at once, the value with the fewest uses
// for its lifetime goes to the frame.
func scan(all []*Reg, n int) bool {
	slices.SortStableFunc(all, func(a, b *Reg) int { return cmp.Compare(a.first, b.first) })
	cost := func(r *Reg) float64 {
		c := r.weight / float64(r.last-r.first+1)
		if r.Remade != nil {
			c /= 4
		}
		return c
	}
	var active []*Reg
	complete := true
	for _, r := range all {
		r.at = -1
		active = slices.DeleteFunc(active, func(a *Reg) bool { return a.last < r.first })
		var used [32]bool
		for _, a := range active {
			used[a.at] = true
		}
		if r.from != nil && r.from.at >= 0 && !used[r.from.at] {
			r.at = r.from.at
		}
		for at := 0; at < n && r.at < 0; at++ {
			if !used[at] {
				r.at = at
			}
		}
		if r.at < 0 {
			complete = false
			least := slices.MinFunc(active, func(a, b *Reg) int { return cmp.Compare(cost(a), cost(b)) })
			if cost(least) >= cost(r) {
				continue
			}
			r.at, least.at = least.at, -1
			active = slices.DeleteFunc(active, func(a *Reg) bool { return a == least })
		}
		active = append(active, r)
	}
	return complete
}

// place gives places in the frame to values without registers.
func (f *Function) place(all []*Reg, size int) {
	var slots []int // the end of the last lifetime in each
	base := f.frame
	for _, r := range all {
		if r.at >= 0 || r.Remade != nil {
			continue
		}
		n := slices.IndexFunc(slots, func(last int) bool { return last < r.first })
		if n < 0 {
			n = len(slots)
			slots = append(slots, 0)
		}
		slots[n] = r.last
		r.slot = base + n*size
	}
	f.frame += len(slots) * size
}

// spill loads values of the frame in front of the instructions that read them, and stores them behind the
// instructions that write them.
func (f *Function) spill() error {
	var list []*Instr
	for _, i := range f.list {
		if len(i.Args) > 0 {
			last := i.Args[len(i.Args)-1]
			if r := last.R; r != nil && !last.mem && r.at < 0 && r.Remade == i {
				continue // made where it is used
			}
		}
		if i.Copies && i.Args[0].R.at < 0 && i.Args[1].R.at >= 0 {
			l := f.reload(i.Args[0].R, i.Args[1].R, i)
			l.to = i.Args[1].R
			list = append(list, l)
			continue
		}
		var before, behind []*Instr
		var given map[*Reg]*Reg
		var count [kinds]int
		i.Each(func(r *Reg, reads, writes bool) {
			if r.at >= 0 {
				return
			}
			s := given[r]
			if s == nil {
				if reads || count[r.Kind] < scratch {
					count[r.Kind]++
				} // else the written value takes the place of the value read last
				s = &Reg{Kind: r.Kind, at: f.registers.Files[r.Kind].Count - count[r.Kind]}
				if given == nil {
					given = map[*Reg]*Reg{}
				}
				given[r] = s
				if reads {
					before = append(before, f.reload(r, s, i))
				}
			}
			if writes {
				behind = append(behind, &Instr{Op: f.registers.Files[r.Kind].Move, Args: []Operand{R(s), Frame(r.slot)}, pos: i.pos, from: r, to: r})
			}
		})
		i.exchange(given)
		for _, n := range count {
			if n > scratch {
				return fmt.Errorf("asm: %s has %d values in the frame, expected %d at most", i.Op, n, scratch)
			}
		}
		list = append(append(append(list, before...), i), behind...)
	}
	f.list = list
	return nil
}

// exchange puts registers in the places of others.
func (i *Instr) exchange(given map[*Reg]*Reg) {
	if given == nil {
		return
	}
	for n := range i.Args {
		o := &i.Args[n]
		if s := given[o.R]; s != nil {
			o.R = s
		}
		if s := given[o.index]; s != nil {
			o.index = s
		}
	}
}

// reload returns the instruction that makes s hold the value of r.
func (f *Function) reload(r, s *Reg, i *Instr) *Instr {
	if r.Remade == nil {
		return &Instr{Op: f.registers.Files[r.Kind].Move, Args: []Operand{Frame(r.slot), R(s)}, pos: i.pos, from: r, to: r}
	}
	again := *r.Remade
	again.Args = slices.Clone(again.Args)
	for n := range again.Args {
		if again.Args[n].R == r {
			again.Args[n].R = s
		}
	}
	again.pos, again.from, again.to = i.pos, nil, r
	return &again
}
