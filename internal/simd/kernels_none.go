//go:build !amd64 || noasm

package simd

const supported = None

var (
	float64s [levels]table[float64]
	float32s [levels]table[float32]
	int64s   [levels]table[int64]
	int32s   [levels]table[int32]
)
