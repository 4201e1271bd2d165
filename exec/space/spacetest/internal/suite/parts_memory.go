package suite

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
)

// keepsMemory checks the memory of a space, with guard bytes around all that is written.
func keepsMemory(t *report, s exec.Space) {
	m := device.MemoryOf(s)
	if m == nil {
		return
	}
	if m.String() == "" {
		t.errorf("the memory has no name")
	}
	if g := m.Guard(); device.MemoryOf(s) != m || m.Guard() != g {
		t.errorf("Memory and Guard return another one each time, expected the same")
	}
	if o := m.Owner(); o == nil || device.MemoryOf(o) != m {
		t.errorf("the owner of the memory is %v, expected the space, or one with the same memory", o)
	}
	if g := m.Guard(); g != nil && g.Open() {
		t.errorf("the memory is open to the host while no launch runs")
	}
	allocates(t, m)
	copies(t, m)
	fills(t, m)
	shares(t, m)
}

// allocates checks Allocate and Free.
func allocates(t *report, m device.Memory) {
	type given struct {
		address unsafe.Pointer
		bytes   int
	}
	var all []given
	for _, size := range []int{0, 1, 3, 8, 63, 64, 65, 1000, 4096, 100003} {
		for _, align := range []int{1, 2, 4, 8, 16, 64, 256, 4096} {
			address, err := m.Allocate(size, align)
			if err != nil {
				t.fatalf("Allocate(%d, %d): %v", size, align, err)
			}
			if uintptr(address)%uintptr(align) != 0 {
				t.errorf("Allocate(%d, %d) returned %p, expected a multiple of %d", size, align, address, align)
			}
			for _, g := range all {
				a, b := uintptr(address), uintptr(g.address)
				if size > 0 && g.bytes > 0 && a < b+uintptr(g.bytes) && b < a+uintptr(size) {
					t.fatalf("Allocate(%d, %d) returned %p, which is in the %d bytes at %p that are allocated", size, align, address, g.bytes, g.address)
				}
			}
			if x := fetched(t, m, address, size); slices.Max(append(x, 0)) > 0 {
				t.errorf("Allocate(%d, %d): not all of the bytes are 0", size, align)
			}
			if size > 0 { // so that it is not zero by chance when it is allocated again
				put(t, m, address, bytes.Repeat([]byte{0xa5}, size))
			}
			all = append(all, given{address, size})
		}
	}
	for _, g := range all {
		if err := m.Free(g.address); err != nil {
			t.errorf("Free of %d bytes: %v", g.bytes, err)
		}
	}
	again, err := m.Allocate(4096, 8)
	if err != nil {
		t.fatalf("Allocate(4096, 8) after all was freed: %v", err)
	}
	if x := fetched(t, m, again, 4096); slices.Max(x) > 0 {
		t.errorf("Allocate(4096, 8) after all was freed: not all of the bytes are 0")
	}
	if err := m.Free(again); err != nil {
		t.errorf("Free of 4096 bytes: %v", err)
	}
	refuses(t, m, again)
}

// refuses checks that what cannot be allocated or freed is an error. freed is an address that
// was freed.
func refuses(t *report, m device.Memory, freed unsafe.Pointer) {
	if m.Free(freed) == nil {
		t.errorf("Free of what was freed before returned no error")
	}
	var local [8]byte
	if m.Free(unsafe.Pointer(&local)) == nil {
		t.errorf("Free of what was never allocated returned no error")
	}
	for _, c := range [][2]int{{-1, 8}, {math.MinInt, 8}, {8, 0}, {8, -8}, {8, 3}} {
		if _, err := m.Allocate(c[0], c[1]); err == nil {
			t.errorf("Allocate(%d, %d) returned no error", c[0], c[1])
		}
	}
	for _, size := range []int{math.MaxInt, math.MaxInt - 4096} {
		if _, err := m.Allocate(size, 8); !errors.Is(err, device.ErrOutOfMemory) {
			t.errorf("Allocate(%d, 8) returned the error %v, expected one that wraps device.ErrOutOfMemory", size, err)
		}
	}
}

// A layout places the runs of a box among guard bytes.
type layout struct {
	name    string
	extents []int
	bytes   int    // of a run
	a, b    []int  // strides, of two sides
	guard   [2]int // bytes before the first run of each side
}

