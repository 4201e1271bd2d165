package amd64

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
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
	e.Do("MOVQ", R(vectors), R(n))
	e.Update("SHRQ", Imm(fmt.Sprintf("$%d", bits.TrailingZeros(uint(copies)))), R(n))
	e.Jump("JEQ", "single")
	e.Update("ANDQ", Imm(fmt.Sprintf("$%d", copies-1)), R(vectors))
	first := e.Mark(e.Label())
	for c := range copies {
		e.vectors, e.shift = map[*ir.Value]*Reg{}, c*e.Width
		for _, v := range e.body() {
			e.value(v)
		}
	}
	e.shift = 0
	e.advance(fmt.Sprintf("$%d", copies*e.Width))
	e.Update("DECQ", R(n))
	e.loops = append(e.loops, loopRange{first, e.Jump("JNE", first.label)})
	e.Mark("single")
}

// leavesOf writes the loops over leaves, one for each number of lanes that they may have from the fewest on. They
// run as many whole rounds of each leaf as there are, and leave what is behind these in the last one.
func (e *Emitter) leavesOf(vectors, lane *Reg, fewest int) {
	e.mask = nil
	e.Effect("TESTQ", R(lane), R(lane))
	e.Jump("JNE", "single")
	rounds := e.Integer()
	e.Do("MOVQ", R(vectors), R(rounds))
	copies := roundItems / e.Width
	e.Update("SHRQ", Imm(fmt.Sprintf("$%d", bits.TrailingZeros(uint(copies)))), R(rounds))
	e.Jump("JEQ", "single")
	for _, lanes := range e.lanesOfLeaves(fewest) {
		next := e.Label()
		e.Effect("CMPQ", R(e.lanes()), Imm(fmt.Sprintf("$%d", lanes-1)))
		e.Jump("JNE", next)
		e.Update("ANDQ", Imm(fmt.Sprintf("$%d", copies-1)), R(vectors))
		e.leavesOfLanes(lanes, rounds)
		e.Jump("JMP", "single")
		e.Mark(next)
	}
	e.Mark("single")
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

// leavesOfLanes writes the loop over leaves of so many lanes.
func (e *Emitter) leavesOfLanes(lanes int, rounds *Reg) {
	left := e.Integer()
	e.Do("MOVQ", ofArgument(e.argument("leaves", "", 0, "")), R(left))
	var at []*Reg // of the lanes of the leaf
	for n := range e.k.Lanes {
		r := e.Integer()
		e.Do("MOVQ", R(e.lanesOf(n)), R(r))
		at = append(at, r)
	}
	var sums *Reg
	if e.joins != ir.Invalid {
		sums = e.Integer()
		e.Do("MOVQ", ofArgument(e.argument("sums", "unsafe.Pointer", 8, "nil")), R(sums))
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
	e.Do("MOVQ", R(rounds), R(n))
	first := e.Mark(e.Label())
	for c := range roundItems / e.Width {
		e.shift = c * e.Width
		if half {
			e.halvesInto(accs[0])
		} else {
			e.vectorInto(accs[c%len(accs)])
		}
	}
	e.shift = 0
	e.advance(fmt.Sprintf("$%d", roundItems))
	e.Update("DECQ", R(n))
	e.loops = append(e.loops, loopRange{first, e.Jump("JNE", first.label)})
	e.sumOrElse(lanes, accs, sums, func() {
		e.halved(half, func() {
			for c := range accs {
				for n, a := range e.k.Accs {
					e.lanesTo(a.Elem, accs[c][n], place(n, c))
				}
			}
		})
		for n, l := range e.k.Lanes {
			e.Update("ADDQ", Imm(fmt.Sprintf("$%d", lanes*l.Size)), R(at[n]))
		}
	})
	e.Update("DECQ", R(left))
	e.loops = append(e.loops, loopRange{firstLeaf, e.Jump("JNE", firstLeaf.label)})
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
