package builtin

import "github.com/gokkos/gokkos/reducers"

// The operations of the reducers, for devices that compute them with code of their own.

func (sum[T]) Operation() reducers.Operation {
	return reducers.Operation{Join: reducers.OpSum}
}

func (sumSq[T]) Operation() reducers.Operation {
	return reducers.Operation{Join: reducers.OpSum, Map: reducers.MapSquare}
}

func (norm1[T]) Operation() reducers.Operation {
	return reducers.Operation{Join: reducers.OpSum, Map: reducers.MapAbs}
}

func (norm2[T]) Operation() reducers.Operation {
	return reducers.Operation{Join: reducers.OpSum, Map: reducers.MapSquare, Final: reducers.FinalSqrt}
}

func (aMax[T]) Operation() reducers.Operation {
	return reducers.Operation{Join: reducers.OpMax, Map: reducers.MapAbs}
}

func (prod[T]) Operation() reducers.Operation    { return reducers.Operation{Join: reducers.OpProd} }
func (minimum[T]) Operation() reducers.Operation { return reducers.Operation{Join: reducers.OpMin} }
func (maximum[T]) Operation() reducers.Operation { return reducers.Operation{Join: reducers.OpMax} }
func (minMax[T]) Operation() reducers.Operation  { return reducers.Operation{Join: reducers.OpMinMax} }
func (bAnd[T]) Operation() reducers.Operation    { return reducers.Operation{Join: reducers.OpAnd} }
func (bOr[T]) Operation() reducers.Operation     { return reducers.Operation{Join: reducers.OpOr} }
func (bXor[T]) Operation() reducers.Operation    { return reducers.Operation{Join: reducers.OpXor} }
func (lAnd[T]) Operation() reducers.Operation    { return reducers.Operation{Join: reducers.OpAnd} }
func (lOr[T]) Operation() reducers.Operation     { return reducers.Operation{Join: reducers.OpOr} }
func (mean[T]) Operation() reducers.Operation    { return reducers.Operation{Join: reducers.OpAverage} }
func (variance[T]) Operation() reducers.Operation {
	return reducers.Operation{Join: reducers.OpMoments}
}

func (count) Operation() reducers.Operation {
	return reducers.Operation{Join: reducers.OpSum, Map: reducers.MapOne}
}

func (r located[T, L, P]) Operation() reducers.Operation {
	op := reducers.OpMinFirst
	switch r.pick() {
	case last:
		op = reducers.OpMinLast
	case highest:
		op = reducers.OpMaxFirst
	case highest | last:
		op = reducers.OpMaxLast
	}
	return byNumber[L](op, "")
}

func (r minMaxLoc[T, L, P]) Operation() reducers.Operation {
	if r.pick()&last != 0 {
		return byNumber[L](reducers.OpMinMaxLast, "")
	}
	return byNumber[L](reducers.OpMinMaxFirst, "")
}

func (firstLoc[L]) Operation() reducers.Operation { return byNumber[L](reducers.OpFirst, "") }
func (lastLoc[L]) Operation() reducers.Operation  { return byNumber[L](reducers.OpLast, "") }

func (partitionPoint[L]) Operation() reducers.Operation {
	return byNumber[L](reducers.OpFirst, reducers.MapNot)
}

func (isPartitioned[L]) Operation() reducers.Operation {
	return byNumber[L](reducers.OpPartition, "")
}

// byNumber returns an operation on locations, which is known only if these are numbers.
func byNumber[L comparable](join, mapped reducers.Op) reducers.Operation {
	var at L
	if _, ok := any(at).(int); !ok {
		return reducers.Operation{}
	}
	return reducers.Operation{Join: join, Map: mapped}
}
