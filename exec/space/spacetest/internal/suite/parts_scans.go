package suite

import (
	"fmt"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// scansMemory checks scans of values in the memory of a space.
func scansMemory(t *report, s exec.Space) {
	if _, ok := s.(device.MemoryScanner); !ok {
		return
	}
	for _, n := range []int{0, 1, 2, 31, 33, 1000, 4100} {
		for _, chunk := range []int{0, 1, 6} {
			for kind := range 8 {
				c := arrayScan{n: n, chunk: chunk, stride: 1 + kind&1*2, inclusive: kind&2 != 0, same: kind&4 != 0}
				scanArray(t, s, c, func(k int) float64 { return 1 / float64(k%97+1) })
				scanArray(t, s, c, func(k int) int32 { return int32(noise(k)) })
			}
		}
	}
}

// An arrayScan is a scan of n values that are stride apart, to others or to their own places.
type arrayScan struct {
	n, chunk, stride int
	inclusive, same  bool
}

// summing is the sum, as spaces know it.
type summing[T float64 | int32] struct{ reducers.Reducer[T] }

func (summing[T]) Operation() concept.Operation { return concept.Operation{Join: concept.OpSum} }

// arrayPolicy are the leaves of a scan of values in memory.
type arrayPolicy struct {
	policy.SpansPolicy
	values device.Scan
}

// ScanValues tells exec.ParallelScan which values.
func (p arrayPolicy) ScanValues() device.Scan { return p.values }

func scanArray[T float64 | int32](t *report, s exec.Space, c arrayScan, of func(k int) T) {
	what := fmt.Sprintf("%+v of %T", c, *new(T))
	src, dst := make([]T, max(c.n*c.stride, 1)), make([]T, max(c.n*c.stride, 1))
	for k := range src {
		src[k], dst[k] = of(k), of(k+1)
	}
	m := device.MemoryOf(s)
	there, to := stored(t, m, bytesOf(src)), stored(t, m, bytesOf(dst))
	if c.same {
		release(t, m, to)
		to, dst = there, src
	}
	sum := func(total *T) reducers.Reducer[T] {
		*total = of(5)
		return reducers.WithInitial[T](summing[T]{reducers.New(total, func(dst, src *T) { *dst += *src })})
	}
	p := policy.Spans(0, c.n).Chunk(c.chunk)
	var want, got T
	err := exec.ParallelScan(p.On(exec.Serial{}), func(at policy.Span, acc *T, final bool) {
		for i := range at.All() {
			before := *acc
			*acc += src[i*c.stride]
			switch {
			case !final:
			case c.inclusive:
				dst[i*c.stride] = *acc
			default:
				dst[i*c.stride] = before
			}
		}
	}, sum(&want))
	if err != nil {
		t.fatalf("%s: on Serial: %v", what, err)
	}
	values := func(address unsafe.Pointer) []T { return unsafe.Slice((*T)(address), c.n*c.stride) }
	x := device.Scan{Dst: values(to), Src: values(there), DstStride: c.stride, SrcStride: c.stride, Memory: m, Inclusive: c.inclusive}
	if err := exec.ParallelScan(arrayPolicy{p.On(s), x}, func(policy.Span, *T, bool) {}, sum(&got)); err != nil {
		t.fatalf("%s: %v", what, err)
	}
	if got != want {
		t.fatalf("%s: the total is %v, but %v on Serial", what, got, want)
	}
	compare(t, what, fetched(t, m, to, len(bytesOf(dst))), bytesOf(dst))
	if !c.same {
		compare(t, what+": what was scanned", fetched(t, m, there, len(bytesOf(src))), bytesOf(src))
		release(t, m, there)
	}
	release(t, m, to)
}

// bytesOf returns the bytes of a slice.
func bytesOf[T any](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}
