package vector

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// function writes all instructions, and returns the cost of a vector:
//
//	before           the pointers and numbers that the items share
//	row              for each of several rows: the pointers and numbers that differ from row to row
//	rounds           32 items at a time, whose accumulators stay in registers, of several leaves
//	vectors          one at a time
//	left             the items that are no vector, under a mask, or as a vector that begins before them; in a
//	                 reduction first those in front of a row of lanes
func (e *Emitter) function(slow bool) (f *asm.Function, body cost) {
	e.args = e.common()
	var lane, rounds *asm.Reg
	e.Aside(&e.before, func() {
		e.item, rounds = e.loaded("begin"), e.loaded("vectors")
		if len(e.k.Accs) > 0 {
			lane = e.loaded("lane")
		}
	})
	b := e.bodies(lane, rounds, slow)
	list, firstOfRow := e.rowsOf(b, rounds)
	var behind *asm.Instr
	if len(e.k.Accs) > 0 {
		e.Aside(&list, func() { behind = e.head() })
	}
	list = append(append(list, b.rows...), b.few...)
	e.Out = &list
	e.vectorsOf(b, rounds, lane, behind)
	e.leftOf(b, behind)
	if e.plane {
		e.nextRow(firstOfRow, e.growths)
	}
	e.Return(e.item)
	return e.Function(list, &e.shape.Registers, e.data), b.cost
}

// bodies writes the forms of the body that the function needs. function refuses kernels that gain nothing,
// unless slow is set.
func (e *Emitter) bodies(lane, rounds *asm.Reg, slow bool) *bodies {
	b := &bodies{}
	e.jam = e.jams()
	e.Aside(&b.main, func() { b.cost = e.vectorOf(nil, lane) })
	sums := e.sums
	switch {
	case slow || e.profitable():
	case e.fuel != nil:
		e.Refuse(e.firstLeaving(), "lanes that wait for others in its loops would take longer than items one by one")
	default:
		e.Refuse(nil, "most of what it does is to load or store single elements, which is as fast in Go")
	}
	if e.repeats() {
		e.Aside(&b.again, func() { e.vectorOf(nil, lane) })
	}
	e.Aside(&b.tail, func() { e.vectorOf(e.tailMask(), lane) })
	if len(e.k.Accs) > 0 && e.stops == 0 {
		e.leavesOf(b, rounds, lane)
	}
	if len(b.rows) == 0 && !slow && slices.ContainsFunc(e.k.Accs, func(a ir.Acc) bool { return a.Hidden }) {
		e.Refuse(nil, "most items leave the accumulators as they are, whose parts vectors would load and store for all")
	}
	n := copiesOf(b.main)
	if e.jam {
		n = sidesOf(b.main)
	}
	if len(e.k.Accs) == 0 && n > 1 && e.stops == 0 {
		e.Aside(&b.rows, func() { e.unrolled(func() { e.rounded(rounds, n) }) })
	}
	if sums > 0 && len(b.rows) == 0 {
		e.following(b, lane)
	}
	e.costs = b.cost.inner
	return b
}

// following writes the body again for vectors that follow each other: sums go on from one to the next.
func (e *Emitter) following(b *bodies, lane *asm.Reg) {
	b.main, e.carry = nil, map[string]*asm.Reg{}
	e.Aside(&b.main, func() { e.vectorOf(nil, lane) })
	e.carry = nil
}

// rowsOf returns the instructions before all items. In a function of several rows it also returns the
// instructions before the items of each row, behind the label of a row.
func (e *Emitter) rowsOf(b *bodies, rounds *asm.Reg) (list []*asm.Instr, firstOfRow *asm.Instr) {
	e.growths, e.plane = e.growing(b.main, b.again, b.tail, b.rows)
	list = e.before
	if e.plane {
		var each []*asm.Instr
		list, each = ofRows(e.before, e.growths, []*asm.Reg{e.item, rounds}, b.main, b.again, b.tail, b.rows, e.latch)
		e.Aside(&list, func() { firstOfRow = e.Mark("row") })
		list = append(list, each...)
	}
	return slices.Clone(list), firstOfRow
}

// vectorsOf writes the loop over whole vectors. From lane 0 on accumulators stay in registers again: in
// memory each value waits for the value before it.
func (e *Emitter) vectorsOf(b *bodies, rounds, lane *asm.Reg, aligned *asm.Instr) {
	e.Branch(asm.R(rounds), Equal, asm.Const(0), "left")
	first := e.Mark("vectors")
	e.refuel()
	*e.Out = append(*e.Out, b.main...)
	e.advance(e.Width)
	*e.Out = append(*e.Out, e.latch...)
	e.Decrement(asm.R(rounds))
	if len(e.k.Accs) == 0 || len(b.rows) == 0 {
		e.Closes(first, e.Branch(asm.R(rounds), NotEqual, asm.Const(0), "vectors"))
		return
	}
	e.Branch(asm.R(rounds), Equal, asm.Const(0), "left")
	e.Closes(first, e.Branch(asm.R(lane), NotEqual, asm.Const(0), "vectors"))
	e.Closes(aligned, e.Goto(aligned.Label))
}

