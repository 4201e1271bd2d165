//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package npy

import (
	"os"
	"syscall"
)

// mapFile maps the first bytes of a file to read-only memory.
func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmap(memory []byte) error { return os.NewSyscallError("munmap", syscall.Munmap(memory)) }
