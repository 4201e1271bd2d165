package gpu

// H200 returns the NVIDIA H200.
//
// Source: NVIDIA, CUDA C++ Programming Guide, technical specifications of compute
// capability 9.0, and Hopper Tuning Guide, sections 1.4.1 and 1.4.2; the units of
// allocation from cuda_occupancy.h; the SMs are those of the H100 SXM5, which is
// the same chip.
func H200() Device {
	d := ampere()
	d.Name = "H200"
	d.SMs = 132
	d.SharedPerBlockBytes = 227 << 10
	d.SharedPerSMBytes = 228 << 10
	return d
}

// A100 returns the NVIDIA A100.
//
// Source: NVIDIA, CUDA C++ Programming Guide, technical specifications of compute
// capability 8.0, and Ampere Tuning Guide, sections 1.4.1 and 1.4.2; the units of
// allocation from cuda_occupancy.h.
func A100() Device {
	d := ampere()
	d.Name = "A100"
	d.SMs = 108
	d.SharedPerBlockBytes = 163 << 10
	d.SharedPerSMBytes = 164 << 10
	return d
}

// ampere returns what NVIDIA's devices of compute capability 8.0 and 9.0 share.
func ampere() Device {
	return Device{
		SubGroup:            32,
		Block:               256,
		MaxBlock:            1024,
		MaxWarps:            64,
		MaxBlocks:           32,
		Registers:           65536,
		RegistersPerThread:  255,
		RegisterUnit:        256,
		WarpUnit:            4,
		SharedUnitBytes:     128,
		SharedReservedBytes: 1024,
	}
}

// MI300X returns the AMD Instinct MI300X as one device of all its compute units.
//
// Registers are vector registers, which CDNA 3 shares with its accumulation
// registers. Scalar registers are left out.
//
// Source: AMD, ROCm GPU hardware specifications (compute units, wavefront, LDS, a
// VGPR file of 512 KiB); LLVM, AMDGPUBaseInfo.cpp for gfx90a and later, and User
// Guide for the AMDGPU Backend (8 wavefronts, and 512 VGPRs per lane in units of
// 8, on each of 4 SIMDs; LDS in units of 512 bytes).
func MI300X() Device {
	return Device{
		Name:     "MI300X",
		SubGroup: 64,
		Block:    256,
		SMs:      304,
		MaxBlock: 1024,
		MaxWarps: 32,
		// A block of several wavefronts holds one of 16 barriers, and 32
		// wavefronts make no more than 16 such blocks.
		MaxBlocks:           32,
		Registers:           131072,
		RegistersPerThread:  512,
		RegisterUnit:        512,
		WarpUnit:            4,
		SharedPerBlockBytes: 64 << 10,
		SharedPerSMBytes:    64 << 10,
		SharedUnitBytes:     512,
		SharedReservedBytes: -1,
	}
}

// Max1550 returns the Intel Data Center GPU Max 1550 as one device of both its
// stacks, with sub-groups of 16.
//
// Source: Intel, oneAPI GPU Optimization Guide, and the device table of the Intel
// GPU Occupancy Calculator (Xe HPC: 8 vector engines of 8 threads, 64 work-groups
// and 128 KiB of SLM per Xe core, work-groups of 1024); Data Center GPU Max Series
// Technical Overview (64 Xe cores per stack).
func Max1550() Device {
	return Device{
		Name:     "Max 1550",
		SubGroup: 16,
		Block:    256,
		SMs:      128,
		MaxBlock: 1024,
		MaxWarps: 64,
		// A block of several threads of an engine holds one of 32 barriers, and 64
		// threads make no more than 32 such blocks.
		MaxBlocks: 64,
		// A thread has 128 registers of 64 bytes, or 256 of them and half as many
		// threads run: no allocation in between. In sub-groups of 16 these are 128
		// or 256 registers of 32 bits per lane.
		Registers:           131072,
		RegistersPerThread:  256,
		RegisterUnit:        2048,
		WarpUnit:            8,
		SharedPerBlockBytes: 128 << 10,
		SharedPerSMBytes:    128 << 10,
		// SLM comes in steps that grow with the size, and that start at 1 KiB. So
		// that shared memory is never said to bind where it does not, all steps
		// are the smallest.
		SharedUnitBytes:     1 << 10,
		SharedReservedBytes: -1,
	}
}
