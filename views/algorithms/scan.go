package algorithms

import (
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// ExclusiveScan sets dst[i] to the reduction of src[0] to src[i-1], and dst[0] to the identity
// of r, or to the initial value with [reducers.WithInitial]:
//
//	err := algorithms.ExclusiveScan(offsets, counts, builtin.Sum(&total))
//
// The result place of r receives the reduction of all the elements.
//
// Order and errors are those of [exec.ParallelScan], as are the bits. dst may be src. It is an
// error if the lengths differ, or if dst has an element of src at another index. If the launch
// is cancelled or r panics, elements that it had not reached keep their content.
//
// Views in the memory of a card are scanned there: numbers and bools by the sum, product, minimum, maximum, and, or,
// exclusive or of package builtin.
func ExclusiveScan[T any](dst, src views.Viewer[T], r reducers.Reducer[T], on ...policy.Launch) error {
	return scan("ExclusiveScan", dst, src, r, on, true)
}

// InclusiveScan sets dst[i] to the reduction of src[0] to src[i]; see [ExclusiveScan].
func InclusiveScan[T any](dst, src views.Viewer[T], r reducers.Reducer[T], on ...policy.Launch) error {
	return scan("InclusiveScan", dst, src, r, on, false)
}

func scan[T any](name string, dst, src views.Viewer[T], r reducers.Reducer[T], on []policy.Launch, exclusive bool) error {
	if _, ok := far[device.MemoryScanner](on, memoryIn(dst), memoryIn(src)); ok {
		return farScan(name, dst, src, r, on, exclusive)
	}
	pool := reduce.PoolOf[scanCall[T]]()
	c := pool.Get().(*scanCall[T])
	c.begin(name, on)
	c.dst.open(&c.call, dst)
	c.src.open(&c.call, src)
	if err := c.launch(r, exclusive); err != nil {
		return err // c is left to the garbage collector, as after a panic
	}
	*c = scanCall[T]{known: true, flat: c.flat, summing: c.summing, f: c.f}
	pool.Put(c)
	return nil
}

// A scanCall is a call of a scan. A later one of the same types uses its memory again.
type scanCall[T any] struct {
	call
	dst, src  vector[T]
	r         reducers.Reducer[T]
	exclusive bool

	sums sums[T] // the policy of a sum

	known   bool // what follows, which depends on the types only
	flat    bool // a copy of a T copies all of it
	summing summing[T]
	f       func(span policy.Span, acc *T, final bool) // scanSpan
}

func (c *scanCall[T]) launch(r reducers.Reducer[T], exclusive bool) error {
	dst, src := &c.dst, &c.src
	equally(&c.call, *dst, *src)
	apartOrSame(&c.call, *dst, *src)
	if c.err != nil {
		return c.err
	}
	c.r, c.exclusive = r, exclusive
	if !c.known {
		c.flat, c.summing, c.f, c.known = reduce.IsFlat[T](), summingOf[T](), c.scanSpan, true
	}
	if c.summing.takes(r) && dst.stride == 1 && src.stride == 1 {
		stream := simd.Streams(src.n*int(unsafe.Sizeof(*new(T)))) && !dst.region().Same(src.region())
		c.sums = sums[T]{c.items(src.n), dst.data, src.data, scanning{!exclusive, stream}, c.summing.loop}
		return exec.ParallelScan(&c.sums, c.f, r)
	}
	return exec.ParallelScan(c.items(src.n), c.f, r)
}

// scanSpan is the functor.
func (c *scanCall[T]) scanSpan(span policy.Span, acc *T, final bool) {
	x := new(T)
	c.pieces(span, func(part policy.Span) {
		for i := range part.All() {
			*x = c.src.at(i) // dst may be src
			if final && c.exclusive {
				c.dst.set(i, copyOf(c.r, acc, c.flat))
			}
			c.r.Join(acc, x)
			if final && !c.exclusive {
				c.dst.set(i, copyOf(c.r, acc, c.flat))
			}
		}
	})
}

// copyOf returns the value of acc, which r will go on joining into.
func copyOf[T any](r reducers.Reducer[T], acc *T, flat bool) T {
	if flat {
		return *acc
	}
	var v T
	r.Init(&v)
	r.Join(&v, acc)
	return v
}

// AdjacentDifference sets dst[0] to src[0] and each other dst[i] to src[i] - src[i-1]. It
// undoes an [InclusiveScan] of sums.
//
// It is an error if the lengths differ or the views have elements in common.
func AdjacentDifference[T builtin.Number](dst, src views.Viewer[T], on ...policy.Launch) error {
	return AdjacentDifferenceFunc(dst, src, func(x, before T) T { return x - before }, on...)
}

// AdjacentDifferenceFunc is [AdjacentDifference] with f(src[i], src[i-1]) as the difference.
func AdjacentDifferenceFunc[T any](dst, src views.Viewer[T], f func(x, before T) T, on ...policy.Launch) error {
	c := newCall("AdjacentDifference", on, f == nil)
	d, s := vectorOf(c, dst), vectorOf(c, src)
	equally(c, d, s)
	apart(c, d, s)
	c.spans(s.n, func(span policy.Span) {
		for i := range span.All() {
			x := s.at(i)
			if i > 0 {
				x = f(x, s.at(i-1))
			}
			d.set(i, x)
		}
	})
	return c.err
}
