package vector

import (
	"fmt"
	"go/token"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A refusal is why a kernel has no vector code.
type refusal struct {
	pos token.Position
	why string
}

// Refuse gives up the kernel: at a value, or if that is nil at the current position.
func (e *Emitter) Refuse(v *ir.Value, format string, a ...any) {
	pos := e.Pos
	if v != nil && v.Pos.IsValid() {
		pos = v.Pos
	}
	if !pos.IsValid() {
		pos = e.k.Pos
	}
	panic(refusal{pos, fmt.Sprintf(format, a...)})
}

// Copy copies a value to a register of its kind.
func (e *Emitter) Copy(t ir.Type, from, to *asm.Reg) {
	i := asm.Make(e.shape.Files[e.shape.kindOf(t)].Copy, e.V(t, from), e.V(t, to))
	i.Copies = true
	e.Emit(i)
}

// Copied returns a copy of a value.
func (e *Emitter) Copied(t ir.Type, from *asm.Reg) *asm.Reg {
	r := e.Temporary(t)
	e.Copy(t, from, r)
	return r
}

// Temporary returns a register for values of a type.
func (e *Emitter) Temporary(t ir.Type) *asm.Reg { return &asm.Reg{Kind: e.shape.kindOf(t)} }

// Lane returns the number of bytes of a lane of a type. If masks are vectors, a bool has as many bytes as a
// lane of the mask.
func (e *Emitter) Lane(t ir.Type) int {
	if t == ir.Bool {
		return e.shape.Bytes / e.Width
	}
	return t.Bytes()
}

// V is a register with values of a type.
func (e *Emitter) V(t ir.Type, r *asm.Reg) asm.Operand { return asm.Part(r, e.Lane(t)*e.Width) }

// Vec writes an instruction with a result of a type.
func (e *Emitter) Vec(t ir.Type, op string, a ...*asm.Reg) *asm.Reg {
	return e.VecImm(t, op, "", a...)
}

// VecImm is Vec with a constant in front.
func (e *Emitter) VecImm(t ir.Type, op, constant string, a ...*asm.Reg) *asm.Reg {
	e.Fits(t)
	i := &asm.Instr{Op: op, Writes: 1, Args: make([]asm.Operand, 0, len(a)+2)}
	if constant != "" {
		i.Args = append(i.Args, asm.Imm(constant))
	}
	for _, r := range a {
		i.Args = append(i.Args, e.V(t, r))
	}
	r := e.Temporary(t)
	i.Args = append(i.Args, e.V(t, r))
	e.Emit(i)
	return r
}

// Fits refuses values that one vector does not hold.
func (e *Emitter) Fits(t ir.Type) {
	if t != ir.Bool && t.Bytes()*e.Width > e.shape.Bytes {
		e.Refuse(nil, "values of 64 bits in vectors of %s", map[int]string{8: "eight", 16: "sixteen"}[e.Width])
	}
}

// Compute writes an operation that stands in no kernel.
func (e *Emitter) Compute(op ir.Op, t ir.Type, a ...*asm.Reg) *asm.Reg {
	return e.Set.Pure(e, Operation(op, t, t, len(a)), a)
}

// Operation returns an operation of a number of arguments of a type, which stands in no kernel.
func Operation(op ir.Op, t, of ir.Type, args int) *ir.Value {
	v := &ir.Value{Op: op, Type: t}
	for range args {
		v.Args = append(v.Args, &ir.Value{Type: of})
	}
	return v
}

// Choose returns x where c holds, and y elsewhere.
func (e *Emitter) Choose(t ir.Type, c, x, y *asm.Reg) *asm.Reg {
	v := Operation(ir.Select, t, t, 3)
	v.Args[0].Type = ir.Bool
	return e.Set.Pure(e, v, []*asm.Reg{c, x, y})
}

// below returns a < b of integers without signs.
func (e *Emitter) below(t ir.Type, a, b *asm.Reg) *asm.Reg {
	v := Operation(ir.Lt, ir.Bool, t, 2)
	v.Unsigned = true
	return e.Set.Pure(e, v, []*asm.Reg{a, b})
}

// Once returns a register that one instruction sets before the loop over items. The instruction reads no
// register, so it can be repeated if registers are short.
func (e *Emitter) Once(name string, kind asm.Kind, make func(r *asm.Reg) *asm.Instr) *asm.Reg {
	if r := e.fixed[name]; r != nil {
		return r
	}
	r, width := &asm.Reg{Kind: kind}, e.Width
	e.Width = e.items // also where a half is written
	r.Remade = make(r)
	e.Width = width
	e.Aside(&e.before, func() { e.Emit(r.Remade) })
	e.fixed[name] = r
	return r
}

// Bits returns a constant in all lanes.
func (e *Emitter) Bits(t ir.Type, bits uint64) *asm.Reg {
	kind := e.shape.kindOf(t)
	if kind == asm.Vectors && e.Lane(t) == 4 {
		bits = bits&math.MaxUint32 | bits<<32
	}
	return e.Once(fmt.Sprintf("bits %x of %d", bits, kind), kind, func(r *asm.Reg) *asm.Instr { return e.Set.Constant(e, t, bits, r) })
}

// Table returns the symbol of constants in memory.
func (e *Emitter) Table(values []uint64) string { return e.data.Symbol(values) }

// Lookup returns a vector of constants in memory, which has a name of its own.
func (e *Emitter) Lookup(name string, values []uint64) *asm.Reg {
	return e.Once(name, asm.Vectors, func(r *asm.Reg) *asm.Instr {
		return asm.Make(e.shape.Files[asm.Vectors].Move, asm.Imm(e.Table(values)), asm.R(r))
	})
}

// argument returns the argument of a name, and adds it if it is missing.
func (e *Emitter) argument(name, goType string, size int, value string) *asm.Argument {
	for _, a := range e.args {
		if a.Name == name {
			return a
		}
	}
	a := &asm.Argument{Name: name, GoType: goType, Size: size, Value: value}
	e.args = append(e.args, a)
	return a
}

// number returns an integer that is the same for all items and is in the setup.
func (e *Emitter) number(v *ir.Value) *asm.Reg {
	a := e.argument(fmt.Sprintf("n%d", v.ID), "int", 8, "int("+valueMark(v)+")")
	return e.Once("integer "+a.Name, asm.Integers, func(r *asm.Reg) *asm.Instr { return e.Fetch(asm.Arg(a), r) })
}

// pointer returns the address of a memory.
func (e *Emitter) pointer(mem int) *asm.Reg {
	a := e.argument(fmt.Sprintf("m%d", mem), "unsafe.Pointer", 8, memMark(mem))
	return e.Once("pointer "+a.Name, asm.Integers, func(r *asm.Reg) *asm.Instr { return e.Fetch(asm.Arg(a), r) })
}

// Marks stand for the names in Go of a value of the setup and of a memory.
func valueMark(v *ir.Value) string { return fmt.Sprintf("\x00v%d\x00", v.ID) }
func memMark(mem int) string       { return fmt.Sprintf("\x00m%d\x00", mem) }

var noUnrolling = new(int)
