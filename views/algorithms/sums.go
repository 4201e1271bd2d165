package algorithms

import (
	"reflect"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// sums is the policy of a scan by [builtin.Sum] over slices. It runs several leaves at once,
// which takes half the time: each addition waits for the one before it in its leaf.
type sums[T any] struct {
	policy.SpansPolicy
	dst, src []T
	how      scanning
	scan     leavesScan[T]
}

// scanning says what a scan writes, and how.
type scanning struct {
	inclusive bool
	stream    bool // past the cache
}

// A leavesScan adds the elements of src, which are leaves of that length, each to its own
// accumulator, one by one. With dst it writes there what an accumulator is before each, or
// after each if inclusive. dst may be src.
type leavesScan[T any] func(dst, src []T, leaf int, accs []T, how scanning)

// ScanLeaves scans leaves for [exec.ParallelScan].
func (s *sums[T]) ScanLeaves(begin, end, leaf int, accs []T, final bool) {
	var dst []T
	if final {
		dst = s.dst[begin:end]
	}
	s.scan(dst, s.src[begin:end], leaf, accs, s.how)
}

// A summing is what does the joins of [builtin.Sum] of a basic type.
type summing[T any] struct {
	of   reflect.Type // of the reducer
	loop leavesScan[T]
}

// summingOf returns that of a type, which has none unless it is a basic one.
func summingOf[T any]() (s summing[T]) {
	for _, of := range summings {
		if s, ok := of.(*summing[T]); ok {
			return *s
		}
	}
	return s
}

// summings are those of all types, which are compiled here and nowhere else.
var summings = [...]any{
	sumOf[float64](), sumOf[float32](), sumOf[int](), sumOf[int64](), sumOf[int32](), sumOf[uint64](), sumOf[uint32](),
}

func sumOf[T builtin.Number]() *summing[T] {
	return &summing[T]{reflect.TypeOf(builtin.Sum[T](nil)), sumLeaves[T]}
}

// takes reports whether the loop does what the joins of r do.
func (s *summing[T]) takes(r reducers.Reducer[T]) bool {
	for m, ok := r.(reducers.Modified[T]); ok; m, ok = r.(reducers.Modified[T]) {
		r = m.Reducer
	}
	return s.loop != nil && reflect.TypeOf(r) == s.of
}

// sumLeaves is a leavesScan.
func sumLeaves[T builtin.Number](dst, src []T, leaf int, accs []T, how scanning) {
	whole := min(len(accs), len(src)/leaf)
	done := whole &^ 3
	if done > 0 {
		var last [4]T
		copy(last[:], accs[whole-4:])
		sumTogether(part(dst, 0, done*leaf), src[:done*leaf], leaf, accs[:done], how)
		if done < whole && (dst == nil || &dst[0] != &src[0]) { // four leaves take no longer than one: some are run again
			begin, end := (whole-4)*leaf, whole*leaf
			copy(accs[whole-4:], last[:])
			sumTogether(part(dst, begin, end), src[begin:end], leaf, accs[whole-4:whole], how)
			done = whole
		}
	}
	for k := done; k < len(accs); k++ {
		begin, end := k*leaf, min((k+1)*leaf, len(src))
		sumOne(part(dst, begin, end), src[begin:end], &accs[k], how.inclusive)
	}
}

// part returns the values begin to end of x, or nil if it is nil.
func part[T any](x []T, begin, end int) []T {
	if x == nil {
		return nil
	}
	return x[begin:end]
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

// sumTogether is sumOne for a multiple of four leaves.
func sumTogether[T builtin.Number](dst, src []T, leaf int, accs []T, how scanning) {
	at := 0
	if dst == nil || !how.stream {
		at = simd.InStep(dst, src, leaf, leaf, accs, how.inclusive)
	}
	if at == leaf {
		return
	}
	for ; len(accs) > 0; accs, src = accs[4:], src[4*leaf:] {
		sumFour(dst, src, leaf, at, (*[4]T)(accs), how)
		if dst != nil {
			dst = dst[4*leaf:]
		}
	}
}

// sumFour is sumOne for four leaves, of the values from number at on.
func sumFour[T builtin.Number](dst, src []T, leaf, at int, accs *[4]T, how scanning) {
	if dst == nil {
		sumInStep(quarters(src[at:], leaf, leaf-at), accs)
		return
	}
	if how.stream {
		at = min(simd.ToLine(dst), leaf)
		scanInStep(quarters(dst, leaf, at), quarters(src, leaf, at), accs, how.inclusive)
		at += simd.Scan(dst[at:], src[at:], leaf, leaf-at, accs, how.inclusive)
	}
	scanInStep(quarters(dst[at:], leaf, leaf-at), quarters(src[at:], leaf, leaf-at), accs, how.inclusive)
}

// quarters returns the first n values of each of four leaves.
func quarters[T any](x []T, leaf, n int) [4][]T {
	return [4][]T{x[:n], x[leaf:][:n], x[2*leaf:][:n], x[3*leaf:][:n]}
}

// sumInStep adds the values of each slice, all of one length, to an accumulator.
func sumInStep[T builtin.Number](x [4][]T, accs *[4]T) {
	n := len(x[0])
	x0, x1, x2, x3 := x[0], x[1][:n], x[2][:n], x[3][:n]
	a, b, c, d := accs[0], accs[1], accs[2], accs[3]
	for i := range x0 {
		a += x0[i]
		b += x1[i]
		c += x2[i]
		d += x3[i]
	}
	*accs = [4]T{a, b, c, d}
}

// scanInStep is sumInStep that writes what the accumulators are before each value, or after
// each if inclusive. z may be x.
func scanInStep[T builtin.Number](z, x [4][]T, accs *[4]T, inclusive bool) {
	n := len(x[0])
	x0, x1, x2, x3 := x[0], x[1][:n], x[2][:n], x[3][:n]
	z0, z1, z2, z3 := z[0][:n], z[1][:n], z[2][:n], z[3][:n]
	a, b, c, d := accs[0], accs[1], accs[2], accs[3]
	if inclusive {
		for i := range x0 {
			a += x0[i]
			b += x1[i]
			c += x2[i]
			d += x3[i]
			z0[i], z1[i], z2[i], z3[i] = a, b, c, d
		}
	} else {
		for i := range x0 {
			s, t, u, v := x0[i], x1[i], x2[i], x3[i] // z may be x
			z0[i], z1[i], z2[i], z3[i] = a, b, c, d
			a += s
			b += t
			c += u
			d += v
		}
	}
	*accs = [4]T{a, b, c, d}
}
