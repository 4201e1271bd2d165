package vector

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// vector returns the values of the lanes.
func (e *Emitter) vector(v *ir.Value) *asm.Reg {
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
func (e *Emitter) broadcast(v *ir.Value) *asm.Reg {
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
		a.Size = 8
	}
	return e.Once("vector "+a.Name, e.shape.kindOf(v.Type), func(r *asm.Reg) *asm.Instr { return e.Set.Uniform(e, v.Type, asm.Arg(a), r) })
}
