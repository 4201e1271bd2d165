//go:build !noasm

package simd

import "github.com/klauspost/cpuid/v2"

var supported = detect()

func detect() Level {
	switch {
	case !cpuid.CPU.Supports(cpuid.AVX2):
		return None
	case !cpuid.CPU.Supports(cpuid.AVX512F):
		return AVX2
	}
	return AVX512
}

var (
	float64s = [levels]table[float64]{
		AVX2: {
			Sum:   sumFloat64AVX2,
			SumSq: sumSqFloat64AVX2,
			Norm1: norm1Float64AVX2,
			Min:   minFloat64AVX2,
			Max:   maxFloat64AVX2,
			AMax:  aMaxFloat64AVX2,
		},
		AVX512: {
			Sum:   sumFloat64AVX512,
			SumSq: sumSqFloat64AVX512,
			Norm1: norm1Float64AVX512,
			Min:   minFloat64AVX512,
			Max:   maxFloat64AVX512,
			AMax:  aMaxFloat64AVX512,
		},
	}
	float32s = [levels]table[float32]{
		AVX2: {
			Sum:   sumFloat32AVX2,
			SumSq: sumSqFloat32AVX2,
			Norm1: norm1Float32AVX2,
			Min:   minFloat32AVX2,
			Max:   maxFloat32AVX2,
			AMax:  aMaxFloat32AVX2,
		},
		AVX512: {
			Sum:   sumFloat32AVX512,
			SumSq: sumSqFloat32AVX512,
			Norm1: norm1Float32AVX512,
			Min:   minFloat32AVX512,
			Max:   maxFloat32AVX512,
			AMax:  aMaxFloat32AVX512,
		},
	}
	int64s = [levels]table[int64]{
		AVX2: {
			Sum: sumInt64AVX2,
			Min: minInt64AVX2,
			Max: maxInt64AVX2,
			And: andInt64AVX2,
			Or:  orInt64AVX2,
			Xor: xorInt64AVX2,
		},
		AVX512: {
			Sum: sumInt64AVX512,
			Min: minInt64AVX512,
			Max: maxInt64AVX512,
			And: andInt64AVX512,
			Or:  orInt64AVX512,
			Xor: xorInt64AVX512,
		},
	}
	int32s = [levels]table[int32]{
		AVX2: {
			Sum: sumInt32AVX2,
			Min: minInt32AVX2,
			Max: maxInt32AVX2,
			And: andInt32AVX2,
			Or:  orInt32AVX2,
			Xor: xorInt32AVX2,
		},
		AVX512: {
			Sum: sumInt32AVX512,
			Min: minInt32AVX512,
			Max: maxInt32AVX512,
			And: andInt32AVX512,
			Or:  orInt32AVX512,
			Xor: xorInt32AVX512,
		},
	}
)
