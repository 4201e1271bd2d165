package gpu

import (
	"fmt"
	"math/bits"
)

// A Device says what one GPU can hold and how it joins partial results. It is a
// plain value and can be compared with ==.
//
// Every field that is 0 takes its default, so the zero value works: it is an
// H200 without its name. A few defaults follow from other fields. Presets such
// as [MI300X] set all fields; change what differs:
//
//	d := gpu.H200()
//	d.Block = 96
//
// An SM is what others call a compute unit or an Xe core, a warp is a sub-group,
// wavefront or hardware thread, and a block is a work-group or team.
//
// Registers are of 32 bits.
type Device struct {
	// Name names the device in messages; the default is "GPU".
	Name string

	// SubGroup is the number of lanes of a warp, a power of two from 1 to 128; the
	// default is 32.
	SubGroup int
	// Block is the number of threads per block of kernels over ranges, from 1 to
	// MaxBlock, odd or even; the default is 256, or MaxBlock if that is less.
	Block int
	// SMs is the number of SMs; the default is 132.
	SMs int

	// MaxBlock is the largest number of threads of a block, at most MaxWarps *
	// SubGroup; the default is 1024, or MaxWarps * SubGroup if that is less.
	MaxBlock int
	// MaxWarps is the largest number of warps that an SM holds; the default is
	// 2048 / SubGroup.
	MaxWarps int
	// MaxBlocks is the largest number of blocks that an SM holds; the default is 32.
	MaxBlocks int

	// Registers is the number of registers of an SM; the default is 65536.
	Registers int
	// RegistersPerThread is the largest number of registers of a thread; the
	// default is 255.
	RegistersPerThread int
	// RegisterUnit is the number of registers that those of a warp are rounded up
	// to a multiple of; the default is 8 per lane.
	RegisterUnit int
	// WarpUnit is the number of equal parts that an SM's registers are split into,
	// each for warps of its own; the default is 4.
	WarpUnit int

	// SharedPerBlockBytes is the largest amount of shared memory that a block can
	// ask for; the default, which is the most there can be, is what an SM has for
	// a single block.
	SharedPerBlockBytes int
	// SharedPerSMBytes is the shared memory of an SM; the default is 228 KiB.
	SharedPerSMBytes int
	// SharedUnitBytes is what the shared memory of a block is rounded up to a
	// multiple of; the default is 128.
	SharedUnitBytes int
	// SharedReservedBytes is the shared memory that the system takes for every
	// block; the default is 1024. There is none if it is -1.
	SharedReservedBytes int

	// Group says how the lanes of a block are joined.
	Group GroupCombine
	// Grid says how blocks are joined.
	Grid GridCombine
	// NoShuffles says that a lane cannot read a register of another lane of its
	// warp, as GroupShuffle does.
	NoShuffles bool
	// NoAtomics says that there are no atomics to join partial results with, as
	// GridAtomic does. An integer that blocks can count by, there is always.
	NoAtomics bool
}

// GroupCombine says how the partial results of the lanes of a block become one.
type GroupCombine uint8

const (
	GroupAuto    GroupCombine = iota // the space chooses
	GroupShuffle                     // a butterfly of shuffles in each warp, then one of the warps' results
	GroupShared                      // a tree in shared memory
)

// String returns "auto", "shuffle" or "shared".
func (g GroupCombine) String() string { return nameOf(g, "auto", "shuffle", "shared") }

// GridCombine says how the partial results of blocks become one.
type GridCombine uint8

const (
	GridAuto         GridCombine = iota // the space chooses
	GridAtomic                          // each block joins its own into the result, in any order
	GridLastBlock                       // the last block that is done joins all
	GridSecondKernel                    // a second kernel of one block joins all
)

// String returns "auto", "atomic", "last block" or "second kernel".
func (g GridCombine) String() string {
	return nameOf(g, "auto", "atomic", "last block", "second kernel")
}

// nameOf returns the name of the k-th constant of a type.
func nameOf[E ~uint8](k E, names ...string) string {
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("%T(%d)", k, uint8(k))
}

// Upper bounds of fields of a [Device]. They are far above any device, and low
// enough that no product of two fields overflows.
const (
	maxSubGroup = 128
	maxCount    = 1 << 16
	maxSize     = 1 << 28
)

