package tensor

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/x448/float16"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/views/tensor/bfloat16"
)

// A scale makes a number alpha·result + beta·old, where old is the number at another address.
type scale = func(result, old unsafe.Pointer)

// scaler returns the scale of numbers of a type.
func scaler(t reflect.Type, alpha, beta float64) (scale, error) {
	switch t {
	case reflect.TypeFor[float16.Float16]():
		return func(result, old unsafe.Pointer) {
			r := (*float16.Float16)(result)
			y := axpby(alpha, float64(r.Float32()), beta, float64((*float16.Float16)(old).Float32()))
			*r = float16.Fromfloat32(roundToOdd(y))
		}, nil
	case reflect.TypeFor[bfloat16.BFloat16]():
		return func(result, old unsafe.Pointer) {
			r := (*bfloat16.BFloat16)(result)
			y := axpby(alpha, float64(r.Float32()), beta, float64((*bfloat16.BFloat16)(old).Float32()))
			*r = bfloat16.FromFloat32(roundToOdd(y))
		}, nil
	}
	switch of := kind.Of(t); {
	case of == kind.Float && t.Size() == 8:
		return scaleOf(func(r, old float64) float64 { return axpby(alpha, r, beta, old) }), nil
	case of == kind.Float:
		return scaleOf(func(r, old float32) float32 {
			return float32(axpby(alpha, float64(r), beta, float64(old)))
		}), nil
	case of == kind.Complex && t.Size() == 16:
		return scaleOf(func(r, old complex128) complex128 { return axpbyComplex(alpha, r, beta, old) }), nil
	case of == kind.Complex:
		return scaleOf(func(r, old complex64) complex64 {
			return complex64(axpbyComplex(alpha, complex128(r), beta, complex128(old)))
		}), nil
	case of == kind.None:
		return nil, fmt.Errorf("elements of type %v cannot be scaled, expected numbers", t)
	}
	for _, x := range []float64{alpha, beta} {
		if x != math.Trunc(x) || math.Abs(x) >= 1<<63 {
			return nil, fmt.Errorf("integers of type %v scaled by alpha %v and beta %v, expected integers", t, alpha, beta)
		}
	}
	a, b := int64(alpha), int64(beta)
	switch t.Size() { // a wrapped product has the same bits, signed or not
	case 1:
		return scaleOf(axpbyWrapped[int8](a, b)), nil
	case 2:
		return scaleOf(axpbyWrapped[int16](a, b)), nil
	case 4:
		return scaleOf(axpbyWrapped[int32](a, b)), nil
	}
	return scaleOf(axpbyWrapped[int64](a, b)), nil
}

// scaleOf returns f as a scale of values that are made of N.
func scaleOf[N any](f func(result, old N) N) scale {
	return func(result, old unsafe.Pointer) { *(*N)(result) = f(*(*N)(result), *(*N)(old)) }
}

// axpby returns ax + by. The products are rounded, as a fused operation is not the same on
// all processors.
func axpby(a, x, b, y float64) float64 {
	if b == 0 {
		return a * x
	}
	return float64(a*x) + float64(b*y)
}

func axpbyComplex(a float64, x complex128, b float64, y complex128) complex128 {
	return complex(axpby(a, real(x), b, real(y)), axpby(a, imag(x), b, imag(y)))
}

func axpbyWrapped[N builtin.Integer](a, b int64) func(r, old N) N {
	return func(r, old N) N { return N(a)*r + N(b)*old }
}

// roundToOdd returns x as a float32 from which it is rounded to a shorter format as if at
// once: of the two next to x the one whose last bit is set.
//
// Source: Boldo, Melquiond, When double rounding is odd, IMACS 2005.
func roundToOdd(x float64) float32 {
	y := float32(x)
	b := math.Float32bits(y)
	if float64(y) == x || x != x || b&1 == 1 {
		return y
	}
	if math.Abs(float64(y)) > math.Abs(x) {
		return math.Float32frombits(b - 1)
	}
	return math.Float32frombits(b + 1)
}
