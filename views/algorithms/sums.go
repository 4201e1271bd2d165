package algorithms

import (
	"reflect"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// sums is the policy of a scan by [builtin.Sum] over slices. It runs several leaves at once,
// which takes half the time: each addition waits for the one before it in its leaf.
type sums[T any] struct {
	policy.SpansPolicy
	dst, src  []T
	inclusive bool
	scan      leavesScan[T]
}

// A leavesScan adds the elements of src, which are leaves of that length, each to its own
// accumulator, one by one. With dst it writes there what an accumulator is before each, or
// after each if inclusive. dst may be src.
type leavesScan[T any] func(dst, src []T, leaf int, accs []T, inclusive bool)

// ScanLeaves scans leaves for [exec.ParallelScan].
func (s sums[T]) ScanLeaves(begin, end, leaf int, accs []T, final bool) {
	var dst []T
	if final {
		dst = s.dst[begin:end]
	}
	s.scan(dst, s.src[begin:end], leaf, accs, s.inclusive)
}

// summing returns the loop that does what the joins of r do, if r is [builtin.Sum] of a basic
// type, and else nil.
func summing[T any](r reducers.Reducer[T]) (f leavesScan[T]) {
	for {
		m, ok := r.(reducers.Modified[T])
		if !ok {
			break
		}
		r = m.Reducer
	}
	switch f := any(&f).(type) {
	case *leavesScan[float64]:
		setSum(f, r)
	case *leavesScan[float32]:
		setSum(f, r)
	case *leavesScan[int]:
		setSum(f, r)
	case *leavesScan[int32]:
		setSum(f, r)
	case *leavesScan[int64]:
		setSum(f, r)
	case *leavesScan[uint32]:
		setSum(f, r)
	case *leavesScan[uint64]:
		setSum(f, r)
	}
	return f
}

func setSum[T builtin.Number](f *leavesScan[T], r any) {
	if reflect.TypeOf(r) == reflect.TypeOf(builtin.Sum[T](nil)) {
		*f = sumLeaves[T]
	}
}

func sumLeaves[T builtin.Number](dst, src []T, leaf int, accs []T, inclusive bool) {
	for len(accs) >= 4 && len(src) >= 4*leaf {
		sumFour(dst, src, leaf, (*[4]T)(accs), inclusive)
		accs, src = accs[4:], src[4*leaf:]
		if dst != nil {
			dst = dst[4*leaf:]
		}
	}
	for k := range accs {
		n := min(leaf, len(src))
		sumOne(dst, src[:n], &accs[k], inclusive)
		if src = src[n:]; dst != nil {
			dst = dst[n:]
		}
	}
}

func sumOne[T builtin.Number](dst, src []T, at *T, inclusive bool) {
	acc := *at
	switch {
	case dst == nil:
		for _, x := range src {
			acc += x
		}
	case inclusive:
		dst = dst[:len(src)]
		for i, x := range src {
			acc += x
			dst[i] = acc
		}
	default:
		dst = dst[:len(src)]
		for i, x := range src {
			dst[i] = acc
			acc += x
		}
	}
	*at = acc
}

// sumFour is sumOne for four leaves.
func sumFour[T builtin.Number](dst, src []T, leaf int, accs *[4]T, inclusive bool) {
	a, b, c, d := accs[0], accs[1], accs[2], accs[3]
	x0, x1, x2, x3 := quarters(src, leaf)
	switch {
	case dst == nil:
		for i, x := range x0 {
			a += x
			b += x1[i]
			c += x2[i]
			d += x3[i]
		}
	case inclusive:
		z0, z1, z2, z3 := quarters(dst, leaf)
		for i, x := range x0 {
			a += x
			b += x1[i]
			c += x2[i]
			d += x3[i]
			z0[i], z1[i], z2[i], z3[i] = a, b, c, d
		}
	default:
		z0, z1, z2, z3 := quarters(dst, leaf)
		for i, x := range x0 {
			y, z, w := x1[i], x2[i], x3[i] // dst may be src
			z0[i], z1[i], z2[i], z3[i] = a, b, c, d
			a += x
			b += y
			c += z
			d += w
		}
	}
	*accs = [4]T{a, b, c, d}
}

// quarters returns the first four leaves of x.
func quarters[T any](x []T, leaf int) (a, b, c, d []T) {
	return x[:leaf], x[leaf:][:leaf], x[2*leaf:][:leaf], x[3*leaf:][:leaf]
}
