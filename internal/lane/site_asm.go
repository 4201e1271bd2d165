//go:build (amd64 || arm64) && !noasm

package lane

// Site returns where the function that calls Site was called, as a return address: a number
// that tells call sites apart and from which runtime.CallersFrames finds the line. That
// function must not be inlined (//go:noinline).
//
// Cost: two loads along the chain of frame pointers.
//
//go:noinline
func Site() uintptr { return callersReturn() }

// callersReturn returns the return address in the frame of its caller's caller.
func callersReturn() uintptr

// SiteAbove returns the site of the function that calls the function that calls SiteAbove,
// which must not be inlined either: where Site would be for one that was inlined.
//
//go:noinline
func SiteAbove() uintptr { return callersCallerReturn() }

// callersCallerReturn returns the return address in the frame of its caller's caller's caller.
func callersCallerReturn() uintptr
