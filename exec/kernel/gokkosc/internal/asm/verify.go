package asm

import (
	"fmt"
	"slices"
	"strings"
)

// Verify returns an error if a function in virtual registers breaks a rule:
//
//   - a label stands once, jumps go to labels, and control does not run over the end;
//   - operands are there, bases and indices of addresses are integers, and no part is larger than a register;
//   - symbols are those of constants of the function;
//   - registers are written before instructions that read them;
//   - a register that is made anew where it is read is written by that instruction only, which reads no other;
//   - loops lie within each other, and end with a jump to their first instruction.
func (f *Function) Verify() error {
	w := &verifier{f: f, all: f.number()}
	w.rank = make([]int, len(w.all))
	if w.labels(); w.err == nil {
		w.operands()
		w.loops()
		w.written()
	}
	return w.err
}

type verifier struct {
	f      *Function
	label  map[string]*Instr
	all    []*Reg // by their numbers
	firsts []*Reg // registers that a block reads before it writes them
	rank   []int  // by the number of a register: its place among firsts, from 1; 0 if it has none
	err    error
}

// fail notes the first error, at an instruction.
func (w *verifier) fail(i *Instr, format string, a ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("asm: %s: %s", strings.Trim(w.f.printer().instr(i), "\t:"), fmt.Sprintf(format, a...))
	}
}

func (w *verifier) labels() {
	w.label = map[string]*Instr{}
	for _, i := range w.f.list {
		if i.Label != "" {
			if w.label[i.Label] != nil {
				w.fail(i, "stands twice")
			}
			w.label[i.Label] = i
		}
	}
	for _, i := range w.f.list {
		if i.jumps && w.label[i.Args[0].text] == nil {
			w.fail(i, "there is no such label")
		}
	}
	if n := len(w.f.list); n == 0 || !w.f.list[n-1].ends {
		w.err = fmt.Errorf("asm: control runs over the end of the function")
	}
}

func (w *verifier) operands() {
	for _, i := range w.f.list {
		if i.Writes > len(i.Args) {
			w.fail(i, "writes %d of %d operands", i.Writes, len(i.Args))
		}
		if i.Writes > 1 && !i.Reads {
			w.fail(i, "writes several values without reading them, which could be given one register")
		}
		for _, o := range i.Args {
			switch {
			case o.Arg != nil:
			case o.text != "":
				if _, ok := w.f.data.values(o.text); !ok && strings.HasSuffix(o.text, symbolEnd) {
					w.fail(i, "there are no constants %s", o.text)
				}
			case o.mem && o.R == nil:
				if o.disp < 0 || o.disp >= w.f.frame {
					w.fail(i, "is %d bytes up the frame, expected less than %d", o.disp, w.f.frame)
				}
			case o.R == nil:
				w.fail(i, "has an operand that is nothing")
			case o.mem && (o.R.Kind != Integers || o.index != nil && o.index.Kind == Masks):
				w.fail(i, "has an address of a base that is no integer, or with a mask as its index")
			case o.bytes > w.f.registers.Bytes:
				w.fail(i, "uses %d bytes of a register, expected %d at most", o.bytes, w.f.registers.Bytes)
			}
		}
		made := i.remake()
		i.Each(func(r *Reg, _, writes bool) {
			switch {
			case made != nil && r.Remade != i:
				w.fail(i, "makes a register anew from another one")
			case made == nil && writes && r.Remade != nil:
				w.fail(i, "writes a register that another instruction makes anew")
			}
		})
	}
}

// loops checks that loops are nested.
func (w *verifier) loops() {
	for _, l := range w.f.loops {
		first, last := l.first.place, l.last.place
		if !l.last.jumps || w.label[l.last.Args[0].text] != l.first || first > last || w.f.list[first] != l.first {
			w.fail(l.last, "closes no loop, expected a jump back to its label")
		}
		for _, m := range w.f.loops {
			if from, to := m.first.place, m.last.place; first < from && from < last && last < to {
				w.fail(m.last, "closes a loop that begins within another one and ends behind it")
			}
		}
	}
}

