package vector

import (
	"math/bits"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// unrolled writes a loop with several items of a kind in a round, or nothing if f finds that there can be none.
func (e *Emitter) unrolled(f func()) {
	out, from, loops := e.Out, len(*e.Out), e.Loops
	defer func() {
		if r := recover(); r != nil {
			if r != noUnrolling {
				panic(r)
			}
			e.Out, e.Loops, e.loop = out, loops, nil
			*e.Out = (*e.Out)[:from]
		}
		e.shift = 0
	}()
	f()
	if len(e.latch) > 0 {
		panic(noUnrolling)
	}
}

// rounded writes a loop over several vectors in a round, and leaves the others.
func (e *Emitter) rounded(vectors *asm.Reg, copies int) {
	e.mask = nil
	n := e.Integer()
	e.Move(asm.R(vectors), asm.R(n))
	e.ShiftRight(bits.TrailingZeros(uint(copies)), n)
	e.Branch(asm.R(n), Equal, asm.Const(0), "single")
	e.And(asm.Const(copies-1), vectors)
	first := e.Mark(e.Label())
	sides := make([]*side, copies)
	for c := range sides {
		sides[c] = &side{map[*ir.Value]*asm.Reg{}, nil}
		if !e.jam {
			e.on(c, sides[c], func() { e.values(e.body()) })
		}
	}
	if e.jam {
		e.beside(e.body(), sides)
	}
	e.shift = 0
	e.advance(copies * e.Width)
	e.Decrement(asm.R(n))
	e.Closes(first, e.Branch(asm.R(n), NotEqual, asm.Const(0), first.Label))
	e.Mark("single")
}

// leavesOf writes the code that runs several leaves in one call. A short body is repeated for each possible
// number of lanes. A longer body has one copy, for leaves with half as many lanes as a vector has items.
// Leaves with more lanes then run item by item in vectors, as outside of leaves.
func (e *Emitter) leavesOf(b *bodies, vectors, lane *asm.Reg) {
	n := len(b.main) - e.accInstrs
	inOneCall := e.row == nil && e.k.Index.Rank == 0 && e.fuel == nil && len(e.flat(b.cost).inner) == 0
	if inOneCall {
		e.joins = e.joinOf()
	}
	if n > unrolled {
		if inOneCall && len(e.k.Lanes) == 1 && e.splits() {
			e.leafLoops(&b.few, vectors, lane, []int{e.Width / 2}, e.Width)
		}
		return
	}
	fewest := roundItems
	if n <= unrolledMore {
		fewest = e.Width
	}
	e.leafLoops(&b.rows, vectors, lane, e.lanesOfLeaves(fewest), roundItems)
}

// leafLoops writes the loops over leaves of some numbers of lanes, if there can be any. The loops run all
// whole rounds of each leaf, of round items each. In the last leaf they leave the items behind these rounds.
func (e *Emitter) leafLoops(to *[]*asm.Instr, vectors, lane *asm.Reg, each []int, round int) {
	write := func() {
		e.mask = nil
		e.Branch(asm.R(lane), NotEqual, asm.Const(0), "single")
		copies := round / e.Width
		rounds := e.Integer()
		e.Move(asm.R(vectors), asm.R(rounds))
		if copies > 1 {
			e.ShiftRight(bits.TrailingZeros(uint(copies)), rounds)
		}
		e.Branch(asm.R(rounds), Equal, asm.Const(0), "single")
		for _, lanes := range each {
			next := e.Label()
			e.Branch(asm.R(e.lanes()), NotEqual, asm.Const(lanes-1), next)
			e.And(asm.Const(copies-1), vectors)
			e.leavesOfLanes(lanes, round, rounds)
			e.Goto("single")
			e.Mark(next)
		}
		e.Mark("single")
	}
	e.Aside(to, func() { e.unrolled(write) })
	if len(*to) > 0 {
		e.leaves = each
	}
}

// lanesOfLeaves returns the numbers of lanes that have loops, from the fewest that fill a vector on. Half of
// a vector is another such number, if that can be.
func (e *Emitter) lanesOfLeaves(fewest int) (all []int) {
	for lanes := roundItems; lanes >= fewest; lanes /= 2 {
		all = append(all, lanes)
	}
	if e.splits() {
		all = append(all, e.Width/2)
	}
	return all
}

// leavesOfLanes writes the loop over leaves with a number of lanes, in rounds of a number of items.
func (e *Emitter) leavesOfLanes(lanes, round int, rounds *asm.Reg) {
	left := e.Integer()
	e.Move(asm.Arg(e.argument("leaves", "", 0, "")), asm.R(left))
	var at []*asm.Reg // of the lanes of the leaf
	for n := range e.k.Lanes {
		r := e.Integer()
		e.Move(asm.R(e.lanesOf(n)), asm.R(r))
		at = append(at, r)
	}
	var sums *asm.Reg
	if e.joins != ir.Invalid {
		sums = e.Integer()
		e.Move(asm.Arg(e.argument("sums", "unsafe.Pointer", 8, "nil")), asm.R(sums))
	}
	place := func(n, c int) Place {
		of := e.k.Accs[n].Lanes
		return e.partsAt(n, asm.At(at[of], nil, 0, c*e.Width*e.k.Lanes[of].Size))
	}
	firstLeaf := e.Mark(e.Label())
	half := lanes < e.Width
	accs := make([][]*asm.Reg, max(lanes/e.Width, 1))
	e.ofWidth(half, func() {
		for c := range accs {
			for n, a := range e.k.Accs {
				accs[c] = append(accs[c], e.lanesFrom(a.Elem, place(n, c)))
			}
		}
	})
	n := e.Integer()
	e.Move(asm.R(rounds), asm.R(n))
	first := e.Mark(e.Label())
	for c := range round / e.Width {
		e.shift = c * e.Width
		if half {
			e.splitInto(accs[0])
		} else {
			e.vectorInto(accs[c%len(accs)])
		}
	}
	e.shift = 0
	e.advance(round)
	e.Decrement(asm.R(n))
	e.Closes(first, e.Branch(asm.R(n), NotEqual, asm.Const(0), first.Label))
	e.sumOrElse(lanes, accs, sums, func() {
		e.ofWidth(half, func() {
			for c := range accs {
				for n, a := range e.k.Accs {
					e.lanesTo(a.Elem, accs[c][n], place(n, c))
				}
			}
		})
		for n, l := range e.k.Lanes {
			e.Add(asm.Const(lanes*l.Size), asm.R(at[n]))
		}
	})
	e.Decrement(asm.R(left))
	e.Closes(firstLeaf, e.Branch(asm.R(left), NotEqual, asm.Const(0), firstLeaf.Label))
}

// vectorInto writes the body for one vector, with accumulators in registers.
func (e *Emitter) vectorInto(accs []*asm.Reg) {
	e.vectors, e.stored = map[*ir.Value]*asm.Reg{}, false
	for n, p := range e.k.Body.Params {
		e.vectors[p] = accs[n]
	}
	e.block(e.k.Body)
	e.yieldInto(accs)
}

// unrolled is how many instructions a body may have of which several are in a round, and unrolledMore for
// several such rounds.
const (
	unrolled     = 40
	unrolledMore = 16
)

// A bodies is the body of a function in its forms, see function.
type bodies struct {
	main, again, tail, rows []*asm.Instr
	few                     []*asm.Instr // rows of leaves of few lanes, where there are none of others
	cost                    cost         // of a vector
}

func (e *Emitter) advance(items int) {
	e.Add(asm.Const(items), asm.R(e.item))
}
