package vector

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// The costs of vectors in loops that lanes leave one by one, in additions. Such a loop runs as long as its
// slowest lane, and a branch runs both of its sides. Each round asks whether a lane is left.
const (
	slowestLane  = 1.4 // ratio of the slowest lane's rounds to the mean
	slowestOf8   = 1.7 // of eight lanes and more of 64 bits
	roundCost    = 6
	branchCost   = 3  // of a vector, whose lanes run both sides
	branchMissed = 20 // of one item, as the processor guesses half of them wrong
	checkedIndex = 4
	wideProduct  = 12 // of 64-bit integers
	askedFMA     = 8  // of one item: Go asks whether the processor has it
)

// singleCost is the cost of loads and stores of single elements for four lanes, in additions, as measured on Zen 3 and Zen 5. A
// processor takes the time of four loads for four elements, even in one instruction, and then puts them together.
var singleCost = [...]float64{together: 1, strided: 7, spread: 22, anywhere: 26, bytewise: 60}

// gatheredWaiting is the cost of a gather in loops that lanes leave one by one. Items one by one wait for each round there, and do
// not load for the next item meanwhile.
const gatheredWaiting = 10

// profitable reports whether vectors take less time than as many items one by one. It is true of vectors that load and store
// elements one behind the other, in loops that all lanes leave together.
func (e *Emitter) profitable() bool {
	if e.fuel == nil && len(e.singles) == 0 {
		return true
	}
	scalar, vector := e.expected(e.k.Body)
	return vector < float64(e.Width)*scalar
}

// decided returns the cost for one item of a branch over some work. A branch over little is mostly guessed,
// as a condition on data that are all alike. The estimate of loops that lanes leave one by one is of such
// branches.
func (e *Emitter) decided(work float64) float64 {
	if e.fuel != nil {
		return 1
	}
	return 1 + min(work, branchMissed)
}

// single returns the cost of a load or a store for a vector.
func (e *Emitter) single(v *ir.Value) float64 {
	kind := e.singles[v]
	switch {
	case kind == together:
		return 1
	case e.fuel != nil:
		return gatheredWaiting * float64(e.shape.Bytes) / 32
	}
	return singleCost[kind] * float64(e.Width) / 4
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

// expected returns the estimated cost of a block for an item, and for a vector.
func (e *Emitter) expected(b *ir.Block) (scalar, vector float64) {
	for _, v := range b.Values {
		cost := float64(pass.CostOf(v))
		switch v.Op {
		case ir.Load, ir.Store:
			scalar++
			vector += e.single(v)
		case ir.Check:
			scalar++
			vector += checkedIndex
		case ir.If:
			s, x := e.expected(v.Then())
			t, y := e.expected(v.Else())
			scalar += e.decided((s+t)/2) + (s+t)/2
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
		case ir.FMA:
			scalar += askedFMA
			vector += cost
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
