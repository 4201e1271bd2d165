package watch

// An event is an access as shadow memory keeps it: its point, its site, whether it was atomic, and
// whether it was of all bytes of its cell, or of a number whose size is not known. 0 is none.
type event uint64

//go:norace
func newEvent(point, site uint32, k kind) event {
	return event(point)<<32 | event(site)<<2 | event(k/atomically)
}

//go:norace
func (e event) point() uint32 { return uint32(e >> 32) }

//go:norace
func (e event) site() uint32 { return uint32(e) >> 2 }

//go:norace
func (e event) atomic() bool { return e&1 != 0 }

// rest returns the event for other bytes of its cell, or none.
//
//go:norace
func (e event) rest() event {
	if e&2 == 0 {
		return 0
	}
	return e
}

// A cell is what is kept of a few bytes: the last write, the last one that is not atomic, and two
// reads since the launch began, of two threads that nothing orders if there were any.
type cell struct {
	write event
	plain event // if the last write is atomic
	reads [2]event
}

// pageBits is the size of a page of memory; its cells are 8 bytes or, where a functor works
// with smaller numbers, less.
const (
	pageBits = 12
	pageSize = 1 << pageBits
	wordBits = 3
)

type page struct {
	number  uintptr // of its addresses, without the last pageBits
	mask    uintptr // of what is left of an address within a cell
	shift   uint8   // of the size of a cell
	special bool    // it has memory with a role in the launch
	cells   []cell

	released []uint32 // the chain of atomic operations of each four bytes, or nil
}

// The pages, by arenas of 64 MiB, as Go's heap has them. Both tables are zero until they are
// used.
const (
	arenaBits = 26
	arenas    = 1 << (48 - arenaBits)
)

type arena [1 << (arenaBits - pageBits)]*page

var (
	shadow      []*arena
	recentPages [recentSlots]*page // by the last bits of their numbers, or noPage
	noPage      = &page{number: ^uintptr(0)}
)

// recentSlots is how many pages and sites are found at once.
const recentSlots = 1 << 10

// pageOf returns the page of an address, which it makes at first use.
//
//go:norace
func pageOf(addr uintptr) *page {
	slot := &recentPages[addr>>pageBits&(recentSlots-1)]
	if (*slot).number == addr>>pageBits {
		return *slot
	}
	a := shadow[addr>>arenaBits&(arenas-1)]
	if a == nil {
		a = new(arena)
		shadow[addr>>arenaBits&(arenas-1)] = a
	}
	p := a[addr>>pageBits&(1<<(arenaBits-pageBits)-1)]
	if p == nil {
		p = &page{number: addr >> pageBits, mask: 1<<wordBits - 1, shift: wordBits, special: run.deviceOnly, cells: make([]cell, pageSize>>wordBits)}
		a[addr>>pageBits&(1<<(arenaBits-pageBits)-1)] = p
	}
	*slot = p
	return p
}

// known returns the page of an address, or nil if there is none.
//
//go:norace
func known(addr uintptr) *page {
	if a := shadow[addr>>arenaBits&(arenas-1)]; a != nil {
		return a[addr>>pageBits&(1<<(arenaBits-pageBits)-1)]
	}
	return nil
}

// forget empties the shadow memory.
//
//go:norace
func forget() {
	clear(shadow)
	for k := range recentPages {
		recentPages[k] = noPage
	}
}

// at returns the cell of an address, which begins there: cells are split until one does.
//
//go:norace
func (p *page) at(addr uintptr) *cell {
	for addr&p.mask != 0 {
		p.split()
	}
	return &p.cells[addr&(pageSize-1)>>p.shift]
}

// split halves the cells. What was known of a number was of its first bytes: the others get
// nothing.
//
//go:norace
func (p *page) split() {
	cells := make([]cell, 2*len(p.cells))
	for k := range p.cells {
		c := &p.cells[k]
		cells[2*k] = *c
		cells[2*k+1] = cell{c.write.rest(), c.plain.rest(), [2]event{c.reads[0].rest(), c.reads[1].rest()}}
	}
	p.shift--
	p.mask >>= 1
	p.cells = cells
}

// mark makes the pages of a region special.
//
//go:norace
func mark(r region) {
	for addr := r.begin; addr < r.end; addr = (addr>>pageBits + 1) << pageBits {
		pageOf(addr).special = true
	}
}
