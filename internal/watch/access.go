package watch

// kind is what an access does.
type kind uint8

const (
	read kind = 1 << iota
	write
	atomically
)

// maxBytes is how much of one access of a large struct or array is looked at.
const maxBytes = 1 << 16

// seen looks at an access of the function that called the caller, with so many callers of that.
// It reports whether it was one of the functor's.
//
//go:norace
//go:noinline
func seen(addr, bytes uintptr, k kind, depth int) bool {
	var c caller
	probe(&c, depth)
	return access(&c, addr, bytes, k)
}

// access looks at an access to memory. It reports whether it was one of the functor's.
//
//go:norace
func access(c *caller, addr, bytes uintptr, k kind) bool {
	if !run.on || c.g != run.g {
		return false // another goroutine, or our own code
	}
	onStack := c.stack.has(addr)
	if onStack && c.stack.end-addr >= run.shared {
		return false
	}
	for n := range run.own {
		if run.own[n].has(addr) {
			return false
		}
	}
	s := siteOf(&c.pcs)
	if sites[s].ours && k&atomically == 0 {
		return false
	}
	if k&atomically == 0 { // those of package atomics tell of themselves in any build
		accesses++
	}
	for end := addr + min(bytes, maxBytes); addr < end; addr += 1 << wordBits {
		touch(addr, s, k, onStack)
	}
	return true
}

// touch looks at an access to what begins at an address.
//
//go:norace
func touch(addr uintptr, site uint32, k kind, onStack bool) {
	p := pageOf(addr)
	c := p.at(addr)
	since := began
	if p.special {
		since = special(c, addr, site, k)
	}
	if run.readOnly && k&write != 0 {
		find(WriteInSums, addr, site, k)
	}
	atomic := k&atomically != 0
	if w := c.write; w.point() >= since && w.point() != run.now && !(atomic && w.atomic()) && !ordered(w.point(), onStack) {
		race(addr, site, k, w, write)
	}
	e := newEvent(run.now, site, atomic)
	if k&write == 0 {
		c.note(e, since, onStack)
		return
	}
	for _, r := range c.reads {
		if r.point() >= since && r.point() != run.now && !(atomic && r.atomic()) && !ordered(r.point(), onStack) {
			race(addr, site, k, r, read)
		}
	}
	c.write = e
}

// note keeps a read: the last one, and of the others one that nothing orders before it.
//
//go:norace
func (c *cell) note(e event, since uint32, onStack bool) {
	last := c.reads[0].point()
	switch {
	case last == run.now:
		return
	case last < since:
		c.reads[1] = 0
	case run.items || !ordered(last, onStack):
		c.reads[1] = c.reads[0]
	case c.reads[1].point() >= since && ordered(c.reads[1].point(), onStack):
		c.reads[1] = 0
	}
	c.reads[0] = e
}

// special looks at an access to scratch memory or a result of the launch. It returns the first
// point that matters for its memory.
//
//go:norace
func special(c *cell, addr uintptr, site uint32, k kind) uint32 {
	for n := range results {
		if results[n].has(addr) {
			find(OwnResult, addr, site, k)
		}
	}
	for n := range scratch {
		if scratch[n].has(addr) {
			if k&read != 0 && c.write.point() < run.first {
				find(Uninitialised, addr, site, k)
			}
			return run.first
		}
	}
	return began
}
