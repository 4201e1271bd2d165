package watch

import "unsafe"

// Kinds of findings.
const (
	Race          = iota // two accesses that nothing orders
	Uninitialised        // scratch memory is read before it is written
	OwnResult            // a functor touches the result place of its own launch
	WriteInSums          // a write in the pass of a scan that is not final
)

// A Finding is what was found at one pair of sites.
type Finding struct {
	Kind   int
	Pairs  []Pair // the first few
	Count  int    // of all
	Now    Access
	Before Access // of a race
}

// An Access is what a site does.
type Access struct {
	File     string
	Line     int
	Function string
	Write    bool
	Atomic   bool
}

// A Pair is two accesses of one finding. Before is no thread where there is one access.
type Pair struct {
	Addr        uintptr
	Now, Before Thread
}

// A Thread is who made an access: an item, by its index, or the member of a team and its vector
// lane, -1 for none. It is nobody if both are missing.
type Thread struct {
	Item                 string
	Team, Member, Vector int
}

// maxPairs is how many pairs a finding has.
const maxPairs = 3

type findingKey struct {
	kind        int
	now, before uint32
	how         kind
}

var (
	findings map[findingKey]*Finding
	inOrder  []*Finding
	accesses int
	began    uint32 // first point of the launch
	scratch  []region
	results  []region
)

//go:norace
func race(addr uintptr, site uint32, k kind, other event, otherKind kind) {
	f := found(findingKey{Race, site, other.site(), k}, k, otherKind, other.atomic())
	f.add(addr, other.point())
}

//go:norace
func find(what int, addr uintptr, site uint32, k kind) {
	f := found(findingKey{what, site, 0, k}, k, 0, false)
	f.add(addr, 0)
}

// add adds an access of the running thread, and one before it at a point, 0 for none.
//
//go:norace
func (f *Finding) add(addr uintptr, before uint32) {
	if f.Count++; len(f.Pairs) < maxPairs {
		f.Pairs = append(f.Pairs, Pair{addr, threadAt(run.now), threadAt(before)})
	}
}

//go:norace
func found(key findingKey, k, otherKind kind, otherAtomic bool) *Finding {
	f := findings[key]
	if f == nil {
		f = &Finding{Kind: key.kind, Now: accessOf(key.now, k&write != 0, k&atomically != 0), Before: accessOf(key.before, otherKind == write, otherAtomic)}
		findings[key] = f
		inOrder = append(inOrder, f)
	}
	return f
}

//go:norace
func accessOf(s uint32, writes, atomic bool) Access {
	x := &sites[s]
	return Access{x.File, x.Line, x.Function, writes, atomic}
}

//go:norace
func threadAt(n uint32) Thread {
	if n == 0 {
		return Thread{}
	}
	p := &run.points[n]
	if !run.items {
		return Thread{"", int(p.team) - 1, int(p.member()), int(p.vector()) - 1}
	}
	at := uintptr(p.team-1) * names.bytes
	return Thread{names.text(unsafe.Pointer(&names.data[at])), -1, -1, -1}
}
