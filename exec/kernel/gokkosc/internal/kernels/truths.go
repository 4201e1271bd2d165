package kernels

// flags has slices of bools, of which it loads and stores some in branches, and anywhere.
//
//gokkos:kernel
func flags(on bool, at []int, x []float64, y, z []bool) func(i int) {
	return func(i int) {
		v := y[i] != (x[i] > 1)
		switch {
		case x[i] < 0:
			v = y[at[i]] || on
		case x[i] < 1:
			v = v && y[0] && y[3*i/2]
		}
		z[i] = v
	}
}

// narrow is flags of numbers of which a vector has eight.
//
//gokkos:kernel
func narrow(x []float32, n []int32, y, z []bool) func(i int) {
	return func(i int) {
		if y[i] && n[i] != 0 {
			z[2*i] = x[i] >= 0
		}
		z[2*i+1] = y[i]
	}
}

// sign is whether the number of negative numbers is odd.
//
//gokkos:kernel
func sign(x []float32) func(i int, odd *bool) {
	return func(i int, odd *bool) { *odd = *odd != (x[i] < 0) }
}

// ordered is whether each number is at most the next one.
//
//gokkos:kernel
func ordered(x []float64) func(i int, all *bool) {
	return func(i int, all *bool) { *all = *all && x[i] <= x[i+1] }
}
