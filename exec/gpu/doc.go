// Package gpu says what a GPU can hold and what a launch did on it.
//
// A [Device] is a model of one GPU: its warps, registers, shared memory and limits, and how
// it joins partial results. [H200], [A100], [MI300X] and [Max1550] are presets.
// [Device.Occupancy] tells how many blocks of a kernel one SM holds. exec.NewSimGPU makes
// a space that simulates a device; after a launch it has a [Report].
package gpu
