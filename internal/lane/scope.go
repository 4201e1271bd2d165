package lane

import (
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/gokkos/gokkos/internal/goexit"
)

// An Op says what lanes meet for. Lanes that meet with different ones have diverged.
type Op struct {
	Kind  string       // "barrier", "reduce", ...
	Type  reflect.Type // of what the operation works with, or nil
	Bytes int          // size of what each lane brings
}

func (o Op) String() string {
	if o.Type == nil {
		return o.Kind
	}
	return o.Kind + " " + o.Type.String()
}

// A Combiner is called when all lanes of a scope have met, before any of them goes on. It must
// not meet itself. It runs on the engine's goroutine or in a lane; if it panics, that is the
// lowest lane's panic.
type Combiner interface{ Combine(s *Scope) }

// A Scope is a range of lanes that meet with one another: the whole block or a sub-group. Two
// scopes are two even when they have the same lanes, such as the block and a sub-group as
// large.
type Scope struct {
	core       *core
	begin, end int

	arrived int
	first   wait // where the first lane to arrive waits
	combine Combiner
	mixed   bool // another lane waits elsewhere
	count   uint // meetings completed
	slots   [2]any
}

// partition is the sub-groups of one size.
type partition struct {
	size, lanes int
	scopes      []*Scope
}

// All returns the scope of the whole block.
func (l *Lane) All() *Scope {
	if l.core.running != l {
		l.notRunning()
	}
	return &l.core.all
}

// Group returns the lane's sub-group of size consecutive lanes: the one that starts at the
// largest multiple of size that is not above the lane's rank. The last one of the block may be
// short. Panics: when size is less than 1.
func (l *Lane) Group(size int) *Scope {
	if l.core.running != l {
		l.notRunning()
	}
	if size < 1 {
		panic(fmt.Sprintf("lane: a sub-group of %d lanes: need at least 1", size))
	}
	return l.core.partition(size).scopes[l.rank/size]
}

// partition returns the sub-groups of the block, which it makes or fits to the block at first use.
func (c *core) partition(size int) *partition {
	for i := range c.groups {
		if p := &c.groups[i]; p.size == size {
			if p.lanes != c.Lanes {
				p.fit(c)
			}
			return p
		}
	}
	c.groups = append(c.groups, partition{size: size})
	p := &c.groups[len(c.groups)-1]
	p.fit(c)
	return p
}

func (p *partition) fit(c *core) {
	p.lanes = c.Lanes
	for k := 0; k <= (p.lanes-1)/p.size; k++ {
		if k == len(p.scopes) {
			p.scopes = append(p.scopes, &Scope{core: c})
		}
		s := p.scopes[k]
		s.begin = k * p.size
		s.end = s.begin + min(p.size, p.lanes-s.begin)
	}
}

// Begin returns the rank of the first lane.
func (s *Scope) Begin() int { return s.begin }

// Whole reports whether the scope is that of the whole block, and no sub-group.
func (s *Scope) Whole() bool { return s == &s.core.all }

// Size returns the number of lanes.
func (s *Scope) Size() int { return s.end - s.begin }

// Slot returns the place where the lanes share what their coming meeting combines: the first to
// arrive puts a buffer there, or finds one of an earlier meeting or block, each lane writes its
// part of it, Combine the result.
//
// There are two, used in turn. A lane takes the slot before it meets and reads the result from
// the same one afterwards; lanes that are already on their way to the next meeting write to the
// other, so no further meeting is needed between. A block that ends in a fault leaves both
// empty.
func (s *Scope) Slot() *any { return &s.slots[s.count&1] }

// complete ends a meeting to which all have come.
func (s *Scope) complete(site uintptr, op Op, combine Combiner) {
	if combine != nil {
		combine.Combine(s)
	}
	s.count++
	if o := s.core.Observer; o != nil {
		o.Complete(s, site, op)
	}
}

// release ends the meeting of the lanes that wait and returns the panic of its combiner, if any.
func (s *Scope) release() (p *Panic) {
	w, combine := s.first, s.combine
	s.reset()
	if combine == nil {
		s.complete(w.site, w.op, nil)
		return nil
	}
	returned := false
	defer func() {
		if returned {
			return
		}
		if v := recover(); v != nil || !goexit.Runs() {
			p = &Panic{Lane: s.begin, Value: v, Stack: debug.Stack()}
		}
	}()
	s.complete(w.site, w.op, combine)
	returned = true
	return nil
}

// reset forgets the lanes that arrived.
func (s *Scope) reset() { s.arrived, s.mixed, s.combine = 0, false, nil }

// abandon forgets the values they brought, too: some are missing.
func (s *Scope) abandon() {
	s.reset()
	s.slots = [2]any{}
}
