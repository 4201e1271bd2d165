package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Dead removes unused values, results of branches and parameters of loops, and then unused scalars and
// memories. A loop without effects is removed, too, unless it might never end.
func Dead(k *ir.Kernel) {
	d := &dead{live: map[*ir.Value]bool{}, owner: map[*ir.Value]*ir.Value{}, used: map[*ir.Value]map[int]bool{}}
	k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Loop {
			for _, p := range v.Head().Params {
				d.owner[p] = v
			}
		}
	})
	d.kernel(k)
	d.sweep(k.Setup)
	d.sweep(k.Body)
	untouched(k)
	compact(k)
}

// untouched removes the parts of accumulators that only their own package sees and that the body neither reads nor
// sets: they need not be loaded.
func untouched(k *ir.Kernel) {
	used := map[*ir.Value]bool{}
	read := func(v *ir.Value) {
		for _, a := range v.Args {
			used[a] = true
		}
		for _, b := range v.Blocks {
			for _, y := range b.Yield {
				used[y] = true
			}
		}
	}
	k.Body.Walk(read)
	for n, y := range k.Body.Yield {
		used[y] = used[y] || y != k.Body.Params[n]
	}
	var accs []ir.Acc
	var params, yield []*ir.Value
	for n, p := range k.Body.Params {
		if k.Accs[n].Hidden && !used[p] && k.Body.Yield[n] == p {
			continue
		}
		p.Index = len(params)
		accs, params, yield = append(accs, k.Accs[n]), append(params, p), append(yield, k.Body.Yield[n])
	}
	k.Accs, k.Body.Params, k.Body.Yield = accs, params, yield
}

type dead struct {
	live  map[*ir.Value]bool
	owner map[*ir.Value]*ir.Value    // the loop of a parameter
	used  map[*ir.Value]map[int]bool // which results of a branch are
}

// kernel marks the used values, from effects and yields on.
func (d *dead) kernel(k *ir.Kernel) {
	for _, v := range k.Body.Yield {
		d.mark(v)
	}
	for _, c := range k.Checks {
		for _, v := range []*ir.Value{c.Base, c.Step, c.Limit, c.When} {
			if v != nil {
				d.mark(v)
			}
		}
	}
	d.effects(k.Setup)
	d.effects(k.Body)
}

func (d *dead) effects(b *ir.Block) {
	for _, v := range b.Values {
		if hasEffect(v) {
			d.mark(v)
		}
		for _, inner := range v.Blocks {
			d.effects(inner)
		}
	}
}

// hasEffect reports whether a value does something, or something in its blocks does.
func hasEffect(v *ir.Value) bool {
	if v.Writes() || v.Op == ir.Check || v.Op == ir.Combine || v.Orders() {
		return true
	}
	for _, b := range v.Blocks {
		if slices.ContainsFunc(b.Values, hasEffect) {
			return true
		}
	}
	return v.Op == ir.Loop && !ends(v)
}

// ends reports whether a loop plainly ends.
func ends(v *ir.Value) bool {
	_, ok := CountOf(v)
	return ok
}

func (d *dead) mark(v *ir.Value) {
	if d.live[v] {
		return
	}
	d.live[v] = true
	switch v.Op {
	case ir.Result:
		d.result(v.Args[0], v.Index)
	case ir.Loop: // a carried value is used if another value uses it
		d.mark(v.Head().Yield[0])
	case ir.Arg:
		if loop := d.owner[v]; loop != nil {
			d.mark(loop)
			d.mark(loop.Args[v.Index])
			d.mark(loop.LoopBody().Yield[v.Index])
		}
	default:
		for _, a := range v.Args {
			d.mark(a)
		}
	}
}

// result marks the values that result n of a branch or a loop depends on.
func (d *dead) result(v *ir.Value, n int) {
	d.mark(v)
	if v.Op == ir.Loop {
		d.mark(v.Head().Params[n])
		return
	}
	if d.used[v] == nil {
		d.used[v] = map[int]bool{}
	}
	d.used[v][n] = true
	d.mark(v.Then().Yield[n])
	d.mark(v.Else().Yield[n])
}

// sweep removes the values that are not marked.
func (d *dead) sweep(b *ir.Block) {
	b.Values = slices.DeleteFunc(b.Values, func(v *ir.Value) bool { return !d.live[v] })
	for _, v := range b.Values {
		switch v.Op {
		case ir.If:
			place := kept(len(v.Then().Yield), func(n int) bool { return d.used[v][n] })
			v.Then().Yield, v.Else().Yield = pick(v.Then().Yield, place), pick(v.Else().Yield, place)
			d.renumber(b, v, place)
		case ir.Loop:
			place := kept(len(v.Args), func(n int) bool { return d.live[v.Head().Params[n]] })
			v.Args, v.Head().Params, v.LoopBody().Yield = pick(v.Args, place), pick(v.Head().Params, place), pick(v.LoopBody().Yield, place)
			for n, p := range v.Head().Params {
				p.Index = n
			}
			d.renumber(b, v, place)
		}
		for _, inner := range v.Blocks {
			d.sweep(inner)
		}
	}
}

// kept returns the new places of n things, and -1 for each one that is removed.
func kept(n int, keep func(n int) bool) (place []int) {
	next := 0
	for k := range n {
		if !keep(k) {
			place = append(place, -1)
			continue
		}
		place = append(place, next)
		next++
	}
	return place
}

func pick(values []*ir.Value, place []int) (out []*ir.Value) {
	for n, v := range values {
		if place[n] >= 0 {
			out = append(out, v)
		}
	}
	return out
}

// renumber gives the results of v their new places.
func (d *dead) renumber(b *ir.Block, v *ir.Value, place []int) {
	for _, r := range b.Values {
		if r.Op == ir.Result && r.Args[0] == v {
			r.Index = place[r.Index]
		}
	}
}

// compact removes scalars and memories that nothing uses.
func compact(k *ir.Kernel) {
	scalars, mems := map[int]bool{}, map[int]bool{}
	note := func(v *ir.Value) {
		switch v.Op {
		case ir.Uniform:
			scalars[v.Index] = true
		case ir.Load, ir.Store, ir.Atomic:
			mems[v.Index] = true
		}
	}
	k.Setup.Walk(note)
	k.Body.Walk(note)
	for n := range scalars { // the scalar with the length of a view is the length of its memory
		first := -1 // of several, for the types of numbers in structs, one is enough
		for m, mem := range k.Mems {
			if of := mem.Rank > 0 && k.Scalars[n].IsLengthOf(mem); of && (first < 0 || mems[m]) {
				first = m
			}
		}
		if first >= 0 {
			mems[first] = true
		}
	}
	scalar := kept(len(k.Scalars), func(n int) bool { return scalars[n] })
	mem := kept(len(k.Mems), func(n int) bool { return mems[n] })
	renumber := func(v *ir.Value) {
		switch v.Op {
		case ir.Uniform:
			v.Index = scalar[v.Index]
		case ir.Load, ir.Store, ir.Atomic:
			v.Index = mem[v.Index]
		}
	}
	k.Setup.Walk(renumber)
	k.Body.Walk(renumber)
	var ss []ir.Scalar
	for n, s := range k.Scalars {
		if scalar[n] >= 0 {
			ss = append(ss, s)
		}
	}
	var ms []ir.Mem
	for n, m := range k.Mems {
		if mem[n] >= 0 {
			ms = append(ms, m)
		}
	}
	k.Scalars, k.Mems = ss, ms
	k.Renumber(mem)
}
