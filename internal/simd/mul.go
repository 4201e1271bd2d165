package simd

import "unsafe"

// products multiply whole rows.
type products struct {
	float64s func(dst, x, y []float64)
	float32s func(dst, x, y []float32)
}

// mulRows calls a kernel of Mul for whole rows, and returns how many values these are.
func mulRows[U any](kernel func(dst, x, y []U), dst, x, y []U) int {
	inPieces(len(x), callValues[U](), func(begin, end int) { kernel(dst[begin:end], x[begin:end], y[begin:end]) })
	return len(x)
}

// Mul sets dst[k] to x[k]*y[k], rounded, for each k. The three have the same length.
func Mul[T ~float32 | ~float64](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	n := 0
	if rows := len(dst) &^ (Lanes - 1); rows > 0 {
		mul := &muls[level]
		switch {
		case unsafe.Sizeof(dst[0]) == 8 && mul.float64s != nil:
			n = mulRows(mul.float64s, as[float64](dst[:rows]), as[float64](x[:rows]), as[float64](y[:rows]))
		case unsafe.Sizeof(dst[0]) == 4 && mul.float32s != nil:
			n = mulRows(mul.float32s, as[float32](dst[:rows]), as[float32](x[:rows]), as[float32](y[:rows]))
		}
	}
	for k := n; k < len(dst); k++ {
		dst[k] = x[k] * y[k]
	}
}
