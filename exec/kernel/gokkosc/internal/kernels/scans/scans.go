// Package scans has functors of scans, whose loops are compared with their closures.
package scans

import "github.com/gokkos/gokkos/builtin"

// prefixes stores the sums of the numbers in front of each, and of those up to each.
//
//gokkos:kernel
func prefixes(x, exclusive, inclusive []float64) func(i int, acc *float64, final bool) {
	return func(i int, acc *float64, final bool) {
		if final {
			exclusive[i] = *acc
		}
		*acc += x[i]
		if final {
			inclusive[i] = *acc
		}
	}
}

// compacted stores the indices of numbers above a limit, one after the other.
//
//gokkos:kernel
func compacted(limit float64, x []float64, to []int32) func(i int, acc *int, final bool) {
	return func(i int, acc *int, final bool) {
		if x[i] > limit {
			if final {
				to[*acc] = int32(i)
			}
			*acc++
		}
	}
}

// offsets stores where the rows of a graph begin, whose lengths are differences; bytes wrap around.
//
//gokkos:kernel
func offsets(ends []int32, to []uint8) func(i int, acc *uint8, final bool) {
	return func(i int, acc *uint8, final bool) {
		if n := ends[i+1] - ends[i]; n > 0 {
			*acc += uint8(n)
		}
		if !final {
			return
		}
		to[i] = *acc
	}
}

// heights stores the mean and the greatest of all numbers up to each, which a loop looks at three of.
//
//gokkos:kernel
func heights(x []float32, at []int, mean, most []float32) func(i int, acc *builtin.MinMaxVal[float32], final bool) {
	return func(i int, acc *builtin.MinMaxVal[float32], final bool) {
		for k := i; k < min(i+3, len(x)); k++ {
			acc.Min = min(acc.Min, x[at[k]])
			acc.Max = max(acc.Max, x[at[k]])
		}
		if final {
			mean[i], most[i] = (acc.Min+acc.Max)/2, acc.Max
		}
	}
}

// ordinals stores the number of an item, and fails at a divisor that is 0.
//
//gokkos:kernel
func ordinals(x []int, to []int64) func(n int, final *int64, last bool) {
	return func(n int, final *int64, last bool) {
		*final += int64(n / x[n])
		if last {
			to[n] += *final
		}
	}
}
