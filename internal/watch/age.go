//go:build !race && !noasm && (amd64 || arm64)

package watch

import (
	"errors"
	"runtime"
	"sync"
	"unsafe"
)

// A functor may have variables of its own on the heap. They are younger than the last collection of
// garbage, which marks what is older: that is looked up where the runtime keeps it.

// span is how the runtime's mspan begins.
type span struct {
	_         [6]uintptr
	_         [3]uint16
	_         uint64
	allocBits *byte // a bit of each object, set for those that the last collection has found
}

//go:linkname findObject runtime.findObject
//go:noescape
func findObject(p, refBase, refOff uintptr) (base uintptr, s *span, index uintptr)

// isOld reports whether what is at an address is no stack, and is older than the launch.
//
//go:norace
func isOld(addr uintptr) bool {
	base, s, index := findObject(addr, 0, 0)
	if base == 0 {
		return s == nil // a variable of a package
	}
	return *(*byte)(unsafe.Add(unsafe.Pointer(s.allocBits), index/8))>>(index%8)&1 != 0
}

var errAge = errors.New("this release of Go does not tell which variables are older than a launch")

var aged [2][]byte

var canTellAge = sync.OnceValue(tellsAge)

// tellsAge reports whether isOld is right about variables whose age is known.
//
//go:norace
func tellsAge() bool {
	for _, bytes := range []int{24, 1000, 1 << 17} {
		aged[0] = make([]byte, bytes)
		runtime.GC()
		aged[1] = make([]byte, bytes)
		old, young := uintptr(unsafe.Pointer(&aged[0][0])), uintptr(unsafe.Pointer(&aged[1][0]))
		if !isOld(old) || !isOld(old+uintptr(bytes)-1) || isOld(young) {
			return false
		}
	}
	aged = [2][]byte{}
	return true
}
