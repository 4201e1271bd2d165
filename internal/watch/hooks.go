//go:build !race && !noasm && (amd64 || arm64)

package watch

import "unsafe"

// Possible reports whether accesses can be seen in this build, if its packages are instrumented.
const Possible = true

// What the compiler calls in packages that are built with -gcflags=-race. Fields, elements and
// variables come with an address, arrays and structs with a size.

// The compiler calls them where variables may be alive that hold nothing yet: the race detector
// never looks at the stack of a program. So a stack must not grow in a hook, nor the garbage
// collector run. A hook sees nothing where there is too little room, and racefuncenter makes some
// if it can.

// An argument has its place in the frame of the caller: where that is says which stack runs.

//go:linkname raceread runtime.raceread
//go:norace
//go:nosplit
func raceread(addr uintptr) {
	if !On {
		return
	}
	if uintptr(unsafe.Pointer(&addr))-run.low < run.room {
		sawRead(addr, returnPC(&addr))
	} else {
		outside(addr, 1, read)
	}
}

//go:linkname racewrite runtime.racewrite
//go:norace
//go:nosplit
func racewrite(addr uintptr) {
	if !On {
		return
	}
	if uintptr(unsafe.Pointer(&addr))-run.low < run.room {
		sawWrite(addr, returnPC(&addr))
	} else {
		outside(addr, 1, write)
	}
}

//go:linkname racereadrange runtime.racereadrange
//go:norace
//go:nosplit
func racereadrange(addr, size uintptr) {
	if !On {
		return
	}
	if uintptr(unsafe.Pointer(&addr))-run.low < run.room {
		sawRange(addr, size, read)
	} else {
		outside(addr, size, read)
	}
}

//go:linkname racewriterange runtime.racewriterange
//go:norace
//go:nosplit
func racewriterange(addr, size uintptr) {
	if !On {
		return
	}
	if uintptr(unsafe.Pointer(&addr))-run.low < run.room {
		sawRange(addr, size, write)
	} else {
		outside(addr, size, write)
	}
}

//go:linkname racefuncenter runtime.racefuncenter
//go:norace
//go:nosplit
func racefuncenter(pc uintptr) {
	if On && uintptr(unsafe.Pointer(&pc))-run.deep >= run.ample {
		makeRoomIn(returnPC(&pc))
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

// probe says who calls, so many callers in all: first the one whose call is that many frames
// above the function that asks.
//
//go:noescape
func probe(c *caller, frames, depth int)

// pin keeps the garbage collector from looking at this stack until unpin.
//
//go:linkname pin runtime.procPin
//go:noescape
func pin() int

//go:linkname unpin runtime.procUnpin
//go:noescape
func unpin()

// findFunc returns what the runtime knows of the function at pc.
//
//go:linkname findFunc runtime.findfunc
//go:noescape
func findFunc(pc uintptr) funcInfo
