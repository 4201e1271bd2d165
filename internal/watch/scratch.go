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

// Gathered says that elements of that size are read at a meeting of members, for all of them, in a
// call that returns to pc. The meeting is not over.
//
//go:norace
func Gathered(pc, addr, bytes, size uintptr) {
	if !launched || run.on || size == 0 {
		return
	}
	step()
	serial++
	site := siteOfCall(pc)
	for end := addr + bytes; addr < end; addr += size {
		n := scratchAt(addr)
		if n < 0 {
			return
		}
		p := pageOf(addr)
		if p.at(addr).write.point() < run.first && scratch[n].isAsItWas(addr, min(size, p.mask+1)) {
			readUnwritten(addr, site, read)
		}
	}
}

// unwritten are reads of the running team, of scratch memory that nobody had written. One that
// races with a later write is told of as that race alone: in another order there is nothing else.
var unwritten []unwrittenRead

type unwrittenRead struct {
	addr   uintptr
	site   uint32
	kind   kind
	number uint32 // of the point
	at     point
	serial uint64
	raced  bool
}

// maxUnwritten is how many reads of a team can be taken back.
const maxUnwritten = 1 << 16

//go:norace
func readUnwritten(addr uintptr, site uint32, k kind) {
	if len(unwritten) == maxUnwritten {
		settleUnwritten()
	}
	unwritten = append(unwritten, unwrittenRead{addr, site, k, run.now, run.here, serial, false})
}

// racedWith says that the running thread writes what these have read, if nothing orders the two.
//
//go:norace
func racedWith(addr uintptr, k kind) {
	for n := range unwritten {
		if r := &unwritten[n]; r.addr == addr && !r.raced && k&r.kind&atomically == 0 && r.number != run.now {
			r.raced = !ordered(r.number, false)
		}
	}
}

//go:norace
func settleUnwritten() {
	here, last := run.here, serial
	for n := range unwritten {
		if r := &unwritten[n]; !r.raced {
			run.here, serial = r.at, r.serial
			find(Uninitialised, r.addr, r.site, r.kind)
		}
	}
	unwritten = unwritten[:0]
	run.here, serial = here, last
}
