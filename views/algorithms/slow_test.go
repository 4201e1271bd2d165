//go:build gokkos_slow

package algorithms_test

import "testing"

// The types that the compiler takes long for.

func TestScanOfEverySum(t *testing.T) {
	all := worlds(t)
	few := []world{all[0], all[5], all[6]}
	checkSums(t, few, func(i int) complex128 { return complex(float64(i), 1) })
	checkSums(t, few, func(i int) int8 { return int8(i) })
	checkSums(t, few, func(i int) int32 { return int32(i) << 20 })
	checkSums(t, few, func(i int) int64 { return int64(i) })
	checkSums(t, few, func(i int) uint64 { return uint64(i) })
}

func TestSortOfEveryType(t *testing.T) {
	all := worlds(t)
	few := []world{all[0], all[5], all[10]}
	checkSort(t, few, func(i int) uint8 { return uint8(i) })
	checkSort(t, few, func(i int) int16 { return int16(i) })
	checkSort(t, few, func(i int) uint16 { return uint16(i) })
	checkSort(t, few, func(i int) int32 { return int32(i) })
	checkSort(t, few, func(i int) uint64 { return uint64(i) << 31 })
	checkSort(t, few, func(i int) uintptr { return uintptr(i) })
}
