// Package mpi runs launches over several processes, on one machine or many. What a launch
// comes to has the bits of one core, for any number of ranks and of workers on each: the
// reduction tree belongs to the policy, and partial results travel as bytes.
//
//	on := mpi.On(comm, exec.NewGoroutines(8))
//	err := exec.ParallelReduce(policy.Range(0, n).On(on), f, builtin.Sum(&sum)) // on all ranks
//
// All ranks make the same launches. Each runs a part of the items, see [Part], on a space of its
// own, and all end with the same result, or the same error.
package mpi
