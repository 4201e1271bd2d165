//go:build !(linux && (amd64 || arm64))

package driver

import (
	"errors"
	"fmt"
	"runtime"
)

func open(string) (handle uintptr, err error) {
	return 0, fmt.Errorf("cuda: on %s/%s: devices are for Linux on amd64 and arm64: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}

func symbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }

//go:uintptrescapes
func call(f uintptr, args ...uintptr) (code int32) { return 999 }
