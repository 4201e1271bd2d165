//go:build !((linux || darwin) && (amd64 || arm64))

package kokkos

import (
	"errors"
	"fmt"
	"runtime"
)

type file uintptr

func dlopen(string) (file, error) {
	return 0, fmt.Errorf("libraries are loaded on linux and darwin, amd64 and arm64, not on %s/%s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}

func (file) find(string, any) bool { return false }
