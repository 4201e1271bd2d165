// Package device is the part of the contract of spaces for devices. A device has a memory of its own, or runs
// code of its own in place of Go functors. Package [space] has the rest of the contract.
//
//	Job      describes a launch: its functor, its fold or its scan. The space hands in nodes of the tree.
//	Stepper  is a job that a device takes apart: it runs the lanes of a leaf step by step.
//	Memory   has views that the host may be unable to touch. For these, a space may be a
//	         MemoryFolder, a MemoryScanner, a TensorFolder, a Rearranger and a RandomFiller.
//
// # Code of its own
//
// A device cannot call a Go functor. It finds code that [AttachCode] attached to the functor of a [Job]. Values
// in memory to fold or to scan need no such code. The device computes nodes of the tree and hands them in by
// Accept. If it has no code for a launch, it leaves the nodes to Run, or returns an error that names the
// functor, see [Functor.Without].
//
//	f, ok := job.Fold()                            // before Open
//	j.Open(workers, slots)
//	job.Accept(worker, first, last, slot, value)  // in place of Run
//	j.Join(dst, src)                               // as ever
//
// The bits follow the rule in docs/determinism.md: item k of a leaf is joined into lane k mod Lanes of a
// column, the lanes are joined as a butterfly, and leaves in pairs. An Exact column may be joined in any
// order.
//
// Only the functor panics. Code that cannot compute a node leaves memory as it was, and the space runs
// the node. The functor then panics in the same item on every space. If the functor cannot touch the
// device's memory, the device reports the item that would panic, see [Failer].
package device
