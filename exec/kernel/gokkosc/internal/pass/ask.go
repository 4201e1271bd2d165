package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Ask moves all checks of an item before its first effect, if a check stands behind an effect that cannot be
// undone. Such effects are an atomic operation, a contribution to a scatter, and a store in a loop. Of
//
//	for k := from; k < to; k++ {
//		atomics.Add(&y[column[k]], v[k])
//	}
//
// a loop over the indices comes first, and nothing can stop the item in the second one. Ask changes nothing
// if a check depends on memory that the item writes. If only the condition of a branch depends on such
// memory, Ask moves the checks of both sides.
func Ask(k *ir.Kernel) {
	if !late(k, k.Body, false, false) || logs(k) {
		return
	}
	first := slices.IndexFunc(k.Body.Values, func(v *ir.Value) bool { return lasts(k, v) })
	a := &asker{k: k, written: map[*ir.Value]bool{}, behind: map[*ir.Value]bool{}, needed: map[*ir.Value]bool{}, to: map[*ir.Value]*ir.Value{}, asked: map[*ir.Value]bool{}}
	(&ir.Block{Values: k.Body.Values[first:]}).Walk(func(v *ir.Value) {
		a.behind[v] = true
		switch v.Op {
		case ir.Atomic:
			a.types[v.Type] = true
		case ir.Store:
			if k.Mems[v.Index].Own {
				a.own[v.Args[1].Type] = true
			} else {
				a.types[v.Args[1].Type] = true
			}
		}
	})
	for a.changed = true; a.changed; {
		a.changed = false
		a.spread(k.Body)
	}
	a.need(k.Body)
	question := &ir.Block{}
	if !a.copies(k.Body.Values[first:], question) {
		return
	}
	drop(k.Body, a.asked)
	k.Body.Values = slices.Insert(k.Body.Values, first, question.Values...)
}

// logs reports whether a team logs the elements that its stores overwrite, instead of asking. A team does so
// if all stores are outside of the innermost loops with checks, as asking takes longer then.
func logs(k *ir.Kernel) bool {
	stores, asks, logged := 0, 0, true
	var in func(b *ir.Block, depth int)
	in = func(b *ir.Block, depth int) {
		for _, v := range b.Values {
			switch {
			case v.Op == ir.Check:
				asks = max(asks, depth)
			case v.Op == ir.Atomic || v.Op == ir.Combine:
				logged = false
			case v.Op == ir.Store && !k.Mems[v.Index].Own:
				stores = max(stores, depth)
				logged = logged && k.Mems[v.Index].Elem != ir.Bool
			}
			within := depth
			if v.Op == ir.Loop {
				within++
			}
			for _, inner := range v.Blocks {
				in(inner, within)
			}
		}
	}
	in(k.Body, 0)
	return k.Team == ir.ByTeam && logged && stores < asks
}

// drop removes checks from a block.
func drop(b *ir.Block, asked map[*ir.Value]bool) {
	b.Values = slices.DeleteFunc(b.Values, func(v *ir.Value) bool { return asked[v] })
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			drop(inner, asked)
		}
	}
}

// late reports whether a block has an effect that cannot be undone, with a check behind it. The check may be
// in the block, behind the block, or in another round.
func late(k *ir.Kernel, b *ir.Block, behind, inLoop bool) bool {
	for _, v := range slices.Backward(b.Values) {
		switch v.Op {
		case ir.Check:
			behind = true
		case ir.Atomic, ir.Combine:
			if behind {
				return true
			}
		case ir.Store:
			if behind && inLoop && !k.Mems[v.Index].Own {
				return true
			}
		case ir.If:
			if late(k, v.Then(), behind, inLoop) || late(k, v.Else(), behind, inLoop) {
				return true
			}
			behind = behind || checks(v)
		case ir.Loop:
			behind = behind || checks(v)
			if late(k, v.Head(), behind, true) || late(k, v.LoopBody(), behind, true) {
				return true
			}
		}
	}
	return false
}

// lasts reports whether a value, or one in its blocks, has an effect that an item which stops must not have had.
func lasts(k *ir.Kernel, v *ir.Value) bool {
	found := v.Op == ir.Combine || v.Writes() && !k.Mems[v.Index].Own
	for _, b := range v.Blocks {
		found = found || slices.ContainsFunc(b.Values, func(x *ir.Value) bool { return lasts(k, x) })
	}
	return found
}

// checks reports whether a value is a check, or has one in its blocks.
func checks(v *ir.Value) bool {
	found := v.Op == ir.Check
	for _, b := range v.Blocks {
		found = found || slices.ContainsFunc(b.Values, checks)
	}
	return found
}

// An asker copies the values that checks depend on.
type asker struct {
	k       *ir.Kernel
	types   [ir.Bool + 1]bool  // that the item writes
	own     [ir.Bool + 1]bool  // that it writes to memory of the worker's own
	written map[*ir.Value]bool // depend on memory that the item writes
	changed bool
	behind  map[*ir.Value]bool // stand behind the first effect
	needed  map[*ir.Value]bool // by checks
	to      map[*ir.Value]*ir.Value
	asked   map[*ir.Value]bool
}

