package amd64

import "slices"

// What makes a list of instructions shorter before they get registers.

// merged stands for an instruction that is no more.
var merged = &Instr{}

// merge lets instructions write to where their result is moved behind them.
func (f *function) merge() {
	uses := map[*Reg]int{}
	for _, i := range f.list {
		i.each(func(o *Operand, reads, writes bool) { uses[o.r]++ })
	}
	for n, i := range f.list {
		if !i.copies || uses[i.args[0].r] != 2 {
			continue
		}
		from, to := i.args[0].r, i.args[1].r
		for m := n - 1; m >= 0 && f.list[m].label == "" && !f.list[m].jumps; m-- {
			d := f.list[m]
			last := len(d.args) - 1
			if d.writes == 1 && !d.reads && d.args[last].r == from && !d.args[last].mem && d.remake() == nil {
				d.args[last].r = to
				f.list[n] = merged
				break
			}
			touched := false
			d.each(func(o *Operand, reads, writes bool) { touched = touched || o.r == to || o.r == from })
			if touched {
				break
			}
		}
	}
	f.list = slices.DeleteFunc(f.list, func(i *Instr) bool { return i == merged })
}

// remake returns the instruction if it makes a register anew, or nil.
func (i *Instr) remake() *Instr {
	if r := i.args[len(i.args)-1].r; r != nil && r.remade == i {
		return i
	}
	return nil
}

// clean removes instructions whose results nothing reads.
func (f *function) clean() {
	for {
		read := map[*Reg]bool{}
		for _, i := range f.list {
			i.each(func(o *Operand, reads, writes bool) {
				clobbered := writes && o != &i.args[len(i.args)-1]
				if reads && (!writes || clobbered || i.flags) {
					read[o.r] = true
				}
			})
		}
		n := len(f.list)
		f.list = slices.DeleteFunc(f.list, func(i *Instr) bool {
			if i.writes == 0 || i.flags {
				return false
			}
			used := false
			i.each(func(o *Operand, reads, writes bool) { used = used || writes && read[o.r] })
			return !used
		})
		if len(f.list) == n {
			return
		}
	}
}
