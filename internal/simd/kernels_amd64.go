//go:build !noasm

package simd

import "github.com/klauspost/cpuid/v2"

var supported = detect()

func detect() Level {
	switch {
	case !cpuid.CPU.Supports(cpuid.AVX2):
		return None
	case !cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512DQ):
		return AVX2
	}
	return AVX512
}

var (
	float64s = table[float64]{
		AVX2: {
			Sum:   {sumFloat64AVX2, joinSumFloat64AVX2, nil, sumLeavesFloat64AVX2},
			SumSq: {sumSqFloat64AVX2, joinSumFloat64AVX2, nil, sumSqLeavesFloat64AVX2},
			Norm1: {norm1Float64AVX2, joinSumFloat64AVX2, nil, norm1LeavesFloat64AVX2},
			Min:   {minFloat64AVX2, joinMinFloat64AVX2, minOfFloat64AVX2, nil},
			Max:   {maxFloat64AVX2, joinMaxFloat64AVX2, maxOfFloat64AVX2, nil},
			AMax:  {aMaxFloat64AVX2, joinMaxFloat64AVX2, nil, nil},
		},
		AVX512: {
			Sum:   {sumFloat64AVX512, joinSumFloat64AVX512, nil, sumLeavesFloat64AVX512},
			SumSq: {sumSqFloat64AVX512, joinSumFloat64AVX512, nil, sumSqLeavesFloat64AVX512},
			Norm1: {norm1Float64AVX512, joinSumFloat64AVX512, nil, norm1LeavesFloat64AVX512},
			Min:   {minFloat64AVX512, joinMinFloat64AVX512, minOfFloat64AVX512, nil},
			Max:   {maxFloat64AVX512, joinMaxFloat64AVX512, maxOfFloat64AVX512, nil},
			AMax:  {aMaxFloat64AVX512, joinMaxFloat64AVX512, nil, nil},
		},
	}
	float32s = table[float32]{
		AVX2: {
			Sum:   {sumFloat32AVX2, joinSumFloat32AVX2, nil, sumLeavesFloat32AVX2},
			SumSq: {sumSqFloat32AVX2, joinSumFloat32AVX2, nil, sumSqLeavesFloat32AVX2},
			Norm1: {norm1Float32AVX2, joinSumFloat32AVX2, nil, norm1LeavesFloat32AVX2},
			Min:   {minFloat32AVX2, joinMinFloat32AVX2, minOfFloat32AVX2, nil},
			Max:   {maxFloat32AVX2, joinMaxFloat32AVX2, maxOfFloat32AVX2, nil},
			AMax:  {aMaxFloat32AVX2, joinMaxFloat32AVX2, nil, nil},
		},
		AVX512: {
			Sum:   {sumFloat32AVX512, joinSumFloat32AVX512, nil, sumLeavesFloat32AVX512},
			SumSq: {sumSqFloat32AVX512, joinSumFloat32AVX512, nil, sumSqLeavesFloat32AVX512},
			Norm1: {norm1Float32AVX512, joinSumFloat32AVX512, nil, norm1LeavesFloat32AVX512},
			Min:   {minFloat32AVX512, joinMinFloat32AVX512, minOfFloat32AVX512, nil},
			Max:   {maxFloat32AVX512, joinMaxFloat32AVX512, maxOfFloat32AVX512, nil},
			AMax:  {aMaxFloat32AVX512, joinMaxFloat32AVX512, nil, nil},
		},
	}
	int64s = table[int64]{
		AVX2: {
			Sum: {sumInt64AVX2, joinSumInt64AVX2, nil, nil},
			Min: {minInt64AVX2, joinMinInt64AVX2, minOfInt64AVX2, nil},
			Max: {maxInt64AVX2, joinMaxInt64AVX2, maxOfInt64AVX2, nil},
			And: {andInt64AVX2, joinAndInt64AVX2, nil, nil},
			Or:  {orInt64AVX2, joinOrInt64AVX2, nil, nil},
			Xor: {xorInt64AVX2, joinXorInt64AVX2, nil, nil},
		},
		AVX512: {
			Sum: {sumInt64AVX512, joinSumInt64AVX512, nil, nil},
			Min: {minInt64AVX512, joinMinInt64AVX512, minOfInt64AVX512, nil},
			Max: {maxInt64AVX512, joinMaxInt64AVX512, maxOfInt64AVX512, nil},
			And: {andInt64AVX512, joinAndInt64AVX512, nil, nil},
			Or:  {orInt64AVX512, joinOrInt64AVX512, nil, nil},
			Xor: {xorInt64AVX512, joinXorInt64AVX512, nil, nil},
		},
	}
	int32s = table[int32]{
		AVX2: {
			Sum: {sumInt32AVX2, joinSumInt32AVX2, nil, nil},
			Min: {minInt32AVX2, joinMinInt32AVX2, minOfInt32AVX2, nil},
			Max: {maxInt32AVX2, joinMaxInt32AVX2, maxOfInt32AVX2, nil},
			And: {andInt32AVX2, joinAndInt32AVX2, nil, nil},
			Or:  {orInt32AVX2, joinOrInt32AVX2, nil, nil},
			Xor: {xorInt32AVX2, joinXorInt32AVX2, nil, nil},
		},
		AVX512: {
			Sum: {sumInt32AVX512, joinSumInt32AVX512, nil, nil},
			Min: {minInt32AVX512, joinMinInt32AVX512, minOfInt32AVX512, nil},
			Max: {maxInt32AVX512, joinMaxInt32AVX512, maxOfInt32AVX512, nil},
			And: {andInt32AVX512, joinAndInt32AVX512, nil, nil},
			Or:  {orInt32AVX512, joinOrInt32AVX512, nil, nil},
			Xor: {xorInt32AVX512, joinXorInt32AVX512, nil, nil},
		},
	}
	uint64s = table[uint64]{
		AVX2: {
			Min: {minUint64AVX2, joinMinUint64AVX2, minOfUint64AVX2, nil},
			Max: {maxUint64AVX2, joinMaxUint64AVX2, maxOfUint64AVX2, nil},
		},
		AVX512: {
			Min: {minUint64AVX512, joinMinUint64AVX512, minOfUint64AVX512, nil},
			Max: {maxUint64AVX512, joinMaxUint64AVX512, maxOfUint64AVX512, nil},
		},
	}
	uint32s = table[uint32]{
		AVX2: {
			Min: {minUint32AVX2, joinMinUint32AVX2, minOfUint32AVX2, nil},
			Max: {maxUint32AVX2, joinMaxUint32AVX2, maxOfUint32AVX2, nil},
		},
		AVX512: {
			Min: {minUint32AVX512, joinMinUint32AVX512, minOfUint32AVX512, nil},
			Max: {maxUint32AVX512, joinMaxUint32AVX512, maxOfUint32AVX512, nil},
		},
	}

	firstOnes = [levels]finders{
		AVX2:   {indexInt64AVX2, indexInt32AVX2},
		AVX512: {indexInt64AVX512, indexInt32AVX512},
	}
	lastOnes = [levels]finders{
		AVX2:   {lastIndexInt64AVX2, lastIndexInt32AVX2},
		AVX512: {lastIndexInt64AVX512, lastIndexInt32AVX512},
	}
	muls = [levels]products{
		AVX2:   {mulFloat64AVX2, mulFloat32AVX2},
		AVX512: {mulFloat64AVX512, mulFloat32AVX512},
	}
	bothFloat64 = [levels]both[float64]{
		AVX2:   {minMaxOfFloat64AVX2, momentsFloat64AVX2},
		AVX512: {minMaxOfFloat64AVX512, momentsFloat64AVX512},
	}
	bothFloat32 = [levels]both[float32]{
		AVX2:   {minMaxOfFloat32AVX2, momentsFloat32AVX2},
		AVX512: {minMaxOfFloat32AVX512, momentsFloat32AVX512},
	}
	dotsFloat64 = [levels]dots[float64]{
		AVX2:   {dotFloat64AVX2, dotLeavesFloat64AVX2},
		AVX512: {dotFloat64AVX512, dotLeavesFloat64AVX512},
	}
	dotsFloat32 = [levels]dots[float32]{
		AVX2:   {dotFloat32AVX2, dotLeavesFloat32AVX2},
		AVX512: {dotFloat32AVX512, dotLeavesFloat32AVX512},
	}
)

