package avx2

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
func (e *emitter) unrolled(f func()) {
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
func (e *emitter) rounded(vectors *reg, copies int) {
	e.mask = nil
	n := e.integer()
	e.emit(&instr{op: "MOVQ", args: []operand{{r: vectors}, {r: n}}, writes: 1})
	e.emit(&instr{op: "SHRQ", args: []operand{imm(fmt.Sprintf("$%d", bits.TrailingZeros(uint(copies)))), {r: n}}, writes: 1, reads: true})
	e.jump("JEQ", "single")
	e.emit(&instr{op: "ANDQ", args: []operand{imm(fmt.Sprintf("$%d", copies-1)), {r: vectors}}, writes: 1, reads: true})
	first := e.mark(e.label())
	for c := range copies {
		e.vectors, e.shift = map[*ir.Value]*reg{}, c*e.width
		for _, v := range e.body() {
			e.value(v)
		}
	}
	e.shift = 0
	e.advance(fmt.Sprintf("$%d", copies*e.width))
	e.emit(&instr{op: "DECQ", args: []operand{{r: n}}, writes: 1, reads: true})
	e.loops = append(e.loops, loopRange{first, e.jump("JNE", first.label)})
	e.mark("single")
}

// leavesOf writes the loops over leaves, one for each number of lanes that they may have from the fewest on. They
// run as many whole rounds of each leaf as there are, and leave what is behind these in the last one.
func (e *emitter) leavesOf(vectors, lane *reg, fewest int) {
	e.mask = nil
	e.emit(&instr{op: "TESTQ", args: []operand{{r: lane}, {r: lane}}})
	e.jump("JNE", "single")
	rounds := e.integer()
	e.emit(&instr{op: "MOVQ", args: []operand{{r: vectors}, {r: rounds}}, writes: 1})
	copies := roundItems / e.width
	e.emit(&instr{op: "SHRQ", args: []operand{imm(fmt.Sprintf("$%d", bits.TrailingZeros(uint(copies)))), {r: rounds}}, writes: 1, reads: true})
	e.jump("JEQ", "single")
	for lanes := roundItems; lanes >= fewest; lanes /= 2 {
		next := e.label()
		e.emit(&instr{op: "CMPQ", args: []operand{{r: e.lanes()}, imm(fmt.Sprintf("$%d", lanes-1))}})
		e.jump("JNE", next)
		e.emit(&instr{op: "ANDQ", args: []operand{imm(fmt.Sprintf("$%d", copies-1)), {r: vectors}}, writes: 1, reads: true})
		e.leavesOfLanes(lanes, rounds)
		e.jump("JMP", "single")
		e.mark(next)
	}
	e.mark("single")
}

// leavesOfLanes writes the loop over leaves of so many lanes.
func (e *emitter) leavesOfLanes(lanes int, rounds *reg) {
	left := e.integer()
	e.emit(&instr{op: "MOVQ", args: []operand{{arg: e.argument("leaves", "", 0, "")}, {r: left}}, writes: 1})
	var at []*reg // of the lanes of the leaf
	for n := range e.k.Accs {
		r := e.integer()
		e.emit(&instr{op: "MOVQ", args: []operand{{r: e.accumulator(n, nil).r}, {r: r}}, writes: 1})
		at = append(at, r)
	}
	place := func(n, c int) operand {
		return operand{r: at[n], mem: true, disp: c * e.width * e.k.Accs[n].Type.Bytes()}
	}
	firstLeaf := e.mark(e.label())
	accs := make([][]*reg, lanes/e.width)
	for c := range accs {
		for n, a := range e.k.Accs {
			r := e.temporary()
			e.lanesFrom(a.Type, place(n, c), r)
			accs[c] = append(accs[c], r)
		}
	}
	n := e.integer()
	e.emit(&instr{op: "MOVQ", args: []operand{{r: rounds}, {r: n}}, writes: 1})
	first := e.mark(e.label())
	for c := range roundItems / e.width {
		e.shift = c * e.width
		e.vectorInto(accs[c%len(accs)])
	}
	e.shift = 0
	e.advance(fmt.Sprintf("$%d", roundItems))
	e.emit(&instr{op: "DECQ", args: []operand{{r: n}}, writes: 1, reads: true})
	e.loops = append(e.loops, loopRange{first, e.jump("JNE", first.label)})
	for c := range accs {
		for n, a := range e.k.Accs {
			e.lanesTo(a.Type, accs[c][n], place(n, c))
		}
	}
	for n, a := range e.k.Accs {
		e.emit(&instr{op: "ADDQ", args: []operand{imm(fmt.Sprintf("$%d", lanes*a.Type.Bytes())), {r: at[n]}}, writes: 1, reads: true})
	}
	e.emit(&instr{op: "DECQ", args: []operand{{r: left}}, writes: 1, reads: true})
	e.loops = append(e.loops, loopRange{firstLeaf, e.jump("JNE", firstLeaf.label)})
}

// vectorInto writes the body for one vector, with accumulators in registers.
func (e *emitter) vectorInto(accs []*reg) {
	e.vectors, e.stored = map[*ir.Value]*reg{}, false
	for n, p := range e.k.Body.Params {
		e.vectors[p] = accs[n]
	}
	e.block(e.k.Body)
	var next []*reg
	for n, v := range e.k.Body.Yield {
		r := e.vector(v)
		if slices.Contains(accs, r) && r != accs[n] {
			r = e.vec(v.Type, "VMOVDQA", r)
		}
		next = append(next, r)
	}
	for n, v := range e.k.Body.Yield {
		if next[n] != accs[n] {
			e.emit(&instr{op: "VMOVDQA", args: []operand{e.v(v.Type, next[n]), e.v(v.Type, accs[n])}, writes: 1})
		}
	}
}
