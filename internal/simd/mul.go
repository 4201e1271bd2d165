package simd

import "unsafe"

// products multiply whole rows.
type products struct {
	float64s func(dst, x, y []float64)
	float32s func(dst, x, y []float32)
}

// dots join the products of whole rows into lanes.
type dots struct {
	float64s func(lanes *[Lanes]float64, x, y []float64)
	float32s func(lanes *[Lanes]float32, x, y []float32)
}

// Dot joins x[k]*y[k], rounded, into lanes[k mod len(lanes)] by addition, for each k. x and y
// have the same length, and the number of lanes is a power of two.
func Dot[T ~float32 | ~float64](lanes, x, y []T) {
	y = y[:len(x)]
	n := 0
	if rows := len(x) &^ (Lanes - 1); rows > 0 && len(lanes) == Lanes {
		dot := &dotTables[level]
		switch {
		case unsafe.Sizeof(x[0]) == 8 && dot.float64s != nil:
			n = dotRows(dot.float64s, as[float64](lanes), as[float64](x[:rows]), as[float64](y[:rows]))
		case unsafe.Sizeof(x[0]) == 4 && dot.float32s != nil:
			n = dotRows(dot.float32s, as[float32](lanes), as[float32](x[:rows]), as[float32](y[:rows]))
		}
	}
	mask := len(lanes) - 1
	for k := n; k < len(x); k++ {
		lanes[k&mask] += T(x[k] * y[k])
	}
}

// dotRows calls a kernel of Dot for whole rows, and returns how many values these are.
func dotRows[U any](kernel func(lanes *[Lanes]U, x, y []U), lanes, x, y []U) int {
	l := (*[Lanes]U)(lanes)
	inPieces(len(x), callValues[U](), func(begin, end int) { kernel(l, x[begin:end], y[begin:end]) })
	return len(x)
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
