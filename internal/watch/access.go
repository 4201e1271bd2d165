package watch

// kind is what an access does.
type kind uint8

const (
	read kind = 1 << iota
	write
	atomically
	whole // all bytes of each cell
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
	if w >= run.since && w != run.now || run.careful && last >= run.since && last != run.now {
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
	c.reads[0] = newEvent(run.now, s.site, read)
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
	c.write = newEvent(run.now, s.site, write)
}

// sawRange looks at an access of the function that called a hook, which calls this.
//
//go:norace
//go:noinline
func sawRange(addr, bytes uintptr, k kind) {
	var c caller
	probe(&c, 1, depth)
	access(&c, addr, bytes, k|whole)
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
	if counters.has(addr) {
		return false
	}
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
	if run.deviceOnly {
		run.inViews = sites[siteOfPC(c.pcs[0], 0)].inViews
	}
	if k&atomically == 0 { // those of package atomics tell of themselves in any build
		accesses++
	}
	serial++
	end := addr + min(bytes, maxBytes)
	for begin := addr; addr < end; {
		p := pageOf(addr)
		p.at(addr)
		if stop := addr&^p.mask + p.mask + 1; end < stop && k&whole != 0 {
			p.at(end) // a cell ends there
		}
		// Between the fields of a struct may be bytes that nobody writes.
		touch(p, addr, s, k, onStack, (addr-begin)&(1<<wordBits-1) == 0)
		addr += p.mask + 1
	}
	return true
}

// serial numbers the accesses that are looked at closely.
var serial uint64

// touch looks at an access to a cell, which begins at an address.
//
//go:norace
func touch(p *page, addr uintptr, site uint32, k kind, onStack, field bool) {
	c := p.at(addr)
	since := run.since
	if p.special {
		since = special(p, addr, site, k, field)
	}
	if run.readOnly && k&write != 0 && !isOwn(addr) {
		find(WriteInSums, addr, site, k)
	}
	atomic := k&atomically != 0
	if w := c.write; !(atomic && w.atomic()) {
		conflict(addr, site, k, w, write, since, onStack)
	} else if w.point() >= since {
		conflict(addr, site, k, c.plain, write, since, onStack)
	}
	e := newEvent(run.now, site, k)
	if k&write == 0 {
		c.note(e, since, onStack)
		return
	}
	for _, r := range c.reads {
		if !(atomic && r.atomic()) {
			conflict(addr, site, k, r, read, since, onStack)
		}
	}
	if atomic && !c.write.atomic() {
		c.plain = c.write
	}
	c.write = e
}

// conflict says of an access that it races with an earlier one, unless something orders the two.
//
//go:norace
func conflict(addr uintptr, site uint32, k kind, old event, oldKind kind, since uint32, onStack bool) {
	if then := old.point(); then >= since && then != run.now && !ordered(then, onStack) && !isOwn(addr) {
		race(addr, site, k, old, oldKind)
	}
}

// note keeps a read: the last one, and of the others one that nothing orders before it. One that
// no thread can come to know is better than another.
//
//go:norace
func (c *cell) note(e event, since uint32, onStack bool) {
	last, other := c.reads[0], c.reads[1]
	if last.point() == run.now && (e.atomic() || !last.atomic()) {
		return
	}
	if !run.careful {
		if other = last; last.point() < since {
			other = 0
		}
		c.reads = [2]event{e, other}
		return
	}
	last, other = last.unlessCovered(e, since, onStack), other.unlessCovered(e, since, onStack)
	if other == 0 || last != 0 && (other.atomic() && !last.atomic() || other.atomic() == last.atomic() && isReleased(other.point())) {
		other = last
	}
	c.reads = [2]event{e, other}
}

// unlessCovered returns the event, or none if whatever races with it races with a later one of the
// running thread, too.
//
//go:norace
func (e event) unlessCovered(by event, since uint32, onStack bool) event {
	if e.point() < since || (e.atomic() || !by.atomic()) && (e.point() == run.now || ordered(e.point(), onStack)) {
		return 0
	}
	return e
}

// special looks at an access to memory that has a role in the launch: scratch, results and
// accumulators. It returns the first point that matters for its memory.
//
//go:norace
func special(p *page, addr uintptr, site uint32, k kind, field bool) uint32 {
	if mirrors.any.Load() {
		throughMirrors(addr, site, k)
	}
	if run.deviceOnly {
		foreign(addr, site, k)
	}
	for n := range results {
		if results[n].has(addr) && !isOwn(addr) {
			find(OwnResult, addr, site, k)
		}
	}
	for n := range accumulators {
		if accumulators[n].has(addr) && !isOwn(addr) {
			find(Accumulator, addr, site, k)
		}
	}
	if n := scratchAt(addr); n >= 0 {
		if field && k&read != 0 && p.at(addr).write.point() < run.first && scratch[n].isAsItWas(addr, p.mask+1) {
			readUnwritten(addr, site, k)
		}
		if k&write != 0 && len(unwritten) > 0 {
			racedWith(addr, k)
		}
		return run.first
	}
	return run.since
}
