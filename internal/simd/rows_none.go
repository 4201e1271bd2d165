//go:build !amd64 || noasm

package simd

var (
	float64Rows [levels]rowTable[float64]
	float32Rows [levels]rowTable[float32]
	int64Rows   [levels]rowTable[int64]
	int32Rows   [levels]rowTable[int32]
)
