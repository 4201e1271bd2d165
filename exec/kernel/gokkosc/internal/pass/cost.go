package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// Cost is the estimated cost of an item. A loop whose number of rounds is not known counts as [Rounds]
// rounds.
type Cost struct {
	Operations int // arithmetic, in additions
	Loads      int // of neighbours, or of one element for all items
	Gathers    int // of elements anywhere
	Stores     int // to neighbours
	Scatters   int
	Atomics    int
	Combines   int // contributions to scatters
	Checks     int // that each item asks
}

// Rounds is the assumed number of rounds of a loop.
const Rounds = 16

// Estimate returns the cost of an item of a kernel.
func Estimate(k *ir.Kernel) Cost {
	e := estimate{shapes: Shapes(k)}
	e.block(k.Body, 1)
	return e.cost
}

type estimate struct {
	shapes []Shape
	cost   Cost
}

func (e *estimate) block(b *ir.Block, times int) {
	for _, v := range b.Values {
		inner := times
		switch v.Op {
		case ir.Load:
			if e.shapes[v.Args[0].ID] == Varying {
				e.cost.Gathers += times
			} else {
				e.cost.Loads += times
			}
		case ir.Store:
			if e.shapes[v.Args[0].ID] == Varying {
				e.cost.Scatters += times
			} else {
				e.cost.Stores += times
			}
		case ir.Atomic:
			e.cost.Atomics += times
		case ir.Combine:
			e.cost.Combines += times
		case ir.Check:
			e.cost.Checks += times
		case ir.Loop:
			inner = times * Rounds
		default:
			e.cost.Operations += times * CostOf(v)
		}
		for _, b := range v.Blocks {
			e.block(b, inner)
		}
	}
}

// CostOf returns the cost of a value, in additions.
func CostOf(v *ir.Value) int {
	switch v.Op {
	case ir.Div, ir.Rem, ir.Sqrt:
		if v.Type.IsInt() && v.Args[1].Op != ir.Const {
			return 24
		}
		return 8
	case ir.Call:
		if v.IsOfBits() {
			return 2
		}
		return 40
	case ir.MulHigh:
		return 4
	case ir.Min, ir.Max:
		return 2
	case ir.Const, ir.Uniform, ir.Cells, ir.Coord, ir.Stop, ir.Item, ir.Arg, ir.Result, ir.Bits:
		return 0
	case ir.Mul:
		if v.Type == ir.I64 {
			return 3
		}
	}
	return 1
}
