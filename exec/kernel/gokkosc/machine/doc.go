// Package machine runs PTX on the CPU: the subset that package ptx writes, on warps of 32 threads that may
// diverge, and memory that is that of Go slices. It says what the bits are that a card gives, and it is
// strict: what the driver's compiler would refuse is an error of [Parse]; what PTX leaves open is an error of
// [Module.Run], or a value that no kernel would give by chance.
//
//	m, err := machine.Parse(text)
//	mem := &machine.Memory{}
//	x := mem.Map(bytes)
//	err = m.Run(mem, machine.Launch{Entry: "gokkos_axpy", Blocks: 2, Threads: 64, Params: []uint64{..., x}})
package machine
