package tensor

import "github.com/gokkos/gokkos/builtin"

// Abs returns |x|, for [FoldMap]: an arg-amax is the builtin.MaxLoc of it.
func Abs[T builtin.Float](x T) T { return max(x, -x) }

// Float64s sets dst[k] to float64(src[k]), for [MapSlice]: sums of float32 are rounded less then. A card knows it.
func Float64s(dst []float64, src []float32) {
	for k, x := range src {
		dst[k] = float64(x)
	}
}

// Average returns sum/n, for [IntoMap]: of builtin.Sum it makes the mean, of builtin.SumSq
// the mean of squares. It is NaN if n is 0.
func Average[A builtin.Float](sum A, n int) A { return sum / A(n) }

// Value returns the value of a location, for [IntoMap].
func Value[T builtin.Real](at builtin.ValLoc[T, int], _ int) T { return at.Val }

// Index returns the index of a location, for [IntoMap]: the number of the element among
// those of its result, in the order of the reduced dimensions, the last one fastest. It is
// -1 if no element was found, because there are none or because all were ignored.
func Index[T builtin.Real](at builtin.ValLoc[T, int], _ int) int {
	if !at.Found() {
		return -1
	}
	return at.Loc
}
