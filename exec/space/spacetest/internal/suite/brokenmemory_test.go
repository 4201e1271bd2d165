package suite_test

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
)

// flawedMemory is a sound memory but for what is set.
type flawedMemory struct {
	*memory.Heap
	owner    space.Space
	name     string
	guard    func() *device.Guard
	allocate func(bytes, align int) (unsafe.Pointer, error)
	free     func(address unsafe.Pointer) error
	copy     func(c device.Copy) error
	fill     func(f device.Fill) error
}

func (m *flawedMemory) Owner() space.Space { return m.owner }
func (m *flawedMemory) String() string     { return strings.TrimSpace(m.name) }

func (m *flawedMemory) Guard() *device.Guard {
	if m.guard != nil {
		return m.guard()
	}
	return nil
}

func (m *flawedMemory) Allocate(bytes, align int) (unsafe.Pointer, error) {
	if m.allocate != nil {
		return m.allocate(bytes, align)
	}
	if bytes < 0 || bytes > 1<<20 {
		return m.Heap.Allocate(bytes, align)
	}
	return m.Heap.Allocate(bytes+beyond, align)
}

// beyond is how many bytes a fault may reach too far.
const beyond = 1 << 13

func (m *flawedMemory) Free(address unsafe.Pointer) error {
	if m.free != nil {
		return m.free(address)
	}
	return m.Heap.Free(address)
}

func (m *flawedMemory) Copy(c device.Copy) error {
	if m.copy != nil {
		return m.copy(c)
	}
	return m.Heap.Copy(c)
}

func (m *flawedMemory) Fill(f device.Fill) error {
	if m.fill != nil {
		return m.fill(f)
	}
	return m.Heap.Fill(f)
}

// A roomy space is sound, with any memory.
type roomy struct {
	exec.Serial
	memory device.Memory
}

func (r *roomy) Memory() device.Memory { return r.memory }

// newRoomy returns a space with a sound memory, for it to break.
func newRoomy() (*roomy, *flawedMemory) {
	m := &flawedMemory{Heap: memory.NewHeap("heap", nil, func() error { return nil }), name: "flawed"}
	r := &roomy{memory: m}
	m.owner = r
	return r, m
}

