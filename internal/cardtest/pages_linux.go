package cardtest

import "syscall"

// newPages returns at least that many bytes of whole pages that nobody can touch.
func newPages(bytes int) ([]byte, error) {
	page := syscall.Getpagesize()
	whole := (bytes + page - 1) &^ (page - 1)
	return syscall.Mmap(-1, 0, whole, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func openPages(pages []byte) error {
	return syscall.Mprotect(pages, syscall.PROT_READ|syscall.PROT_WRITE)
}

func closePages(pages []byte) error { return syscall.Mprotect(pages, syscall.PROT_NONE) }

func freePages(pages []byte) error { return syscall.Munmap(pages) }
