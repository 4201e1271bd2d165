package pass

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// An Inner is a loop of a team as a kernel of its own, whose items are the rounds. A back end with vectors compiles that, and the
// loop of the team calls it.
//
// If rounds store, the whole loop is the one item of the kernel. Its rounds may depend on one another; a back
// end finds out whether they do. If the rounds are loops themselves, each is an item. Any other kernel has an
// item for each round. Rounds that join into accumulators of lanes in turn are a reduction.
type Inner struct {
	Kernel   *ir.Kernel
	Loop     *ir.Value
	From, To *ir.Value
	Mems     []int       // the first parameters of Kernel are these
	Numbers  []*ir.Value // and the others are these
	Lanes    []Part      // the accumulators of a reduction, as many as Width says; none of others
	Width    *ir.Value   // is a power of two
	Row      bool        // the loop is one item
	Inside   *Count      // of the loop that each round is; nil if it is none

	unknown bool // where an element is
	to      map[*ir.Value]*ir.Value
	mems    map[Part]int
	team    *ir.Kernel
	inside  map[*ir.Value]bool
}

// A Part is a memory of the kernel of the team, from an element on: from element 0 if From is nil.
type Part struct {
	Mem  int
	From *ir.Value
}

// counts returns how a loop counts that carries no other values from round to round.
func counts(loop *ir.Value) (c Count, ok bool) {
	c, ok = CountOf(loop)
	return c, ok && len(loop.Args) == 1 && !c.Unsigned && c.Index.Type == ir.I64
}

// InnerOf returns a loop of a team as a kernel. InnerOf returns nil if the loop carries values from round to
// round, or does more than vectors can.
func InnerOf(k *ir.Kernel, loop *ir.Value) *Inner { return innerOf(k, loop, false) }

// PlaneOf is InnerOf of a loop whose rounds are loops: those are rows, which store.
func PlaneOf(k *ir.Kernel, loop *ir.Value) *Inner { return innerOf(k, loop, true) }

func innerOf(k *ir.Kernel, loop *ir.Value, plane bool) *Inner {
	c, ok := counts(loop)
	if !ok {
		return nil
	}
	r := &Inner{Loop: loop, From: c.From, To: c.To, to: map[*ir.Value]*ir.Value{}, mems: map[Part]int{}, team: k, inside: ir.Inside(loop.Blocks...)}
	if plane && !r.ofRows() {
		return nil
	}
	stores, storesBeside, asks := false, false, false
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) {
			stores, asks = stores || v.Op == ir.Store, asks || v.Op == ir.Check
			storesBeside = storesBeside || v.Op == ir.Store && !k.Mems[v.Index].IsRoom()
			if v.Op == ir.Call || v.Op == ir.Atomic || v.Op == ir.Combine {
				ok = false
			}
			if v.Op.Accesses() {
				m := k.Mems[v.Index]
				ok = ok && !m.Far && !m.Array && m.Local == 0 && m.Table == nil && m.Elem != ir.Bool
			}
		})
	}
	if !ok {
		return nil
	}
	r.Kernel = &ir.Kernel{Name: k.Name, Pos: loop.Pos, Setup: &ir.Block{}, Body: &ir.Block{}}
	if !r.Kernel.Pos.IsValid() {
		r.Kernel.Pos = k.Pos
	}
	lane, isFold := r.lanes(c)
	switch {
	case isFold && !(storesBeside && asks):
		r.reduction(c, lane)
		r.Kernel.Rounds = storesBeside
	case stores && asks, loop.Func == ir.InLanes:
		return nil
	case stores && !plane:
		r.Row = true
		r.Kernel.Body.Values = []*ir.Value{r.copy(loop)}
	default:
		r.item(c)
		r.block(loop.LoopBody(), r.Kernel.Body)
		r.Kernel.Body.Yield = nil
	}
	if r.unknown {
		return nil
	}
	r.parameters()
	if !r.Row {
		Run(r.Kernel, []Pass{tidy, {"span", Spans}, {"simplify", Simplify}, {"common", Common}, {"dead", Dead}})
	}
	if err := r.Kernel.Verify(); err != nil {
		panic(fmt.Sprintf("gokkosc: rounds of %s: %v\n%s", k.Name, err, r.Kernel))
	}
	return r
}

