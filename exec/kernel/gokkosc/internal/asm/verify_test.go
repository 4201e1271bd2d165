package asm

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The printed form has the virtual registers, numbered by where they appear.
func TestString(t *testing.T) {
	w := newWriter()
	n := w.Integer()
	w.Do("MOV", Arg(&Argument{Name: "begin"}), R(n))
	first := w.Mark("again")
	x := w.set(1)
	w.Effect("STORE", Part(x, 16), At(n, n, 8, 24))
	w.Effect("STORE", R(x), Frame(32))
	w.Do("TEST", R(x), R(&Reg{Kind: Masks}))
	w.loop(n, first)
	assert.Equal(t, `	MOV begin, n1
again:
	SET $1, v1
	STORE v1.16, 24(n1)(n1*8)
	STORE v1, 32(frame)
	TEST v1, k1
	DEC n1
	LOOP again // closes the loop
	RET
`, w.function().String())
}

// Each rule of functions in virtual registers has something that breaks it.
func TestVerify(t *testing.T) {
	for want, write := range map[string]func(w *writer){
		"a: stands twice":                   func(w *writer) { w.Mark("a"); w.Mark("a") },
		"JMP b: there is no such label":     func(w *writer) { w.Go("JMP", "b") },
		"has an operand that is nothing":    func(w *writer) { w.Effect("STORE", Operand{}) },
		"there are no constants gone<>(SB)": func(w *writer) { w.Effect("STORE", Imm("gone<>(SB)")) },
		"is 64 bytes up the frame":          func(w *writer) { w.Effect("STORE", Frame(64)) },
		"a base that is no integer":         func(w *writer) { w.Effect("STORE", At(w.set(1), nil, 0, 0)) },
		"uses 64 bytes of a register":       func(w *writer) { w.Effect("STORE", Part(w.set(1), 64)) },
		"writes 2 of 1 operands":            func(w *writer) { w.Emit(&Instr{Op: "SET", Args: []Operand{R(w.vec())}, Writes: 2}) },
		"several values without reading":    func(w *writer) { w.Emit(&Instr{Op: "SET", Args: []Operand{R(w.vec()), R(w.vec())}, Writes: 2}) },
		"makes a register anew from another one": func(w *writer) {
			r := w.vec()
			r.Remade = Make("COPY", R(w.set(1)), R(r))
			w.Emit(r.Remade)
		},
		"writes a register that another": func(w *writer) {
			r := w.vec()
			r.Remade = Make("SET", Const(1), R(r))
			w.Emit(r.Remade)
			w.Update("GROW", R(r), R(r))
		},
		"reads v1, which is not written before it": func(w *writer) { w.Effect("STORE", R(w.vec())) },
		"reads n1, which is not written before it": func(w *writer) { // on the way that skips the block
			n := w.Integer()
			w.Jump("SKIP", "end")
			w.Do("MOV", Const(1), R(n))
			w.Mark("end")
			w.Effect("STORE", R(n))
		},
		"STORE v1: reads v1, which is not written before it": func(w *writer) { // but at the end of each round
			n, x := w.Integer(), w.vec()
			w.Do("MOV", Const(1), R(n))
			first := w.Mark("again")
			w.Effect("STORE", R(x))
			w.Do("SET", Const(1), R(x))
			w.loop(n, first)
		},
		"closes no loop": func(w *writer) {
			first := w.Mark("again")
			w.Mark("other")
			w.Closes(first, w.Jump("SKIP", "other"))
		},
		"closes a loop that begins within another one": func(w *writer) {
			a, b := w.Mark("a"), w.Mark("b")
			w.Closes(a, w.Jump("SKIP", "a"))
			w.Closes(b, w.Jump("SKIP", "b"))
		},
	} {
		w := newWriter()
		write(w)
		assert.ErrorContains(t, w.function().Verify(), want)
	}
	w := newWriter()
	w.set(1)
	assert.ErrorContains(t, w.Function(w.list, toy(), nil).Verify(), "control runs over the end")
}

// These functions break no rule.
func TestVerifyAllows(t *testing.T) {
	for name, write := range map[string]func(w *writer){
		"a vector that a skipped block would write": func(w *writer) {
			x := w.vec()
			w.Jump("SKIP", "end")
			w.Do("SET", Const(1), R(x))
			w.Mark("end")
			w.Effect("STORE", R(x))
		},
		"an instruction that clears a register": func(w *writer) {
			x := w.vec()
			w.Do("XOR", R(x), R(x), R(x))
			w.Effect("STORE", R(x))
		},
	} {
		w := newWriter()
		write(w)
		assert.NoError(t, w.function().Verify(), name)
	}
}

// Mistakes of the allocation are found: registers that two living values share, slots likewise, and values that are not
// loaded from the frame.
func TestCheckFindsMistakes(t *testing.T) {
	values := func(n int) *Function {
		w := newWriter()
		var all []*Reg
		for k := range n {
			all = append(all, w.set(k))
		}
		counter := w.Integer()
		w.Do("MOV", Const(2), R(counter))
		first := w.Mark("again")
		for _, r := range all {
			w.Effect("STORE", R(r))
		}
		w.Effect("STORE", R(w.set(9)))
		w.loop(counter, first)
		return w.function()
	}
	steps := func(f *Function, mistake func(all []*Reg), broken func()) error {
		all := f.lifetimes()
		mistake(all)
		for _, k := range []Kind{Vectors, Integers} {
			var kind []*Reg
			for _, r := range all {
				if r.Kind == k {
					kind = append(kind, r)
				}
			}
			if !scan(kind, f.registers.Files[k].Count) {
				scan(kind, f.registers.Files[k].Count-scratch)
				f.place(kind, 32)
			}
		}
		f.note()
		require.NoError(t, f.spill())
		broken()
		return f.check()
	}
	nothing := func([]*Reg) {}
	short := func(all []*Reg) { all[0].last = all[0].first + 2 }
	for _, n := range []int{2, 7} {
		assert.NoError(t, steps(values(n), nothing, func() {}))
		assert.ErrorContains(t, steps(values(n), short, func() {}), "an operand has lost its value")
	}
	f := values(7)
	assert.ErrorContains(t, steps(f, nothing, func() {
		for n, i := range f.list {
			if i.from != nil && n > 9 { // a value that is loaded for a STORE in the loop
				f.list = append(f.list[:n:n], f.list[n+1:]...)
				return
			}
		}
	}), "an operand has lost its value")
	f = values(7)
	assert.ErrorContains(t, steps(f, nothing, func() {
		slots := map[int]bool{}
		for _, i := range f.list {
			for n := range i.Args {
				if o := &i.Args[n]; o.mem && o.R == nil {
					slots[o.disp] = true
					o.disp = 64 // all in one slot
				}
			}
		}
		require.Greater(t, len(slots), 1)
	}), "an operand has lost its value")
}