// layouts are boxes of runs: contiguous, strided, transposed, of many extents.
var layouts = []layout{
	{"one byte", nil, 1, nil, nil, [2]int{0, 0}},
	{"a run", nil, 100003, nil, nil, [2]int{1, 7}},
	{"rows", []int{5}, 24, []int{24}, []int{40}, [2]int{8, 16}},
	{"rows at odd places", []int{9}, 7, []int{13}, []int{11}, [2]int{3, 5}},
	{"rows from last to first dimension", []int{3, 4}, 2, []int{8, 2}, []int{2, 6}, [2]int{2, 4}},
	{"elements, transposed", []int{33, 65}, 8, []int{8 * 65, 8}, []int{8, 8 * 33}, [2]int{8, 24}},
	{"elements with gaps", []int{3, 5, 7}, 4, []int{400, 60, 8}, []int{4, 12, 60}, [2]int{12, 4}},
	{"planes of rows", []int{4, 3}, 16, []int{128, 32}, []int{64, 16}, [2]int{16, 0}},
	{"extents of 1", []int{1, 1, 6, 1}, 3, []int{0, 1000, 5, 0}, []int{9, 0, 3, 77}, [2]int{1, 1}},
	{"twelve extents", []int{2, 1, 2, 2, 1, 2, 2, 2, 1, 2, 2, 3}, 2,
		[]int{3072, 0, 1536, 768, 0, 384, 192, 96, 0, 48, 24, 8}, []int{2, 0, 4, 8, 0, 16, 32, 64, 0, 128, 256, 512}, [2]int{6, 10}},
}

// span returns how many bytes there are from the first of a side to the last.
func (l layout) span(strides []int) int {
	n := l.bytes
	for d, e := range l.extents {
		n += (e - 1) * strides[d]
	}
	return n
}