// ofRows reports whether each round is a loop whose rounds store, and no loop in these does.
func (r *Inner) ofRows() bool {
	var row *ir.Value
	for _, v := range r.Loop.LoopBody().Values {
		switch {
		case v.Op.Pure():
		case v.Op == ir.Loop && row == nil:
			row = v
		default:
			return false
		}
	}
	if row == nil {
		return false
	}
	c, ok := counts(row)
	known := func(v *ir.Value) bool { return v.Op == ir.Const || !r.inside[v] }
	r.Inside = &c
	return ok && known(c.From) && known(c.To) && stores(row) && !slices.ContainsFunc(row.LoopBody().Values, func(v *ir.Value) bool { return v.Op == ir.Loop && stores(v) })
}

// Rounds returns the bounds of the rounds that may be vectors: the rounds of a row, if each round of the loop
// is a row.
func (r *Inner) Rounds() (from, to *ir.Value) {
	if r.Inside != nil {
		return r.Inside.From, r.Inside.To
	}
	return r.From, r.To
}

// Stops reports whether a round may stop the team.
func (r *Inner) Stops() bool {
	asks := len(r.Kernel.Checks) > 0
	r.Kernel.Body.Walk(func(v *ir.Value) { asks = asks || v.Op == ir.Check })
	return asks
}

// lanes finds out whether each round joins into accumulators of lane j mod Width, and in that case returns the lane.
func (r *Inner) lanes(c Count) (lane *ir.Value, ok bool) {
	body := r.Loop.LoopBody()
	if r.Loop.Func != ir.InLanes {
		return nil, false
	}
	for _, v := range body.Values {
		if v.Op == ir.Rem && v.Args[0] == c.Index && !r.inside[v.Args[1]] && isConst(c.From, 0) {
			lane = v
		}
	}
	if lane == nil {
		return nil, false
	}
	ok = true
	at := map[*ir.Value]bool{lane: true} // indices of accumulators
	body.Walk(func(v *ir.Value) {
		if v.Op == ir.Add && (v.Args[0] == lane && !r.inside[v.Args[1]] || v.Args[1] == lane && !r.inside[v.Args[0]]) {
			at[v] = true
		}
	})
	joined := map[Part]int{}
	body.Walk(func(v *ir.Value) {
		for n, a := range v.Args {
			if at[a] && !at[v] && (n > 0 || !v.Op.Accesses() || !r.team.Mems[v.Index].Own) {
				ok = false
			}
		}
		if v.Op == ir.Store && !at[v.Args[0]] && r.team.Mems[v.Index].IsRoom() {
			ok = false
		}
	})
	for _, v := range body.Values {
		if !v.Op.Accesses() || !at[v.Args[0]] {
			continue
		}
		p := r.lanePart(v.Args[0], lane, v.Index)
		if v.Op == ir.Load {
			ok = ok && joined[p] == 0
			r.Lanes = append(r.Lanes, p)
		} else {
			ok = ok && joined[p] == 1
		}
		joined[p]++
	}
	for _, n := range joined {
		ok = ok && n == 2
	}
	r.Width = lane.Args[1]
	return lane, ok && len(r.Lanes) > 0 && len(r.Lanes) <= 4
}

// lanePart returns the accumulators that an index leads into.
func (r *Inner) lanePart(at, lane *ir.Value, mem int) Part {
	p := Part{Mem: mem}
	if at != lane {
		if p.From = at.Args[0]; p.From == lane {
			p.From = at.Args[1]
		}
	}
	return p
}

// item makes the counter of the loop the item.
func (r *Inner) item(c Count) {
	item := r.Kernel.NewValue(ir.Item, ir.I64)
	item.Name = c.Index.Name
	r.Kernel.Body.Values = append(r.Kernel.Body.Values, item)
	r.to[c.Index] = item
}

// reduction makes the rounds items that join into accumulators.
func (r *Inner) reduction(c Count, lane *ir.Value) {
	k := r.Kernel
	r.item(c)
	body := r.Loop.LoopBody()
	next := map[Part]*ir.Value{}
	own := map[*ir.Value]bool{}
	for n, p := range r.Lanes {
		m := r.team.Mems[p.Mem]
		name := fmt.Sprintf("acc%d", n)
		k.Lanes = append(k.Lanes, ir.Lanes{Name: name, GoType: m.GoElem, Basic: m.GoElem, Size: m.Elem.Bytes()})
		k.Accs = append(k.Accs, ir.Acc{Name: name, Lanes: n, Type: m.Elem.Value(), Elem: m.Elem, GoType: m.GoElem, Basic: m.GoElem})
		param := k.NewValue(ir.Arg, m.Elem.Value())
		param.Index, param.Name = n, name
		k.Body.Params = append(k.Body.Params, param)
	}
	isLane := func(at *ir.Value) bool {
		return at == lane || at.Op == ir.Add && (at.Args[0] == lane || at.Args[1] == lane)
	}
	for _, v := range body.Values {
		if v == lane || isLane(v) {
			own[v] = true
		}
		if !v.Op.Accesses() || !isLane(v.Args[0]) {
			continue
		}
		own[v] = true
		p := r.lanePart(v.Args[0], lane, v.Index)
		for n, q := range r.Lanes {
			switch {
			case p != q:
			case v.Op == ir.Load:
				r.to[v] = k.Body.Params[n]
			default:
				next[p] = v.Args[1]
			}
		}
	}
	for _, v := range body.Values {
		if !own[v] {
			k.Body.Values = append(k.Body.Values, r.copy(v))
		}
	}
	for _, p := range r.Lanes {
		k.Body.Yield = append(k.Body.Yield, r.get(next[p]))
	}
}