// The case of memories finds every one of these out, and says what is wrong.
func TestBrokenMemory(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(m *flawedMemory)
		want  string
	}{
		"sound":          {func(*flawedMemory) {}, ""},
		"has no name":    {func(m *flawedMemory) { m.name = " " }, "the memory has no name"},
		"has no owner":   {func(m *flawedMemory) { m.owner = nil }, "the owner of the memory is <nil>"},
		"is not its own": {func(m *flawedMemory) { m.owner, _ = newRoomy() }, "expected the space, or one with the same memory"},
		"has many guards": {func(m *flawedMemory) {
			m.guard = func() *device.Guard { return new(device.Guard) }
		}, "return another one each time"},
		"is open": {func(m *flawedMemory) {
			g := new(device.Guard)
			g.Enter()
			m.guard = func() *device.Guard { return g }
		}, "open to the host while no launch runs"},
		"ignores alignment": {func(m *flawedMemory) {
			m.allocate = func(bytes, align int) (unsafe.Pointer, error) {
				if _, err := m.Heap.Allocate(bytes, align); err != nil {
					return nil, err
				}
				address, err := m.Heap.Allocate(bytes+8, 4096)
				return unsafe.Add(address, 8), err
			}
		}, "expected a multiple of 16"},
		"hands out one address": {func(m *flawedMemory) {
			page, _ := m.Heap.Allocate(1<<20, 4096)
			m.allocate = func(bytes, align int) (unsafe.Pointer, error) { return page, nil }
		}, "that are allocated"},
		"hands out what is not zero": {func(m *flawedMemory) {
			m.allocate = func(bytes, align int) (unsafe.Pointer, error) {
				address, err := m.Heap.Allocate(bytes, align)
				if err == nil && bytes > 1000 {
					*(*byte)(unsafe.Add(address, bytes-1)) = 1
				}
				return address, err
			}
		}, "not all of the bytes are 0"},
		"cannot allocate nothing": {func(m *flawedMemory) {
			m.allocate = func(bytes, align int) (unsafe.Pointer, error) {
				if bytes == 0 {
					return nil, device.ErrOutOfMemory
				}
				return m.Heap.Allocate(bytes, align)
			}
		}, "Allocate(0, 1): out of memory"},
		"panics without room": {func(m *flawedMemory) {
			m.allocate = func(bytes, align int) (unsafe.Pointer, error) {
				address, err := m.Heap.Allocate(bytes, align)
				if err != nil {
					panic(err)
				}
				return address, nil
			}
		}, "panic: "},
		"has an error of its own without room": {func(m *flawedMemory) {
			m.allocate = func(bytes, align int) (unsafe.Pointer, error) {
				address, err := m.Heap.Allocate(bytes, align)
				if err != nil {
					err = assert.AnError
				}
				return address, err
			}
		}, "expected one that wraps device.ErrOutOfMemory"},
		"frees twice": {func(m *flawedMemory) {
			m.free = func(address unsafe.Pointer) error { _ = m.Heap.Free(address); return nil }
		}, "Free of what was freed before returned no error"},
		"copies whole words": {func(m *flawedMemory) {
			m.copy = func(c device.Copy) error {
				c.Bytes = (c.Bytes + 7) &^ 7
				return m.Heap.Copy(c)
			}
		}, "expected 0x"},
		"forgets the first extent": {func(m *flawedMemory) {
			m.copy = func(c device.Copy) error {
				for r := range c.Each(max(len(c.Extents)-1, 0)) {
					return m.Heap.Copy(r)
				}
				return nil
			}
		}, "rows, host to device"},
		"takes the strides of one side": {func(m *flawedMemory) {
			m.copy = func(c device.Copy) error {
				if c.Direction == device.DeviceToDevice {
					c.Src.Strides = c.Dst.Strides
				}
				return m.Heap.Copy(c)
			}
		}, "device to device"},
		"has no way out": {func(m *flawedMemory) {
			m.copy = func(c device.Copy) error {
				if c.Direction == device.DeviceToHost {
					return assert.AnError
				}
				return m.Heap.Copy(c)
			}
		}, "device to host: " + assert.AnError.Error()},
		"copies by one buffer": {func(m *flawedMemory) {
			var mu sync.Mutex
			var buffer []byte
			m.copy = func(c device.Copy) error {
				for r := range c.Each(0) {
					mu.Lock()
					buffer = slices.Clone(unsafe.Slice((*byte)(r.Src.Address), r.Bytes))
					mu.Unlock()
					runtime.Gosched()
					mu.Lock()
					copy(unsafe.Slice((*byte)(r.Dst.Address), r.Bytes), buffer)
					mu.Unlock()
				}
				return nil
			}
		}, "among others at the same time"},
		"fills with words": {func(m *flawedMemory) {
			m.fill = func(f device.Fill) error {
				f.Pattern = f.Pattern[:min(len(f.Pattern), 8)]
				return m.Heap.Fill(f)
			}
		}, "Fill with 9 bytes"},
		"fills the gaps": {func(m *flawedMemory) {
			m.fill = func(f device.Fill) error {
				for r := range f.Each(1) {
					if n := len(r.Pattern); len(r.Extents) == 1 && r.Dst.Strides[0] == 2*n {
						r.Extents, r.Dst.Strides = []int{2*r.Extents[0] - 1}, []int{n}
					}
					if err := m.Heap.Fill(r); err != nil {
						return err
					}
				}
				return nil
			}
		}, "Fill with 1 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			r, m := newRoomy()
			c.spoil(m)
			o := outcomeOf(t, "parts/memory", r)
			if c.want == "" {
				assert.Empty(t, o.Failures)
				return
			}
			require.NotEmpty(t, o.Failures)
			assert.Contains(t, strings.Join(o.Failures, "\n"), c.want)
		})
	}
}
