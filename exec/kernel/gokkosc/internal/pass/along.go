package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Right returns a copy of a kernel whose runs go along the last dimension, Left one whose runs go along the first. The kernel is
// as the front end makes it: its runs have no direction. A kernel whose index is an int or a span is copied as it is.
func Right(k *ir.Kernel) *ir.Kernel { return along(k, k.Index.Rank-1) }
func Left(k *ir.Kernel) *ir.Kernel  { return along(k, 0) }

// along makes the item and one of the coordinates the same value: an item of points, and a coordinate of rows.
func along(k *ir.Kernel, dim int) *ir.Kernel {
	k = k.Clone()
	if k.Index.Rank == 0 {
		return k
	}
	k.Index.Dim = dim
	n := slices.IndexFunc(k.Setup.Values, func(v *ir.Value) bool { return v.Op == ir.Coord && v.Index == dim })
	coord := k.Setup.Values[n]
	items := replacement{}
	k.Body.Values = slices.DeleteFunc(k.Body.Values, func(v *ir.Value) bool {
		if v.Op == ir.Item {
			items[v] = coord
		}
		return v.Op == ir.Item
	})
	items.all(k)
	if !k.Index.Row {
		coord.Op, coord.Index = ir.Item, 0
		k.Setup.Values = slices.Delete(k.Setup.Values, n, n+1)
		k.Body.Values = slices.Insert(k.Body.Values, 0, coord)
	}
	return k
}
