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
