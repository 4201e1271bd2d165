package watch

// A clock says of chains how many of their operations are known: the first so many. It never
// changes, so that threads and chains share what they know. nil knows nothing.
type clock struct {
	height uint32 // of the tree below; 0 is a leaf
	kids   [clockFan]*clock
	known  [clockFan]uint32 // of a leaf, by chain
}

const (
	clockBits = 3
	clockFan  = 1 << clockBits
)

// clocks counts those that were made in this launch: nothing is freed until it ends.
var clocks int

// holds reports whether the chain belongs to the tree.
//
//go:norace
func (c *clock) holds(chain uint32) bool { return chain>>(clockBits*(c.height+1)) == 0 }

// slot is where the chain is found in a node.
//
//go:norace
func (c *clock) slot(chain uint32) uint32 { return chain >> (clockBits * c.height) & (clockFan - 1) }

// of returns how many operations of a chain are known.
//
//go:norace
func (c *clock) of(chain uint32) uint32 {
	if c == nil || !c.holds(chain) {
		return 0
	}
	for c != nil && c.height > 0 {
		c = c.kids[c.slot(chain)]
	}
	if c == nil {
		return 0
	}
	return c.known[c.slot(chain)]
}

// with returns a clock that knows so many operations of a chain as well.
//
//go:norace
func (c *clock) with(chain, known uint32) *clock {
	if c.of(chain) >= known {
		return c
	}
	if c == nil {
		c = new(clock)
	}
	for !c.holds(chain) {
		c = &clock{height: c.height + 1, kids: [clockFan]*clock{c}}
		clocks++
	}
	return c.set(chain, known)
}

// set is with for a chain of the tree.
//
//go:norace
func (c *clock) set(chain, known uint32) *clock {
	clocks++
	copied := *c
	s := c.slot(chain)
	if c.height == 0 {
		copied.known[s] = known
		return &copied
	}
	kid := c.kids[s]
	if kid == nil {
		kid = &clock{height: c.height - 1}
	}
	copied.kids[s] = kid.set(chain, known)
	return &copied
}

// join returns a clock that knows what any of two does. It is one of them where that knows all.
//
//go:norace
func join(a, b *clock) *clock {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	case a.height < b.height:
		a, b = b, a
	}
	sum := *a
	isA, isB := true, a.height == b.height
	switch {
	case a.height > b.height:
		sum.kids[0] = join(a.kids[0], b)
		isA = sum.kids[0] == a.kids[0]
	case a.height == 0:
		for k := range sum.known {
			sum.known[k] = max(a.known[k], b.known[k])
			isA, isB = isA && sum.known[k] == a.known[k], isB && sum.known[k] == b.known[k]
		}
	default:
		for k := range sum.kids {
			sum.kids[k] = join(a.kids[k], b.kids[k])
			isA, isB = isA && sum.kids[k] == a.kids[k], isB && sum.kids[k] == b.kids[k]
		}
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	clocks++
	return &sum
}
