// Package tuning has the numbers of package mpi that choose between two ways to exchange nodes. They are
// variables for tests and measurements, which change them on all ranks alike while nothing is launched.
package tuning

import "time"

// Pulse is the time between two looks of a rank at which other ranks have ended.
var Pulse = 250 * time.Millisecond

// MessagePatience is how many pulses a call waits for a message of a rank that has ended: one that the rank has sent
// before may be on its way. Ten seconds leave time to send it again.
var MessagePatience int64 = 40

// GatherRanks is the most ranks that give each other what they have in one Allgather. More of
// them go along the tree: a rank then has the values of log P ranks, and not of P.
var GatherRanks = 64

// GatherBytes is what each rank gives in that Allgather, its nodes included. Ranks that have
// more go along the tree, too.
var GatherBytes = 160
