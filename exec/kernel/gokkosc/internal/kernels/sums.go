package kernels

// magnitude is Σ |x|, of numbers of which a vector has eight.
//
//gokkos:kernel
func magnitude(x []float32) func(i int, acc *float32) {
	return func(i int, acc *float32) {
		v := x[i]
		if v < 0 {
			v = -v
		}
		*acc += v
	}
}

// series is Σ of a polynomial, so long that it is unrolled for leaves of many items only.
//
//gokkos:kernel
func series(a [8]float64, x []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) {
		v := x[i]
		s := float64(v*a[7]) + a[6]
		s = float64(s*v) + a[5]
		s = float64(s*v) + a[4]
		s = float64(s*v) + a[3]
		s = float64(s*v) + a[2]
		s = float64(s*v) + a[1]
		s = float64(s*v) + a[0]
		*acc += s
	}
}

// attracted is Σ of a map that is iterated ten times: a loop in the functor, which takes the same time for all items.
//
//gokkos:kernel
func attracted(x []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) {
		v := x[i]
		for range 10 {
			v = float64(.5 * (float64(v*v) - v + .25))
		}
		*acc += v
	}
}

// steps is Σ i·x[i], whose factor is of the item and not from memory.
//
//gokkos:kernel
func steps(x []int) func(i int, acc *int) {
	return func(i int, acc *int) { *acc += i * x[i] }
}

// gains is the sum of those of x that are greater than 0.
//
//gokkos:kernel
func gains(x []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) {
		if v := x[i]; v > 0 {
			*acc += v
		}
	}
}

// shortened is the sum of x in numbers of 32 bits.
//
//gokkos:kernel
func shortened(x []float64) func(i int, acc *float32) {
	return func(i int, acc *float32) { *acc += float32(x[i]) }
}

// peak is the greatest of x.
//
//gokkos:kernel
func peak(x []float32) func(i int, acc *float32) {
	return func(i int, acc *float32) { *acc = max(*acc, x[i]) }
}

// bottom is the least of x, among which are numbers that have no sign and are large.
//
//gokkos:kernel
func bottom(x []uint64) func(i int, acc *uint64) {
	return func(i int, acc *uint64) { *acc = min(*acc, x[i]) }
}

// flips has the bits that are set in an odd number of x.
//
//gokkos:kernel
func flips(x []int32) func(i int, acc *int32) {
	return func(i int, acc *int32) { *acc ^= x[i] }
}

// shared has the bits that are set in all of x that are not 0.
//
//gokkos:kernel
func shared(x []uint64) func(i int, acc *uint64) {
	return func(i int, acc *uint64) {
		if x[i] != 0 {
			*acc &= x[i]
		}
	}
}

// deficit is less the sum of x.
//
//gokkos:kernel
func deficit(x []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) { *acc -= x[i] }
}
