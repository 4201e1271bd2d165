// Package gokkos is the root of performance-portable parallel programming for Go.
//
// A kernel is written once, as a Go function over a policy, and runs on an
// execution space. The packages, from the bottom up:
//
//	reducers  what a reduction is: Init, Join, Final, Reference, and how reducers compose
//	builtin   ready-made reducers: Sum, Prod, Min, Max, MinLoc, LAnd and their kin
//	team      what a functor may ask of its team: barriers, collectives, nested ranges, scratch
//	policy    which items: Range, Spans, MDRange2 to MDRange6, Team
//	exec      where and how: spaces, and the patterns ParallelFor, Reduce, Scan and Fold
//	views     arrays of up to twelve dimensions in any layout, and what is computed over them
//
// Modules of their own, so that other programs need none of what they import:
//
//	exec/cuda             NVIDIA's cards as a space
//	exec/mpi              launches over the ranks of MPI
//	exec/kernel/gokkosc   a compiler of functors to vector instructions, and gokkosvet, which finds mistakes in them
//	exec/tools/kokkos     the tools of Kokkos
//	views/gonum           Gonum's matrices and vectors as views
//
// The reduction tree belongs to the iteration space and never to the machine,
// so a call gives the same bits on every space and with any number of workers.
// The rule is written down in docs/determinism.md.
package gokkos