// move copies from one side to another as plain loops do.
func (l layout) move(dst, src []byte, dstStrides, srcStrides []int) {
	index := make([]int, len(l.extents))
	for {
		d, s := 0, 0
		for k, i := range index {
			d, s = d+i*dstStrides[k], s+i*srcStrides[k]
		}
		copy(dst[d:d+l.bytes], src[s:s+l.bytes])
		k := len(index) - 1
		for ; k >= 0; k-- {
			if index[k]++; index[k] < l.extents[k] {
				break
			}
			index[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// random returns bytes that look random, and are others for another seed.
func random(n, seed int) []byte {
	x := make([]byte, n)
	for k := range x {
		x[k] = byte(noise(seed*200003 + k))
	}
	return x
}

// copies checks Copy in each direction. What is before, between and behind must stay.
func copies(t *report, m device.Memory) {
	for k, l := range layouts {
		for _, turned := range []bool{false, true} {
			dst, src, guards := l.a, l.b, l.guard
			if turned {
				dst, src, guards = l.b, l.a, [2]int{l.guard[1], l.guard[0]}
			}
			from := random(guards[1]+l.span(src)+16, 2*k)
			to := random(guards[0]+l.span(dst)+16, 2*k+1)
			want := slices.Clone(to)
			l.move(want[guards[0]:], from[guards[1]:], dst, src)
			for _, way := range []device.Direction{device.HostToDevice, device.DeviceToHost, device.DeviceToDevice} {
				got, source := l.copied(t, m, way, to, from, guards, dst, src)
				what := fmt.Sprintf("%s, %v: strides %v to %v", l.name, way, src, dst)
				compare(t, what, got, want)
				compare(t, what+", the source", source, from)
			}
		}
	}
}

// copied returns what Copy makes of the bytes of two sides.
func (l layout) copied(t *report, m device.Memory, way device.Direction, to, from []byte, guards [2]int, dst, src []int) (got, source []byte) {
	hostDst, hostSrc := slices.Clone(to), slices.Clone(from)
	dstAddress, srcAddress := unsafe.Pointer(&hostDst[0]), unsafe.Pointer(&hostSrc[0])
	if way != device.DeviceToHost {
		dstAddress = stored(t, m, to)
		defer release(t, m, dstAddress)
	}
	if way != device.HostToDevice {
		srcAddress = stored(t, m, from)
		defer release(t, m, srcAddress)
	}
	err := m.Copy(device.Copy{
		Direction: way,
		Dst:       device.Side{Address: unsafe.Add(dstAddress, guards[0]), Strides: dst},
		Src:       device.Side{Address: unsafe.Add(srcAddress, guards[1]), Strides: src},
		Extents:   l.extents,
		Bytes:     l.bytes,
	})
	if err != nil {
		t.fatalf("%s, %v: %v", l.name, way, err)
	}
	if way != device.DeviceToHost {
		hostDst = fetched(t, m, dstAddress, len(to))
	}
	if way != device.HostToDevice {
		hostSrc = fetched(t, m, srcAddress, len(from))
	}
	return hostDst, hostSrc
}

// fills checks Fill with patterns of every length, next to each other and apart.
func fills(t *report, m device.Memory) {
	for length := 1; length <= device.MaxPattern; length++ {
		for k, extents := range [][]int{nil, {1}, {1000}, {7, 5}, {3, 2, 5}} {
			for _, gap := range []int{0, 1, length} {
				l := layout{extents: extents, bytes: length}
				step := length + gap
				strides := make([]int, len(extents))
				for d := len(extents) - 1; d >= 0; d-- {
					strides[d] = step
					step = step*extents[d] + gap
				}
				pattern := random(length, 100*length+k)
				before := random(length+l.span(strides)+16, 7*length+k)
				want := slices.Clone(before)
				l.move(want[length:], pattern, strides, make([]int, len(extents)))
				address := stored(t, m, before)
				side := device.Side{Address: unsafe.Add(address, length), Strides: strides}
				if err := m.Fill(device.Fill{Dst: side, Extents: extents, Pattern: pattern}); err != nil {
					t.fatalf("Fill with %d bytes, extents %v, strides %v: %v", length, extents, strides, err)
				}
				compare(t, fmt.Sprintf("Fill with %d bytes, extents %v, strides %v", length, extents, strides), fetched(t, m, address, len(before)), want)
				release(t, m, address)
			}
		}
	}
}

// shares checks that several goroutines may use the memory at once.
func shares(t *report, m device.Memory) {
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for round := range 20 {
				x := random(1000+worker, 100*worker+round)
				address := stored(t, m, x)
				compare(t, "among others at the same time, a copy in and out", fetched(t, m, address, len(x)), x)
				release(t, m, address)
			}
		})
	}
	all.Wait()
}

// compare says where bytes are not what they should be.
func compare(t *report, what string, got, want []byte) {
	for k := range want {
		if got[k] != want[k] {
			t.fatalf("%s: byte %d of %d is %#x, expected %#x", what, k, len(want), got[k], want[k])
		}
	}
}

// stored allocates memory with these bytes.
func stored(t *report, m device.Memory, x []byte) unsafe.Pointer {
	address, err := m.Allocate(len(x), 64)
	if err != nil {
		t.fatalf("Allocate(%d, 64): %v", len(x), err)
	}
	put(t, m, address, x)
	return address
}

// put makes x the bytes at an address.
func put(t *report, m device.Memory, address unsafe.Pointer, x []byte) {
	host := append(slices.Clone(x), make([]byte, hostGuard)...)
	err := m.Copy(device.Copy{Dst: device.Side{Address: address}, Src: device.Side{Address: unsafe.Pointer(&host[0])}, Bytes: len(x)})
	if err != nil {
		t.fatalf("Copy of %d bytes, %v: %v", len(x), device.HostToDevice, err)
	}
}

// fetched returns n bytes at an address.
func fetched(t *report, m device.Memory, address unsafe.Pointer, n int) []byte {
	if n == 0 {
		return nil
	}
	x := make([]byte, n+hostGuard)
	err := m.Copy(device.Copy{Direction: device.DeviceToHost, Dst: device.Side{Address: unsafe.Pointer(&x[0])}, Src: device.Side{Address: address}, Bytes: n})
	if err != nil {
		t.fatalf("Copy of %d bytes, %v: %v", n, device.DeviceToHost, err)
	}
	compare(t, fmt.Sprintf("Copy of %d bytes, %v: behind them", n, device.DeviceToHost), x[n:], make([]byte, hostGuard))
	return x[:n]
}

// hostGuard is how many bytes of the host are behind those of a copy.
const hostGuard = 16

// release frees an address.
func release(t *report, m device.Memory, address unsafe.Pointer) {
	if err := m.Free(address); err != nil {
		t.errorf("Free: %v", err)
	}
}
