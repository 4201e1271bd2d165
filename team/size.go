package team

// Auto is the size of a team whose size does not matter to its functor: [AutoSize].
//
// Cost: on a CPU members take time, and where they meet some 100 ns each; teams of one do not. The AUTO of Kokkos is 1
// with OpenMP.
const Auto = -1

// AutoSize is the number of members that [Auto] stands for, on every machine: those of
// a warp.
const AutoSize = 32
