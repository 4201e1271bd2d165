package simd

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/kind"
)

// line is the size of a cache line in bytes.
const line = 64

// scans are the kernels that scan four leaves of values, past the cache, and a multiple of four in step.
type scans[T any] struct {
	exclusive, inclusive             func(dst, src []T, leaf, lines int, accs *[4]T)
	sumInStep                        func(src []T, leaf, lines int, accs []T)
	exclusiveInStep, inclusiveInStep func(dst, src []T, leaf, lines int, accs []T)
}

// Streams reports whether Scan is the way to write so many bytes: they are more than the cache
// holds, and there are kernels. It wants AVX-512: on an older processor (Zen 3) lines that went
// past the cache one after another took three times as long as a plain loop.
func Streams(bytes int) bool { return level == AVX512 && bytes > max(cacheBytes, 1<<25) }

// ToLine returns how many values of x come before the first that begins a cache line.
func ToLine[T kind.Number](x []T) int {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	return int(-at%line) / int(unsafe.Sizeof(*new(T)))
}

// Scan adds the first n values of each of four leaves of src to an accumulator of its own, one
// by one. It writes to dst what the accumulator is before each, or after each if inclusive.
// The results go past the cache, a whole line at a time: memory is not read before it is
// written. Scan returns how many values of each leaf it took: those of whole lines, and none
// if there is no kernel for T or if a leaf of dst does not begin a line.
func Scan[T kind.Number](dst, src []T, leaf, n int, accs *[4]T, inclusive bool) int {
	size := int(unsafe.Sizeof(*new(T)))
	n = n * size / line * line / size
	if level == None || n == 0 || leaf*size%line != 0 || ToLine(dst) != 0 {
		return 0
	}
	end := 3*leaf + n
	return scanAll(elementOf[T](Sum), first(dst[:end]), first(src[:end]), leaf, n, unsafe.Pointer(accs), inclusive)
}

func scanAll(e element, dst, src unsafe.Pointer, leaf, n int, accs unsafe.Pointer, inclusive bool) int {
	switch e {
	case isFloat64:
		return scan(&scansFloat64, dst, src, leaf, n, accs, inclusive)
	case isFloat32:
		return scan(&scansFloat32, dst, src, leaf, n, accs, inclusive)
	case isInt64:
		return scan(&scansInt64, dst, src, leaf, n, accs, inclusive)
	case isInt32:
		return scan(&scansInt32, dst, src, leaf, n, accs, inclusive)
	}
	return 0
}

// scan is Scan with kernels for U, which the values are made of.
func scan[U any](s *scans[U], dst, src unsafe.Pointer, leaf, n int, accs unsafe.Pointer, inclusive bool) int {
	kernel := s.exclusive
	if inclusive {
		kernel = s.inclusive
	}
	end := 3*leaf + n
	to, from := unsafe.Slice((*U)(dst), end), unsafe.Slice((*U)(src), end)
	inPieces(n, callValues[U]()/4, func(begin, end int) { // of each of the four
		last := 3*leaf + end
		kernel(to[begin:last], from[begin:last], leaf, (end-begin)*int(unsafe.Sizeof(*new(U)))/line, (*[4]U)(accs))
	})
	return n
}

// InStep adds the first n values of each of the leaves of src, of which there are a multiple of four, to an
// accumulator of its own, one by one. Unless dst is nil, it writes there what the accumulator is before each, or after
// each if inclusive; dst may be src. InStep returns how many values of each it took: as many as fill cache lines, and
// none if there is no kernel for T.
func InStep[T kind.Number](dst, src []T, leaf, n int, accs []T, inclusive bool) int {
	size := int(unsafe.Sizeof(*new(T)))
	n = n * size / line * line / size
	if level == None || n == 0 {
		return 0
	}
	if dst != nil {
		dst = dst[:len(src)]
	}
	return inStepAll(elementOf[T](Sum), operands{first(dst), first(src), first(accs), len(src), len(accs)}, leaf, n, inclusive)
}

// operands are where the values of InStep are, and how many: of dst, if it is not nil, as many as of src.
type operands struct {
	dst, src, accs unsafe.Pointer
	values, leaves int
}

func inStepAll(e element, x operands, leaf, n int, inclusive bool) int {
	switch e {
	case isFloat64:
		return inStep(&scansFloat64, x, leaf, n, inclusive)
	case isFloat32:
		return inStep(&scansFloat32, x, leaf, n, inclusive)
	case isInt64:
		return inStep(&scansInt64, x, leaf, n, inclusive)
	case isInt32:
		return inStep(&scansInt32, x, leaf, n, inclusive)
	}
	return 0
}

// inStep is InStep with kernels for U, which the values are made of.
func inStep[U any](s *scans[U], x operands, leaf, n int, inclusive bool) int {
	from, to, a := unsafe.Slice((*U)(x.src), x.values), []U(nil), unsafe.Slice((*U)(x.accs), x.leaves)
	if x.dst != nil {
		to = unsafe.Slice((*U)(x.dst), x.values)
	}
	const most = callBytes / 8 / 8 // values of each of eight leaves in a call, of any type: whole lines
	for len(a) > 0 {
		group := min(len(a), max(8*most/n&^7, 8))
		for begin := 0; begin < n; begin += most {
			end := min(begin+most, n)
			last := (group-1)*leaf + end
			if to == nil {
				s.run(nil, from[begin:last], leaf, end-begin, a[:group], inclusive)
			} else {
				s.run(to[begin:last], from[begin:last], leaf, end-begin, a[:group], inclusive)
			}
		}
		if a = a[group:]; len(a) == 0 {
			break // the last leaf may be shorter
		}
		if from = from[group*leaf:]; to != nil {
			to = to[group*leaf:]
		}
	}
	return n
}

// run is a call of a kernel. It is a place where the goroutine stops if it is asked to, see inPieces.
//
//go:noinline
func (s *scans[U]) run(dst, src []U, leaf, n int, accs []U, inclusive bool) {
	lines := n * int(unsafe.Sizeof(*new(U))) / line
	switch {
	case dst == nil:
		s.sumInStep(src, leaf, lines, accs)
	case inclusive:
		s.inclusiveInStep(dst, src, leaf, lines, accs)
	default:
		s.exclusiveInStep(dst, src, leaf, lines, accs)
	}
}
