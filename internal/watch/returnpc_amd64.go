//go:build !race && !noasm

package watch

import "unsafe"

// returnPC returns the return address of a function, given the place of its only argument, which
// is behind that.
//
//go:norace
//go:nosplit
func returnPC(arg *uintptr) uintptr { return *(*uintptr)(unsafe.Add(unsafe.Pointer(arg), -8)) }
