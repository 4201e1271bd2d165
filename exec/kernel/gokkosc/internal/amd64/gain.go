package amd64

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// What vectors cost where lanes leave loops one by one, in additions: such a loop runs as long as its slowest lane,
// a branch both of its sides, and each round asks whether a lane is left.
const (
	slowestLane  = 1.4 // rounds of the slowest lane, to those of all
	slowestOf8   = 1.7 // of eight lanes and more of 64 bits
	gatherCost   = 10  // of four
	roundCost    = 6
	branchCost   = 3
	checkedIndex = 4
	wideProduct  = 12 // of 64-bit integers
)

// gains reports whether vectors take less time than as many items one by one.
func (e *Emitter) gains() bool {
	scalar, vector := e.expected(e.k.Body)
	return vector < float64(e.Width)*scalar
}

// firstLeaving returns the first loop whose lanes leave it one by one.
func (e *Emitter) firstLeaving() (first *ir.Value) {
	e.k.Body.Walk(func(v *ir.Value) {
		if first == nil && e.leaving[v] {
			first = v
		}
	})
	return first
}

// expected returns what a block is taken to cost an item, and a vector.
func (e *Emitter) expected(b *ir.Block) (scalar, vector float64) {
	for _, v := range b.Values {
		cost := float64(pass.CostOf(v))
		switch v.Op {
		case ir.Load, ir.Store:
			scalar++
			vector++
			if e.gathers[v] {
				vector += gatherCost*float64(e.shape.Bytes)/32 - 1
			}
		case ir.Check:
			scalar++
			vector += checkedIndex
		case ir.If:
			s, x := e.expected(v.Then())
			t, y := e.expected(v.Else())
			scalar += 1 + (s+t)/2
			vector += branchCost + x + y + float64(len(v.Then().Yield))
		case ir.Loop:
			s, x := e.expected(v.Head())
			t, y := e.expected(v.LoopBody())
			scalar += pass.Rounds * (1 + s + t)
			if e.leaving[v] {
				slowest := slowestLane
				if e.shape.Bytes > 32 {
					slowest = slowestOf8
				}
				vector += pass.Rounds * slowest * (roundCost + x + y)
			} else {
				vector += pass.Rounds * (1 + x + y)
			}
		case ir.Mul, ir.MulHigh:
			scalar += cost
			if v.Type == ir.I64 {
				cost = wideProduct
			}
			vector += cost
		default:
			scalar += cost
			vector += cost
		}
	}
	return scalar, vector
}
