// Package builtin has the ready-made reducers.
//
// Every constructor takes the result place and returns a [Reduction]: a reducer
// for exec.ParallelReduce, whose functor joins items into an accumulator, that
// takes plain values as well, for exec.ParallelFold:
//
//	var total float64
//	err := exec.ParallelReduce(p, func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&total))
//
//	var s, q float64
//	var at builtin.ValLoc[float64, int]
//	err := exec.ParallelFold(exec.Slice(p, x), builtin.Sum(&s), builtin.SumSq(&q), builtin.MinLoc(&at))
//
// The two give the same bits. Reducers compose: reducers.Slice(&histogram,
// builtin.Sum) sums slices, reducers.Field and reducers.WithInitial take any of
// them.
//
// # Reducers
//
//	Kokkos               here                  accumulator         functor
//	Sum                  Sum                   T                   *acc += x
//	Prod                 Prod                  T                   *acc *= x
//	Min, Max             Min, Max              T                   *acc = min(*acc, x)
//	MinMax               MinMax                MinMaxVal[T]        acc.Add(x)
//	MinLoc               MinLoc                ValLoc[T, L]        acc.Min(x, i)
//	MaxLoc               MaxLoc                ValLoc[T, L]        acc.Max(x, i)
//	MinFirstLoc          MinFirstLoc           ValLoc[T, L]        acc.Min(x, i)
//	MaxFirstLoc          MaxFirstLoc           ValLoc[T, L]        acc.Max(x, i)
//	                     MinLastLoc            ValLoc[T, L]        acc.MinLast(x, i)
//	                     MaxLastLoc            ValLoc[T, L]        acc.MaxLast(x, i)
//	MinMaxLoc            MinMaxLoc             MinMaxLocVal[T, L]  acc.Add(x, i)
//	MinMaxFirstLastLoc   MinMaxFirstLastLoc    MinMaxLocVal[T, L]  acc.AddFirstLast(x, i)
//	FirstLoc             FirstLoc              Found[L]            acc.First(i, holds)
//	LastLoc              LastLoc               Found[L]            acc.Last(i, holds)
//	StdIsPartitioned     IsPartitioned         Partitioned[L]      acc.Add(i, holds)
//	StdPartitionPoint    PartitionPoint        Found[L]            acc.First(i, !holds)
//	LAnd, LOr            LAnd, LOr             T                   *acc = *acc && b
//	BAnd, BOr            BAnd, BOr             T                   *acc &= x
//	                     BXor                  T                   *acc ^= x
//	                     Count                 int                 *acc++
//	                     SumSq                 T                   *acc += T(x*x)
//	                     Mean                  Average[T]          acc.Add(x)
//	                     Variance              Moments[T]          acc.Add(x)
//	                     Norm1                 T                   *acc += |x|
//	                     Norm2                 T                   *acc += T(x*x)
//	                     AMax                  T                   *acc = max(*acc, |x|)
//
// # Values
//
// The identity of Min is the largest value of the type, +Inf for floats, and
// that of Max the smallest. NaN propagates, wherever it stands, and -0 is less
// than +0, as with Go's min and max. Which of the many NaNs results is left
// open. Small integers wrap in their own type.
//
// # Exactness
//
// Integers, min and max, logic, bits and locations are exact (see concept.Traits);
// sums, products and means of floats and complex numbers are not. Two locations with a
// method Compare, or with floats in them, may compare as equal and still have different
// bits, such as -0 and +0. Reducers with such locations are not marked exact;
// reducers.Exact marks one whose equal locations are identical.
//
// # Locations
//
// The result does not depend on the order in which items are joined: the reducers
// with locations return the first location of equal values, or the last one if
// their name says so. An item whose value is the identity (a +Inf for MinLoc)
// wins against no item at all.
//
// A functor ported from Kokkos may assign to the fields instead of calling the
// method:
//
//	if x[i] < acc.Val {
//		acc.Val, acc.Loc = x[i], i
//	}
//
// It then decides itself what happens to a NaN and to equal values within its
// lane, and an item is not told from the identity if its value is the identity
// and its location the zero value.
package builtin
