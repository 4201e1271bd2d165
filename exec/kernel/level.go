package kernel

import (
	"fmt"
	"sync/atomic"

	"github.com/klauspost/cpuid/v2"

	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/simd"
)

// A Level is what runs the items of a kernel.
type Level int

// The levels, each of which falls back to the one before it where a kernel has no loop of its own.
const (
	Closure Level = iota // the functor, called for each item
	Go                   // a loop in Go
	AVX2                 // a loop in vector instructions: AVX2 and FMA
	AVX512               // the same of AVX-512: F, DQ, BW and VL
	levels
)

func (l Level) String() string {
	if l < 0 || l >= levels {
		return fmt.Sprintf("Level(%d)", int(l))
	}
	return [...]string{"closure", "go", "avx2", "avx512"}[l]
}

// targets are the loops that a level may use, by their names in device.AttachCode, the best first.
var targets = [levels][]string{Go: {"go"}, AVX2: {"avx2", "go"}, AVX512: {"avx512", "avx2", "go"}}

// limit is the highest level to be used.
var limit = levels - 1

// Limit makes launches use no level above l until undo is called, folds and scans of memory too, and returns the
// level that kernels use: lower than l where the processor or the build has none so high. It is for tests, and to find
// out what a level gains: nothing may be launched at the same time.
func Limit(l Level) (use Level, undo func()) {
	before := limit
	limit = max(l, Closure)
	folds := simd.None
	switch {
	case l >= AVX512:
		folds = simd.AVX512
	case l == AVX2:
		folds = simd.AVX2
	}
	_, undoFolds := simd.Limit(folds)
	return inUse(), func() { limit = before; undoFolds() }
}

// fma and bytes say that the processor has instructions that few with AVX2 have not, and those of AVX-512 that folds do
// not ask for.
var (
	fma   = cpuid.CPU.Supports(cpuid.FMA3)
	bytes = cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512BW, cpuid.AVX512VL)
)

// inUse returns the level that launches use. Vector instructions are used where folds use them.
func inUse() Level {
	switch {
	case !possible:
		return Closure
	case simd.InUse() < simd.AVX2 || !fma:
		return min(limit, Go)
	case simd.InUse() < simd.AVX512 || !bytes:
		return min(limit, AVX2)
	}
	return min(limit, AVX512)
}

// Of returns the loop that runs the items of a functor, such as a [For] or a [Reduce], or nil if
// the functor does.
func Of(functor any) any {
	if !some.Load() {
		return nil
	}
	return find(functor)
}

// some says that there is a loop at all. Launches of programs without one look at no more than that.
var some atomic.Bool

func find(functor any) any { return device.Functor{Func: functor}.Code(targets[inUse()]...) }
