package asm

import "slices"

// Passes that shorten a list of instructions before it gets registers.

// merged takes the place of a copy that merge has removed.
var merged = &Instr{}

// merge removes copies: an instruction writes its result into the register that a later copy would move it to.
func (f *Function) merge() {
	uses := make([]int, len(f.number()))
	for _, i := range f.list {
		i.Each(func(r *Reg, reads, writes bool) { uses[r.number]++ })
	}
	for n, i := range f.list {
		if !i.Copies || uses[i.Args[0].R.number] != 2 {
			continue
		}
		from, to := i.Args[0].R, i.Args[1].R
		for m := n - 1; m >= 0 && f.list[m].Label == "" && !f.list[m].jumps; m-- {
			d := f.list[m]
			last := len(d.Args) - 1
			if d.Writes == 1 && !d.Reads && d.Args[last].R == from && !d.Args[last].mem && d.remake() == nil {
				d.Args[last].R = to
				f.list[n] = merged
				break
			}
			touched := false
			d.Each(func(r *Reg, reads, writes bool) { touched = touched || r == to || r == from })
			if touched {
				break
			}
		}
	}
	f.list = slices.DeleteFunc(f.list, func(i *Instr) bool { return i == merged })
}

// remake returns the instruction if it alone makes its register anew, or nil.
func (i *Instr) remake() *Instr {
	if i.Writes > 0 {
		if r := i.Args[len(i.Args)-1].R; r != nil && r.Remade == i {
			return i
		}
	}
	return nil
}

// clean removes instructions whose results nothing reads.
func (f *Function) clean() {
	for registers := len(f.number()); ; {
		read := make([]bool, registers)
		for _, i := range f.list {
			i.Each(func(r *Reg, reads, writes bool) {
				clobbered := writes && r != i.Args[len(i.Args)-1].R
				if reads && (!writes || clobbered || i.Flags) {
					read[r.number] = true
				}
			})
		}
		n := len(f.list)
		f.list = slices.DeleteFunc(f.list, func(i *Instr) bool {
			if i.Writes == 0 || i.Flags {
				return false
			}
			used := false
			i.Each(func(r *Reg, reads, writes bool) { used = used || writes && read[r.number] })
			return !used
		})
		if len(f.list) == n {
			return
		}
	}
}
