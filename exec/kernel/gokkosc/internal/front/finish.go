package front

import (
	"go/token"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// finish completes the kernel.
func (l *lowering) finish() {
	var out []*ir.Value
	var products []token.Pos
	for n := range l.k.Lanes {
		t := l.vars[accumulator{n}]
		for n, mark := range marks(t) {
			if v := leaves(t)[n]; v != nil { // not where a slice begins
				out, products = append(out, v), append(products, mark)
			}
		}
	}
	for n, arg := range l.k.Body.Params {
		l.noProductCarried(arg, number{out[n], products[n]})
		l.k.Body.Yield = append(l.k.Body.Yield, out[n])
	}
	l.furtherLast()
	l.notShared()
	l.tablesLast()
	slices.Sort(l.k.Inlined)
	l.k.Inlined = slices.Compact(l.k.Inlined)
}

// notShared refuses kernels that may store to a number behind a captured pointer, which is loaded once for
// many items.
func (l *lowering) notShared() {
	used, loaded := map[*ir.Value]bool{}, map[int]bool{}
	var stores []*ir.Value
	l.k.Body.Walk(func(v *ir.Value) {
		for _, x := range v.Args {
			used[x] = true
		}
		for _, b := range v.Blocks {
			for _, y := range b.Yield {
				used[y] = true
			}
		}
		if v.Op == ir.Load {
			loaded[v.Index] = true
		}
		if v.Writes() && l.k.Mems[v.Index].Far {
			stores = append(stores, v)
		}
	})
	if len(stores) == 0 {
		return
	}
	of := &ir.Kernel{Params: l.k.Params} // with what items load
	for _, u := range l.k.Setup.Values {
		if u.Op == ir.Uniform && used[u] {
			of.Scalars = append(of.Scalars, l.k.Scalars[u.Index])
		}
	}
	for n, m := range l.k.Mems {
		if loaded[n] {
			of.Mems = append(of.Mems, m)
		}
	}
	for _, v := range stores {
		for _, s := range of.Shared() {
			if s.Elem == l.k.Mems[v.Index].Elem.Value() {
				name := l.k.PathString(s.Param, s.Path)
				panic(&Refusal{v.Pos, "this may store to " + name + ", which items load", "keep " + name + " in a variable in front of the launch"})
			}
		}
	}
}

// tablesLast puts memories that are no parts of parameters, such as tables, behind the others.
func (l *lowering) tablesLast() {
	var others, tables []ir.Mem
	at := make([]int, len(l.k.Mems))
	for n, m := range l.k.Mems {
		if m.Param >= 0 {
			at[n] = len(others)
			others = append(others, m)
		}
	}
	for n, m := range l.k.Mems {
		if m.Param < 0 {
			at[n] = len(others) + len(tables)
			tables = append(tables, m)
		}
	}
	l.k.Mems = append(others, tables...)
	l.k.Renumber(at)
	l.k.Body.Walk(func(v *ir.Value) {
		if v.Op.Accesses() {
			v.Index = at[v.Index]
		}
	})
}

// furtherLast puts parameters that are no captures behind the captures.
func (l *lowering) furtherLast() {
	var given, further []ir.Param
	at := make([]int, len(l.k.Params))
	for n, p := range l.k.Params {
		if slices.Contains(l.further, n) {
			at[n] = -1 - len(further)
			further = append(further, p)
		} else {
			at[n] = len(given)
			given = append(given, p)
		}
	}
	place := func(n *int) {
		if *n >= 0 {
			if *n = at[*n]; *n < 0 {
				*n = len(given) - 1 - *n
			}
		}
	}
	for n := range l.k.Scalars {
		place(&l.k.Scalars[n].Param)
	}
	for n := range l.k.Mems {
		place(&l.k.Mems[n].Param)
	}
	l.k.Params = append(given, further...)
}
