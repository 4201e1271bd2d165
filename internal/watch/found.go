package watch

// Kinds of findings.
const (
	Race          = iota // two accesses that nothing orders
	Uninitialised        // scratch memory is read before it is written
	OwnResult            // a functor touches the result place of its own launch
	Accumulator          // a functor touches an accumulator that it was not given
	WriteInSums          // a write in the pass of a scan that is not final
	Host                 // another goroutine touches what the functor works with
	Side                 // memory of a device is touched where no launch runs there
	Stale                // one of two mirrors is read, and the other one has changed
	HostMemory           // a functor on a device touches memory of the host
)

// A Finding is what was found at one pair of sites.
type Finding struct {
	Kind   int
	Pairs  []Pair // the first few
	Count  int    // of all
	Now    Access
	Before Access // of a race

	serial uint64 // of the access that was found last
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
	Scratch     int     // level of the scratch memory that it is in, or -1
	Byte        uintptr // of the scratch memory
	Place       string  // which element of which view it is, of the first pair of a launch
	Now, Before Thread

	now, before point
}

// A Thread is who made an access: an item, by its index, or the member of a team and its vector
// lane, -1 for none. It is nobody if both are missing.
type Thread struct {
	Item                 string
	Team, Member, Vector int
	SubGroup             int  // of the member
	Passed, Next         Call // barriers of the team between which that was, where they are known
}

// A Call is a place in the source, or none.
type Call struct {
	File string
	Line int
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
	open     []*Pair // of the running team, whose next barrier is not known
	accesses int

	results, accumulators []region
)

//go:norace
func race(addr uintptr, site uint32, k kind, other event, otherKind kind) {
	f := found(findingKey{Race, site, other.site(), k}, k, otherKind, other.atomic())
	f.add(addr, run.here, other.point())
}

//go:norace
func find(what int, addr uintptr, site uint32, k kind) {
	f := found(findingKey{what, site, 0, k}, k, 0, false)
	f.add(addr, run.here, 0)
}

// add adds an access at a point, and one before it at another, 0 for none.
//
//go:norace
func (f *Finding) add(addr uintptr, now point, before uint32) {
	if f.serial == serial { // more bytes of it
		return
	}
	f.serial = serial
	if f.Count++; len(f.Pairs) < maxPairs {
		p := Pair{Addr: addr, now: now}
		if before != 0 {
			p.before = pointAt(before)
		}
		for n := range f.Pairs {
			if f.Pairs[n].sameThreads(&p) {
				return
			}
		}
		p.inScratch()
		if f.Pairs == nil {
			f.Pairs = make([]Pair, 0, maxPairs) // so that they stay where they are
		}
		f.Pairs = append(f.Pairs, p)
		if !run.items {
			open = append(open, &f.Pairs[len(f.Pairs)-1])
		}
	}
}

// sameThreads reports whether two pairs are of the same threads.
//
//go:norace
func (p *Pair) sameThreads(q *Pair) bool {
	return p.now.team == q.now.team && p.now.lane == q.now.lane && p.before.team == q.before.team && p.before.lane == q.before.lane
}

// inScratch says where in scratch memory the address is.
//
//go:norace
func (p *Pair) inScratch() {
	p.Scratch = -1
	if n := scratchAt(p.Addr); n >= 0 {
		p.Scratch, p.Byte = scratch[n].level, p.Addr-scratch[n].begin
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

// settle tells of the findings in the running team between which barriers they are: the team
// ends.
//
//go:norace
func settle() {
	settleUnwritten()
	for _, p := range open {
		p.Now.Passed, p.Now.Next = around(&p.now)
		if p.before.team == p.now.team {
			p.Before.Passed, p.Before.Next = around(&p.before)
		}
	}
	clear(open)
	open = open[:0]
}

// around returns the barriers of the running team around a point of it.
//
//go:norace
func around(p *point) (passed, next Call) {
	if n := int(p.all); n > 0 && n <= len(meetings) {
		passed = callAt(meetings[n-1])
	}
	if n := int(p.all); n < len(meetings) {
		next = callAt(meetings[n])
	}
	return passed, next
}

//go:norace
func callAt(pc uintptr) Call {
	s := &sites[siteOfCall(pc)]
	return Call{s.File, s.Line}
}

// name gives the threads of a finding their names.
//
//go:norace
func (f *Finding) name() {
	if p := &f.Pairs[0]; launched && p.Scratch < 0 { // while no garbage is collected: a view may be some
		p.Place = ViewAt(p.Addr)
	}
	for k := range f.Pairs {
		p := &f.Pairs[k]
		p.Now.name(&p.now)
		p.Before.name(&p.before)
	}
}

//go:norace
func (t *Thread) name(p *point) {
	switch {
	case p.team == 0:
		t.Team, t.Member, t.Vector = -1, -1, -1
	case run.items:
		t.Item, t.Team, t.Member, t.Vector = nameOf(p.team), -1, -1, -1
	default:
		t.Team, t.Member, t.Vector = int(p.team)-1, int(p.member()), int(p.vector())-1
		t.SubGroup = int(p.member() / run.warp)
	}
}
