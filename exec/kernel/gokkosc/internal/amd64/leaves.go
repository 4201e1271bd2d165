package amd64

import (
	"math/bits"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// roundItems is how many items are run at a time where accumulators stay in registers: a leaf of several lanes has
// a multiple of it.
const roundItems = 32

// unrolled writes a loop with several items of a kind in a round, or nothing if f finds that there can be none.
func (e *Emitter) unrolled(f func()) {
	out, from, loops := e.out, len(*e.out), e.loops
	defer func() {
		if r := recover(); r != nil {
			if r != noUnrolling {
				panic(r)
			}
			e.out, e.loops, e.loop = out, loops, nil
			*e.out = (*e.out)[:from]
		}
		e.shift = 0
	}()
	f()
	if len(e.latch) > 0 {
		panic(noUnrolling)
	}
}

// rounded writes a loop over several vectors in a round, and leaves the others.
func (e *Emitter) rounded(vectors *Reg, copies int) {
	e.mask = nil
	n := e.Integer()
	e.Move(R(vectors), R(n))
	e.ShiftRight(bits.TrailingZeros(uint(copies)), n)
	e.Branch(R(n), Equal, Const(0), "single")
	e.And(Const(copies-1), vectors)
	first := e.Mark(e.Label())
	for c := range copies {
		e.vectors, e.shift = map[*ir.Value]*Reg{}, c*e.Width
		for _, v := range e.body() {
			e.value(v)
		}
	}
	e.shift = 0
	e.advance(copies * e.Width)
	e.Decrement(R(n))
	e.closes(first, e.Branch(R(n), NotEqual, Const(0), first.label))
	e.Mark("single")
}

// leavesOf writes what runs several leaves in one call. A short body stands there several times, for each number of lanes
// that may be; a longer one once, for leaves with half as many lanes as a vector has items: those with more lanes run as any items.
func (e *Emitter) leavesOf(b *bodies, vectors, lane *Reg) {
	n := len(b.main) - e.accInstrs
	inOneCall := e.row == nil && e.k.Index.Rank == 0 && e.fuel == nil && len(e.flat(b.cost).inner) == 0
	if inOneCall {
		e.joins = e.joinOf()
	}
	if n > unrolled {
		if inOneCall && len(e.k.Lanes) == 1 && e.halves() {
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

// leafLoops writes the loops over leaves of some numbers of lanes, if there can be any. They run as many whole rounds of so many
// items of each leaf as there are, and leave what is behind these in the last one.
func (e *Emitter) leafLoops(to *[]*Instr, vectors, lane *Reg, each []int, round int) {
	write := func() {
		e.mask = nil
		e.Branch(R(lane), NotEqual, Const(0), "single")
		copies := round / e.Width
		rounds := e.Integer()
		e.Move(R(vectors), R(rounds))
		if copies > 1 {
			e.ShiftRight(bits.TrailingZeros(uint(copies)), rounds)
		}
		e.Branch(R(rounds), Equal, Const(0), "single")
		for _, lanes := range each {
			next := e.Label()
			e.Branch(R(e.lanes()), NotEqual, Const(lanes-1), next)
			e.And(Const(copies-1), vectors)
			e.leavesOfLanes(lanes, round, rounds)
			e.Goto("single")
			e.Mark(next)
		}
		e.Mark("single")
	}
	e.aside(to, func() { e.unrolled(write) })
	if len(*to) > 0 {
		e.leaves = each
	}
}

// lanesOfLeaves returns the numbers of lanes that there are loops for, from the fewest that fill a vector on, and
// half of a vector if that can be.
func (e *Emitter) lanesOfLeaves(fewest int) (all []int) {
	for lanes := roundItems; lanes >= fewest; lanes /= 2 {
		all = append(all, lanes)
	}
	if e.halves() {
		all = append(all, e.Width/2)
	}
	return all
}

// leavesOfLanes writes the loop over leaves of so many lanes, in rounds of so many items.
func (e *Emitter) leavesOfLanes(lanes, round int, rounds *Reg) {
	left := e.Integer()
	e.Move(ofArgument(e.argument("leaves", "", 0, "")), R(left))
	var at []*Reg // of the lanes of the leaf
	for n := range e.k.Lanes {
		r := e.Integer()
		e.Move(R(e.lanesOf(n)), R(r))
		at = append(at, r)
	}
	var sums *Reg
	if e.joins != ir.Invalid {
		sums = e.Integer()
		e.Move(ofArgument(e.argument("sums", "unsafe.Pointer", 8, "nil")), R(sums))
	}
	place := func(n, c int) Place {
		of := e.k.Accs[n].Lanes
		return e.partsAt(n, At(at[of], nil, 0, c*e.Width*e.k.Lanes[of].Size))
	}
	firstLeaf := e.Mark(e.Label())
	half := lanes < e.Width
	accs := make([][]*Reg, max(lanes/e.Width, 1))
	e.halved(half, func() {
		for c := range accs {
			for n, a := range e.k.Accs {
				accs[c] = append(accs[c], e.lanesFrom(a.Elem, place(n, c)))
			}
		}
	})
	n := e.Integer()
	e.Move(R(rounds), R(n))
	first := e.Mark(e.Label())
	for c := range round / e.Width {
		e.shift = c * e.Width
		if half {
			e.halvesInto(accs[0])
		} else {
			e.vectorInto(accs[c%len(accs)])
		}
	}
	e.shift = 0
	e.advance(round)
	e.Decrement(R(n))
	e.closes(first, e.Branch(R(n), NotEqual, Const(0), first.label))
	e.sumOrElse(lanes, accs, sums, func() {
		e.halved(half, func() {
			for c := range accs {
				for n, a := range e.k.Accs {
					e.lanesTo(a.Elem, accs[c][n], place(n, c))
				}
			}
		})
		for n, l := range e.k.Lanes {
			e.Add(Const(lanes*l.Size), R(at[n]))
		}
	})
	e.Decrement(R(left))
	e.closes(firstLeaf, e.Branch(R(left), NotEqual, Const(0), firstLeaf.label))
}

// vectorInto writes the body for one vector, with accumulators in registers.
func (e *Emitter) vectorInto(accs []*Reg) {
	e.vectors, e.stored = map[*ir.Value]*Reg{}, false
	for n, p := range e.k.Body.Params {
		e.vectors[p] = accs[n]
	}
	e.block(e.k.Body)
	e.yieldInto(accs)
}

// yieldInto sets accumulators in registers to what the body yields.
func (e *Emitter) yieldInto(accs []*Reg) {
	var next []*Reg
	for n, v := range e.k.Body.Yield {
		r := e.vector(v)
		if slices.Contains(accs, r) && r != accs[n] {
			r = e.Copied(v.Type, r)
		}
		next = append(next, r)
	}
	for n, v := range e.k.Body.Yield {
		if next[n] != accs[n] {
			e.Copy(v.Type, next[n], accs[n])
		}
	}
}
