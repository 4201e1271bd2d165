//go:build linux && (amd64 || arm64)

package driver

import "github.com/ebitengine/purego"

func open(path string) (handle uintptr, err error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func symbol(handle uintptr, name string) (uintptr, error) { return purego.Dlsym(handle, name) }

// call calls a function that returns a CUresult. Addresses in args are converted in the call itself: what they
// lead to is then on the heap, where it does not move, and kept until the call returns.
//
//go:uintptrescapes
func call(f uintptr, args ...uintptr) (code int32) {
	r, _, _ := purego.SyscallN(f, args...)
	return int32(r)
}
