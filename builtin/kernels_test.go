package builtin_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/simd"
)

// TestKernels compares every fold that has kernels with itself without them.
func TestKernels(t *testing.T) {
	checkKernels(t, ofReals[float64]())
	checkKernels(t, ofReals[float32]())
	checkKernels(t, ofReals[int64]())
	checkKernels(t, ofReals[int32]())
	checkKernels(t, ofReals[uint64]())
	checkKernels(t, ofReals[uint32]())
	checkKernels(t, ofReals[uint8]())
	checkKernels(t, ofBits[int64]())
	checkKernels(t, ofBits[uint32]())
	checkKernels(t, ofBits[int16]())
	checkKernels(t, []named[float64]{{"Norm2", builtin.Norm2[float64]}})
	checkKernels(t, []named[complex64]{{"Sum", builtin.Sum[complex64]}, {"SumSq", builtin.SumSq[complex64]}})
}

type named[T any] struct {
	name string
	make func(*T) builtin.Reduction[T, T]
}

func ofReals[T builtin.Real]() []named[T] {
	return []named[T]{
		{"Sum", builtin.Sum[T]}, {"SumSq", builtin.SumSq[T]}, {"Norm1", builtin.Norm1[T]},
		{"Min", builtin.Min[T]}, {"Max", builtin.Max[T]}, {"AMax", builtin.AMax[T]},
	}
}

func ofBits[T builtin.Integer]() []named[T] {
	return []named[T]{{"BAnd", builtin.BAnd[T]}, {"BOr", builtin.BOr[T]}, {"BXor", builtin.BXor[T]}}
}

func checkKernels[T builtin.Number](t *testing.T, folds []named[T]) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, f := range folds {
		for n := 1; n <= 300; n++ {
			x := make([]T, n)
			for k := range x {
				x[k] = anyOf[T](rng.IntN(1000))
			}
			for _, lanes := range []int{1, 4, 8, 16, 32} {
				want := folded(f, simd.None, lanes, x)
				for _, l := range []simd.Level{simd.AVX2, simd.AVX512} {
					got := folded(f, l, lanes, x)
					if got != want && (got == got || want == want) {
						t.Fatalf("%s of %d values in %d lanes, %T: %v, expected %v", f.name, n, lanes, got, got, want)
					}
				}
			}
		}
	}
}

// anyOf returns a value for the number k: some are large, and many equal.
func anyOf[T builtin.Number](k int) T {
	v := T(0)
	for range k % 50 {
		v = v*3 + 1
	}
	if k%2 == 0 {
		v = -v
	}
	return v
}

// folded folds x in pieces, as a launch does with a leaf.
func folded[T any](f named[T], l simd.Level, lanes int, x []T) T {
	_, undo := simd.Limit(l)
	defer undo()
	var result T
	fold := f.make(&result).Fold()
	c := fold.Column()
	c.Open(1, 1, lanes)
	fold.Start(0, len(x))
	for first := 0; first < len(x); first += 96 {
		fold.Add(0, first, x[first:min(first+96, len(x))])
	}
	c.End(0, 0, len(x))
	c.Finish(0)
	c.Store(0)
	return result
}

// Zeros and NaN as Go's min and max have them, whatever the kernel.
func TestKernelsKeepZerosAndNaN(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
		for at := range 70 {
			fold := func(reducer func(*float64) builtin.Reduction[float64, float64], odd, rest float64) float64 {
				x := make64(70, rest)
				x[at] = odd
				return folded(named[float64]{make: reducer}, l, 32, x)
			}
			assert.True(t, math.Signbit(fold(builtin.Min[float64], minus, 0)), "%v at %d", l, at)
			assert.False(t, math.Signbit(fold(builtin.Max[float64], 0, minus)), "%v at %d", l, at)
			assert.False(t, math.Signbit(fold(builtin.AMax[float64], 0, minus)), "%v at %d", l, at)
			for _, r := range ofReals[float64]() {
				assert.True(t, math.IsNaN(fold(r.make, math.NaN(), 1)), "%s, %v at %d", r.name, l, at)
				assert.True(t, math.IsNaN(fold(r.make, -math.NaN(), 1)), "%s, %v at %d", r.name, l, at)
			}
		}
	}
}

func make64(n int, v float64) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = v
	}
	return x
}

func TestFoldsWithKernelsDoNotAllocate(t *testing.T) {
	x, result := make64(1000, 1), 0.0
	for _, r := range ofReals[float64]() {
		fold := r.make(&result).Fold()
		fold.Column().Open(1, 1, 32)
		fold.Start(0, len(x))
		assert.Zero(t, testing.AllocsPerRun(100, func() { fold.Add(0, 0, x) }), r.name)
	}
}
