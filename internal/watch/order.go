package watch

// An atomic write synchronises with an atomic read of its value: accesses of the writer before the write
// happen before accesses of the reader after the read.

// A chain is a list of atomic operations at one address, each of which reads the value that the previous
// operation wrote. A store reads nothing, and begins a new chain. Number 0 is no chain.
type chain struct {
	begin  uint32 // point of the first operation
	length uint32
	known  *clock // operations of other chains that a reader of the last operation comes to know
}

// A release is an operation of a chain that writes.
type release struct {
	point uint32
	team  uint32 // team of the point
	chain uint32
	at    uint32 // number of operations of the chain up to this one
}

// The chains and releases of a launch, releases in the order in which they ran.
var (
	chains   = make([]chain, 1)
	releases []release
	released []*page // pages with a chain
)

// knowledge is the set of operations that happen before what a thread does next: the first length
// operations of its last chain, and operations of other chains. Most threads know one chain, and need no
// clock.
type knowledge struct {
	chain, length uint32
	others        *clock
}

// forgetReleases removes all chains and releases.
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

// chainAt returns a pointer to the number of the chain of an address. Scratch memory of an earlier team
// has no chain.
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

// An Operation says whether an atomic operation reads, writes or does both.
type Operation = kind

const (
	Load   Operation = read | atomically
	Store  Operation = write | atomically
	Update Operation = read | write | atomically
)

// Atomic records an atomic operation of the running thread. Package atomics calls it from functions that
// the functor has called.
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

// read records that the thread reads the last operation of a chain.
//
//go:norace
func (k *knowledge) read(n uint32) {
	c := &chains[n]
	k.others = join(k.others, c.known)
	k.turnTo(n, c.length)
}

// write records that the thread makes the next operation of a chain, having read the last operation if
// there is any.
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

// join adds the knowledge of another thread.
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

// knows reports whether atomic operations order the point old before the current access. They do if the
// running thread knows an operation that comes after old in old's team.
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

// isReleased reports whether an operation comes after a point in its team, or may still come, so that
// another thread may learn of the point.
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

// beforeRelease reports whether a point is before a later operation of its team. The operation is the
// last event at its own point.
//
//go:norace
func (p *point) beforeRelease(r *release) bool {
	if run.items {
		return true
	}
	at := pointAt(r.point)
	return p.before(&at)
}

// endOf returns the index of the first release of a later team. Teams run one after another, so releases
// are sorted by team.
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
