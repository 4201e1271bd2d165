package watch

import "unsafe"

// scratchMemory is that of one level. Each team finds the same number in all its words.
type scratchMemory struct {
	region
	first unsafe.Pointer
	level int
	fill  uint64
}

var scratch []scratchMemory

// Scratch says where the scratch memory of a level is, and what its words are before a team has
// written them.
//
//go:norace
func Scratch(level int, p unsafe.Pointer, bytes uintptr, fill uint64) {
	r := region{uintptr(p), uintptr(p) + bytes}
	mark(r)
	scratch = append(scratch, scratchMemory{r, p, level, fill})
}

// scratchAt returns which memory of scratch an address is in, or -1.
//
//go:norace
func scratchAt(addr uintptr) int {
	for n := range scratch {
		if scratch[n].has(addr) {
			return n
		}
	}
	return -1
}

// isAsItWas reports whether bytes of a word have their first content. If not, they were written
// by what no hook sees, such as copy.
//
//go:norace
func (s *scratchMemory) isAsItWas(addr, bytes uintptr) bool {
	for end := min(addr+bytes, s.end); addr < end; addr++ {
		if *(*byte)(unsafe.Add(s.first, addr-s.begin)) != byte(s.fill>>(8*(addr&7))) {
			return false
		}
	}
	return true
}
