package hugepage

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// pageSize returns the size in bytes of a huge page, a power of two, or 0 if there are
// none or they are not wanted.
var pageSize = sync.OnceValue(func() int {
	if unwanted {
		return 0
	}
	text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")
	if err != nil {
		return 0
	}
	return parseSize(string(text))
})

// parseSize returns the power of two that text says, or 0.
func parseSize(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < syscall.Getpagesize() || n&(n-1) != 0 {
		return 0
	}
	return n
}

const huge = 14 // MADV_HUGEPAGE

func advise(memory []byte) error { return syscall.Madvise(memory, huge) }