// leftOf writes the code for items that fill no vector. In a reduction, that code also runs the items in
// front of a row of lanes, and goes on behind them.
func (e *Emitter) leftOf(b *bodies, behind *asm.Instr) {
	e.Mark("left")
	left := e.loaded("left")
	e.Branch(asm.R(left), Equal, asm.Const(0), "stop")
	if b.again != nil {
		n := e.loaded("vectors")
		e.Branch(asm.R(n), Equal, asm.Const(0), "few")
		e.add(e.item, left)
		e.advance(-e.Width)
		*e.Out = append(*e.Out, b.again...)
		e.advance(e.Width)
		e.Goto("stop")
		e.Mark("few")
	}
	e.Mark("masked")
	e.refuel()
	*e.Out = append(*e.Out, b.tail...)
	e.add(e.item, e.loaded("left"))
	if behind != nil {
		e.behindHead(behind)
	}
	e.Mark("stop")
}

// tailMask holds for as many lanes as there are items left.
func (e *Emitter) tailMask() *asm.Reg {
	left := e.loaded("left")
	mask := e.Set.First(e, left)
	if len(e.k.Accs) > 0 {
		mask = e.under(mask, e.Set.First(e, e.loaded("skip")), false)
	}
	return mask
}

// loaded returns an argument in a register.
func (e *Emitter) loaded(name string) *asm.Reg {
	r := e.Integer()
	e.Move(asm.Arg(e.argument(name, "", 0, "")), asm.R(r))
	return r
}

// move sets an argument to another one.
func (e *Emitter) move(from, to string) {
	e.Move(asm.R(e.loaded(from)), asm.Arg(e.argument(to, "", 0, "")))
}

// head runs the items in front of a row of lanes under a mask, as the items behind the last row. The first
// lanes of their vector are skipped. It returns the place to go on behind them.
func (e *Emitter) head() (behind *asm.Instr) {
	skip := e.loaded("skip")
	e.Branch(asm.R(skip), Equal, asm.Const(0), "aligned")
	left := e.loaded("left")
	e.move("head", "left")
	e.Move(asm.R(left), asm.Arg(e.argument("head", "", 0, "")))
	e.Goto("masked")
	return e.Mark("aligned")
}

// behindHead goes on behind such items.
func (e *Emitter) behindHead(behind *asm.Instr) {
	skip := e.loaded("skip")
	e.Branch(asm.R(skip), Equal, asm.Const(0), "stop")
	e.Move(asm.Const(0), asm.Arg(e.argument("skip", "", 0, "")))
	e.move("head", "left")
	for _, i := range e.latch { // as behind any vector
		i := *i
		i.Args = slices.Clone(i.Args)
		e.Emit(&i)
	}
	e.Closes(behind, e.Goto(behind.Label))
}

// vectorOf writes the body for one vector, with accumulators in memory.
func (e *Emitter) vectorOf(mask, lane *asm.Reg) cost {
	e.vectors, e.mask, e.whole, e.stored, e.costs = map[*ir.Value]*asm.Reg{}, mask, mask, false, nil
	from := len(*e.Out)
	places := e.accumulators(lane)
	for n, p := range e.k.Body.Params {
		e.vectors[p] = e.lanesFrom(e.k.Accs[n].Elem, places[n])
	}
	e.accInstrs, e.accCost = len(*e.Out)-from, e.shape.Weigh((*e.Out)[from:])
	for _, v := range e.body() {
		e.value(v)
	}
	for n, v := range e.k.Body.Yield {
		if v == e.k.Body.Params[n] {
			continue
		}
		r := e.vector(v)
		if mask != nil {
			r = e.Choose(v.Type, mask, r, e.vectors[e.k.Body.Params[n]])
		}
		stored := len(*e.Out)
		e.lanesTo(e.k.Accs[n].Elem, r, places[n])
		e.accInstrs += len(*e.Out) - stored
		e.accCost += e.shape.Weigh((*e.Out)[stored:])
	}
	if len(e.k.Accs) > 0 {
		e.Add(asm.Const(e.Width), asm.R(lane))
		e.And(asm.R(e.lanes()), lane)
	}
	return cost{n: 4 + e.shape.Weigh((*e.Out)[from:]), inner: e.costs} // with the code that every round has
}

// copiesOf returns how many vectors of a body without accumulators are run in a round, so that counting takes
// few of its instructions.
func copiesOf(body []*asm.Instr) int {
	switch n := len(body); {
	case n <= 8:
		return 4
	case n <= 16:
		return 2
	}
	return 1
}

// common returns the arguments that each function has in front of the kernel's.
func (e *Emitter) common() (list []*asm.Argument) {
	names := []string{"begin", "vectors", "left"}
	if len(e.k.Accs) > 0 {
		names = append(names, "lane", "lanes", "leaves", "skip", "head")
	}
	for _, n := range names {
		list = append(list, &asm.Argument{Name: n, GoType: "int", Size: 8})
	}
	for n := range e.k.Lanes {
		list = append(list, &asm.Argument{Name: "acc" + string(rune('A'+n)), GoType: "unsafe.Pointer", Size: 8})
	}
	return list
}
