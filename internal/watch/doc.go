// Package watch sees what functors do to memory, and finds accesses that nothing orders.
//
// # How accesses are seen
//
// The flag -gcflags=-race makes the compiler call runtime.raceread and its kin before each
// access of the packages that it is given for. An ordinary runtime has no such symbols: those
// of hooks.go take their place. They do nothing unless a launch is watched. With -race, the
// race detector's own are there and these are not built.
//
// Nothing of this package may be instrumented, or a hook would call itself: every function is
// marked norace, which a test holds.
//
// # Threads and what orders them
//
// A thread is an item, a member of a team, or a vector lane of one. The launch says which
// thread runs (thread.go), and a thread gets a number at each step of it, of which points.go
// knows the place: team, member, barriers passed. Two accesses to a byte, one of them a write
// and not both atomic, are a race unless they are of one thread, a meeting is between them, or
// an atomic operation that the other has seen (order.go, clock.go).
//
// Shadow memory keeps the last writes and two reads of each byte that is touched (shadow.go).
// What is found is kept by kind and the two lines (found.go).
package watch
