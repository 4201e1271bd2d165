package vector

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// block writes the values of a block.
func (e *Emitter) block(b *ir.Block) { e.values(b.Values) }

func (e *Emitter) values(list []*ir.Value) {
	for _, v := range list {
		e.value(v)
	}
}

func (e *Emitter) value(v *ir.Value) {
	if v.Pos.IsValid() {
		e.Pos = v.Pos
	}
	switch v.Op {
	case ir.Const, ir.Uniform, ir.Item:
		return // made where they are used
	case ir.Result:
		e.vectors[v] = e.result(v)
	case ir.Load:
		e.vectors[v] = e.load(v)
	case ir.Store:
		e.store(v)
	case ir.Check:
		e.check(v)
	case ir.If:
		e.branch(v)
	case ir.Loop:
		e.rounds(v)
	default:
		if _, ok := e.linear(v); ok && v.Type == ir.I64 {
			return
		}
		e.vectors[v] = e.pure(v)
	}
}

// branch runs both blocks under masks, but for one whose mask is empty.
func (e *Emitter) branch(v *ir.Value) {
	c := e.vector(v.Args[0])
	outer := e.mask
	results := make([]*asm.Reg, len(v.Then().Yield))
	for n, b := range v.Blocks {
		e.scope(func() {
			if len(b.Values) > 0 {
				e.mask = e.under(outer, c, n == 0)
			}
			end := ""
			if n := b.Count(); n > 8 || effects(b) {
				end = e.Label()
				e.skip(e.mask, end)
			}
			e.block(b)
			for m, y := range b.Yield {
				r := e.vector(y)
				if n == 0 {
					results[m] = e.Copied(y.Type, r)
					continue
				}
				e.Copy(y.Type, e.Choose(y.Type, c, results[m], r), results[m])
			}
			if end != "" {
				e.Mark(end)
			}
		})
	}
	e.mask = outer
	e.keep(v, results)
}

// effects reports whether it is better not to run a block whose lanes are all off.
func effects(b *ir.Block) (yes bool) {
	b.Walk(func(v *ir.Value) {
		yes = yes || v.Op == ir.Store || v.Op == ir.Load || v.Op == ir.Loop || v.Op == ir.Check
	})
	return yes
}

// pure writes the instructions of an operation without effects.
func (e *Emitter) pure(v *ir.Value) *asm.Reg {
	if e.byUniform(v) {
		return e.divided(v)
	}
	a := make([]*asm.Reg, len(v.Args))
	for n, x := range v.Args {
		a[n] = e.vector(x)
	}
	return e.Set.Pure(e, v, a)
}
