//go:build !race && !noasm

package watch

// returnPC returns the return address of the function that calls it.
//
//go:noescape
func returnPC(*uintptr) uintptr
