// Package hugepage asks the system for large pages under large slices: fewer of them
// are in use at a time than the processor can remember, and the prefetchers do not stop
// at their ends.
//
// On Linux this is madvise(MADV_HUGEPAGE), which matters where
// /sys/kernel/mm/transparent_hugepage/enabled says madvise, as it does on most systems.
// Elsewhere nothing happens, nor if the environment has GOKKOS_HUGEPAGES=0. No other value but 1, the default, is
// one: standard error is told, since nobody is there to return an error to.
package hugepage

import (
	"fmt"
	"os"
	"unsafe"
)

// unwanted says that the environment asks for none.
var unwanted = fromEnvironment(os.Getenv("GOKKOS_HUGEPAGES"), func(text string) { fmt.Fprint(os.Stderr, text) })

func fromEnvironment(value string, complain func(text string)) (unwanted bool) {
	if value != "" && value != "0" && value != "1" {
		complain(fmt.Sprintf("gokkos: GOKKOS_HUGEPAGES=%q, expected 0, 1 or nothing; huge pages are used\n", value))
	}
	return value == "0"
}

// Least is the size in bytes from which slices are worth a call.
const Least = 16 << 20

// Advise asks for huge pages under x, which should be fresh: memory that has been
// written to keeps its pages. It returns under how many bytes of x there may be huge
// pages, which is 0 if x is smaller than [Least] or the system has none. The values of x
// stay as they are, and memory around x is left alone.
//
// The pages stay huge when x is collected and the memory is used for other values.
func Advise[T any](x []T) (bytes int) {
	var zero T
	size := len(x) * int(unsafe.Sizeof(zero))
	if size < Least {
		return 0
	}
	page := pageSize()
	if page == 0 {
		return 0
	}
	memory := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), size)
	whole := wholePages(memory, page)
	if len(whole) == 0 || advise(whole) != nil {
		return 0
	}
	return len(whole)
}

// wholePages returns the part of memory that is made of whole pages.
func wholePages(memory []byte, page int) []byte {
	at := int(uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & uintptr(page-1))
	skip := (page - at) & (page - 1)
	if skip > len(memory) {
		return nil
	}
	memory = memory[skip:]
	return memory[:len(memory)&^(page-1)]
}
