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

// sawRead looks at a read of the running thread, by code that returns to pc. What is frequent is
// decided here: a plain access to memory that has no role in the launch, and that no other thread
// has written in it.
//
//go:norace
func sawRead(addr, pc uintptr) {
	s := &recentSites[pc>>1&(recentSlots-1)]
	if owns(addr) || s.pc == pc && s.role == ours {
		return
	}
	if s.pc != pc || s.role != direct {
		saw(addr, 1, read)
		return
	}
	q := recentPages[addr>>pageBits&(recentSlots-1)]
	if q.number != addr>>pageBits || q.special || addr&q.mask != 0 {
		saw(addr, 1, read)
		return
	}
	c := &q.cells[addr&(pageSize-1)>>q.shift]
	w, last := c.write.point(), c.reads[0].point()
	if w >= run.since && w != run.now || !run.items && last >= run.since && last != run.now {
		saw(addr, 1, read)
		return
	}
	accesses++
	if last == run.now {
		return
	}
	if c.reads[1] = c.reads[0]; last < run.since {
		c.reads[1] = 0
	}
	c.reads[0] = newEvent(run.now, s.site, false)
}

// sawWrite is sawRead of a write.
//
//go:norace
func sawWrite(addr, pc uintptr) {
	s := &recentSites[pc>>1&(recentSlots-1)]
	if owns(addr) || s.pc == pc && s.role == ours {
		return
	}
	if s.pc != pc || s.role != direct || run.readOnly {
		saw(addr, 1, write)
		return
	}
	q := recentPages[addr>>pageBits&(recentSlots-1)]
	if q.number != addr>>pageBits || q.special || addr&q.mask != 0 {
		saw(addr, 1, write)
		return
	}
	c := &q.cells[addr&(pageSize-1)>>q.shift]
	w, r0, r1 := c.write.point(), c.reads[0].point(), c.reads[1].point()
	if w >= run.since && w != run.now || r0 >= run.since && r0 != run.now || r1 >= run.since && r1 != run.now {
		saw(addr, 1, write)
		return
	}
	accesses++
	c.write = newEvent(run.now, s.site, false)
}

// sawRange looks at an access of the function that called a hook, which calls this.
//
//go:norace
//go:noinline
func sawRange(addr, bytes uintptr, k kind) {
	var c caller
	probe(&c, 1, depth)
	access(&c, addr, bytes, k)
}

// saw looks at an access of the function that called a hook, which has called sawRead or
// sawWrite.
//
//go:norace
//go:noinline
func saw(addr, bytes uintptr, k kind) {
	var c caller
	probe(&c, 2, depth)
	access(&c, addr, bytes, k)
}

// access looks at an access to memory by the running thread. It reports whether it was one of the
// functor's.
//
//go:norace
func access(c *caller, addr, bytes uintptr, k kind) bool {
	onStack := run.stack.has(addr)
	if onStack && run.stack.end-addr >= run.shared {
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
	since := run.since
	if p.special {
		since = special(c, addr, site, k)
	}
	if run.readOnly && k&write != 0 && !ownsNow(addr) {
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

// special looks at an access to memory that has a role in the launch: scratch, results and
// accumulators. It returns the first point that matters for its memory.
//
//go:norace
func special(c *cell, addr uintptr, site uint32, k kind) uint32 {
	for n := range results {
		if results[n].has(addr) {
			find(OwnResult, addr, site, k)
		}
	}
	for n := range accumulators {
		if accumulators[n].has(addr) {
			find(Accumulator, addr, site, k)
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
	return run.since
}
