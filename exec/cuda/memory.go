package cuda

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// memory is the memory of a device.
type memory struct {
	owner *Space
	d     *card
	open  int // 1 for the first space on a device that is not closed

	mu     sync.Mutex
	blocks map[uintptr]block
	freed  []block // to be given back: the driver waits for launches before it does
}

// A block is what the driver has allocated. Of one of no bytes there is nothing.
type block struct {
	base   driver.Address
	spread *driver.Spread // the block, if several cards have parts of it
}

// free gives the block back to the driver.
func (b block) free(v *driver.Device) error {
	if b.spread != nil {
		return b.spread.Free()
	}
	return v.Free(b.base)
}

func newMemory(s *Space) *memory {
	return &memory{owner: s, d: s.card, open: opens.take(s.driver.Number), blocks: map[uintptr]block{}}
}

// String implements [device.Memory]. Memories of one device differ in it.
func (m *memory) String() string {
	if m.open > 1 {
		return fmt.Sprintf("CUDA %v, opened again (%d) with views of its own", m.owner, m.open)
	}
	return "CUDA " + m.owner.String()
}

// Owner implements [device.Memory].
func (m *memory) Owner() space.Space { return m.owner }

// Guard implements [device.Memory]: the host can never touch it.
func (m *memory) Guard() *device.Guard { return nil }

// natural is the alignment of what the driver allocates.
const natural = 256

// Allocate implements [device.Memory].
func (m *memory) Allocate(bytes, align int) (unsafe.Pointer, error) {
	const most = 4096
	switch {
	case bytes < 0:
		return nil, fmt.Errorf("%d bytes, expected at least 0", bytes)
	case align < 1 || align > most || align&(align-1) != 0:
		return nil, fmt.Errorf("an alignment of %d bytes, expected a power of two up to %d", align, most)
	case bytes > math.MaxInt/2:
		return nil, fmt.Errorf("%d bytes: %w", bytes, device.ErrOutOfMemory)
	}
	if err := m.d.enter(); err != nil {
		return nil, err
	}
	defer m.d.leave()
	if bytes == 0 {
		return nil, m.d.driver.Lost()
	}
	size := bytes
	if align > natural {
		size += align - natural
	}
	b, err := m.allocate(uint64(size))
	if err != nil {
		return nil, m.explain(bytes, err)
	}
	at := pointer((b.base + driver.Address(align) - 1) &^ (driver.Address(align) - 1))
	m.mu.Lock()
	m.blocks[uintptr(at)] = b
	m.mu.Unlock()
	if err := m.Fill(device.Fill{Dst: device.Side{Address: at, Strides: []int{1}}, Extents: []int{bytes}, Pattern: []byte{0}}); err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.blocks, uintptr(at))
		return nil, errors.Join(err, b.free(m.d.driver))
	}
	return at, nil
}

// allocate asks the driver, once more if there was something to be given back.
func (m *memory) allocate(bytes uint64) (block, error) {
	b, err := m.ask(bytes)
	if errors.Is(err, driver.ErrOutOfMemory) && m.release() > 0 {
		b, err = m.ask(bytes)
	}
	return b, err
}

// ask asks the driver. What one of several cards has no room for, all of them have parts of.
func (m *memory) ask(bytes uint64) (b block, err error) {
	if !m.d.spreads(bytes) {
		b.base, err = m.d.driver.Allocate(bytes)
		if len(m.d.drivers) == 0 || !errors.Is(err, driver.ErrOutOfMemory) {
			return b, err
		}
	}
	if b.spread, err = driver.AllocateSpread(m.d.drivers, bytes); err == nil {
		b.base = b.spread.At
	}
	return b, err
}

// explain says of an error that there is no room, and how much there is.
func (m *memory) explain(bytes int, err error) error {
	if !errors.Is(err, driver.ErrOutOfMemory) {
		return err
	}
	left, _ := m.d.driver.Room()
	for _, v := range m.d.drivers { // the card that has least ends it
		if room, err := v.Room(); err == nil {
			left = min(left, room)
		}
	}
	return fmt.Errorf("%d bytes, of which %d are left on %v: %w: %w", bytes, left, m.owner, device.ErrOutOfMemory, err)
}

// spread returns the block of several cards that has the bytes at an address, or nil.
func (m *memory) spread(at driver.Address) *driver.Spread {
	if len(m.d.drivers) == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.blocks {
		if s := b.spread; s != nil && at >= s.At && at-s.At < driver.Address(s.Part)*driver.Address(len(m.d.drivers)) {
			return s
		}
	}
	return nil
}

// until returns how many of n bytes at an address are on one card, as bytes must be that the driver copies or sets.
func (m *memory) until(at driver.Address, n int) int {
	s := m.spread(at)
	if s == nil {
		return n
	}
	return int(min(uint64(n), s.Part-uint64(at-s.At)%s.Part))
}

// Free implements [device.Memory].
func (m *memory) Free(address unsafe.Pointer) error {
	if address == nil {
		return nil // no bytes
	}
	m.mu.Lock()
	b, ok := m.blocks[uintptr(address)]
	if ok {
		delete(m.blocks, uintptr(address))
		m.freed = append(m.freed, b)
	}
	m.mu.Unlock()
	if !ok {
		return fmt.Errorf("%p is not allocated in the memory of %v", address, m)
	}
	m.d.idle(func() { m.release() })
	return nil
}

// release gives the driver what was freed, and returns how many that were.
func (m *memory) release() int {
	m.mu.Lock()
	freed := m.freed
	m.freed = nil
	m.mu.Unlock()
	for _, b := range freed {
		_ = b.free(m.d.driver) // a lost device has nothing any more
	}
	return len(freed)
}

// close gives all of it back. Views in it can still be freed.
func (m *memory) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var failures []error
	for _, b := range m.freed {
		failures = append(failures, b.free(m.d.driver))
	}
	for at, b := range m.blocks {
		failures = append(failures, b.free(m.d.driver))
		m.blocks[at] = block{}
	}
	m.freed = nil
	return errors.Join(failures...)
}

// pointer returns an address as views have it.
func pointer(a driver.Address) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&a)) }

// addressOf is the opposite of pointer.
func addressOf(p unsafe.Pointer) driver.Address { return driver.Address(uintptr(p)) }
