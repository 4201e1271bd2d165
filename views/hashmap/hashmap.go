// Package hashmap has a map that kernels fill: Kokkos::UnorderedMap, with a fixed capacity.
//
//	m, err := hashmap.New[Pair, float64](edges)
//	err = exec.ParallelFor(policy.Range(0, n), func(i int) { m.Insert(i, pair(i), length(i)) })
//	for _, e := range m.Entries() { ... }
//
// What is in it does not depend on which worker comes first: of the items that insert one key the lowest
// stays, and entries are in the order of their items, as a loop over the items would have made them.
// `go -C examples/bench test -run xxx -bench Hashmap` measures it beside a concurrent map of package xsync:
// inserts took 1.1 of its time and finds 1.5, the fastest of eight interleaved runs each on two cores of a Zen 5 with others on
// it.
//
// A map is of one process: after a launch over several, as ranks are, each has the keys of its own items.
package hashmap

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"
)

// A Map has keys with values, each with the item that has inserted it. The items of one launch may insert, or
// they may find and erase. An insert in a launch that finds or erases is a race. Whether a key is found that
// another item of the launch erases depends on who comes first.
type Map[K comparable, V any] struct {
	seed     maphash.Seed
	slots    []slot[K, V] // a power of two, at least twice the capacity
	capacity int
	used     atomic.Int64 // slots that have a key, erased ones too
	erased   atomic.Int64
	failed   atomic.Int64
	changes  atomic.Uint64 // inserts that had an effect
}

type slot[K comparable, V any] struct {
	state atomic.Uint32
	at    uint64 // the change that made it: an item makes them in order
	item  int
	key   K
	value V
}

// States of a slot. A key stays where it is for ever.
const (
	empty uint32 = iota
	busy         // somebody reads or writes it
	full
	erased
)

// maxCapacity is the most keys of a Map: an index of twice as many slots fits 32 bits on all machines.
const maxCapacity = 1 << 29

// New returns a map for at most so many keys. Erased keys count until Clear. It is an error if the capacity
// is negative, more than 1<<29, or for more memory than there can be.
//
// Memory: two to four slots for each, of a key, a value and 24 bytes.
func New[K comparable, V any](capacity int) (*Map[K, V], error) {
	if capacity < 0 || capacity > maxCapacity {
		return nil, fmt.Errorf("hashmap: a capacity of %d, expected 0 to %d", capacity, maxCapacity)
	}
	slots, err := newSlots[K, V](1 << bits.Len(uint(max(2*capacity-1, 1))))
	if err != nil {
		return nil, err
	}
	return &Map[K, V]{seed: maphash.MakeSeed(), slots: slots, capacity: capacity}, nil
}

func newSlots[K comparable, V any](size int) (slots []slot[K, V], err error) {
	defer func() {
		if recover() != nil { // of make: it alone knows how much is too much
			err = fmt.Errorf("hashmap: %d slots of %d bytes need more memory than there can be", size, unsafe.Sizeof(slot[K, V]{}))
		}
	}()
	return make([]slot[K, V], size), nil
}

// Insert gives the key a value for an item of the launch. If another item has inserted the key, the value of
// the lower item stays; of one item the first value. It returns false if the map is full, and then counts
// in [Map.Failed]: which keys a full map has depends on who came first, so a program makes a larger map and
// launches again. It panics for a key that is not equal to itself, such as a NaN.
func (m *Map[K, V]) Insert(item int, key K, value V) bool {
	if key != key {
		panic(fmt.Sprintf("hashmap: the key %v, which is not equal to itself: nothing would find it", key))
	}
	mask := uint64(len(m.slots) - 1)
	at := maphash.Comparable(m.seed, key) & mask
	for range m.slots {
		s := &m.slots[at]
		switch was := s.lock(); {
		case was == empty:
			if m.used.Add(1) > int64(m.capacity) {
				m.used.Add(-1)
				s.state.Store(empty)
				m.failed.Add(1)
				return false
			}
			s.key, s.item, s.value, s.at = key, item, value, m.changes.Add(1)
			s.state.Store(full)
			return true
		case s.key == key:
			if was == erased || item < s.item {
				s.item, s.value, s.at = item, value, m.changes.Add(1)
			}
			if was == erased {
				m.erased.Add(-1)
			}
			s.state.Store(full)
			return true
		default:
			s.state.Store(was)
		}
		at = (at + 1) & mask
	}
	m.failed.Add(1)
	return false
}

// lock waits until nobody has the slot, takes it and returns its state.
func (s *slot[K, V]) lock() uint32 {
	for spins := 0; ; spins++ {
		if was := s.state.Load(); was != busy && s.state.CompareAndSwap(was, busy) {
			return was
		}
		if spins > 100 {
			runtime.Gosched()
		}
	}
}

// slotOf returns the slot of a key, or nil.
func (m *Map[K, V]) slotOf(key K) *slot[K, V] {
	mask := uint64(len(m.slots) - 1)
	at := maphash.Comparable(m.seed, key) & mask
	for range m.slots {
		switch s := &m.slots[at]; {
		case s.state.Load() == empty:
			return nil
		case s.key == key:
			return s
		}
		at = (at + 1) & mask
	}
	return nil
}

// Find returns the value of a key, and whether there is one.
func (m *Map[K, V]) Find(key K) (value V, ok bool) {
	if s := m.slotOf(key); s != nil && s.state.Load() == full {
		return s.value, true
	}
	return value, false
}

// Erase removes a key and reports whether it was there: of several items that erase it, one is told so.
func (m *Map[K, V]) Erase(key K) bool {
	s := m.slotOf(key)
	if s == nil || !s.state.CompareAndSwap(full, erased) {
		return false
	}
	m.erased.Add(1)
	return true
}

// Len returns the number of keys.
func (m *Map[K, V]) Len() int { return int(m.used.Load() - m.erased.Load()) }

// Capacity returns how many keys the map is for.
func (m *Map[K, V]) Capacity() int { return m.capacity }

// Failed returns how many calls of Insert were refused since New or Clear.
func (m *Map[K, V]) Failed() int { return int(m.failed.Load()) }

// Clear removes all keys. No launch may work with the map meanwhile.
func (m *Map[K, V]) Clear() {
	clear(m.slots)
	m.used.Store(0)
	m.erased.Store(0)
	m.failed.Store(0)
}

// An Entry is a key of a map, its value and the item that has inserted it.
type Entry[K comparable, V any] struct {
	Item  int
	Key   K
	Value V
}

// Entries returns what is in the map, in the order of the items, and of one item in the order in which it
// has inserted. No launch may insert or erase meanwhile.
func (m *Map[K, V]) Entries() []Entry[K, V] {
	in := make([]*slot[K, V], 0, m.Len())
	for k := range m.slots {
		if s := &m.slots[k]; s.state.Load() == full {
			in = append(in, s)
		}
	}
	slices.SortFunc(in, func(a, b *slot[K, V]) int { return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(a.at, b.at)) })
	entries := make([]Entry[K, V], len(in))
	for k, s := range in {
		entries[k] = Entry[K, V]{s.item, s.key, s.value}
	}
	return entries
}
