package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// neighbours are the elements that lie as far apart as items do. Vectors load them at once, and their checks are conditions on
// the first and the last item.
type neighbours struct {
	accesses
	fixed map[*ir.Value]bool // of the setup
	data  map[*ir.Value]bool // whether a value depends on an element or an accumulator
}

func neighboursOf(k *ir.Kernel) *neighbours {
	n := &neighbours{accessesOf(k), map[*ir.Value]bool{}, map[*ir.Value]bool{}}
	for _, v := range k.Setup.Values {
		n.fixed[v] = true
	}
	for _, p := range k.Body.Params {
		n.data[p] = true
	}
	return n
}

// may reports whether all values of a block are pure, load such elements, or check their indices. The element
// of a load may depend on the branch around it. So a check of the block itself must show that the load is
// safe.
func (n *neighbours) may(b *ir.Block) bool {
	clear(n.checked)
	for _, v := range b.Values {
		switch {
		case v.Op == ir.Check && n.moves(v.Args[0]) && n.isFixed(v.Args[1]) && v.IsRange():
			n.ask(nil, v)
		case v.Op == ir.Load && n.moves(v.Args[0]) && n.isInRange(v):
		case !v.Op.Pure():
			return false
		}
	}
	return true
}

// moves reports whether an index has the same distance from the index of the item, for all items.
func (n *neighbours) moves(index *ir.Value) bool {
	switch index.Op {
	case ir.Item:
		return true
	case ir.Add:
		return n.moves(index.Args[0]) && n.isFixed(index.Args[1]) || n.isFixed(index.Args[0]) && n.moves(index.Args[1])
	case ir.Sub:
		return n.moves(index.Args[0]) && n.isFixed(index.Args[1])
	}
	return false
}

func (n *neighbours) isFixed(v *ir.Value) bool { return v.Op == ir.Const || n.fixed[v] }

// decides reports whether all parts of a condition depend on data. A part that depends on the index may keep
// many items in range. A part that is the same for all items may keep all of them from a nil slice.
func (n *neighbours) decides(condition *ir.Value) bool {
	switch condition.Op {
	case ir.And, ir.Or, ir.Not:
		return !slices.ContainsFunc(condition.Args, func(part *ir.Value) bool { return !n.decides(part) })
	}
	return n.isOfData(condition)
}

// isOfData reports whether a value depends on an element or an accumulator.
func (n *neighbours) isOfData(v *ir.Value) bool {
	is, ok := n.data[v]
	if ok {
		return is
	}
	is = v.Op == ir.Load || v.Op.Pure() && slices.ContainsFunc(v.Args, n.isOfData)
	n.data[v] = is
	return is
}
