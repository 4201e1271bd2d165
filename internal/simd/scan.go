package simd

import "unsafe"

// scans are the kernels that scan four leaves of values.
type scans[T any] struct {
	exclusive, inclusive func(dst, src []T, leaf int, accs *[4]T)
}

// Streams reports whether Scan is the way to write so many bytes: they are more than the cache
// holds, and there are kernels.
func Streams(bytes int) bool { return level > None && bytes > max(cacheBytes, 1<<25) }

// Scan adds the values of src, which are four leaves of that length, each to an accumulator of
// its own, one by one. It writes to dst what the accumulator is before each, or after each if
// inclusive. The results go past the cache: memory is not read before it is written. Scan
// returns false, and does nothing, if there is no kernel for T.
func Scan[T Number](dst, src []T, leaf int, accs *[4]T, inclusive bool) bool {
	if level == None || leaf == 0 {
		return false
	}
	switch kindOf[T](Sum) {
	case isFloat64:
		return scan(&scansFloat64, dst, src, leaf, accs, inclusive)
	case isFloat32:
		return scan(&scansFloat32, dst, src, leaf, accs, inclusive)
	case isInt64:
		return scan(&scansInt64, dst, src, leaf, accs, inclusive)
	case isInt32:
		return scan(&scansInt32, dst, src, leaf, accs, inclusive)
	}
	return false
}

// scan is Scan with kernels for U, which is what T is made of.
func scan[U, T any](s *scans[U], dst, src []T, leaf int, accs *[4]T, inclusive bool) bool {
	kernel := s.exclusive
	if inclusive {
		kernel = s.inclusive
	}
	kernel(as[U](dst[:4*leaf]), as[U](src[:4*leaf]), leaf, (*[4]U)(unsafe.Pointer(accs)))
	return true
}
