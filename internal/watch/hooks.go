//go:build !race && !noasm && (amd64 || arm64)

package watch

import _ "unsafe" // for linkname

// Possible reports whether accesses can be seen in this build, if its packages are instrumented.
const Possible = true

// What the compiler calls in packages that are built with -gcflags=-race. Fields, elements and
// variables come with an address, arrays and structs with a size.

// The compiler calls them where variables may be alive that hold nothing yet: the race detector
// never looks at the stack of a program. So a stack must not grow in a hook, nor the garbage
// collector run. A hook sees nothing where there is too little room, and racefuncenter, which
// is called where a stack may grow, makes some.

//go:linkname raceread runtime.raceread
//go:norace
//go:nosplit
func raceread(addr uintptr) {
	if On && room() >= hookRoom {
		seen(addr, 1, read, depth)
	}
}

//go:linkname racewrite runtime.racewrite
//go:norace
//go:nosplit
func racewrite(addr uintptr) {
	if On && room() >= hookRoom {
		seen(addr, 1, write, depth)
	}
}

//go:linkname racereadrange runtime.racereadrange
//go:norace
//go:nosplit
func racereadrange(addr, size uintptr) {
	if On && room() >= hookRoom {
		seen(addr, size, read, depth)
	}
}

//go:linkname racewriterange runtime.racewriterange
//go:norace
//go:nosplit
func racewriterange(addr, size uintptr) {
	if On && room() >= hookRoom {
		seen(addr, size, write, depth)
	}
}

//go:linkname racefuncenter runtime.racefuncenter
//go:norace
func racefuncenter(uintptr) {
	if On {
		makeRoom()
	}
}

//go:linkname racefuncexit runtime.racefuncexit
//go:norace
//go:nosplit
func racefuncexit() {}

// room returns how many bytes of the stack are left.
//
//go:noescape
func room() uintptr

// probe says who calls the function that calls the one that calls it, and the callers of that,
// so many in all.
//
//go:noescape
func probe(c *caller, depth int)
