package team

// Auto is the size of a team whose size does not matter to its functor: [AutoSize].
const Auto = -1

// AutoSize is the number of members that [Auto] stands for, on every machine: those of
// a warp.
const AutoSize = 32
