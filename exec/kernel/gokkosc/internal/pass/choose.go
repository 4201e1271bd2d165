package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// chosenCost bounds the cost of values computed in vain when a branch becomes a choice.
const chosenCost = 12

// Choose turns branches that only compute a little, and have no effects, into choices between the values of
// both: no mask, no jump. Of truth values it makes conjunctions and disjunctions. A branch on data may also
// load neighbours: a check of their indices stands in front of it. That check may stop an item that would not
// have reached the load.
func Choose(k *ir.Kernel) { chooseIn(k, neighboursOf(k)) }

// ChooseExactly is Choose for devices, where no other item may stop.
func ChooseExactly(k *ir.Kernel) { chooseIn(k, nil) }

func chooseIn(k *ir.Kernel, n *neighbours) {
	c := &choose{k: k, to: replacement{}, neighbours: n}
	c.block(k.Body)
	c.to.all(k)
}

// Conditions is Choose in the heads of loops alone.
func Conditions(k *ir.Kernel) {
	c := &choose{k: k, to: replacement{}}
	k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Loop {
			c.block(v.Head())
		}
	})
	c.to.all(k)
}

type choose struct {
	k          *ir.Kernel
	to         replacement
	neighbours *neighbours // that a branch may load; nil of none
}

func (c *choose) block(b *ir.Block) {
	var out []*ir.Value
	chosen := map[*ir.Value][]*ir.Value{} // the results of branches
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			c.block(inner)
		}
		switch {
		case v.Op == ir.If && c.cheap(v):
			for _, inner := range v.Blocks {
				out = append(out, inner.Values...)
			}
			chosen[v] = []*ir.Value{}
			for n := range v.Then().Yield {
				x := c.value(v.Args[0], v.Then().Yield[n], v.Else().Yield[n])
				x.Pos = v.Pos
				out = append(out, x)
				chosen[v] = append(chosen[v], x)
			}
		case v.Op == ir.Result && chosen[v.Args[0]] != nil:
			x := chosen[v.Args[0]][v.Index]
			x.Name = v.Name
			c.to[v] = x
		default:
			out = append(out, v)
		}
	}
	b.Values = out
}

// value returns the value of a branch.
func (c *choose) value(cond, x, y *ir.Value) *ir.Value {
	if x.Type == ir.Bool {
		switch {
		case x == cond || x.Op == ir.Const && x.Bits != 0:
			return c.k.NewValue(ir.Or, ir.Bool, cond, y)
		case y == cond || y.Op == ir.Const && y.Bits == 0:
			return c.k.NewValue(ir.And, ir.Bool, cond, x)
		}
	}
	return c.k.NewValue(ir.Select, x.Type, cond, x, y)
}

// cheap reports whether both branches of an If have nothing but a few values that are pure, or that may be loaded in vain.
func (c *choose) cheap(v *ir.Value) bool {
	cost, loads := 0, c.neighbours != nil && c.neighbours.decides(c.to.get(v.Args[0]))
	for _, b := range v.Blocks {
		for _, x := range b.Values {
			if !x.Op.Pure() && !loads {
				return false
			}
			cost += CostOf(x)
		}
	}
	return cost <= chosenCost && (!loads || c.neighbours.may(v.Then()) && c.neighbours.may(v.Else()))
}
