package tree

import "github.com/gokkos/gokkos/internal/kind"

// A Reducer is what a Sweep needs of one.
type Reducer[T any] interface {
	Init(*T)          // sets to the identity
	Join(dst, src *T) // dst (+)= src
}

// A Sweep joins the sums of leaves up a tree and the prefixes down it, in one pass over the
// leaves from the left: Next for leaf 1, 2, 3, ..., then Total if it is wanted. The leaves may
// be nodes of equal height of a larger tree.
//
//	node             identity (+) left (+) right, or identity (+) left if there is no right
//	prefix of left   that of the node
//	prefix of right  identity (+) prefix of left (+) left
//
// So sums and prefixes depend on neither who calls nor when.
type Sweep[T any] struct {
	R      Reducer[T]
	Sums   []T    // by leaf, in memory of their own; then of nodes, each at its first leaf
	Prefix []T    // by leaf; that of leaf 0 is set by the caller. nil: there are sums only
	Bare   bool   // a node is left (+) right; there is no Total
	Run    Run[T] // what Through does, from who knows the joins of R; or nil

	node T
}

// Next joins the prefix of leaf p, which is not 0, and the nodes that end before it. The sums
// of the leaves before it are known, and so are their prefixes.
func (s *Sweep[T]) Next(p int) { s.After(p, 1) }

// Through is Next for the leaves from first to before last.
func (s *Sweep[T]) Through(first, last int) {
	if s.Run != nil && !s.Bare {
		s.Run(s.Sums, s.Prefix, first, last)
		return
	}
	for p := first; p < last; p++ {
		s.Next(p)
	}
}

// A Run is Through for a Sweep of these slices that is not Bare. It does not panic.
type Run[T any] func(sums, prefix []T, first, last int)

// Add is the Run of sums.
func Add[T kind.Number](sums, prefix []T, first, last int) {
	for p := first; p < last; p++ {
		w := 1
		for ; p&w == 0; w *= 2 {
			sums[p-2*w] = 0 + sums[p-2*w] + sums[p-w] // 0 + -0 is 0
		}
		if prefix != nil {
			prefix[p] = 0 + prefix[p-w] + sums[p-w]
		}
	}
}

// After is Next where the w leaves before p are a node of which nothing is known but its sum,
// which is that of its first leaf.
func (s *Sweep[T]) After(p, w int) {
	for ; p&w == 0; w *= 2 { // the nodes that end before p
		s.up(p-2*w, p-w)
	}
	if s.Prefix == nil {
		return
	}
	s.R.Init(&s.Prefix[p])
	s.R.Join(&s.Prefix[p], &s.Prefix[p-w])
	s.R.Join(&s.Prefix[p], &s.Sums[p-w])
}

// Total joins the sum of all the leaves, to Sums[0].
func (s *Sweep[T]) Total() { s.Node(1, len(s.Sums)) }

// Node joins the sum of all the leaves, as a node of so many leaves of which those on the
// right may be missing, to Sums[0]. Of the last w leaves, or as many of these as there are,
// the sum is known as for After.
func (s *Sweep[T]) Node(w, leaves int) {
	last := len(s.Sums) - 1
	for ; w < leaves; w *= 2 { // the nodes that end with the last leaf
		left := last &^ (2*w - 1)
		s.up(left, left+w)
	}
}

// Release forgets the reducer, and what else refers to the caller's memory but for the
// slices.
func (s *Sweep[T]) Release() {
	var none T
	s.R, s.Run, s.node = nil, nil, none
}

// up joins the sum of a node whose children begin at the leaves left and right.
func (s *Sweep[T]) up(left, right int) {
	if s.Bare {
		s.R.Join(&s.Sums[left], &s.Sums[right])
		return
	}
	s.R.Init(&s.node)
	s.R.Join(&s.node, &s.Sums[left])
	if right < len(s.Sums) {
		s.R.Join(&s.node, &s.Sums[right])
	}
	s.Sums[left], s.node = s.node, s.Sums[left]
}