// Nodes of few leaves would leave wider registers half empty.
var (
	nodesFloat64 = [levels]*nodes[float64]{AVX2: &nodesFloat64AVX2, AVX512: &nodesFloat64AVX2}
	nodesFloat32 = [levels]*nodes[float32]{AVX2: &nodesFloat32AVX2, AVX512: &nodesFloat32AVX2}

	nodesFloat64AVX2 = nodes[float64]{joinLeavesFloat64AVX2, [ops]ofShort[float64]{
		Sum: sumNodesFloat64AVX2, SumSq: sumSqNodesFloat64AVX2, Norm1: norm1NodesFloat64AVX2, SumAndSq: sumAndSqNodesFloat64AVX2,
	}}
	nodesFloat32AVX2 = nodes[float32]{joinLeavesFloat32AVX2, [ops]ofShort[float32]{
		Sum: sumNodesFloat32AVX2, SumSq: sumSqNodesFloat32AVX2, Norm1: norm1NodesFloat32AVX2, SumAndSq: sumAndSqNodesFloat32AVX2,
	}}
)

var cacheBytes = cpuid.CPU.Cache.L3

var (
	scansFloat64 = scans[float64]{exclusiveScanFloat64, inclusiveScanFloat64, sumInStepFloat64, exclusiveInStepFloat64, inclusiveInStepFloat64}
	scansFloat32 = scans[float32]{exclusiveScanFloat32, inclusiveScanFloat32, sumInStepFloat32, exclusiveInStepFloat32, inclusiveInStepFloat32}
	scansInt64   = scans[int64]{exclusiveScanInt64, inclusiveScanInt64, sumInStepInt64, exclusiveInStepInt64, inclusiveInStepInt64}
	scansInt32   = scans[int32]{exclusiveScanInt32, inclusiveScanInt32, sumInStepInt32, exclusiveInStepInt32, inclusiveInStepInt32}
)
