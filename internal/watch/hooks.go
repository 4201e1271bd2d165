//go:build !race && !noasm && (amd64 || arm64)

package watch

import _ "unsafe" // for linkname

// Possible reports whether accesses can be seen in this build, if its packages are instrumented.
const Possible = true

// What the compiler calls in packages that are built with -gcflags=-race. Fields, elements and
// variables come with an address, arrays and structs with a size.

//go:linkname raceread runtime.raceread
//go:norace
//go:noinline
func raceread(addr uintptr) {
	if On {
		var c caller
		probe(&c, depth)
		access(&c, addr, 1, read)
	}
}

//go:linkname racewrite runtime.racewrite
//go:norace
//go:noinline
func racewrite(addr uintptr) {
	if On {
		var c caller
		probe(&c, depth)
		access(&c, addr, 1, write)
	}
}

//go:linkname racereadrange runtime.racereadrange
//go:norace
//go:noinline
func racereadrange(addr, size uintptr) {
	if On {
		var c caller
		probe(&c, depth)
		access(&c, addr, size, read)
	}
}

//go:linkname racewriterange runtime.racewriterange
//go:norace
//go:noinline
func racewriterange(addr, size uintptr) {
	if On {
		var c caller
		probe(&c, depth)
		access(&c, addr, size, write)
	}
}

//go:linkname racefuncenter runtime.racefuncenter
//go:norace
//go:nosplit
func racefuncenter(uintptr) {}

//go:linkname racefuncexit runtime.racefuncexit
//go:norace
//go:nosplit
func racefuncexit() {}

// probe says who calls the function that calls it, and the callers of that, so many in all.
//
//go:noescape
func probe(c *caller, depth int)