// Complete returns d with all defaults filled in, or an error that names a field
// that does not hold what it should. A complete device stays as it is.
func (d Device) Complete() (Device, error) {
	var f fields
	if d.Name == "" {
		d.Name = "GPU"
	}
	d.completeThreads(&f)
	d.completeRegisters(&f)
	d.completeShared(&f)
	if f.err == nil {
		f.err = d.checkCombines()
	}
	return d, f.err
}

// fields fills in the fields of a device, and keeps the first error.
type fields struct{ err error }

// set gives a field its default, and checks that it is from 1 to most.
func (f *fields) set(field string, value *int, standard, most int, why string) {
	if *value == 0 {
		*value = standard
	}
	if *value < 1 || *value > most {
		f.fail("%s = %d, expected 1 to %d%s", field, *value, most, why)
	}
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("gpu: a device with "+format, args...)
	}
}

func (d *Device) completeThreads(f *fields) {
	if d.SubGroup == 0 {
		d.SubGroup = 32
	}
	if d.SubGroup < 1 || d.SubGroup > maxSubGroup || bits.OnesCount(uint(d.SubGroup)) != 1 {
		f.fail("a sub-group of %d lanes, expected a power of two from 1 to %d", d.SubGroup, maxSubGroup)
	}
	f.set("SMs", &d.SMs, 132, maxCount, "")
	f.set("MaxWarps", &d.MaxWarps, 2048/d.SubGroup, maxCount, "")
	threads := d.MaxWarps * d.SubGroup
	f.set("MaxBlock", &d.MaxBlock, min(1024, threads), threads,
		fmt.Sprintf(", the threads of %d warps of %d lanes", d.MaxWarps, d.SubGroup))
	f.set("Block", &d.Block, min(256, d.MaxBlock), d.MaxBlock, ", which is MaxBlock")
	f.set("MaxBlocks", &d.MaxBlocks, 32, maxCount, "")
}

func (d *Device) completeRegisters(f *fields) {
	f.set("Registers", &d.Registers, 65536, maxSize, "")
	f.set("RegistersPerThread", &d.RegistersPerThread, 255, maxCount, "")
	f.set("RegisterUnit", &d.RegisterUnit, 8*d.SubGroup, maxSize, "")
	f.set("WarpUnit", &d.WarpUnit, 4, maxCount, "")
}

func (d *Device) completeShared(f *fields) {
	f.set("SharedPerSMBytes", &d.SharedPerSMBytes, 228<<10, maxSize, "")
	f.set("SharedUnitBytes", &d.SharedUnitBytes, 128, maxSize, "")
	if d.SharedReservedBytes == 0 {
		d.SharedReservedBytes = 1024
	}
	if d.SharedReservedBytes < -1 || d.SharedReservedBytes > maxSize {
		f.fail("SharedReservedBytes = %d, expected -1, for none, to %d", d.SharedReservedBytes, maxSize)
	}
	room := d.SharedPerSMBytes/d.SharedUnitBytes*d.SharedUnitBytes - d.reservedBytes()
	if room < 1 {
		f.fail("SharedPerSMBytes = %d, expected room for a block: more than the %d bytes that each has reserved, in units of %d bytes",
			d.SharedPerSMBytes, d.reservedBytes(), d.SharedUnitBytes)
	}
	f.set("SharedPerBlockBytes", &d.SharedPerBlockBytes, room, room, ", what an SM has for a single block")
}

// checkCombines checks how lanes and blocks are joined.
func (d *Device) checkCombines() error {
	switch {
	case d.Group > GroupShared:
		return fmt.Errorf("gpu: a device with Group = %v, expected %v, %v or %v", d.Group, GroupAuto, GroupShuffle, GroupShared)
	case d.Grid > GridSecondKernel:
		return fmt.Errorf("gpu: a device with Grid = %v, expected %v, %v, %v or %v", d.Grid, GridAuto, GridAtomic, GridLastBlock, GridSecondKernel)
	case d.NoShuffles && d.Group == GroupShuffle:
		return fmt.Errorf("gpu: a device with NoShuffles and Group = %v, expected %v or %v", d.Group, GroupAuto, GroupShared)
	case d.NoAtomics && d.Grid == GridAtomic:
		return fmt.Errorf("gpu: a device with NoAtomics and Grid = %v, expected %v, %v or %v", d.Grid, GridAuto, GridLastBlock, GridSecondKernel)
	}
	return nil
}

// reservedBytes returns the shared memory that the system takes for every block.
func (d Device) reservedBytes() int { return max(0, d.SharedReservedBytes) }
