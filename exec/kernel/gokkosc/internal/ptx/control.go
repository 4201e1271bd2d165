package ptx

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

func (w *writer) branch(v *ir.Value, at item) {
	types := v.Results()
	kept := make([]string, len(types))
	for n, t := range types {
		kept[n] = w.Fresh(w.classOf(t))
	}
	if not := v.Args[0]; not.Op == ir.Not {
		w.rarely(v, not.Args[0], types, kept, at)
		return
	}
	otherwise, end := w.NewLabel("else"), w.NewLabel("endif")
	one := len(v.Else().Values) == 0 && len(types) == 0
	if one {
		otherwise = end
	}
	w.Op("@!%s bra %s", w.in(v.Args[0]), otherwise)
	w.inner(func() {
		w.block(v.Then(), at)
		w.yield(v.Then(), types, kept)
	})
	if !one {
		w.Op("bra %s", end)
		w.Label(otherwise)
		w.inner(func() {
			w.block(v.Else(), at)
			w.yield(v.Else(), types, kept)
		})
	}
	w.Label(end)
	w.results[v] = kept
}

// rarely writes a branch whose condition fails if another one, usual, holds. As a rule the branch is for
// numbers that are out of range, or NaN. The code of that branch is behind the end, so that the usual branch
// goes straight on.
func (w *writer) rarely(v, usual *ir.Value, types []ir.Type, kept []string, at item) {
	rare, end := w.NewLabel("rare"), w.NewLabel("endif")
	w.Op("@!%s bra %s", w.in(usual), rare)
	w.inner(func() {
		w.block(v.Else(), at)
		w.yield(v.Else(), types, kept)
	})
	w.Label(end)
	w.Later(func() {
		w.Label(rare)
		w.inner(func() {
			w.block(v.Then(), at)
			w.yield(v.Then(), types, kept)
		})
		w.Op("bra %s", end)
	})
	w.results[v] = kept
}

// yield moves the values that a block yields.
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
		params[n] = w.Fresh(w.classOf(p.Type))
		w.reg[p] = params[n]
		w.Op("mov.%s %s, %s", movable(p.Type), params[n], w.use(v.Args[n]))
	}
	head, end := w.NewLabel("loop"), w.NewLabel("endloop")
	w.Label(head)
	w.inner(func() {
		w.block(v.Head(), at)
		w.Op("@!%s bra %s", w.in(v.Head().Yield[0]), end)
		w.block(v.LoopBody(), at)
		w.yield(v.LoopBody(), types, params)
	})
	w.Op("bra %s", head)
	w.Label(end)
	w.results[v] = params
}
