package amd64

import (
	"fmt"
	"go/token"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A cost is how many instructions a loop runs in a round, and how many rounds.
type cost struct {
	n        int
	from, to *ir.Value
	inner    []cost
}

// A refusal is why a kernel has no vector code.
type refusal struct {
	pos token.Position
	why string
}

func (e *Emitter) Refuse(v *ir.Value, format string, a ...any) {
	pos := e.pos
	if v != nil && v.Pos.IsValid() {
		pos = v.Pos
	}
	panic(refusal{pos, fmt.Sprintf(format, a...)})
}

// Copy copies a value to a register of its kind.
func (e *Emitter) Copy(t ir.Type, from, to *Reg) {
	i := Make(e.shape.Files[e.shape.kindOf(t)].Copy, e.V(t, from), e.V(t, to))
	i.copies = true
	e.emit(i)
}

// Copied returns a copy of a value.
func (e *Emitter) Copied(t ir.Type, from *Reg) *Reg {
	r := e.Temporary(t)
	e.Copy(t, from, r)
	return r
}

// Temporary returns a register for values of a type.
func (e *Emitter) Temporary(t ir.Type) *Reg { return &Reg{kind: e.shape.kindOf(t)} }

// Lane returns how many bytes a lane of a type has. A bool has as many as are there, where masks are vectors.
func (e *Emitter) Lane(t ir.Type) int {
	if t == ir.Bool {
		return e.shape.Bytes / e.Width
	}
	return t.Bytes()
}

// V is a register with values of a type.
func (e *Emitter) V(t ir.Type, r *Reg) Operand { return Part(r, e.Lane(t)*e.Width) }

// Vec writes an instruction with a result of a type.
func (e *Emitter) Vec(t ir.Type, op string, a ...*Reg) *Reg {
	return e.VecImm(t, op, "", a...)
}

// VecImm is Vec with a constant in front.
func (e *Emitter) VecImm(t ir.Type, op, constant string, a ...*Reg) *Reg {
	e.Fits(t)
	i := &Instr{op: op, writes: 1}
	if constant != "" {
		i.args = append(i.args, Imm(constant))
	}
	for _, r := range a {
		i.args = append(i.args, e.V(t, r))
	}
	r := e.Temporary(t)
	i.args = append(i.args, e.V(t, r))
	e.emit(i)
	return r
}

// Fits refuses values that one vector does not hold.
func (e *Emitter) Fits(t ir.Type) {
	if t != ir.Bool && t.Bytes()*e.Width > e.shape.Bytes {
		e.Refuse(nil, "values of 64 bits in vectors of %s", map[int]string{8: "eight", 16: "sixteen"}[e.Width])
	}
}

// compute writes an operation that stands in no kernel.
func (e *Emitter) compute(op ir.Op, t ir.Type, a ...*Reg) *Reg {
	return e.set.Pure(e, operation(op, t, t, len(a)), a)
}

func operation(op ir.Op, t, of ir.Type, args int) *ir.Value {
	v := &ir.Value{Op: op, Type: t}
	for range args {
		v.Args = append(v.Args, &ir.Value{Type: of})
	}
	return v
}

// Choose returns x where c holds, and y elsewhere.
func (e *Emitter) Choose(t ir.Type, c, x, y *Reg) *Reg {
	v := operation(ir.Select, t, t, 3)
	v.Args[0].Type = ir.Bool
	return e.set.Pure(e, v, []*Reg{c, x, y})
}

// below returns a < b of integers without signs.
func (e *Emitter) below(t ir.Type, a, b *Reg) *Reg {
	v := operation(ir.Lt, ir.Bool, t, 2)
	v.Unsigned = true
	return e.set.Pure(e, v, []*Reg{a, b})
}

// pure writes the instructions of an operation without effects.
func (e *Emitter) pure(v *ir.Value) *Reg {
	if e.byUniform(v) {
		return e.divided(v)
	}
	a := make([]*Reg, len(v.Args))
	for n, x := range v.Args {
		a[n] = e.vector(x)
	}
	return e.set.Pure(e, v, a)
}

// Once returns a register that is made before the loop over items, by one instruction from no
// registers: it can be made anew where registers are short.
func (e *Emitter) Once(name string, kind Kind, make func(r *Reg) *Instr) *Reg {
	if r := e.fixed[name]; r != nil {
		return r
	}
	r, width := &Reg{kind: kind}, e.Width
	e.Width = e.items // also where a half is written
	r.remade = make(r)
	e.Width = width
	e.aside(&e.before, func() { e.emit(r.remade) })
	e.fixed[name] = r
	return r
}

// Bits returns a constant in all lanes.
func (e *Emitter) Bits(t ir.Type, bits uint64) *Reg {
	kind := e.shape.kindOf(t)
	if kind == Vectors && e.Lane(t) == 4 {
		bits = bits&math.MaxUint32 | bits<<32
	}
	return e.Once(fmt.Sprintf("bits %x of %d", bits, kind), kind, func(r *Reg) *Instr { return e.set.Constant(e, t, bits, r) })
}

// Table returns the symbol of constants in memory.
func (e *Emitter) Table(values []uint64) string { return e.data.symbol(values) }

// Lookup returns a vector of constants in memory, which has a name of its own.
func (e *Emitter) Lookup(name string, values []uint64) *Reg {
	return e.Once(name, Vectors, func(r *Reg) *Instr { return Make(e.shape.Files[Vectors].Move, Imm(e.Table(values)), R(r)) })
}

// argument returns the argument of a name, which it adds if there is none.
func (e *Emitter) argument(name, goType string, size int, value string) *argument {
	for _, a := range e.args {
		if a.name == name {
			return a
		}
	}
	a := &argument{name: name, goType: goType, size: size, value: value}
	e.args = append(e.args, a)
	return a
}

// number returns an integer that is the same for all items and is in the setup.
func (e *Emitter) number(v *ir.Value) *Reg {
	a := e.argument(fmt.Sprintf("n%d", v.ID), "int", 8, "int("+valueMark(v)+")")
	return e.Once("integer "+a.name, Integers, func(r *Reg) *Instr { return e.Fetch(ofArgument(a), r) })
}

// pointer returns the address of a memory.
func (e *Emitter) pointer(mem int) *Reg {
	a := e.argument(fmt.Sprintf("m%d", mem), "unsafe.Pointer", 8, memMark(mem))
	return e.Once("pointer "+a.name, Integers, func(r *Reg) *Instr { return e.Fetch(ofArgument(a), r) })
}

// Marks stand for the names in Go of a value of the setup and of a memory.
func valueMark(v *ir.Value) string { return fmt.Sprintf("\x00v%d\x00", v.ID) }
func memMark(mem int) string       { return fmt.Sprintf("\x00m%d\x00", mem) }

// vector returns the values of the lanes.
func (e *Emitter) vector(v *ir.Value) *Reg {
	if r := e.vectors[v]; r != nil {
		return r
	}
	switch {
	case v.Op == ir.Const && v.Type == ir.Bool:
		return e.Bits(v.Type, -v.Bits)
	case v.Op == ir.Const:
		return e.Bits(v.Type, v.Bits)
	case e.setup[v]:
		return e.broadcast(v)
	}
	p, ok := e.linear(v)
	if !ok {
		e.Refuse(v, "%v is not known in vectors", v)
	}
	r := e.counted(v, p)
	e.vectors[v] = r
	return r
}

// broadcast returns a value of the setup in all lanes.
func (e *Emitter) broadcast(v *ir.Value) *Reg {
	e.Fits(v.Type)
	value, goType := valueMark(v), v.Type.Go()
	switch v.Type {
	case ir.F64:
		value = "float64(" + value + ")"
	case ir.F32:
		value = "float32(" + value + ")"
	case ir.I32:
		value = "int32(" + value + ")"
	case ir.I64:
		value = "int(" + value + ")"
	case ir.Bool:
		goType, value = "int", "mask("+value+")"
	}
	a := e.argument(fmt.Sprintf("%s%d", map[ir.Type]string{ir.F64: "f", ir.F32: "f", ir.I32: "i", ir.I64: "n", ir.Bool: "b"}[v.Type], v.ID), goType, max(v.Type.Bytes(), 4), value)
	if v.Type == ir.Bool {
		a.size = 8
	}
	return e.Once("vector "+a.name, e.shape.kindOf(v.Type), func(r *Reg) *Instr { return e.set.Uniform(e, v.Type, ofArgument(a), r) })
}
