package tensor

import (
	"slices"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/nest"
	"github.com/gokkos/gokkos/internal/tree"
)

// A shape says which elements each result is reduced from, and how they are read.
type shape struct {
	settings
	plan
}

// A plan is what follows from the form of a tensor, whatever its memory.
type plan struct {
	form    form
	outputs int        // number of results
	items   int        // number of elements of each
	grid    space.Grid // the reduction tree of each
	kept    nest.Loops // over the results, by place: a of the tensor, b the number of the result
	inner   nest.Loops // over the elements of a result, in the order of the dimensions
}

// A form is the part of settings that a plan depends on.
type form struct {
	elements, chunk  int
	extents, strides []int
	reduced          []bool
}

func (f *form) is(g *form) bool {
	return f.elements == g.elements && f.chunk == g.chunk && slices.Equal(f.reduced, g.reduced) && slices.Equal(f.extents, g.extents) && slices.Equal(f.strides, g.strides)
}

// of makes x the shape of some settings. A plan for the same form stays: calls mostly follow one another with one form.
func (x *shape) of(s settings) {
	x.settings = s
	f := form{s.elements, s.chunk, s.extents, s.strides, s.reduced}
	if x.form.reduced == nil || !x.form.is(&f) {
		x.plan = newPlan(f)
	}
}

func newPlan(f form) plan {
	x := plan{form: f, outputs: 1, items: 1}
	for d, n := range f.extents {
		if f.reduced[d] {
			x.items *= n
		} else {
			x.outputs *= n
		}
	}
	if f.elements == 0 {
		x.items = 0 // as a zero view has them, without an extent of 0
	}
	x.grid = space.NewGrid(x.items, f.chunk, false)
	if x.outputs == 0 || x.items == 0 {
		return x
	}
	number := x.outputs
	x.kept.Items, x.inner.Items = x.outputs, x.items
	for d, n := range f.extents {
		if f.reduced[d] {
			x.inner.Push(n, f.strides[d], 0)
		} else {
			number /= n
			x.kept.Push(n, f.strides[d], number)
		}
	}
	x.inner, x.kept = x.inner.Merged(), x.kept.ByPlace()
	return x
}

// results returns the extents that an output may have: those that are kept, or all, with 1
// for the reduced ones.
func (s *shape) results() (kept, full []int) {
	kept, full = []int{}, []int{}
	for d, n := range s.extents {
		if s.reduced[d] {
			full = append(full, 1)
			continue
		}
		kept, full = append(kept, n), append(full, n)
	}
	return kept, full
}

// takes reports whether an output may have that rank and these extents.
func (s *shape) takes(rank int, extent func(d int) int) bool {
	full, k := rank == len(s.extents), 0
	for d, n := range s.extents {
		switch {
		case !s.reduced[d]:
		case full:
			n = 1
		default:
			continue
		}
		if k == rank || extent(k) != n {
			return false
		}
		k++
	}
	return k == rank
}

// sideBySide reports whether elements of different results are nearer to each other than
// those of one result.
func (s *shape) sideBySide() bool {
	n, kept, _ := s.kept.Inner()
	items, inner, _ := s.inner.Inner()
	return n > 1 && (items == 1 || kept < inner)
}

// A block is some results whose first elements are a apart, and b their numbers.
type block struct {
	place, number int
	a, b, n       int
}

// A split says who does what: a unit of work is an aligned range of leaves of some blocks.
type split struct {
	width    int // results in a block
	across   int // blocks in the innermost loop
	blocks   int
	each     int // blocks in a unit
	leaves   int // leaves in a unit, a power of two
	subtrees int // units that share a block
	units    int
}

const (
	leastUnit     = 1 << 14 // elements that are worth a second worker, and in a unit that others must join
	shortUnit     = 1 << 10 // in one that is whole results: still more than a claim costs
	largeUnit     = 1 << 16 // where there are many units
	manyUnits     = 256     // keep a large machine busy to the end
	manyOfSeveral = 16      // units of each worker do that on a smaller one
	mostUnits     = 4096
)

// split splits the work into units, where a block has that many results at most. Whole results are in no more than
// that many units, if these do not become too large.
func (s *shape) split(width, many int) split {
	n, _, _ := s.kept.Inner()
	p := split{width: min(width, n)}
	p.across = (n-1)/p.width + 1
	p.blocks = p.across * (s.outputs / n)
	perLeaf := p.width * min(s.grid.Leaf, s.items)
	unit := min(max(s.outputs*s.items/(4*manyUnits), leastUnit), largeUnit)
	strategy := s.strategy
	if strategy == Auto {
		strategy = Threadwise
		if p.blocks < manyUnits && s.items*p.width > leastUnit {
			strategy = Blockwise
		}
	}
	p.each, p.leaves = 1, tree.CeilPow2(s.grid.Leaves)
	if strategy == Blockwise {
		p.leaves = min(p.leaves, tree.CeilPow2(max(unit/perLeaf, 1)))
		for p.leaves < s.grid.Leaves && p.blocks*((s.grid.Leaves-1)/p.leaves+1) > mostUnits {
			p.leaves *= 2
		}
	}
	p.subtrees = (s.grid.Leaves-1)/p.leaves + 1
	if p.subtrees == 1 {
		if elements := s.outputs * s.items; elements >= leastUnit {
			unit = min(max(elements/many, shortUnit), largeUnit)
		}
		p.each = max((unit-1)/(p.width*s.items)+1, (p.blocks-1)/mostUnits+1)
	}
	p.units = ((p.blocks-1)/p.each + 1) * p.subtrees
	return p
}

// block returns a block by its number.
func (s *shape) block(p *split, k int) block {
	n, a, b := s.kept.Inner()
	first := k % p.across * p.width
	place, number := s.kept.At(k/p.across*n + first)
	return block{place, number, a, b, min(p.width, n-first)}
}
