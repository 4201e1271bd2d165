// Package cardtest has a card for tests: a space with a memory that the host cannot touch.
// Where the system can take pages away from a program, a stray access ends the test with
// SIGSEGV. Elsewhere the memory is one like any other.
package cardtest

import (
	"fmt"
	"sync"
	"testing"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
)

// A Card runs launches on the calling goroutine, and its functors cannot touch its memory.
type Card struct{ memory *Memory }

// New returns a card of that much memory, in bytes. At the end of the test, all that was
// allocated must be free, or be so soon after the garbage is collected, unless the test has
// failed.
func New(t testing.TB, bytes int) *Card {
	c := &Card{memory: &Memory{room: bytes, regions: map[unsafe.Pointer]hidden{}}}
	c.memory.card, c.memory.owner = c, c
	t.Cleanup(func() { c.memory.close(t) })
	return c
}

// Name implements [space.Space].
func (c *Card) Name() string { return "card" }

// Concurrency implements [space.Space].
func (c *Card) Concurrency() int { return 1 }

// Launch implements [space.Space].
func (c *Card) Launch(g space.Grid, j space.Job) error {
	space.Alone(g, j)
	return nil
}

// Memory implements [device.MemoryOwner].
func (c *Card) Memory() device.Memory { return c.memory }

// Own makes a space that has the card within it the owner of the memory.
func (c *Card) Own(s space.Space) { c.memory.owner = s }

// Counts returns what the memory was asked for, and how much is allocated now.
func (c *Card) Counts() Counts {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	counts := c.memory.counts
	counts.Allocated = len(c.memory.regions)
	return counts
}

// FailNext makes the next Copy or Fill return an error.
func (c *Card) FailNext(err error) {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	c.memory.failure = err
}

// Counts says how often a memory was asked for what.
type Counts struct{ Allocated, Copies, Fills int }

// Memory is the memory of a Card. The pages of an allocation can be touched while Copy and
// Fill run only.
type Memory struct {
	card  *Card
	owner space.Space

	mu      sync.Mutex
	room    int                       // bytes that are left
	regions map[unsafe.Pointer]hidden // what is allocated, by address
	counts  Counts
	failure error
}

// hidden are whole pages that nobody touches who prints or compares what holds them: a slice
// without elements, in whose capacity they are.
type hidden []byte

func (h hidden) pages() []byte { return h[:cap(h)] }

// String implements [device.Memory].
func (m *Memory) String() string { return "Card" }

// Owner implements [device.Memory].
func (m *Memory) Owner() space.Space { return m.owner }

// Guard implements [device.Memory].
func (m *Memory) Guard() *device.Guard { return nil }

// Allocate implements [device.Memory].
func (m *Memory) Allocate(bytes, align int) (unsafe.Pointer, error) {
	if err := memory.CheckAllocation(bytes, align); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if bytes > m.room {
		return nil, fmt.Errorf("%d bytes, of which %d are left: %w", bytes, m.room, device.ErrOutOfMemory)
	}
	pages, err := newPages(max(bytes, 1))
	if err != nil {
		return nil, err
	}
	if len(pages) > m.room {
		_ = freePages(pages)
		return nil, fmt.Errorf("%d bytes, of which %d are left: %w", len(pages), m.room, device.ErrOutOfMemory)
	}
	address := unsafe.Pointer(unsafe.SliceData(pages))
	m.regions[address] = pages[:0]
	m.room -= len(pages)
	return address, nil
}

// Free implements [device.Memory].
func (m *Memory) Free(address unsafe.Pointer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	region, ok := m.regions[address]
	if !ok {
		return fmt.Errorf("%p is not allocated", address)
	}
	delete(m.regions, address)
	m.room += cap(region)
	return freePages(region.pages())
}

// Copy implements [device.Memory].
func (m *Memory) Copy(c device.Copy) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts.Copies++
	if err := m.check(c.Direction != device.DeviceToHost, c.Dst, c.Extents, c.Bytes); err != nil {
		return fmt.Errorf("%v to %w", c.Direction, err)
	}
	if err := m.check(c.Direction != device.HostToDevice, c.Src, c.Extents, c.Bytes); err != nil {
		return fmt.Errorf("%v from %w", c.Direction, err)
	}
	return m.touch(func() {
		for r := range c.Each(0) {
			copy(unsafe.Slice((*byte)(r.Dst.Address), r.Bytes), unsafe.Slice((*byte)(r.Src.Address), r.Bytes))
		}
	})
}

// Fill implements [device.Memory].
func (m *Memory) Fill(f device.Fill) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts.Fills++
	if len(f.Pattern) < 1 || len(f.Pattern) > device.MaxPattern {
		return fmt.Errorf("a pattern of %d bytes", len(f.Pattern))
	}
	if err := m.check(true, f.Dst, f.Extents, len(f.Pattern)); err != nil {
		return err
	}
	return m.touch(func() {
		for r := range f.Each(0) {
			copy(unsafe.Slice((*byte)(r.Dst.Address), len(r.Pattern)), r.Pattern)
		}
	})
}

// touch calls f while the memory can be touched.
func (m *Memory) touch(f func()) error {
	if err := m.failure; err != nil {
		m.failure = nil
		return err
	}
	for _, r := range m.regions {
		if err := openPages(r.pages()); err != nil {
			return err
		}
	}
	f()
	for _, r := range m.regions {
		if err := closePages(r.pages()); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error unless a side is whole in one of the allocations, or in none of them
// if it is not on the card, and what [device.Copy] says of it is so.
func (m *Memory) check(onCard bool, s device.Side, extents []int, bytes int) error {
	reach := bytes
	for d, n := range extents {
		if n < 1 || s.Strides[d] < 0 {
			return fmt.Errorf("extents %v with strides %v", extents, s.Strides)
		}
		reach += (n - 1) * s.Strides[d]
	}
	if len(s.Strides) != len(extents) || bytes < 1 {
		return fmt.Errorf("extents %v with strides %v of %d bytes", extents, s.Strides, bytes)
	}
	begin := uintptr(s.Address)
	for _, r := range m.regions {
		first := uintptr(unsafe.Pointer(unsafe.SliceData(r)))
		switch last := first + uintptr(cap(r)); {
		case onCard && begin >= first && begin+uintptr(reach) <= last:
			return nil
		case !onCard && begin < last && first < begin+uintptr(reach):
			return fmt.Errorf("%p, which is no address of the host", s.Address)
		}
	}
	if onCard {
		return fmt.Errorf("%d bytes at %p, which are not all allocated", reach, s.Address)
	}
	return nil
}
