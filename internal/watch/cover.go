//go:build !race && !noasm && (amd64 || arm64)

package watch

import "unsafe"

// The counters of go test -cover, between two symbols of the linker. Code counts in them as if it
// were alone, unless -covermode is atomic.

//go:linkname firstCounter runtime.covctrs
var firstCounter byte

//go:linkname endOfCounters runtime.ecovctrs
var endOfCounters byte

// counters are nobody's.
var counters = region{uintptr(unsafe.Pointer(&firstCounter)), uintptr(unsafe.Pointer(&endOfCounters))}

// What a program never writes: strings, and arrays that are constant.

//go:linkname firstConstant runtime.rodata
var firstConstant byte

//go:linkname endOfConstants runtime.erodata
var endOfConstants byte

var constants = region{uintptr(unsafe.Pointer(&firstConstant)), uintptr(unsafe.Pointer(&endOfConstants))}

// What the runtime returns for a key that a map has not: it is nobody's, and is only read.

//go:linkname zeroVal runtime.zeroVal
var zeroVal [1024]byte

var zeros = region{uintptr(unsafe.Pointer(&zeroVal)), uintptr(unsafe.Pointer(&zeroVal)) + unsafe.Sizeof(zeroVal)}
