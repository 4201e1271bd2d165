//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package npy

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmap([]byte) error { return errors.ErrUnsupported }
