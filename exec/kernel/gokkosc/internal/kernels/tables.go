package kernels

// Arrays of constants are part of the kernels that index them.
var (
	mixing  = [3][2][2]float32{{{.5, -2}, {3, 0x1p-140}}, {1: {7, -1}}, {{1e30, 1.5}, {-.25, 4}}}
	primes  = [...]uint16{2, 3, 5, 7, 11, 13, 65521}
	turning = [8]int8{1, -1, 2, -2, 127, -128, 6: 5}
	masked  = [...]uint64{1 << 63, 5: 0xdeadbeef12345678, 3: 7}
	wanted  = [4]bool{1: true, 3: true}
	reach   = [...]int32{-1, 0, 1}
	crc4    = [...]uint8{0, 3, 6, 5, 12, 15, 10, 9, 11, 8, 13, 14, 7, 4, 1, 2}
)

// tabled looks numbers up. Indices that are too large panic.
//
//gokkos:kernel
func tabled(at []int32, x []float32, h []uint64) func(i int) {
	return func(i int) {
		k := at[i]
		row := mixing[uint32(k)%3]
		s := row[k&1][k>>1&1]
		for n, p := range primes {
			if int32(p)&k != 0 {
				s += float32(n)
			}
		}
		if wanted[k>>8&3] {
			s = -s
		}
		row[1][0] = 2
		s += row[1][k&1]
		x[i] = s + float32(turning[k&7])
		h[i] ^= masked[uint8(k)&7%6]
	}
}

// checksum is the CRC-4 of the parts of a number. No index is asked about, as what comes from four bits is below 16.
//
//gokkos:kernel
func checksum(x []uint32, y []uint8) func(i int) {
	return func(i int) {
		sum := uint8(0)
		for rest := x[i]; rest != 0; rest >>= 4 {
			sum = crc4[sum&15^uint8(rest&15)]
		}
		y[i] = sum
	}
}

// together sums neighbours with weights that a table has, and looks up what may not be there.
//
//gokkos:kernel
func together(place []int, x []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) {
		s := 0.0
		for n := range reach {
			if k := i + int(reach[n]); k >= 0 && k < len(x) {
				s += x[k]
			}
		}
		*acc += float64(s * float64(primes[place[i]]))
	}
}

// lifted shifts by numbers that are known; by one of them, which is negative, where an item is: that panics.
//
//gokkos:kernel
func lifted(x []int) func(i int) {
	return func(i int) {
		s := x[i]
		for n := range reach {
			if n > 0 || s < 0 {
				s <<= reach[n]
			}
		}
		x[i] = s
	}
}
