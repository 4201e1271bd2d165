package pass

import (
	"maps"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Keep keeps elements of memory in registers. An item does not load an element that it has stored, and stores an element
// once. An element that both branches of an if store is stored behind the if. A branch that stores to an element which
// the item has stored before chooses between two values, and has no store. A check that both branches have moves in
// front of the if. Memories whose elements have the same type may overlap.
func Keep(k *ir.Kernel) { keepElements(k, true) }

// KeepExactly is Keep for devices: an item that stops has done all its stores in front of the stop.
func KeepExactly(k *ir.Kernel) { keepElements(k, false) }

func keepElements(k *ir.Kernel, pastChecks bool) {
	c := &keep{k: k, to: replacement{}, pastChecks: pastChecks}
	c.block(k.Body, elements{})
	c.to.all(k)
}

type keep struct {
	k          *ir.Kernel
	to         replacement
	pastChecks bool // a store may move behind a check
}

// An element is one of a memory, at an index.
type element struct {
	mem int
	at  *ir.Value
}

// elements are the facts that an item knows of elements.
type elements map[element]known

type known struct {
	value *ir.Value // value of the element; nil if it may have several
	own   bool      // the item has stored there
}

// A rewriting is a block that is rewritten up to a value.
type rewriting struct {
	*keep
	known  elements // behind that value
	out    []*ir.Value
	unread elements           // stores that nothing has read
	dead   map[*ir.Value]bool // stores that nothing will read
}

// block rewrites a block, and leaves in s the elements that are known behind it.
func (c *keep) block(b *ir.Block, s elements) {
	r := &rewriting{keep: c, known: s, unread: elements{}, dead: map[*ir.Value]bool{}}
	for _, v := range b.Values {
		c.to.list(v.Args)
		switch v.Op {
		case ir.Load:
			r.load(v)
		case ir.Store:
			r.store(v)
		case ir.If:
			r.branch(v)
		case ir.Loop:
			r.loop(v)
		default:
			r.other(v)
		}
	}
	b.Values = slices.DeleteFunc(r.out, func(v *ir.Value) bool { return r.dead[v] })
	c.to.list(b.Yield)
}

func (r *rewriting) load(v *ir.Value) {
	e := element{v.Index, v.Args[0]}
	if is := r.known[e]; is.value != nil {
		r.to[v] = is.value
		return
	}
	r.known[e] = known{v, r.known[e].own}
	r.unread.forget(r.k, v.Index)
	r.out = append(r.out, v)
}

func (r *rewriting) store(v *ir.Value) {
	e := element{v.Index, v.Args[0]}
	if before, ok := r.unread[e]; ok {
		r.dead[before.value] = true
	}
	r.known.store(r.k, v)
	r.unread[e] = known{value: v}
	r.out = append(r.out, v)
}

func (r *rewriting) branch(v *ir.Value) {
	then, els := maps.Clone(r.known), maps.Clone(r.known)
	r.block(v.Then(), then)
	r.block(v.Else(), els)
	if r.pastChecks {
		r.out = append(r.out, lift(v)...)
	}
	sunk := r.sink(v, then, els)
	r.reads(v, r.unread)
	clear(r.known)
	maps.Copy(r.known, both(then, els))
	r.out = append(r.out, v)
	for _, x := range sunk {
		if x.Op == ir.Store {
			r.store(x)
		} else {
			r.out = append(r.out, x)
		}
	}
}

func (r *rewriting) loop(v *ir.Value) {
	changes := changesOf(r.k, v)
	maps.DeleteFunc(r.known, func(e element, _ known) bool { return changes.of(e.mem) })
	inner := maps.Clone(r.known)
	r.block(v.Head(), inner)
	r.block(v.LoopBody(), inner)
	r.reads(v, r.unread)
	r.out = append(r.out, v)
}

func (r *rewriting) other(v *ir.Value) {
	switch {
	case v.Op == ir.Atomic:
		clear(r.known)
		clear(r.unread)
	case v.Op == ir.Check && !r.pastChecks:
		clear(r.unread)
	}
	r.out = append(r.out, v)
}

// store notes the value that a store leaves.
func (s elements) store(k *ir.Kernel, v *ir.Value) {
	e := element{v.Index, v.Args[0]}
	maps.DeleteFunc(s, func(x element, _ known) bool {
		return mayMeet(k, x.mem, e.mem) && !(x.mem == e.mem && apart(x.at, e.at))
	})
	s[e] = known{v.Args[1], true}
}

// forget forgets elements that may be in a memory.
func (s elements) forget(k *ir.Kernel, mem int) {
	maps.DeleteFunc(s, func(e element, _ known) bool { return mayMeet(k, e.mem, mem) })
}

// both returns the facts that hold in both of two cases.
func both(x, y elements) elements {
	out := elements{}
	for e, is := range x {
		if other, ok := y[e]; ok && (is.value == other.value || is.own && other.own) {
			if is.value != other.value {
				is.value = nil
			}
			out[e] = known{is.value, is.own && other.own}
		}
	}
	return out
}

// reads forgets stores that something in an if or a loop may read.
func (c *keep) reads(v *ir.Value, unread elements) {
	for _, b := range v.Blocks {
		b.Walk(func(v *ir.Value) {
			switch v.Op {
			case ir.Load:
				unread.forget(c.k, v.Index)
			case ir.Atomic:
				clear(unread)
			case ir.Check:
				if !c.pastChecks {
					clear(unread)
				}
			}
		})
	}
}

// sink takes stores out of the branches of an if, and returns the values that stand behind it instead.
func (c *keep) sink(v *ir.Value, then, els elements) (out []*ir.Value) {
	for {
		x, y := c.last(v.Then()), c.last(v.Else())
		switch {
		case x != nil && y != nil && x.Index == y.Index && x.Args[0] == y.Args[0]:
			remove(v.Then(), x)
			remove(v.Else(), y)
			out = append(c.behind(v, x, x.Args[1], y.Args[1]), out...)
		case x != nil && els.has(x):
			remove(v.Then(), x)
			out = append(c.behind(v, x, x.Args[1], els[element{x.Index, x.Args[0]}].value), out...)
		case y != nil && then.has(y):
			remove(v.Else(), y)
			out = append(c.behind(v, y, then[element{y.Index, y.Args[0]}].value, y.Args[1]), out...)
		default:
			return out
		}
	}
}

// lift takes checks out of an if that both of its branches have, and returns them.
func lift(v *ir.Value) (out []*ir.Value) {
	inside := map[*ir.Value]bool{}
	for _, b := range v.Blocks {
		for _, x := range b.Values {
			inside[x] = true
		}
	}
	for _, x := range slices.Clone(v.Then().Values) {
		if x.Op != ir.Check || inside[x.Args[0]] || inside[x.Args[1]] {
			continue
		}
		same := func(y *ir.Value) bool { return y.Op == ir.Check && slices.Equal(x.Args, y.Args) }
		if slices.ContainsFunc(v.Else().Values, same) {
			remove(v.Then(), x)
			v.Else().Values = slices.DeleteFunc(v.Else().Values, same)
			out = append(out, x)
		}
	}
	return out
}

// has reports whether the item has stored to a store's element, and returns the value of the element.
func (s elements) has(store *ir.Value) bool {
	is := s[element{store.Index, store.Args[0]}]
	return is.own && is.value != nil
}

// behind returns a store behind an if, of a value for each of its branches.
func (c *keep) behind(v, store, x, y *ir.Value) []*ir.Value {
	if x == y {
		return []*ir.Value{store}
	}
	r := c.k.NewValue(ir.Result, x.Type, v)
	r.Index, r.Pos = len(v.Then().Yield), store.Pos
	v.Then().Yield, v.Else().Yield = append(v.Then().Yield, x), append(v.Else().Yield, y)
	store.Args[1] = r
	return []*ir.Value{r, store}
}

// last returns the last store of a block, if nothing behind the store can see it, or nil.
func (c *keep) last(b *ir.Block) *ir.Value {
	loaded := map[ir.Type]bool{}
	for _, v := range slices.Backward(b.Values) {
		switch {
		case v.Op == ir.Store && !loaded[v.Args[1].Type]:
			return v
		case v.Op == ir.Load:
			loaded[v.Type] = true
		case v.Op == ir.Check && c.pastChecks, v.Op == ir.Result, v.Op.Pure():
		default:
			return nil
		}
	}
	return nil
}

func remove(b *ir.Block, v *ir.Value) {
	b.Values = slices.DeleteFunc(b.Values, func(x *ir.Value) bool { return x == v })
}

// apart reports whether two indices differ by a constant.
func apart(x, y *ir.Value) bool {
	a, m := offset(x)
	b, n := offset(y)
	return a == b && m != n
}

// offset returns an index as a value, nil for 0, and a constant.
func offset(v *ir.Value) (*ir.Value, uint64) {
	switch {
	case v.Op == ir.Const:
		return nil, v.Bits
	case v.Op == ir.Add && v.Args[1].Op == ir.Const:
		of, n := offset(v.Args[0])
		return of, n + v.Args[1].Bits
	case v.Op == ir.Add && v.Args[0].Op == ir.Const:
		of, n := offset(v.Args[1])
		return of, n + v.Args[0].Bits
	case v.Op == ir.Sub && v.Args[1].Op == ir.Const:
		of, n := offset(v.Args[0])
		return of, n - v.Args[1].Bits
	}
	return v, 0
}
