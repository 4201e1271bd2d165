package ptx

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

func (w *writer) branch(v *ir.Value, at item) {
	types := v.Results()
	kept := make([]string, len(types))
	for n, t := range types {
		kept[n] = w.fresh(w.classOf(t))
	}
	if not := v.Args[0]; not.Op == ir.Not {
		w.rarely(v, not.Args[0], types, kept, at)
		return
	}
	otherwise, end := w.newLabel("else"), w.newLabel("endif")
	one := len(v.Else().Values) == 0 && len(types) == 0
	if one {
		otherwise = end
	}
	w.op("@!%s bra %s", w.in(v.Args[0]), otherwise)
	w.inner(func() {
		w.block(v.Then(), at)
		w.yield(v.Then(), types, kept)
	})
	if !one {
		w.op("bra %s", end)
		w.label(otherwise)
		w.inner(func() {
			w.block(v.Else(), at)
			w.yield(v.Else(), types, kept)
		})
	}
	w.label(end)
	w.results[v] = kept
}

// rarely writes a branch whose condition does not hold if the other one does: as a rule it is of numbers that are out of
// range, or NaN. What is done then is behind the end, so that the rest goes straight on.
func (w *writer) rarely(v, usual *ir.Value, types []ir.Type, kept []string, at item) {
	rare, end := w.newLabel("rare"), w.newLabel("endif")
	w.op("@!%s bra %s", w.in(usual), rare)
	w.inner(func() {
		w.block(v.Else(), at)
		w.yield(v.Else(), types, kept)
	})
	w.label(end)
	w.later(func() {
		w.label(rare)
		w.inner(func() {
			w.block(v.Then(), at)
			w.yield(v.Then(), types, kept)
		})
		w.op("bra %s", end)
	})
	w.results[v] = kept
}

// yield moves what a block yields.
func (w *writer) yield(b *ir.Block, types []ir.Type, dst []string) {
	src := make([]string, len(b.Yield))
	for n, y := range b.Yield {
		src[n] = w.use(y)
	}
	w.move(types, dst, src)
}

func (w *writer) loop(v *ir.Value, at item) {
	types := v.Results()
	params := make([]string, len(types))
	for n, p := range v.Head().Params {
		params[n] = w.fresh(w.classOf(p.Type))
		w.reg[p] = params[n]
		w.op("mov.%s %s, %s", movable(p.Type), params[n], w.use(v.Args[n]))
	}
	head, end := w.newLabel("loop"), w.newLabel("endloop")
	w.label(head)
	w.inner(func() {
		w.block(v.Head(), at)
		w.op("@!%s bra %s", w.in(v.Head().Yield[0]), end)
		w.block(v.LoopBody(), at)
		w.yield(v.LoopBody(), types, params)
	})
	w.op("bra %s", head)
	w.label(end)
	w.results[v] = params
}
