package reduce

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/internal/typed"
)

// Release forgets the reducer and clears all values that refer to memory: a result may share memory with the
// value in its slot. It keeps the memory for the next Open.
func (s *Slots[T]) Release() { s.Column.release() }

func (c *Column) release() {
	if !c.bits { // else they refer to nothing, and caches of others may have them
		c.forget(c.slots) // a part of the launch may have had more
		for _, lanes := range c.lanes[:cap(c.lanes)] {
			c.forget(lanes)
		}
	}
	size := int(c.size)
	if c.slots.n*size > maxKeptBytes {
		c.slots = room{}
	}
	if cap(c.lanes)*c.laneCount*size > maxKeptBytes {
		c.lanes = nil
	}
	if !c.bits || cap(c.scratch)*scratchValues*size > maxKeptBytes {
		c.scratch = nil
	}
	if len(c.leaves) > maxKeptLeaves { // nor do these
		c.leaves = nil
	}
	if c.values != nil {
		c.values.forget()
	}
	c.values, c.reducer, c.err, c.place, c.unit = nil, nil, nil, nil, nil
	c.ordered, c.exact, c.formed, c.zero, c.nodes = false, false, false, false, false
	c.open, c.laneCount, c.join = 0, 0, ""
}

// forget clears values that a room has.
func (c *Column) forget(r room) {
	if r.at != nil && c.values != nil {
		c.values.clear(r.at, r.n)
	}
}

// room returns room for so many values.
func (c *Column) room(n int) room { return room{c.values.make(n), n} }

// makeRoom makes room for that many workers and slots.
func (c *Column) makeRoom(workers, slots int) {
	if c.slots.n < slots {
		c.slots = c.room(slots)
	}
	c.open = slots
	if cap(c.lanes) < workers {
		c.lanes = make([]room, workers)
	}
	c.lanes = c.lanes[:workers]
	if c.nodes {
		if cap(c.scratch) < workers {
			c.scratch = append(c.scratch[:cap(c.scratch)], make([]room, workers-cap(c.scratch))...)
		}
		c.scratch = c.scratch[:workers]
	}
	for w := range c.lanes {
		if c.lanes[w].n < c.laneCount {
			c.lanes[w] = room{} // Begin makes them
		}
	}
}

// pools has a pool for each type of value that is used again; its keys are nil pointers
// of these types.
var pools sync.Map

// recent has those of pools that were asked for first among types with one place here: a map takes longer than what
// it is asked for.
var recent [128]atomic.Pointer[pooled]

type pooled struct {
	key  any
	pool *sync.Pool
}

// PoolOf returns the pool of values of type *T.
func PoolOf[T any]() *sync.Pool { return poolOf((*T)(nil)) }

// poolOf is PoolOf the type that a nil pointer has.
func poolOf(key any) *sync.Pool {
	at := &recent[typed.Of(key)/64%uintptr(len(recent))]
	first := at.Load()
	if first != nil && first.key == key {
		return first.pool
	}
	p, ok := pools.Load(key)
	if !ok {
		of := reflect.TypeOf(key).Elem()
		p, _ = pools.LoadOrStore(key, &sync.Pool{New: func() any { return reflect.New(of).Interface() }})
	}
	if first == nil {
		at.CompareAndSwap(nil, &pooled{key, p.(*sync.Pool)})
	}
	return p.(*sync.Pool)
}
