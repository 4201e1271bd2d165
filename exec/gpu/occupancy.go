package gpu

import "fmt"

// Occupancy is what one SM of a [Device] holds at a time of a kernel.
type Occupancy struct {
	Blocks   int     // blocks per SM
	Warps    int     // warps per SM
	Fraction float64 // Warps as a fraction of the most an SM holds, from 0 to 1
	Limit    string  // what binds first: "warps", "blocks", "registers" or "shared memory"
}

// Occupancy returns how many blocks one SM holds at a time: the smallest number of
// blocks that its warps, blocks, registers and shared memory each have room for.
//
// A block has the given number of threads and of bytes of shared memory, static
// and dynamic, and a thread the given number of registers; 0 registers are not
// known and do not bind. Compilers tell the number, as nvcc does with -Xptxas -v.
// All of an SM's shared memory is taken to be available as such.
//
// A block that an SM cannot hold is an error, as is a device that is not valid.
//
// Source: NVIDIA, cuda_occupancy.h.
func (d Device) Occupancy(threads, registers, sharedBytes int) (Occupancy, error) {
	d, err := d.Complete()
	if err != nil {
		return Occupancy{}, err
	}
	switch {
	case threads < 1 || threads > d.MaxBlock:
		err = fmt.Errorf("gpu: a block of %d threads, expected 1 to %d on %s", threads, d.MaxBlock, d.Name)
	case registers < 0 || registers > d.RegistersPerThread:
		err = fmt.Errorf("gpu: %d registers per thread, expected 0, if not known, to %d on %s", registers, d.RegistersPerThread, d.Name)
	case sharedBytes < 0 || sharedBytes > d.SharedPerBlockBytes:
		err = fmt.Errorf("gpu: %d bytes of shared memory per block, expected 0 to %d on %s", sharedBytes, d.SharedPerBlockBytes, d.Name)
	}
	if err != nil {
		return Occupancy{}, err
	}
	warps := d.Warps(threads)
	o := Occupancy{Blocks: d.MaxWarps / warps, Limit: "warps"}
	bound := func(blocks int, limit string) {
		if blocks < o.Blocks {
			o.Blocks, o.Limit = blocks, limit
		}
	}
	bound(d.MaxBlocks, "blocks")
	if registers > 0 {
		most := d.warpsByRegisters(registers)
		if most < warps {
			return Occupancy{}, fmt.Errorf("gpu: a block of %d threads with %d registers each is %d warps, expected at most the %d that the %d registers per SM of %s have room for",
				threads, registers, warps, most, d.Registers, d.Name)
		}
		bound(most/warps, "registers")
	}
	if allocated := roundUp(sharedBytes+d.reservedBytes(), d.SharedUnitBytes); allocated > 0 {
		bound(d.SharedPerSMBytes/allocated, "shared memory")
	}
	o.Warps = o.Blocks * warps
	o.Fraction = float64(o.Warps) / float64(d.MaxWarps)
	return o, nil
}

// Warps returns the number of warps of a block of that many threads. The device must be
// complete.
func (d Device) Warps(threads int) int { return roundUp(threads, d.SubGroup) / d.SubGroup }

// warpsByRegisters returns how many warps an SM has registers for. Every part of
// its registers holds as many warps as any other.
func (d Device) warpsByRegisters(registers int) int {
	perWarp := roundUp(registers*d.SubGroup, d.RegisterUnit)
	return d.Registers / d.WarpUnit / perWarp * d.WarpUnit
}

// roundUp returns the smallest multiple of unit that is not below n.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
