package kernels

// These kernels have integers of all sizes, and divide them by variables.

// bytewise computes with integers of 8 and 16 bits, which wrap around.
//
//gokkos:kernel
func bytewise(k int8, a []int8, b []uint8, c []int16, d []uint16, f []float32) func(i int) {
	return func(i int) {
		x, y := a[i]*k+3, b[i]
		y += uint8(x) << 1
		z := c[i] - int16(x)*int16(y)
		if z > 0 && y&1 == 0 {
			z = -z / int16(k|1)
		}
		a[i], b[i], c[i] = ^x, y>>2, z>>1
		d[i] = uint16(z)*d[i] + uint16(a[i])
		f[i] = float32(d[i]) + float32(uint8(f[i]))
	}
}

// cell sets at[i] to what is n[i] cells of a row of nx from element i on, by quotients and remainders.
//
//gokkos:kernel
func cell(nx int, n []int, at []int32, m []uint32) func(i int) {
	return func(i int) {
		row, column := i/nx, i%nx
		at[i] = int32(row*column) / int32(n[i])
		m[i] = m[i]/uint32(at[i]|1) + m[i]%uint32(nx)
		n[i] = int(uint(n[i])/uint(nx)) - row%n[i]
	}
}

// histogram counts bytes by their upper bits, in lanes of bytes.
//
//gokkos:kernel
func histogram(b []uint8) func(i int, low *uint8, high *int16) {
	return func(i int, low *uint8, high *int16) {
		if b[i] < 128 {
			*low += b[i]
		} else {
			*high -= int16(b[i])
		}
	}
}
