// Package randoms has functors that make random numbers, compiled for devices. Their generated files are written by
// gokkosc -ptx ./internal/randoms, called in the module's folder.
//
// An item makes four neighbours, as Philox makes four words at a time. The functors capture slices in the memory of a
// device, which nothing but their texts can touch.
package randoms

import "github.com/gokkos/gokkos/views/random/draw"

// uniform64 makes uniform float64s.
//
//gokkos:kernel
func uniform64(x []float64, k0, k1 uint64, from, width, last float64) func(i int) {
	return func(i int) {
		w0, w1, w2, w3 := draw.Philox(uint64(i), 0, 0, 0, k0, k1)
		for k := 4 * i; k < min(4*i+4, len(x)); k++ {
			x[k] = draw.Uniform(w0, from, width, last)
			w0, w1, w2, w3 = w1, w2, w3, w0
		}
	}
}

// uniform32 makes uniform float32s.
//
//gokkos:kernel
func uniform32(x []float32, k0, k1 uint64, from, width float64, last float32) func(i int) {
	return func(i int) {
		w0, w1, w2, w3 := draw.Philox(uint64(i), 0, 0, 0, k0, k1)
		for k := 4 * i; k < min(4*i+4, len(x)); k++ {
			x[k] = draw.Uniform(w0, from, width, last)
			w0, w1, w2, w3 = w1, w2, w3, w0
		}
	}
}

// normal64 makes float64s of the normal distribution.
//
//gokkos:kernel
func normal64(x []float64, k0, k1 uint64, mean, deviation float64) func(i int) {
	return func(i int) {
		w0, w1, w2, w3 := draw.Philox(uint64(i), 0, 0, 0, k0, k1)
		for k := 4 * i; k < min(4*i+4, len(x)); k++ {
			x[k] = draw.Gauss[float64](w0, mean, deviation)
			w0, w1, w2, w3 = w1, w2, w3, w0
		}
	}
}

// normal32 makes float32s of the normal distribution.
//
//gokkos:kernel
func normal32(x []float32, k0, k1 uint64, mean, deviation float64) func(i int) {
	return func(i int) {
		w0, w1, w2, w3 := draw.Philox(uint64(i), 0, 0, 0, k0, k1)
		for k := 4 * i; k < min(4*i+4, len(x)); k++ {
			x[k] = draw.Gauss[float32](w0, mean, deviation)
			w0, w1, w2, w3 = w1, w2, w3, w0
		}
	}
}

// whole64 makes integers of 64 bits.
//
//gokkos:kernel
func whole64(x []uint64, k0, k1, from, count uint64) func(i int) {
	return func(i int) {
		w0, w1, w2, w3 := draw.Philox(uint64(i), 0, 0, 0, k0, k1)
		for k := 4 * i; k < min(4*i+4, len(x)); k++ {
			x[k] = whole(w0, uint64(k), from, count, k0, k1)
			w0, w1, w2, w3 = w1, w2, w3, w0
		}
	}
}

// whole32 makes integers of 32 bits.
//
//gokkos:kernel
func whole32(x []uint32, k0, k1, from, count uint64) func(i int) {
	return func(i int) {
		w0, w1, w2, w3 := draw.Philox(uint64(i), 0, 0, 0, k0, k1)
		for k := 4 * i; k < min(4*i+4, len(x)); k++ {
			x[k] = uint32(whole(w0, uint64(k), from, count, k0, k1))
			w0, w1, w2, w3 = w1, w2, w3, w0
		}
	}
}

// whole16 makes integers of 16 bits.
//
//gokkos:kernel
func whole16(x []uint16, k0, k1, from, count uint64) func(i int) {
	return func(i int) {
		w0, w1, w2, w3 := draw.Philox(uint64(i), 0, 0, 0, k0, k1)
		for k := 4 * i; k < min(4*i+4, len(x)); k++ {
			x[k] = uint16(whole(w0, uint64(k), from, count, k0, k1))
			w0, w1, w2, w3 = w1, w2, w3, w0
		}
	}
}

// whole8 makes integers of 8 bits.
//
//gokkos:kernel
func whole8(x []uint8, k0, k1, from, count uint64) func(i int) {
	return func(i int) {
		w0, w1, w2, w3 := draw.Philox(uint64(i), 0, 0, 0, k0, k1)
		for k := 4 * i; k < min(4*i+4, len(x)); k++ {
			x[k] = uint8(whole(w0, uint64(k), from, count, k0, k1))
			w0, w1, w2, w3 = w1, w2, w3, w0
		}
	}
}

// whole returns the number of element k, of word k or else of the words of a stream.
func whole(w, k, from, count, k0, k1 uint64) uint64 {
	y, ok := draw.Below(w, count)
	if !ok {
		y = draw.Others(k+1, count, k0, k1)
	}
	return from + y
}
