package memory

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/hugepage"
	"github.com/gokkos/gokkos/internal/watch"
)

// A Heap is a memory in that of the host: that of a simulated device, or the host's own.
type Heap struct {
	name   string
	owner  space.Space
	usable func() error
	guard  device.Guard

	mu     sync.Mutex
	blocks map[unsafe.Pointer]int // bytes
}

// Host is the memory of the host. Every space can touch it, at any time.
var Host = func() *Heap {
	h := NewHeap("Host", nil, func() error { return nil })
	h.guard.Enter()
	return h
}()

// NewHeap returns the memory of a device, which is closed. usable returns why there can be no
// views in it now, or nil.
func NewHeap(name string, owner space.Space, usable func() error) *Heap {
	return &Heap{name: name, owner: owner, usable: usable, blocks: map[unsafe.Pointer]int{}}
}

// String implements [device.Memory].
func (h *Heap) String() string { return h.name }

// Owner implements [device.Memory].
func (h *Heap) Owner() space.Space { return h.owner }

// Guard implements [device.Memory].
func (h *Heap) Guard() *device.Guard { return &h.guard }

// Allocate implements [device.Memory].
func (h *Heap) Allocate(bytes, align int) (unsafe.Pointer, error) {
	if err := h.usable(); err != nil {
		return nil, err
	}
	if err := CheckAllocation(bytes, align); err != nil {
		return nil, err
	}
	base, err := allocate(max(bytes, 1) + align - 1)
	if err != nil {
		return nil, err
	}
	address := unsafe.Add(base, -int(uintptr(base))&(align-1))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.blocks[address] = bytes
	watch.Allocated(h.ID(), uintptr(address), uintptr(bytes), h.guard.Open)
	return address, nil
}

// CheckAllocation returns an error if no memory can allocate that.
func CheckAllocation(bytes, align int) error {
	const maxAlign = 4096
	switch {
	case bytes < 0:
		return fmt.Errorf("%d bytes, expected at least 0", bytes)
	case align < 1 || align > maxAlign || align&(align-1) != 0:
		return fmt.Errorf("an alignment of %d bytes, expected a power of two up to %d", align, maxAlign)
	case bytes > math.MaxInt/2: // of which make would not panic everywhere
		return fmt.Errorf("%d bytes: %w", bytes, device.ErrOutOfMemory)
	}
	return nil
}

// allocate returns memory that begins at a multiple of 8 bytes.
func allocate(bytes int) (base unsafe.Pointer, err error) {
	defer func() {
		if recover() != nil { // of make: it alone knows how much is too much
			err = fmt.Errorf("%d bytes: %w", bytes, device.ErrOutOfMemory)
		}
	}()
	words := make([]uint64, (bytes+7)/8)
	hugepage.Advise(words)
	return unsafe.Pointer(unsafe.SliceData(words)), nil
}

// Free implements [device.Memory]. What it frees stays as long as anything refers to it.
func (h *Heap) Free(address unsafe.Pointer) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.blocks[address]; !ok {
		return fmt.Errorf("%p is not allocated in the memory of %v", address, h)
	}
	delete(h.blocks, address)
	watch.Freed(uintptr(address))
	return nil
}

// Blocks returns what is allocated, in the order of its addresses, for package watch.
func (h *Heap) Blocks() []watch.Block {
	h.mu.Lock()
	defer h.mu.Unlock()
	blocks := make([]watch.Block, 0, len(h.blocks))
	for address, bytes := range h.blocks {
		blocks = append(blocks, watch.Block{Begin: uintptr(address), End: uintptr(address) + uintptr(bytes)})
	}
	slices.SortFunc(blocks, func(a, b watch.Block) int { return cmp.Compare(a.Begin, b.Begin) })
	return blocks
}

// ID tells the memory from others, for package watch.
func (h *Heap) ID() uintptr { return uintptr(unsafe.Pointer(h)) }

// Copy implements [device.Memory].
func (h *Heap) Copy(c device.Copy) error {
	for r := range c.Each(0) {
		copy(unsafe.Slice((*byte)(r.Dst.Address), r.Bytes), unsafe.Slice((*byte)(r.Src.Address), r.Bytes))
	}
	return nil
}

// Fill implements [device.Memory].
func (h *Heap) Fill(f device.Fill) error {
	for r := range f.Each(0) {
		copy(unsafe.Slice((*byte)(r.Dst.Address), len(r.Pattern)), r.Pattern)
	}
	return nil
}
