package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// differs returns the values of a kernel by member that may differ among the members of a team. Values
// computed in a place that not all members reach count as different, too. All other values are the same. So
// is a load at an index that is the same, as members that see different values there have a race.
func differs(k *ir.Kernel) map[*ir.Value]bool {
	d := &differing{of: map[*ir.Value]bool{}}
	for _, p := range k.Body.Params {
		d.of[p] = true
	}
	for d.changed = true; d.changed; {
		d.changed = false
		d.block(k.Body, false)
	}
	return d.of
}

type differing struct {
	of      map[*ir.Value]bool
	changed bool
}

func (d *differing) mark(v *ir.Value, is bool) {
	if is && !d.of[v] {
		d.of[v], d.changed = true, true
	}
}

// block marks values of a block, and all of them if not all members reach it.
func (d *differing) block(b *ir.Block, under bool) {
	for _, v := range b.Values {
		is := under || anyOf(v.Args, d.of)
		switch v.Op {
		case ir.Member, ir.Atomic:
			is = true
		case ir.Prefix:
			is = under || ir.Scan(v.Index) != ir.TotalOfItems
		case ir.Gather, ir.Pass:
			is = under
		case ir.If:
			d.block(v.Then(), under || d.of[v.Args[0]])
			d.block(v.Else(), under || d.of[v.Args[0]])
			is = under || d.of[v.Args[0]]
		case ir.Loop:
			is = under || d.loop(v, under)
		case ir.Each:
			d.items(v, under)
			is = under
		case ir.Fold:
			d.items(v, under)
			is = under
			if ir.Level(v.Index) == ir.OverVector { // the member's own
				is = is || d.of[v.Args[0]] || anyIn(v.Blocks[0], d.of)
			}
		case ir.Result:
			is = under || d.result(v)
		}
		d.mark(v, is)
	}
}

// loop marks the values that a loop carries, and reports whether members may run it unequally often.
func (d *differing) loop(v *ir.Value, under bool) bool {
	unequal := under || d.of[v.Head().Yield[0]]
	for n, p := range v.Head().Params {
		d.mark(p, unequal || d.of[v.Args[n]] || d.of[v.LoopBody().Yield[n]])
	}
	d.block(v.Head(), unequal)
	d.block(v.LoopBody(), unequal)
	return d.of[v.Head().Yield[0]]
}

// items marks the values that the items of a range differ in, if it is spread over members. No such value is
// seen outside.
func (d *differing) items(v *ir.Value, under bool) {
	vector := ir.Level(v.Index) == ir.OverVector
	for _, p := range v.Blocks[0].Params {
		d.mark(p, under || !vector)
	}
	if vector {
		for n, p := range v.Blocks[0].Params[1:] {
			d.mark(p, d.of[v.Blocks[0].Yield[n]])
		}
	}
	d.block(v.Blocks[0], under || !vector)
}

func (d *differing) result(v *ir.Value) bool {
	of := v.Args[0]
	if of.Op != ir.Fold && !of.Nested() && anyOfBlocks(of, d.of) { // it stands in a loop over members
		return true
	}
	switch of.Op {
	case ir.If:
		return d.of[of] || d.of[of.Then().Yield[v.Index]] || d.of[of.Else().Yield[v.Index]]
	case ir.Loop:
		return d.of[of] || d.of[of.Head().Params[v.Index]]
	}
	return d.of[of]
}

// anyIn reports whether a set has one of the values of a block.
func anyIn(b *ir.Block, set map[*ir.Value]bool) (found bool) {
	b.Walk(func(v *ir.Value) { found = found || set[v] })
	return found
}

// outer returns the values that blocks of a value use and that stand outside of it.
func outer(v *ir.Value) (list []*ir.Value) {
	own := ir.Inside(v.Blocks...)
	note := func(x *ir.Value) {
		if !own[x] {
			list = append(list, x)
		}
	}
	var all func(b *ir.Block)
	all = func(b *ir.Block) {
		for _, x := range b.Values {
			for _, a := range x.Args {
				note(a)
			}
			for _, inner := range x.Blocks {
				all(inner)
			}
		}
		for _, y := range b.Yield {
			note(y)
		}
	}
	for _, b := range v.Blocks {
		all(b)
	}
	return list
}

func anyOfBlocks(v *ir.Value, set map[*ir.Value]bool) bool {
	for _, b := range v.Blocks {
		if anyIn(b, set) {
			return true
		}
	}
	return false
}

// askedByMembers returns the loads that are the same for all members, and whose only users differ. The users
// are values of the same block, and none that members compute together.
func askedByMembers(k *ir.Kernel, differ map[*ir.Value]bool) map[*ir.Value]bool {
	asked := map[*ir.Value]bool{}
	var in func(b *ir.Block)
	in = func(b *ir.Block) {
		own := map[*ir.Value]bool{}
		for _, v := range b.Values {
			own[v] = v.Op == ir.Load && !differ[v]
			asked[v] = own[v]
			for _, a := range v.Args {
				asked[a] = asked[a] && own[a] && differ[v] && (v.Op.Pure() || v.Op == ir.Store)
			}
			for _, inner := range v.Blocks {
				in(inner)
			}
		}
		for _, y := range b.Yield {
			asked[y] = false
		}
	}
	in(k.Body)
	return asked
}
