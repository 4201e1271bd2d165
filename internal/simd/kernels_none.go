//go:build !amd64 || noasm

package simd

const supported = None

var (
	float64s table[float64]
	float32s table[float32]
	int64s   table[int64]
	int32s   table[int32]
	uint64s  table[uint64]
	uint32s  table[uint32]

	firstOnes, lastOnes [levels]finders

	muls        [levels]products
	bothFloat64 [levels]both[float64]
	bothFloat32 [levels]both[float32]
	dotsFloat64 [levels]dots[float64]
	dotsFloat32 [levels]dots[float32]

	nodesFloat64 [levels]*nodes[float64]
	nodesFloat32 [levels]*nodes[float32]
)

const cacheBytes = 0

var (
	scansFloat64 scans[float64]
	scansFloat32 scans[float32]
	scansInt64   scans[int64]
	scansInt32   scans[int32]
)
