package stale

func axpy() int { return 2 }

//gokkos:kernel
func kept(x []float64) func(i int) { return func(i int) { x[i] = 1 } }

// Triple triples x.
//
//gokkos:kernel
func triple(x []float64) func(i int) { // want `the compiled kernels of package .*stale are of an older source: triple is new; go generate .*stale makes them anew`
	return func(i int) { x[i] *= 3 }
}

func unmarked(x []float64) func(i int) { // want `unmarked is no kernel any more; go generate`
	return func(i int) { x[i] = 0 }
}

//gokkos:kernel
func general[T any](x []T, y T) func(i int) { return func(i int) { x[i] = y } }
