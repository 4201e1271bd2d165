package exec

import "github.com/gokkos/gokkos/policy"

// A Policy numbers the items of a launch and says which index each item has. I is the index type that the
// functor takes.
type Policy[I any] interface {
	// Plan returns how many items there are, and all else that is known before the launch.
	Plan() policy.Plan
	// Next writes the indices of items begin, begin+1, ... below end into dst. It returns how many it wrote,
	// and the first item that they do not cover. It must fill dst unless end comes first. If the plan is
	// Whole, an index stands for as many items as Next likes: the first index for items from begin on, each
	// further index for the items that follow. Several workers call Next at a time.
	Next(begin, end int, dst []I) (n, next int)
}
