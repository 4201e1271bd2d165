package asm

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// toy is a machine of few registers: 5 integers of 8 bytes, 4 vectors of 32, and 4 masks.
func toy() *Registers {
	return &Registers{
		Bytes: 32,
		Files: [...]File{Integers: {5, 8, "MOV", "MOV"}, Vectors: {4, 32, "COPY", "MOVE"}, Masks: {4, 8, "KCOPY", "KMOVE"}},
		Text: func(k Kind, n, bytes int) string {
			if k == Vectors && bytes < 32 {
				return fmt.Sprintf("HALF%d", n)
			}
			return fmt.Sprintf("%c%d", "NVK"[k], n)
		},
		Address: func(base string, offset int, index string, scale int) string {
			return fmt.Sprintf("%d(%s)(%s*%d)", offset, base, index, scale)
		},
		Frame:      func(offset int) string { return fmt.Sprintf("%d(SP)", offset) },
		Slow:       func(op string) int { return map[string]int{"DIV": 10}[op] },
		FromMemory: map[string]int{"ADD": 0},
		Commutes:   map[string]bool{"ADD": true},
	}
}

// A writer writes functions for the toy.
type writer struct {
	Code
	list []*Instr
	data Table
}

func newWriter() *writer {
	w := &writer{data: Table{}}
	w.Out = &w.list
	return w
}

func (w *writer) vec() *Reg { return &Reg{Kind: Vectors} }

// set returns a vector with a number in all lanes.
func (w *writer) set(n int) *Reg {
	r := w.vec()
	w.Do("SET", Const(n), R(r))
	return r
}

// add returns a sum of vectors.
func (w *writer) add(a, b *Reg) *Reg {
	r := w.vec()
	w.Do("ADD", R(a), R(b), R(r))
	return r
}

// function returns the written instructions, with an end.
func (w *writer) function() *Function {
	w.End("RET")
	return w.Function(w.list, toy(), w.data)
}

// allocated returns the function with registers, which it must get.
func (w *writer) allocated(t *testing.T) *Function {
	t.Helper()
	f := w.function()
	require.NoError(t, f.Verify(), "%s", f)
	require.NoError(t, f.Allocate(true), "%s", f)
	return f
}

// A state has the results of a run of a function on the toy: one number for each register or place of the
// frame.
type state struct {
	of      map[string]int // by their texts
	stored  []int
	counter int
}

// run executes a function: name gives the text of an operand.
func run(f *Function, name func(o Operand) string) *state {
	s := &state{of: map[string]int{}}
	at, label := 0, map[string]int{}
	for n, i := range f.list {
		label[i.Label] = n
	}
	for steps := 0; steps < 10000; steps++ {
		i := f.list[at]
		at++
		value := func(n int) (v int) {
			if text := i.Args[n].text; text != "" {
				fmt.Sscanf(text, "$%d", &v)
				return v
			}
			return s.of[name(i.Args[n])]
		}
		put := func(n, v int) { s.of[name(i.Args[n])] = v }
		switch i.Op {
		case "":
		case "SET", "MOV", "COPY", "MOVE", "KCOPY", "KMOVE":
			put(1, value(0))
		case "ADD":
			put(2, value(0)+3*value(1))
		case "GROW":
			put(1, 5*value(1)+value(0))
		case "STORE":
			s.stored = append(s.stored, value(0))
		case "DEC":
			put(0, value(0)-1)
			s.counter = value(0)
		case "LOOP": // label: until the number decremented last is 0
			if s.counter > 0 {
				at = label[i.Args[0].text]
			}
		case "SKIP": // label: if the last number that was stored is odd
			if n := len(s.stored); n > 0 && s.stored[n-1]%2 != 0 {
				at = label[i.Args[0].text]
			}
		case "RET":
			return s
		default:
			panic(i.Op)
		}
	}
	panic("endless")
}
