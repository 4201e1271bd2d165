package watch

// An atomic operation that writes orders what its thread did before it before what other threads
// do after one that reads what it wrote.

// A chain is operations at one address of which each reads what the one before it wrote. A store
// reads nothing, and begins a new chain. Number 0 is none.
type chain struct {
	begin  uint32 // point of the first operation
	length uint32
	known  *clock // of other chains, to who reads the last operation
}

// A release is an operation of a chain that writes.
type release struct {
	point uint32
	team  uint32 // of the point
	chain uint32
	at    uint32 // how many operations the chain has with this one
}

// releases are in the order in which they ran.
var (
	chains   = make([]chain, 1)
	releases []release
	released []*page // those with a chain
)

// knowledge is which operations come before what a thread does: of the chain that it has read
// last, and of others. Most threads know one chain, and need no clock.
type knowledge struct {
	chain, length uint32
	others        *clock
}

// forgetReleases begins without any.
//
//go:norace
func forgetReleases() {
	clear(chains)
	chains, releases, clocks = chains[:1], releases[:0], 0
	for _, p := range released {
		clear(p.released)
	}
	clear(released)
	released = released[:0]
	run.careful = !run.items
}

// chainAt returns where the number of the chain of an address is kept. Scratch memory of an
// earlier team has none.
//
//go:norace
func chainAt(addr uintptr) *uint32 {
	p := pageOf(addr)
	if p.released == nil {
		p.released = make([]uint32, pageSize>>2)
	}
	if n := len(released); n == 0 || released[n-1] != p {
		released = append(released, p)
	}
	c := &p.released[addr&(pageSize-1)>>2]
	if p.special && chains[*c].begin < run.first && scratchAt(addr) >= 0 {
		*c = 0
	}
	return c
}

// An Operation is what an atomic operation does.
type Operation = kind

const (
	Load   Operation = read | atomically
	Store  Operation = write | atomically
	Update Operation = read | write | atomically
)

// Atomic says that the running thread makes an atomic operation. It is called by functions of
// package atomics that the functor has called.
//
//go:norace
//go:noinline
func Atomic(addr, bytes uintptr, k Operation) {
	if !run.on {
		return
	}
	var c caller
	probe(&c, 0, maxDepth)
	run.careful = true
	if c.g != run.g || !access(&c, addr, bytes, k) {
		return
	}
	at := chainAt(addr)
	if k&read != 0 && *at != 0 {
		run.know.read(*at)
	}
	if k&write == 0 {
		return
	}
	if k&read == 0 || *at == 0 {
		chains = append(chains, chain{begin: run.now})
		*at = uint32(len(chains) - 1)
	}
	run.know.write(*at)
	releases = append(releases, release{run.now, run.here.team, *at, chains[*at].length})
	run.here.atoms++
	step()
}

// read says that the thread reads the last operation of a chain.
//
//go:norace
func (k *knowledge) read(n uint32) {
	c := &chains[n]
	k.others = join(k.others, c.known)
	k.turnTo(n, c.length)
}

// write says that the thread makes the next operation of a chain, having read the last one if it
// has any.
//
//go:norace
func (k *knowledge) write(n uint32) {
	c := &chains[n]
	c.length++
	k.turnTo(n, c.length)
	c.known = k.others
}

//go:norace
func (k *knowledge) turnTo(n, length uint32) {
	if k.chain != n && k.chain != 0 {
		k.others = k.others.with(k.chain, k.length)
	}
	k.chain, k.length = n, length
}

// has reports whether an operation is known.
//
//go:norace
func (k *knowledge) has(r *release) bool {
	return k.chain == r.chain && k.length >= r.at || k.others.of(r.chain) >= r.at
}

// join adds what another thread knows.
//
//go:norace
func (k *knowledge) join(other *knowledge) {
	if other.chain == 0 || *k == *other {
		return
	}
	k.others = join(k.others, other.others)
	if k.chain == other.chain {
		k.length = max(k.length, other.length)
		return
	}
	k.turnTo(other.chain, max(other.length, k.others.of(other.chain)))
}

// knows reports whether atomic operations order a point of a number before what happens now: the
// running thread knows one that comes after it in its team.
//
//go:norace
func knows(number uint32, old *point) bool {
	if run.know.chain == 0 {
		return false
	}
	for k := endOf(old.team) - 1; k >= 0 && releases[k].team == old.team && releases[k].point >= number; k-- {
		if run.know.has(&releases[k]) && old.beforeRelease(&releases[k]) {
			return true
		}
	}
	return false
}

// isReleased reports whether an operation comes after a point in its team, so that another thread
// may come to know it.
//
//go:norace
func isReleased(number uint32) bool {
	old := pointAt(number)
	if old.team == run.here.team { // which may make one yet
		return true
	}
	for k := endOf(old.team) - 1; k >= 0 && releases[k].team == old.team && releases[k].point >= number; k-- {
		if old.beforeRelease(&releases[k]) {
			return true
		}
	}
	return false
}

// beforeRelease reports whether a point is before a later operation of its team, which is the
// last thing at its own point.
//
//go:norace
func (p *point) beforeRelease(r *release) bool {
	if run.items {
		return true
	}
	at := pointAt(r.point)
	return p.before(&at)
}

// endOf returns the number of the first operation of a later team: teams run one after another.
//
//go:norace
func endOf(team uint32) int {
	low, high := 0, len(releases)
	for low < high {
		mid := (low + high) / 2
		if releases[mid].team <= team {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
