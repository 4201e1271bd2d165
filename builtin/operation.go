package builtin

import "github.com/gokkos/gokkos/reducers/concept"

// The operations of the reducers, for devices that compute them with code of their own.

func (sum[T]) Operation() concept.Operation {
	return concept.Operation{Join: concept.OpSum}
}

func (sumSq[T]) Operation() concept.Operation {
	return concept.Operation{Join: concept.OpSum, Map: concept.MapSquare}
}

func (norm1[T]) Operation() concept.Operation {
	return concept.Operation{Join: concept.OpSum, Map: concept.MapAbs}
}

func (norm2[T]) Operation() concept.Operation {
	return concept.Operation{Join: concept.OpSum, Map: concept.MapSquare, Final: concept.FinalSqrt}
}

func (aMax[T]) Operation() concept.Operation {
	return concept.Operation{Join: concept.OpMax, Map: concept.MapAbs}
}

func (prod[T]) Operation() concept.Operation    { return concept.Operation{Join: concept.OpProd} }
func (minimum[T]) Operation() concept.Operation { return concept.Operation{Join: concept.OpMin} }
func (maximum[T]) Operation() concept.Operation { return concept.Operation{Join: concept.OpMax} }
func (minMax[T]) Operation() concept.Operation  { return concept.Operation{Join: concept.OpMinMax} }
func (bAnd[T]) Operation() concept.Operation    { return concept.Operation{Join: concept.OpAnd} }
func (bOr[T]) Operation() concept.Operation     { return concept.Operation{Join: concept.OpOr} }
func (bXor[T]) Operation() concept.Operation    { return concept.Operation{Join: concept.OpXor} }
func (lAnd[T]) Operation() concept.Operation    { return concept.Operation{Join: concept.OpAnd} }
func (lOr[T]) Operation() concept.Operation     { return concept.Operation{Join: concept.OpOr} }
func (mean[T]) Operation() concept.Operation    { return concept.Operation{Join: concept.OpAverage} }
func (variance[T]) Operation() concept.Operation {
	return concept.Operation{Join: concept.OpMoments}
}

func (count) Operation() concept.Operation {
	return concept.Operation{Join: concept.OpSum, Map: concept.MapOne}
}

func (r located[T, L, P]) Operation() concept.Operation {
	op := concept.OpMinFirst
	switch r.pick() {
	case last:
		op = concept.OpMinLast
	case highest:
		op = concept.OpMaxFirst
	case highest | last:
		op = concept.OpMaxLast
	}
	return byNumber[L](op, "")
}

func (r minMaxLoc[T, L, P]) Operation() concept.Operation {
	if r.pick()&last != 0 {
		return byNumber[L](concept.OpMinMaxLast, "")
	}
	return byNumber[L](concept.OpMinMaxFirst, "")
}

func (firstLoc[L]) Operation() concept.Operation { return byNumber[L](concept.OpFirst, "") }
func (lastLoc[L]) Operation() concept.Operation  { return byNumber[L](concept.OpLast, "") }

func (partitionPoint[L]) Operation() concept.Operation {
	return byNumber[L](concept.OpFirst, concept.MapNot)
}

func (isPartitioned[L]) Operation() concept.Operation {
	return byNumber[L](concept.OpPartition, "")
}

// byNumber returns an operation on locations, which is known only if these are numbers.
func byNumber[L comparable](join, mapped concept.Op) concept.Operation {
	var at L
	if _, ok := any(at).(int); !ok {
		return concept.Operation{}
	}
	return concept.Operation{Join: join, Map: mapped}
}
