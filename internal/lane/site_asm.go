//go:build (amd64 || arm64) && !noasm

package lane

// Site returns where the function that calls Site was called, as a return address: a number that tells call sites apart
// and from which runtime.CallersFrames finds the line. That function must not be inlined (//go:noinline).
//
// Cost: two loads along the chain of frame pointers.
//
//go:noinline
func Site() uintptr { return callersReturn() }

// callersReturn returns the return address in the frame of its caller's caller.
func callersReturn() uintptr
