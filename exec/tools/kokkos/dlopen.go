//go:build (linux || darwin) && (amd64 || arm64)

package kokkos

import "github.com/ebitengine/purego"

// A file is a library, by the loader's number. It is never unloaded, as it may have started threads.
type file uintptr

func dlopen(path string) (file, error) {
	f, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	return file(f), err
}

// find sets a pointer to a function to the one of that name, if there is one.
func (f file) find(name string, function any) bool {
	at, err := purego.Dlsym(uintptr(f), name)
	if err != nil {
		return false
	}
	purego.RegisterFunc(function, at)
	return true
}
