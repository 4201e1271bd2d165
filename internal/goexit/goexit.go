// Package goexit tells how a function ended that did not return.
package goexit

import (
	"runtime"
	"strings"
)

// Runs reports whether runtime.Goexit runs the deferred function that calls it. A panic does otherwise: the function
// that deferred it must not have returned. In both cases recover may return nil, as GODEBUG=panicnil=1 lets functions
// panic with nil.
//
// Cost: some hundred ns, so it is for functions for which recover has returned nil.
func Runs() bool {
	pcs := make([]uintptr, 32)
	n := runtime.Callers(2, pcs)
	frames := runtime.CallersFrames(pcs[:n])
	for more := n > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if name, ours := strings.CutPrefix(f.Function, "runtime."); ours && name != "deferreturn" {
			return name == "Goexit"
		}
	}
	return false
}
