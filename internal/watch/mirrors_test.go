//go:build !race && !noasm && (amd64 || arm64)

package watch

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// Memory of a host and of its device. It is global, so that no stack has it.
var onHostX, onDeviceX, elsewhereX [8]uint32

func block(x *[8]uint32) Block { return Block{at(x), at(x) + 32} }

// copied copies all of x.
func copied(dst, src *[8]uint32) {
	*dst = *src
	Copied(block(dst), block(src), dst != &onDeviceX)
}

func TestMirrors(t *testing.T) {
	const device = 9
	Want()
	WantMirrors(device)
	assert.True(t, WantsMirrors())
	h, d := &onHostX, &onDeviceX
	for _, c := range []struct {
		name    string
		program func()
		kernel  int // findings of a launch that reads element 5
		host    int // of the host, which reads it then
	}{
		{"never copied", func() { h[5] = 1 }, 0, 0},
		{"copied", func() { h[5] = 1; copied(d, h) }, 0, 0},
		{"the host has changed it", func() { copied(d, h); h[5]++ }, 1, 0},
		{"the host has changed another one", func() { copied(d, h); h[4]++ }, 0, 0},
		{"the device has changed it", func() { copied(d, h); d[5]++ }, 0, 1},
		{"both have", func() { copied(d, h); d[5]++; h[5] = 77 }, 0, 0},
		{"copied back", func() { copied(d, h); d[5]++; copied(h, d) }, 0, 0},
		{"changed behind the second copy", func() { copied(d, h); d[5]++; copied(h, d); h[5]++ }, 1, 0},
		{"the host writes the same again", func() { copied(d, h); d[5]++; racewrite(at(&h[5])) }, 0, 0},
		{"the host wrote it before the last copy", func() { copied(d, h); racewrite(at(&h[5])); copied(d, h); d[5]++ }, 0, 1},
		{"the host writes another one", func() { copied(d, h); d[5]++; racewrite(at(&h[4])) }, 0, 1},
		{"the device gets it from elsewhere", func() { copied(d, h); copied(d, &elsewhereX); h[5]++ }, 0, 0},
		{"the host does", func() { copied(d, h); copied(h, &elsewhereX); h[5]++ }, 0, 0},
		{"the host has another copy", func() { copied(d, h); d[5]++; copied(&elsewhereX, d) }, 0, 0},
		{"the host copies it elsewhere", func() { copied(d, h); copied(&elsewhereX, h); d[5]++ }, 0, 1},
		{"a part is copied", func() {
			copied(d, h)
			Copied(Block{at(d), at(d) + 4}, Block{at(h), at(h) + 4}, false)
			h[5]++
		}, 0, 0},
		{"the copy is cut short", func() { copied(d, h); h[5]++; Copied(block(d), block(h), false); h[6]++ }, 0, 0},
	} {
		*h, *d = [8]uint32{}, [8]uint32{1, 2, 3, 4, 5, 6, 7, 8}
		open := false
		Allocated(device, at(d), 32, func() bool { return open })
		On = true
		Mirrored(unsafe.Pointer(h), unsafe.Pointer(d), 32, 4)
		c.program()
		open = true
		assert.Len(t, watched(func() { item(func() { raceread(at(&d[5])) }) }), c.kernel, c.name)
		open = false
		raceread(at(&h[5]))
		raceread(at(&h[0]))
		assert.Empty(t, StaleReads(device+1), c.name)
		Freed(at(d)) // what was found is kept
		assert.Len(t, StaleReads(device), c.host, c.name)
		assert.Empty(t, StaleReads(device), c.name)
		assert.False(t, mirrors.any.Load(), c.name)
	}
	mirrors.devices = nil
	mirrors.wanted.Store(false)
	On = false
}
