package kernels

import "github.com/gokkos/gokkos/views"

// prefixes stores the sums of products in front of each, and of those up to each.
//
//gokkos:kernel
func prefixes(x views.View1[float64], exclusive, inclusive views.View1[float64]) func(i int, acc *float64, final bool) {
	return func(i int, acc *float64, final bool) {
		if final {
			exclusive.Set(i, *acc)
		}
		*acc += float64(x.At(i) * x.At(i))
		if final {
			inclusive.Set(i, *acc)
		}
	}
}

// compacted stores the indices of numbers above a limit one behind the other, with what a table has of each.
//
//gokkos:kernel
func compacted(limit float64, table [2]int32, x views.View1[float64], to views.View1[int32]) func(i int, acc *int, final bool) {
	return func(i int, acc *int, final bool) {
		if x.At(i) > limit {
			if final {
				to.Set(*acc, int32(i)+table[i&1])
			}
			*acc++
		}
	}
}

// wrapped stores sums that wrap around.
//
//gokkos:kernel
func wrapped(x views.View1[float64], to views.View1[int8]) func(i int, acc *int8, final bool) {
	return func(i int, acc *int8, final bool) {
		*acc += int8(int(x.At(i)))
		if final {
			to.Set(i, *acc)
		}
	}
}

// seen stores whether one of the numbers so far is above a limit.
//
//gokkos:kernel
func seen(limit float64, x views.View1[float64], to views.View1[bool]) func(i int, acc *bool, final bool) {
	return func(i int, acc *bool, final bool) {
		*acc = *acc || x.At(i) > limit
		if final {
			to.Set(i, *acc)
		}
	}
}

// furthest stores the greatest numbers so far.
//
//gokkos:kernel
func furthest(x views.View1[float64], to views.View1[float32]) func(i int, acc *float32, final bool) {
	return func(i int, acc *float32, final bool) {
		if final {
			to.Set(i, *acc)
		}
		*acc = max(*acc, float32(x.At(i)))
	}
}
