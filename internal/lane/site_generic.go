//go:build !(amd64 || arm64) || noasm

package lane

import "runtime"

// Site returns where the function that calls Site was called, as a return address: a number
// that tells call sites apart and from which runtime.CallersFrames finds the line. That
// function must not be inlined (//go:noinline).
//
//go:noinline
func Site() uintptr {
	var pc [1]uintptr
	runtime.Callers(3, pc[:]) // Callers, Site, its caller
	return pc[0]
}

// SiteAbove returns the site of the function that calls the function that calls SiteAbove,
// which must not be inlined either: where Site would be for one that was inlined.
//
//go:noinline
func SiteAbove() uintptr {
	var pc [1]uintptr
	runtime.Callers(4, pc[:]) // Callers, SiteAbove, its caller, that one's
	return pc[0]
}
