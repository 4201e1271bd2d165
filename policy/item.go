package policy

import "sync"

// An Item is an index that knows its range, the index type of an [ItemsPolicy].
type Item[I any] struct {
	Index I
	in    *box[I]
}

// Linear returns how many indices of the range come before the item's if the last
// dimension varies fastest, in whatever order the items are numbered.
func (t Item[I]) Linear() int { return t.in.linear(t.Index) }

// Extents returns the lengths of the range, one for each dimension, as an index.
func (t Item[I]) Extents() I { return t.in.extents }

// Lower returns the lower bounds of the range.
func (t Item[I]) Lower() I { return t.in.lower }

// box is the range of an item.
type box[I any] struct {
	lower, extents I
	linear         func(i I) int
	blocks         sync.Pool // of *[]I
}

// ItemsPolicy is a policy whose functor receives an [Item] instead of an index: the item
// form of SYCL's kernels. It has the items, the numbers and so the bits of the policy
// that it is made from; what that one carries, such as its space, is set before:
//
//	policy.MDRange2(lower, upper).On(space).Items()
type ItemsPolicy[I any] struct {
	plan Plan
	next func(begin, end int, dst []I) (n, next int)
	in   *box[I]
}

// Plan returns what a pattern needs to know of p.
func (p ItemsPolicy[I]) Plan() Plan { return p.plan }

// Next writes the items begin and up to dst, fewer if end comes first. It returns how
// many it wrote and the first item it did not cover.
func (p ItemsPolicy[I]) Next(begin, end int, dst []Item[I]) (n, next int) {
	block, ok := p.in.blocks.Get().(*[]I)
	if !ok || len(*block) < len(dst) {
		indices := make([]I, len(dst))
		block = &indices
	}
	n, next = p.next(begin, end, (*block)[:len(dst)])
	for k, i := range (*block)[:n] {
		dst[k] = Item[I]{i, p.in}
	}
	p.in.blocks.Put(block)
	return n, next
}

// Items returns p with an [Item] for each index.
func (p RangePolicy) Items() ItemsPolicy[int] {
	linear := func(i int) int { return i - p.begin }
	return ItemsPolicy[int]{p.Plan(), p.Next, &box[int]{lower: p.begin, extents: p.items(), linear: linear}}
}

// Items returns p with an [Item] for each index.
func (p MDRangePolicy[I, B]) Items() ItemsPolicy[I] {
	linear := func(i I) int { return p.kind.linear(i, &p.lower, &p.extent) }
	return ItemsPolicy[I]{p.Plan(), p.Next, &box[I]{lower: p.index(p.lower), extents: p.index(p.extent), linear: linear}}
}
