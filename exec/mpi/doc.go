// Package mpi runs launches over several processes, on one machine or many. What a launch
// comes to has the bits of one core, for any number of ranks and of workers on each: the
// reduction tree belongs to the policy, and partial results travel as bytes.
//
//	on := mpi.On(comm, exec.NewGoroutines(8))
//	err := exec.ParallelReduce(policy.Range(0, n).On(on), f, builtin.Sum(&sum)) // on all ranks
//
// All ranks make the same launches. Each runs a part of the items, see [Part], on a space of its
// own, and all end with the same result, or the same error.
//
// # Starting
//
// A program calls [Run], or [Init] and [Finalize]. Started alone it is one rank:
//
//	./program
//	mpirun --bind-to none --oversubscribe -n 4 ./program
//
// The MPI library is that of the launcher, and nothing of it is needed to build the program. The
// options are those of Open MPI, which wants --oversubscribe for more ranks than cores, and as root the
// variables OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1. MPICH takes -n only. [Local]
// runs ranks as goroutines, for tests.
//
// # Messages
//
// [Send], [Recv], [Bcast] and the others take views of any layout, in any memory. Elements
// are plain: numbers, and structs and arrays of them. A policy.Launch, if there is one, says where
// views are packed and unpacked, and its context ends a wait for a message.
//
// Collectives, as [Bcast], are called by all ranks of a communicator, one at a time, in one order.
// It is an error if the two views of one have elements in common. A context does not end one. If an
// argument is wrong on one rank, that rank has an error and the others wait for it: [Run] ends them if it
// gets that error, and [Comm.Abort] does.
//
// # Arrays
//
// The rows of an [Array] are distributed as the items of a policy are, and it fetches rows of
// neighbours, the halo, while what needs none of them is computed. The tiles of a [TiledArray] are
// distributed likewise: in the order policy.Hilbert they are blocks in two dimensions, for any number of
// ranks. [WriteNPY] and [ReadNPY] move both to and from a file, each rank its rows or tiles.
package mpi