// spread finds the values that depend on memory that the item writes.
func (a *asker) spread(b *ir.Block) {
	for _, v := range b.Values {
		is := anyOf(v.Args, a.written)
		switch v.Op {
		case ir.Atomic:
			is = true
		case ir.Load:
			m := a.k.Mems[v.Index]
			is = is || m.Own && a.own[v.Type] || !m.Own && m.Table == nil && a.types[v.Type]
		case ir.If:
			a.spread(v.Then())
			a.spread(v.Else())
			is = a.written[v.Args[0]]
		case ir.Loop:
			for n, p := range v.Head().Params {
				a.mark(p, a.written[v.Args[n]] || a.written[v.LoopBody().Yield[n]])
			}
			a.spread(v.Head())
			a.spread(v.LoopBody())
			is = a.written[v.Head().Yield[0]]
		case ir.Result:
			of := v.Args[0]
			if of.Op == ir.If {
				is = is || a.written[of.Then().Yield[v.Index]] || a.written[of.Else().Yield[v.Index]]
			} else {
				is = is || a.written[of.Head().Params[v.Index]]
			}
		}
		a.mark(v, is)
	}
}

func (a *asker) mark(v *ir.Value, is bool) {
	if is && !a.written[v] {
		a.written[v], a.changed = true, true
	}
}

// need finds the values that checks need.
func (a *asker) need(b *ir.Block) {
	var all func(v *ir.Value)
	all = func(v *ir.Value) {
		if a.needed[v] {
			return
		}
		a.needed[v] = true
		for _, x := range v.Args {
			all(x)
		}
		for _, inner := range v.Blocks {
			inner.Walk(all)
			for _, y := range inner.Yield {
				all(y)
			}
		}
	}
	b.Walk(func(v *ir.Value) {
		switch {
		case v.Op == ir.Check:
			all(v)
		case v.Op == ir.If && checks(v):
			all(v.Args[0])
		case v.Op == ir.Loop && checks(v):
			all(v)
		}
	})
}

// copies copies values to a block, but for effects and values that depend on them. It reports whether all
// checks can be copied.
func (a *asker) copies(values []*ir.Value, to *ir.Block) bool {
	for _, v := range values {
		switch {
		case v.Writes() || v.Op == ir.Combine || !a.needed[v] && !checks(v):
		case a.written[v] && v.Op == ir.If:
			if !a.sides(v, to) {
				return false
			}
		case a.written[v]:
			if checks(v) {
				return false
			}
		default:
			c := a.like(v)
			to.Values = append(to.Values, c)
			a.asked[v] = v.Op == ir.Check
			for n, b := range v.Blocks {
				for m, p := range b.Params {
					q := a.like(p)
					if a.written[p] {
						c.Args[m] = constant(a.k, p.Type, 0)
					}
					c.Blocks[n].Params = append(c.Blocks[n].Params, q)
				}
				if !a.copies(b.Values, c.Blocks[n]) {
					return false
				}
				a.yield(b, c.Blocks[n])
			}
		}
	}
	return true
}

// like returns a copy of a value, with empty blocks.
func (a *asker) like(v *ir.Value) *ir.Value {
	c := *v
	c.ID = a.k.NewValue(v.Op, v.Type).ID
	c.Args, c.Blocks = nil, nil
	for _, x := range v.Args {
		c.Args = append(c.Args, a.of(x))
	}
	for range v.Blocks {
		c.Blocks = append(c.Blocks, &ir.Block{})
	}
	a.to[v] = &c
	return &c
}

// of returns the value that stands for another one in the copy.
func (a *asker) of(v *ir.Value) *ir.Value {
	if c := a.to[v]; c != nil {
		return c
	}
	return v
}

// yield copies the yields of a block, with any value in place of one that no check needs.
func (a *asker) yield(b, to *ir.Block) {
	for _, y := range b.Yield {
		if a.written[y] || a.behind[y] && a.to[y] == nil {
			to.Yield = append(to.Yield, constant(a.k, y.Type, 0))
		} else {
			to.Yield = append(to.Yield, a.of(y))
		}
	}
}

// sides asks for the checks of both sides of a branch whose condition depends on effects. It takes only
// checks whose operands are computed without a look into memory: the condition may keep such looks in range.
func (a *asker) sides(v *ir.Value, to *ir.Block) bool {
	for _, b := range v.Blocks {
		for _, x := range b.Values {
			switch {
			case x.Op == ir.If && checks(x):
				if !a.sides(x, to) {
					return false
				}
			case x.Op == ir.Loop && checks(x), x.Op == ir.Check && (a.unknown(x) || isPanic(x)):
				return false
			case x.Op == ir.Check || x.Op.Pure() && x.Op != ir.Call && a.needed[x] && !a.unknown(x):
				to.Values = append(to.Values, a.like(x))
				a.asked[x] = x.Op == ir.Check
			}
		}
	}
	return true
}

// unknown reports whether a value has an argument that stands behind the first effect and is not copied.
func (a *asker) unknown(v *ir.Value) bool {
	return slices.ContainsFunc(v.Args, func(x *ir.Value) bool { return a.behind[x] && a.to[x] == nil })
}
