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

// scaler returns the function alpha·result + beta·old for numbers of type O.
func scaler[O any](alpha, beta float64) (func(result, old O) O, error) {
	switch any(*new(O)).(type) {
	case float16.Float16:
		return as[O](func(r, old float16.Float16) float16.Float16 {
			y := axpby(alpha, float64(r.Float32()), beta, float64(old.Float32()))
			return float16.Fromfloat32(roundToOdd(y))
		}), nil
	case bfloat16.BFloat16:
		return as[O](func(r, old bfloat16.BFloat16) bfloat16.BFloat16 {
			y := axpby(alpha, float64(r.Float32()), beta, float64(old.Float32()))
			return bfloat16.FromFloat32(roundToOdd(y))
		}), nil
	}
	t := reflect.TypeFor[O]()
	switch of := kind.Of(t); {
	case of == kind.Float && t.Size() == 8:
		return as[O](func(r, old float64) float64 { return axpby(alpha, r, beta, old) }), nil
	case of == kind.Float:
		return as[O](func(r, old float32) float32 {
			return float32(axpby(alpha, float64(r), beta, float64(old)))
		}), nil
	case of == kind.Complex && t.Size() == 16:
		return as[O](func(r, old complex128) complex128 { return axpbyComplex(alpha, r, beta, old) }), nil
	case of == kind.Complex:
		return as[O](func(r, old complex64) complex64 {
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
		return as[O](axpbyWrapped[int8](a, b)), nil
	case 2:
		return as[O](axpbyWrapped[int16](a, b)), nil
	case 4:
		return as[O](axpbyWrapped[int32](a, b)), nil
	}
	return as[O](axpbyWrapped[int64](a, b)), nil
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

// as returns f for values of type O, which is made of N.
func as[O, N any](f func(result, old N) N) func(result, old O) O {
	return func(result, old O) O {
		y := f(*(*N)(unsafe.Pointer(&result)), *(*N)(unsafe.Pointer(&old)))
		return *(*O)(unsafe.Pointer(&y))
	}
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
