package gpu

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var presets = []Device{H200(), A100(), MI300X(), Max1550()}

func TestDeviceDefaults(t *testing.T) {
	h200 := H200()
	h200.Name = "GPU"
	for _, tc := range []struct {
		name   string
		d      Device
		change func(want *Device) // of an H200
	}{
		{"zero", Device{}, func(*Device) {}},
		{"sub-group of 1", Device{SubGroup: 1}, func(d *Device) { d.SubGroup, d.MaxWarps, d.RegisterUnit = 1, 2048, 8 }},
		{"sub-group of 128", Device{SubGroup: 128}, func(d *Device) { d.SubGroup, d.MaxWarps, d.RegisterUnit = 128, 16, 1024 }},
		{"few warps", Device{MaxWarps: 4}, func(d *Device) { d.MaxWarps, d.MaxBlock, d.Block = 4, 128, 128 }},
		{"one lane", Device{SubGroup: 1, MaxWarps: 1}, func(d *Device) {
			d.SubGroup, d.MaxWarps, d.RegisterUnit, d.MaxBlock, d.Block = 1, 1, 8, 1, 1
		}},
		{"odd block", Device{Block: 97}, func(d *Device) { d.Block = 97 }},
		{"little shared memory", Device{SharedPerSMBytes: 65 << 10}, func(d *Device) {
			d.SharedPerSMBytes, d.SharedPerBlockBytes = 65<<10, 64<<10
		}},
		{"shared memory that is no multiple of its unit", Device{SharedPerSMBytes: 2000}, func(d *Device) {
			d.SharedPerSMBytes, d.SharedPerBlockBytes = 2000, 15*128-1024
		}},
		{"no reserve", Device{SharedReservedBytes: -1}, func(d *Device) {
			d.SharedReservedBytes, d.SharedPerBlockBytes = -1, 228<<10
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := h200
			tc.change(&want)
			got, err := tc.d.Complete()
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

func TestDevicePresetsAreComplete(t *testing.T) {
	for _, d := range presets {
		t.Run(d.Name, func(t *testing.T) {
			v := reflect.ValueOf(d)
			for k := range v.NumField() {
				switch v.Type().Field(k).Name {
				case "Group", "Grid", "NoShuffles", "NoAtomics":
				default:
					assert.False(t, v.Field(k).IsZero(), v.Type().Field(k).Name)
				}
			}
			got, err := d.Complete()
			require.NoError(t, err)
			assert.True(t, got == d, "%+v", got)
		})
	}
}

func TestDeviceErrors(t *testing.T) {
	for _, tc := range []struct {
		d    Device
		says string
	}{
		{Device{SubGroup: 48}, "a sub-group of 48 lanes, expected a power of two from 1 to 128"},
		{Device{SubGroup: -32}, "a sub-group of -32 lanes, expected"},
		{Device{SubGroup: 256}, "a sub-group of 256 lanes, expected"},
		{Device{SMs: -1}, "SMs = -1, expected 1 to 65536"},
		{Device{MaxWarps: -1}, "MaxWarps = -1, expected 1 to"},
		{Device{MaxWarps: 1 << 30}, "MaxWarps = 1073741824, expected 1 to 65536"},
		{Device{MaxBlock: -1}, "MaxBlock = -1, expected 1 to 2048"},
		{Device{MaxBlock: 2049}, "MaxBlock = 2049, expected 1 to 2048, the threads of 64 warps of 32 lanes"},
		{Device{SubGroup: 4, MaxWarps: 64, MaxBlock: 257}, "MaxBlock = 257, expected 1 to 256, the threads of 64 warps of 4 lanes"},
		{Device{Block: -1}, "Block = -1, expected 1 to 1024"},
		{Device{Block: 1025}, "Block = 1025, expected 1 to 1024, which is MaxBlock"},
		{Device{MaxBlock: 100, Block: 101}, "Block = 101, expected 1 to 100"},
		{Device{MaxBlocks: -1}, "MaxBlocks = -1, expected 1 to"},
		{Device{Registers: -1}, "Registers = -1, expected 1 to"},
		{Device{RegistersPerThread: -1}, "RegistersPerThread = -1, expected 1 to"},
		{Device{RegisterUnit: -1}, "RegisterUnit = -1, expected 1 to"},
		{Device{WarpUnit: -1}, "WarpUnit = -1, expected 1 to"},
		{Device{SharedPerSMBytes: -1}, "SharedPerSMBytes = -1, expected 1 to"},
		{Device{SharedUnitBytes: -1}, "SharedUnitBytes = -1, expected 1 to"},
		{Device{SharedReservedBytes: -2}, "SharedReservedBytes = -2, expected -1, for none, to"},
		{Device{SharedReservedBytes: 1 << 30}, "SharedReservedBytes = 1073741824, expected -1, for none, to"},
		{Device{SharedPerBlockBytes: -1}, "SharedPerBlockBytes = -1, expected 1 to 232448"},
		{Device{SharedPerBlockBytes: 228 << 10}, "SharedPerBlockBytes = 233472, expected 1 to 232448, what an SM has for a single block"},
		{Device{SharedPerSMBytes: 1024}, "SharedPerSMBytes = 1024, expected room for a block: more than the 1024 bytes that each has reserved"},
		{Device{SharedUnitBytes: 1 << 20}, "expected room for a block"},
		{Device{Group: 7}, "Group = gpu.GroupCombine(7), expected auto, shuffle or shared"},
		{Device{Grid: 7}, "Grid = gpu.GridCombine(7), expected auto, atomic, last block or second kernel"},
		{Device{NoShuffles: true, Group: GroupShuffle}, "NoShuffles and Group = shuffle, expected auto or shared"},
		{Device{NoAtomics: true, Grid: GridAtomic}, "NoAtomics and Grid = atomic, expected auto, last block or second kernel"},
	} {
		t.Run(tc.says, func(t *testing.T) {
			_, err := tc.d.Complete()
			require.ErrorContains(t, err, "gpu: a device with ")
			assert.ErrorContains(t, err, tc.says)
			_, err = tc.d.Occupancy(32, 0, 0)
			assert.ErrorContains(t, err, tc.says)
		})
	}
}

// Whatever a device is missing, it may have all that does without.
func TestDeviceMissingFeatures(t *testing.T) {
	for _, group := range []GroupCombine{GroupAuto, GroupShared} {
		for _, grid := range []GridCombine{GridAuto, GridLastBlock, GridSecondKernel} {
			_, err := Device{NoShuffles: true, NoAtomics: true, Group: group, Grid: grid}.Complete()
			assert.NoError(t, err, "%v, %v", group, grid)
		}
	}
}

func TestDeviceStrings(t *testing.T) {
	assert.Equal(t, "[auto shuffle shared gpu.GroupCombine(3)]",
		fmt.Sprint([]GroupCombine{GroupAuto, GroupShuffle, GroupShared, 3}))
	assert.Equal(t, "[auto atomic last block second kernel gpu.GridCombine(4)]",
		fmt.Sprint([]GridCombine{GridAuto, GridAtomic, GridLastBlock, GridSecondKernel, 4}))
}

// anyDevice draws a device, which may be invalid, with few large fields.
func anyDevice(t *rapid.T) Device {
	field := func(name string, values ...int) int {
		return rapid.OneOf(rapid.Just(0), rapid.SampledFrom(values)).Draw(t, name)
	}
	return Device{
		SubGroup:            field("SubGroup", 1, 2, 4, 8, 16, 32, 64, 128),
		Block:               field("Block", 1, 33, 256),
		MaxBlock:            field("MaxBlock", 1, 100, 256, 1024),
		MaxWarps:            field("MaxWarps", 1, 7, 40, 64),
		MaxBlocks:           field("MaxBlocks", 1, 5, 32, 64),
		Registers:           field("Registers", 100, 8192, 65536, 131072),
		RegistersPerThread:  field("RegistersPerThread", 1, 63, 255, 512),
		RegisterUnit:        field("RegisterUnit", 1, 96, 256, 2048),
		WarpUnit:            field("WarpUnit", 1, 2, 3, 4, 8),
		SharedPerBlockBytes: field("SharedPerBlockBytes", 1, 1000, 48<<10),
		SharedPerSMBytes:    field("SharedPerSMBytes", 2000, 48<<10, 100<<10),
		SharedUnitBytes:     field("SharedUnitBytes", 1, 100, 512, 1024),
		SharedReservedBytes: field("SharedReservedBytes", -1, 7, 1024),
	}
}

// validDevice draws a complete device.
func validDevice(t *rapid.T) Device {
	d := rapid.OneOf(rapid.SampledFrom(presets), rapid.Custom(anyDevice).Filter(func(d Device) bool {
		_, err := d.Complete()
		return err == nil
	})).Draw(t, "device")
	d, err := d.Complete()
	require.NoError(t, err)
	return d
}

// A device that is complete stays as it is, and any block that MaxBlock allows
// can run.
func TestDeviceComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := validDevice(t)
		again, err := d.Complete()
		require.NoError(t, err)
		require.Equal(t, d, again)
		for _, threads := range []int{1, d.Block, d.MaxBlock} {
			o, err := d.Occupancy(threads, 0, d.SharedPerBlockBytes)
			require.NoError(t, err)
			require.Positive(t, o.Blocks)
		}
	})
}
