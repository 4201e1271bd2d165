package exec

import "github.com/gokkos/gokkos/policy"

// A Policy numbers the items of a launch and says which index each has. I is
// the index type that the functor receives.
type Policy[I any] interface {
	// Plan returns how many items there are, and all else that is known before
	// the launch.
	Plan() policy.Plan
	// Next writes the indices of items begin, begin+1, ... below end into dst
	// and returns how many it wrote and the first item that it did not cover.
	// It must fill dst unless end comes first. Where the plan is Whole, an index
	// stands for any number of items, as many as Next likes: the first one for those
	// from begin on, each other one for those that follow. Next is called by several
	// workers at a time.
	Next(begin, end int, dst []I) (n, next int)
}
