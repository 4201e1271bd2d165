package simd_test

import (
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/simd"
)

// fenced returns n values that end where no memory can be read, and n that begin
// where none can be read before.
func fenced[T any](t *testing.T, n int) (last, first []T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(memory)) })
	inner := memory[page : 2*page]
	require.NoError(t, syscall.Mprotect(inner, syscall.PROT_READ|syscall.PROT_WRITE))
	x := unsafe.Slice((*T)(unsafe.Pointer(&inner[0])), page/int(unsafe.Sizeof(*new(T))))
	return x[len(x)-n:], x[:n]
}

func checkFenced[T number](t *testing.T, operations []operation[T]) {
	last, first := fenced[T](t, simd.Lanes)
	for n := range 101 {
		atEnd, atBegin := fenced[T](t, n)
		for _, o := range operations {
			check(t, o, last, atEnd, true)
			check(t, o, first, atBegin, true)
		}
		none := T(7)
		for _, x := range [][]T{atEnd, atBegin} {
			simd.Reduce(simd.Min, x)
			simd.Reduce(simd.Max, x)
			require.Equal(t, -1, simd.Index(x, none))
			require.Equal(t, -1, simd.LastIndex(x, none))
		}
	}
}

func TestFoldReadsNoFurther(t *testing.T) {
	at(t, func(t *testing.T, l simd.Level) {
		if l == simd.None {
			return
		}
		checkFenced(t, floats[float64]())
		checkFenced(t, floats[float32]())
		for n := range 101 {
			last, first := fenced[float64](t, n)
			simd.Mul(first, last, first)
			simd.Mul(last, first, last)
			simd.Dot(make([]float64, simd.Lanes), first, last)
			simd.MinMax(first)
			simd.MinMax(last)
			for leaf := 1; leaf <= n; leaf *= 2 {
				nodesOf(last, leaf)
				nodesOf(first, leaf)
				n := n / leaf * leaf
				simd.DotLeaves(make([]float64, n/leaf), first[:n], last[len(last)-n:], leaf, max(leaf/8, 1))
				simd.Leaves(simd.Sum, make([]float64, n/leaf), last[len(last)-n:], leaf, max(leaf/8, 1))
			}
		}
		for n := 1; n <= 128; n++ {
			last, first := fenced[float32](t, n)
			for leaf := 1; leaf <= 64; leaf *= 2 {
				nodesOf(last, leaf)
				nodesOf(first, leaf)
			}
		}
		short, _ := fenced[float32](t, 160)
		simd.Leaves(simd.Sum, make([]float32, 5), short, 32, 4)
		last, first := fenced[float64](t, 256)
		simd.Moments(make([]float64, 1), make([]float64, 1), first, 256, simd.Lanes)
		simd.Moments(make([]float64, 1), make([]float64, 1), last, 256, simd.Lanes)
		checkFenced(t, integers[int64]())
		checkFenced(t, integers[int32]())
	})
}

// nodesOf takes the sums of x as one node, and as two if there are values for these.
func nodesOf[T float32 | float64](x []T, leaf int) {
	scratch := make([]T, simd.NodesScratch+leaf)
	for rows := 1; rows <= min(2, len(x)); rows++ {
		items := len(x) / rows
		for _, op := range []simd.Op{simd.Sum, simd.SumSq, simd.Norm1, simd.SumAndSq} {
			simd.Nodes(op, make([]T, 2*rows)[:resultsOf(op)*rows], x[len(x)-rows*items:], items, items, leaf, max(min(leaf/8, simd.Lanes), 1), scratch)
		}
	}
}

func checkFencedRows[T number](t *testing.T, operations []operation[T]) {
	for n := range 101 {
		lastDst, firstDst := fenced[T](t, n)
		lastX, firstX := fenced[T](t, n)
		for _, o := range operations {
			checkRows(t, o, lastDst, lastX, 0, 1)
			checkRows(t, o, firstDst, firstX, 0, 1)
			if half := n / 2; half > 0 { // the second row ends with the memory
				checkRows(t, o, lastDst[:half], lastX[n-2*half:], half, 2)
			}
		}
	}
}

func TestRowsReadNoFurther(t *testing.T) {
	at(t, func(t *testing.T, _ simd.Level) {
		checkFencedRows(t, floats[float64]())
		checkFencedRows(t, floats[float32]())
		checkFencedRows(t, integers[int64]())
		checkFencedRows(t, integers[int32]())
	})
}

func TestScanReadsNoFurther(t *testing.T) {
	at(t, func(t *testing.T, l simd.Level) {
		checkFencedScan[float64](t, l)
		checkFencedScan[float32](t, l)
		checkFencedScan[int64](t, l)
		checkFencedScan[int32](t, l)
	})
}

func checkFencedScan[T number](t *testing.T, l simd.Level) {
	line := perLine[T]()
	for leaf := line; leaf <= 10*line; leaf += line {
		for n := line; n <= leaf; n += line {
			dstLast, dstFirst := fenced[T](t, 3*leaf+n)
			srcLast, srcFirst := fenced[T](t, 3*leaf+n)
			checkScan(t, dstLast, srcFirst, leaf, n, taken[T](l, n))
			checkScan(t, dstFirst, srcLast, leaf, n, taken[T](l, n))
			checkScan(t, dstLast, srcLast, leaf, n, taken[T](l, n))
		}
	}
	for leaf := line; leaf <= 5*line; leaf += 3 {
		for n := line; n <= leaf; n += line {
			dstLast, dstFirst := fenced[T](t, 3*leaf+n)
			srcLast, srcFirst := fenced[T](t, 7*leaf+n)
			checkInStep(t, dstLast, srcFirst, leaf, n, taken[T](l, n))
			checkInStep(t, dstFirst, srcLast, leaf, n, taken[T](l, n))
			checkInStep(t, dstLast, srcLast[4*leaf:], leaf, n, taken[T](l, n))
		}
	}
}