// get returns the value that stands for another one: a number of the setup for a value that the team computes
// outside of the loop.
func (r *Inner) get(v *ir.Value) *ir.Value {
	if x := r.to[v]; x != nil {
		return x
	}
	k := r.Kernel
	if v.Op == ir.Const {
		r.to[v] = constant(k, v.Type, v.Bits)
		return r.to[v]
	}
	x := k.NewValue(ir.Uniform, v.Type)
	x.Index, x.Name = len(r.Numbers), v.Name
	k.Setup.Values = append(k.Setup.Values, x)
	r.Numbers, r.to[v] = append(r.Numbers, v), x
	return x
}

func (r *Inner) copy(v *ir.Value) *ir.Value {
	c := *v
	c.ID = r.Kernel.NewValue(v.Op, v.Type).ID
	c.Args, c.Blocks = nil, nil
	for _, a := range v.Args {
		c.Args = append(c.Args, r.get(a))
	}
	if v.Op.Accesses() {
		c.Index = r.memory(v)
		r.unknown = r.unknown || c.Index < 0
	}
	r.to[v] = &c
	for _, b := range v.Blocks {
		own := &ir.Block{}
		for _, p := range b.Params {
			q := *p
			q.ID = r.Kernel.NewValue(p.Op, p.Type).ID
			r.to[p] = &q
			own.Params = append(own.Params, &q)
		}
		r.block(b, own)
		c.Blocks = append(c.Blocks, own)
	}
	return &c
}

func (r *Inner) block(b, to *ir.Block) {
	for _, v := range b.Values {
		to.Values = append(to.Values, r.copy(v))
	}
	for _, y := range b.Yield {
		to.Yield = append(to.Yield, r.get(y))
	}
}

// memory returns the memory of an access. An array of members or lanes is a memory of its own. The number is
// -1 if the element is in no known array.
func (r *Inner) memory(v *ir.Value) int {
	p, m := Part{Mem: v.Index}, r.team.Mems[v.Index]
	if m.IsRoom() {
		var ok bool
		if p.From, ok = r.home(v.Args[0]); !ok {
			return -1
		}
	}
	mem, ok := r.mems[p]
	if !ok {
		mem = len(r.Mems)
		r.mems[p], r.Mems = mem, append(r.Mems, v.Index)
		r.Kernel.Mems = append(r.Kernel.Mems, ir.Mem{Param: mem, Elem: m.Elem, GoElem: m.GoElem, Own: m.Own, Name: m.Name})
	}
	return mem
}

// home returns the index at which the array of an index begins. In a sum that differs from round to round,
// the begin is the one number of the setup.
func (r *Inner) home(at *ir.Value) (from *ir.Value, ok bool) {
	homes, moves := 0, false
	var of func(v *ir.Value)
	of = func(v *ir.Value) {
		switch {
		case v.Op == ir.Const:
		case slices.Contains(r.team.Setup.Values, v):
			from = v
			homes++
		case v.Op == ir.Add:
			of(v.Args[0])
			of(v.Args[1])
		default:
			moves = moves || r.inside[v]
		}
	}
	of(at)
	return from, homes <= 1 && moves
}

// parameters names the parameters: memories, and then numbers.
func (r *Inner) parameters() {
	k := r.Kernel
	for n, m := range k.Mems {
		k.Params = append(k.Params, ir.Param{Name: fmt.Sprintf("m%d", n), Type: "[]" + m.GoElem})
	}
	for n, v := range r.Numbers {
		k.Params = append(k.Params, ir.Param{Name: fmt.Sprintf("n%d", n), Type: v.Type.Go()})
		k.Scalars = append(k.Scalars, ir.Scalar{Param: len(k.Mems) + n, Type: v.Type, GoType: v.Type.Go()})
	}
}
