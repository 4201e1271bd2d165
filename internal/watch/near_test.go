//go:build !race && !noasm && (amd64 || arm64)

package watch

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAge fails where a release of Go keeps elsewhere which variables are old.
func TestAge(t *testing.T) {
	assert.True(t, canTellAge())
	assert.True(t, isOld(at(&x[0])), "a variable of a package")
	var local byte
	assert.False(t, isOld(at(&local)), "on a stack")
}

func TestBlocks(t *testing.T) {
	blocks := []Block{{10, 20}, {20, 21}, {30, 40}}
	for addr, want := range map[uintptr]bool{0: false, 9: false, 10: true, 19: true, 20: true, 21: false, 29: false, 30: true, 39: true, 40: false, 99: false} {
		assert.Equal(t, want, has(blocks, addr), addr)
		assert.False(t, has(nil, addr))
	}
}

var made [2]*[3]float64

// makes is a functor that makes a variable. What it does to made itself is not looked at.
//
//go:norace
func makes() {
	made[1] = new([3]float64)
	racewrite(uintptr(unsafe.Pointer(made[1])))
}

func TestDeviceOnly(t *testing.T) {
	const device = 7
	near := new([8]float64)
	made[0] = new([3]float64)
	old := at(&made[0][2])
	kinds := func(f func()) (kinds []int) {
		require.NoError(t, Begin())
		require.NoError(t, DeviceOnly(device, []Block{{at(&near[0]), at(&near[0]) + 64}}))
		f()
		Leave()
		found, _ := End()
		for _, f := range found {
			kinds = append(kinds, f.Kind)
		}
		return kinds
	}
	assert.Empty(t, kinds(func() { item(func() { racewrite(at(&near[0])); raceread(at(&near[7])) }) }))
	assert.Equal(t, []int{HostMemory}, kinds(func() { item(func() { raceread(old) }) }), "of before the launch")
	assert.Empty(t, kinds(func() { item(makes) }), "of the functor")
	assert.Equal(t, []int{HostMemory}, kinds(func() {
		for i := range 3 { // at one line, and not the first item
			item(func() {
				for k := range 2 {
					if addr := at(&near[i]); i < 2 || k == 0 {
						raceread(addr)
					} else {
						raceread(at(&x[0]))
					}
				}
			})
		}
	}), "where other accesses of the line are not")
	assert.Equal(t, []int{OwnResult}, kinds(func() {
		Result(at(&x[5]), 8)
		item(func() { racewrite(at(&x[5])) })
	}), "a result is told of as one")
	assert.Empty(t, watched(func() { item(func() { raceread(old) }) }), "a launch that does not ask")
}