// written checks that registers are written before they are read. Integers must be written on all ways to an
// instruction. Vectors and masks must be written on one way at least, in the same round of a loop. A block whose lanes
// are all off is skipped, and no lane takes a value of it then.
//
// Most registers are written in the block that reads them, so that states of blocks are of the others only.
func (w *verifier) written() {
	flow := w.f.flow()
	reads := make([][]use, len(flow.blocks))
	written := make([]int, len(w.all)) // the last block that writes each register, and 1
	for n, b := range flow.blocks {
		for _, i := range w.f.list[b.from:b.to] {
			clears := i.clears()
			i.Each(func(r *Reg, read, _ bool) {
				if read && written[r.number] != n+1 && !clears {
					w.first(r)
					reads[n] = append(reads[n], use{i, r})
				}
			})
			i.Each(func(r *Reg, _, write bool) {
				if write {
					written[r.number] = n + 1
				}
			})
		}
	}
	before := w.ways(flow)
	for n := range flow.blocks {
		for _, u := range reads[n] {
			if before[n] != nil && !before[n].has(w.rank[u.of.number]-1) {
				w.fail(u.by, "reads %s, which is not written before it", w.f.printer().name(u.of))
			}
		}
	}
}

// first ranks a register that a block reads before it writes it.
func (w *verifier) first(r *Reg) {
	if w.rank[r.number] == 0 {
		w.firsts = append(w.firsts, r)
		w.rank[r.number] = len(w.firsts)
	}
}

// ways returns which of the ranked registers are written in front of each block, nil of a block that control does not reach.
func (w *verifier) ways(flow *flow) (before []set) {
	integers := newSet(len(w.firsts))
	for n, r := range w.firsts {
		if r.Kind == Integers {
			integers.put(n)
		}
	}
	before, behind := make([]set, len(flow.blocks)), make([]set, len(flow.blocks))
	before[0] = newSet(len(w.firsts))
	writes := make([][]int, len(flow.blocks)) // the ranked registers that each block writes
	for n, b := range flow.blocks {
		behind[n] = newSet(len(w.firsts))
		for _, i := range w.f.list[b.from:b.to] {
			i.Each(func(r *Reg, _, write bool) {
				if k := w.rank[r.number]; k > 0 && write {
					writes[n] = append(writes[n], k-1)
				}
			})
		}
	}
	flow.solve(func(n int) {
		copy(behind[n], before[n])
		for _, k := range writes[n] {
			behind[n].put(k)
		}
	}, func(from, to int) (changed bool) {
		if before[to] == nil {
			before[to] = slices.Clone(behind[from])
			return true
		}
		if changed = before[to].keep(behind[from], integers); to > from {
			others := slices.Clone(behind[from])
			others.keep(before[to], integers)
			changed = before[to].add(others) || changed
		}
		return changed
	})
	return before
}

// A use is an instruction that reads a register.
type use struct {
	by *Instr
	of *Reg
}

// clears reports whether all registers of an instruction are the one that it writes, and their values do not
// matter. Such an instruction sets all bits or none.
func (i *Instr) clears() bool {
	if i.Writes != 1 || i.Reads {
		return false
	}
	written := i.Args[len(i.Args)-1].R
	return !slices.ContainsFunc(i.Args, func(o Operand) bool { return o.mem || o.index != nil || o.R != nil && o.R != written })
}

// A set is a set of small numbers.
type set []uint64

func newSet(n int) set       { return make(set, (n+63)/64) }
func (s set) put(n int)      { s[n/64] |= 1 << (n % 64) }
func (s set) has(n int) bool { return s[n/64]>>(n%64)&1 != 0 }

// add adds the numbers of another set. keep removes those of some numbers that another set does not have.
// Both report whether the set has changed.
func (s set) add(t set) (changed bool) {
	for n := range s {
		changed = changed || t[n]&^s[n] != 0
		s[n] |= t[n]
	}
	return changed
}

func (s set) keep(t, of set) (changed bool) {
	for n := range s {
		changed = changed || s[n]&of[n]&^t[n] != 0
		s[n] &^= of[n] &^ t[n]
	}
	return changed
}
