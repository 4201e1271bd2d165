package concept

// An Operation says what a fold computes, in words that a device knows, so that it can do it
// with code of its own and get the same bits. The zero value is an operation that nobody
// knows.
//
// Map makes y of the value x of an item, once. Join joins y into a partial result, and partial
// results; docs/determinism.md says which, and in what order. Final is what becomes of the last
// one. The launch does that itself, and whoever computes nodes of the tree leaves it out.
//
// A reducer whose functor joins, and no fold, maps for itself: its operation has no Map.
//
// The methods of a reducer that says what it computes must wait for nobody: a fold over several
// processes may run before these know of each other's launches.
type Operation struct{ Join, Map, Final Op }

// Known reports whether o says how to join.
func (o Operation) Known() bool { return o.Join != "" }

// An Op is the name of a part of an [Operation]. Those below are the ones of the reducers of
// package builtin; a reducer of somebody else may have names of its own, for devices that know
// them.
type Op string

// How values are joined. T is the type of y, and of a partial result if nothing else is said;
// else its parts are listed, in the order of their [Form]. Products and sums are rounded one by
// one. Min and max are those of Go, so NaN propagates and -0 is less than +0; which NaN results
// is left open. A location is the number that the fold gives an item, an int.
const (
	// OpSum adds, from 0.
	OpSum Op = "sum"
	// OpProd multiplies, from 1. Complex products are made of real ones: (ac-bd, ad+bc).
	OpProd Op = "prod"
	// OpMin takes the lower, from the largest T, +Inf of floats.
	OpMin Op = "min"
	// OpMax takes the higher, from the lowest T, -Inf of floats. After MapAbs it is from 0.
	OpMax Op = "max"
	// OpAnd, OpOr and OpXor work on the bits of integers, from all bits set, 0 and 0. The
	// first two work on bools as well, from true and false.
	OpAnd Op = "and"
	OpOr  Op = "or"
	OpXor Op = "xor"
	// OpMinMax is OpMin and OpMax: the minimum, the maximum.
	OpMinMax Op = "min, max"
	// OpMinFirst and the three others are OpMin or OpMax, with the first or the last location
	// of equal values: the value, its location, a bool that is false, as nodes hold items. The
	// place of a NaN is that of the first or last NaN; -0 and +0 are not equal.
	OpMinFirst Op = "min, first"
	OpMinLast  Op = "min, last"
	OpMaxFirst Op = "max, first"
	OpMaxLast  Op = "max, last"
	// OpMinMaxFirst and OpMinMaxLast are OpMinFirst, and OpMaxFirst or OpMaxLast: the minimum,
	// the maximum, their locations, two bools that are false.
	OpMinMaxFirst Op = "min, max, first"
	OpMinMaxLast  Op = "min, max, first and last"
	// OpFirst and OpLast look for items with y true: the location of the first or the last of
	// them, or 0, and a bool that says whether there is one.
	OpFirst Op = "first"
	OpLast  Op = "last"
	// OpPartition is OpLast, and OpFirst of items with y false.
	OpPartition Op = "partition"
	// OpAverage adds and counts: the sum, from 0, and the number of items, an int.
	OpAverage Op = "average"
	// OpMoments joins as builtin.Variance does: the number n of items, an int, their mean, and
	// the sum m of the squares of their distances from it, of type T. Each operation is rounded.
	//
	//	y:    n++; d = y - mean; mean += d/n; m += d*(y-mean)
	//	src:  n = dst.n + src.n; share = src.n/n; d = src.mean - dst.mean
	//	      mean = dst.mean + d*share; m = dst.m + (src.m + ((d*d)*share)*dst.n)
	OpMoments Op = "moments"
)

// What becomes of the value x of an item before it is joined; without a name, it is y itself.
const (
	// MapSquare is x*x, of complex numbers as OpProd multiplies.
	MapSquare Op = "square"
	// MapAbs is |x|, of the smallest integer itself.
	MapAbs Op = "abs"
	// MapNot is true where x is false.
	MapNot Op = "not"
	// MapOne is the int 1 where x is true, and 0 where it is false.
	MapOne Op = "one"
)

// FinalSqrt is the square root, computed in float64.
const FinalSqrt Op = "sqrt"
