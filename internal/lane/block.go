package lane

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/gokkos/gokkos/internal/schedule"
)

// A Block says how the lanes of one block are run.
type Block struct {
	Lanes    int      // how many, at least 1
	Schedule uint64   // the order in which they run, see package schedule
	Warp     int      // lanes of a warp, for the schedule; 0 stands for 32
	Observer Observer // told what happens, or nil
}

// block is the state of the block that runs, or is ready for the next one.
type block struct {
	Block
	lanes   LaneObserver // the observer, if it is one
	open    bool
	body    func(*Lane)
	alone   Lane // the lane of a block of one: it needs no carrier
	running *Lane
	started int     // lanes that were started
	parked  int     // lanes that wait
	at      []*Lane // by rank: the lane that waits, else nil
	ready   []int   // ranks of the next round
	pick    picker  // for all schedules but the ascending one
	full    []*Scope
	all     Scope
	groups  []partition

	panic *Panic
	exit  *Exit
	err   error
}

// Run calls body once for every lane of the block b and returns when all have returned. It is
// called by the function given to Do, on the goroutine that Do runs it on.
//
// Order: the same block runs in the same order every time, whatever ran before it.
//
// Errors: a *Panic or a *Divergence (see the package documentation), or what is wrong with the
// call: no lanes, outside of Do, inside of another block of the same engine. A lane of the
// block ends the caller with runtime.Goexit if it calls that.
//
// Cost: no allocations once the engine has run such a block. A lane that never waits costs a
// few nanoseconds, so does a block of one lane whatever it does; a lane that waits costs two
// switches of coroutines, about 100 ns.
func (e *Engine) Run(b Block, body func(*Lane)) error {
	c := e.core
	switch {
	case b.Lanes < 1:
		return fmt.Errorf("lane: a block of %d lanes: need at least 1", b.Lanes)
	case c.state.Load() != busy:
		return fmt.Errorf("lane: Run outside of Do")
	case c.open:
		return fmt.Errorf("lane: Run within a block of the same engine: use another engine")
	}
	c.begin(b, body)
	defer c.end()
	if b.Observer != nil {
		b.Observer.Begin(b.Lanes)
	}
	if b.Lanes == 1 {
		c.running = &c.alone
		c.alone.run()
	} else if b.Schedule == schedule.Ascending {
		c.rounds()
	} else {
		c.scheduled()
	}
	c.err = c.fault()
	err := c.err
	if c.exit != nil && c.panic == nil {
		runtime.Goexit()
	}
	return err
}

func (c *core) begin(b Block, body func(*Lane)) {
	c.Block, c.open, c.body, c.started = b, true, body, 0
	c.lanes, _ = b.Observer.(LaneObserver)
	c.all.end = b.Lanes
	if b.Lanes > len(c.at) {
		c.at = make([]*Lane, b.Lanes)
	}
	if b.Schedule != schedule.Ascending {
		c.pick.begin(b)
	}
}

// end makes the engine ready for the next block, whatever ended this one: a return, a fault, or
// a panic or runtime.Goexit of an observer or of a completion.
func (c *core) end() {
	c.running = nil
	observer, err := c.Observer, c.err
	if err == nil && c.exit != nil {
		err = c.exit
	}
	if c.parked > 0 || len(c.full) > 0 || c.panic != nil || err != nil {
		c.unwind()
		c.abandon()
	}
	c.Block, c.lanes, c.open, c.body = Block{}, nil, false, nil
	c.panic, c.exit, c.err = nil, nil, nil
	if observer != nil {
		observer.End(err)
	}
}

// rounds runs the lanes until none can run. The lanes of a round are all started or resumed,
// each once.
func (c *core) rounds() {
	for c.started < c.Lanes {
		l := c.carrier()
		if c.step(l) == waits {
			c.at[l.rank] = l
			c.parked++
		}
	}
	for len(c.full) > 0 && c.panic == nil && c.exit == nil && c.release() {
		for _, rank := range c.ready {
			l := c.at[rank]
			if c.lanes != nil {
				c.lanes.Resume(rank)
			}
			c.running = l // this is step, without a call: after a switch, each return is mispredicted
			if s, _ := l.next(); s != waits {
				c.at[rank] = nil
				c.parked--
				c.left(l, s)
			}
		}
		c.running = nil
	}
}

// scheduled runs the lanes one by one, as the schedule chooses them, until none can run. After
// a panic no further meeting is released.
func (c *core) scheduled() {
	for c.pick.count > 0 {
		rank := c.pick.take()
		l := c.at[rank]
		if l == nil {
			l = c.carrier()
			l.rank = rank
			c.started++
		} else {
			c.at[rank] = nil
			c.parked--
		}
		if c.lanes != nil {
			c.lanes.Resume(rank)
		}
		if c.step(l) == waits {
			c.at[rank] = l
			c.parked++
		}
		if len(c.full) > 0 && c.panic == nil && c.exit == nil {
			s := c.full[0] // a lane completes one meeting at a time
			c.full = c.full[:0]
			if c.panic = s.release(); c.panic == nil {
				c.pick.add(s.begin, s.end)
			}
		}
	}
}

// step lets a carrier go on until its lane waits or it has no lane to run.
func (c *core) step(l *Lane) signal {
	c.running = l
	s, _ := l.next()
	c.left(l, s)
	return s
}

// left notes why a carrier does not go on.
func (c *core) left(l *Lane, s signal) {
	c.running = nil
	switch s {
	case rests:
		c.free = append(c.free, l)
	case gone:
		l.retire()
	}
}

// release completes the meetings that are full and makes their lanes the next round. It returns
// false after a panic.
func (c *core) release() bool {
	if len(c.full) > 1 {
		slices.SortFunc(c.full, func(a, b *Scope) int { return cmp.Compare(a.begin, b.begin) })
	}
	c.ready = c.ready[:0]
	for _, s := range c.full {
		if p := s.release(); p != nil {
			c.panic = p
			return false
		}
		for rank := s.begin; rank < s.end; rank++ {
			c.ready = append(c.ready, rank)
		}
	}
	c.full = c.full[:0]
	return true
}

// fault ends the lanes that wait, now that none can run, and says what was wrong with the block.
func (c *core) fault() error {
	var d *Divergence
	if c.parked > 0 {
		d = c.unwind()
	}
	switch {
	case c.panic != nil:
		return c.panic
	case c.exit != nil:
		return c.exit
	case d != nil:
		return d
	}
	return nil
}

// panicked notes the panic of a lane. It is called in that lane.
func (c *core) panicked(rank int, value any) {
	if c.panic == nil || rank < c.panic.Lane {
		c.panic = &Panic{Lane: rank, Value: value, Stack: debug.Stack()}
	}
}

// exited notes that a lane called runtime.Goexit.
func (c *core) exited(rank int) {
	if c.exit == nil || rank < c.exit.Lane {
		c.exit = &Exit{Lane: rank}
	}
}

// abandon forgets the meetings that did not come about, with what was brought to them.
func (c *core) abandon() {
	c.full = c.full[:0]
	c.all.abandon()
	for _, p := range c.groups {
		for _, s := range p.scopes {
			s.abandon()
		}
	}
}
