//go:build !noasm

package simd

var (
	float64Rows = [levels]rowTable[float64]{
		AVX2: {
			Sum:   sumRowFloat64AVX2,
			SumSq: sumSqRowFloat64AVX2,
			Norm1: norm1RowFloat64AVX2,
			Min:   minRowFloat64AVX2,
			Max:   maxRowFloat64AVX2,
			AMax:  aMaxRowFloat64AVX2,
		},
		AVX512: {
			Sum:   sumRowFloat64AVX512,
			SumSq: sumSqRowFloat64AVX512,
			Norm1: norm1RowFloat64AVX512,
			Min:   minRowFloat64AVX512,
			Max:   maxRowFloat64AVX512,
			AMax:  aMaxRowFloat64AVX512,
		},
	}
	float32Rows = [levels]rowTable[float32]{
		AVX2: {
			Sum:   sumRowFloat32AVX2,
			SumSq: sumSqRowFloat32AVX2,
			Norm1: norm1RowFloat32AVX2,
			Min:   minRowFloat32AVX2,
			Max:   maxRowFloat32AVX2,
			AMax:  aMaxRowFloat32AVX2,
		},
		AVX512: {
			Sum:   sumRowFloat32AVX512,
			SumSq: sumSqRowFloat32AVX512,
			Norm1: norm1RowFloat32AVX512,
			Min:   minRowFloat32AVX512,
			Max:   maxRowFloat32AVX512,
			AMax:  aMaxRowFloat32AVX512,
		},
	}
	int64Rows = [levels]rowTable[int64]{
		AVX2: {
			Sum: sumRowInt64AVX2,
			Min: minRowInt64AVX2,
			Max: maxRowInt64AVX2,
			And: andRowInt64AVX2,
			Or:  orRowInt64AVX2,
			Xor: xorRowInt64AVX2,
		},
		AVX512: {
			Sum: sumRowInt64AVX512,
			Min: minRowInt64AVX512,
			Max: maxRowInt64AVX512,
			And: andRowInt64AVX512,
			Or:  orRowInt64AVX512,
			Xor: xorRowInt64AVX512,
		},
	}
	int32Rows = [levels]rowTable[int32]{
		AVX2: {
			Sum: sumRowInt32AVX2,
			Min: minRowInt32AVX2,
			Max: maxRowInt32AVX2,
			And: andRowInt32AVX2,
			Or:  orRowInt32AVX2,
			Xor: xorRowInt32AVX2,
		},
		AVX512: {
			Sum: sumRowInt32AVX512,
			Min: minRowInt32AVX512,
			Max: maxRowInt32AVX512,
			And: andRowInt32AVX512,
			Or:  orRowInt32AVX512,
			Xor: xorRowInt32AVX512,
		},
	}
)
