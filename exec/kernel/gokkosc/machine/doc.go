// Package machine runs PTX on the CPU: the subset that package ptx writes. It has warps of 32 threads that
// may diverge, and memory made of Go slices. The results have the bits of a card, and the machine is strict.
// Code that the driver's compiler would refuse is an error of [Parse]. Behaviour that PTX leaves open is an
// error of [Module.Run], or a value that no kernel would give by chance.
//
//	m, err := machine.Parse(text)
//	mem := &machine.Memory{}
//	x := mem.Map(bytes)
//	err = m.Run(mem, machine.Launch{Entry: "gokkos_axpy", Blocks: 2, Threads: 64, Params: []uint64{..., x}})
package machine
