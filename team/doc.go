// Package team is what a functor may ask of its team.
//
// A team policy (policy.Team) runs a league of teams. Each team has a number of
// members that all run the functor, with a [Member] of their own, and that may wait
// for one another and exchange values. A team is a thread block or work-group on a
// device, a member one of its threads or work-items.
//
// # Collectives
//
// A collective is a call that all members of a [Group] make together: the whole team,
// which the Member itself stands for, or its sub-group ([Member.SubGroup]). It
// returns when every member has made it, so it is a barrier too, and two collectives
// need no barrier in between. Every member must reach the same call, with the same
// operation. A call that only some members reach is an error of the launch that names
// the lines where they are, and so are different operations.
//
// A function that is given to a collective (the constructor of a reducer, its Join, Init and
// Final, a predicate, a functor) must call no collective and no barrier. It runs for one
// member, or for none of them when all have arrived.
//
// This package has the collectives of Kokkos. Package team/group has those of SYCL, OpenCL and CUDA that
// Kokkos does not have.
//
// # Nested ranges
//
// A [Range] spreads indices over the members of a team ([ThreadRange]), over the
// vector lanes of one member ([VectorRange]), or over both ([TeamVectorRange]). [For],
// [Reduce] and [Scan] run a functor over it; a result is known to every member of the
// level. A functor that owns its loop is faster, since the compiler inlines that:
// [Range.All], and for reductions [Shares] and [ReduceLanes].
//
// # Members and goroutines
//
// The members of a team of several are coroutines of one goroutine: one runs at a time,
// until it meets the others or returns. So
//
//   - a lock that is held across a barrier or collective, or a channel that another member
//     serves, can hang the launch: the goroutine waits, and so do all members;
//   - runtime.LockOSThread in a member kills the process when the member then meets the
//     others, since a coroutine cannot change its thread. A launch by a goroutine that is
//     locked is fine;
//   - a panic of any member ends the launch, and so does runtime.Goexit. The deferred
//     functions of members that wait run then, and cannot meet others.
//
// A deferred function of a member that panics may call a barrier or collective. If the
// others come to it, too, all go on, and so does the panic. If they cannot, the barrier
// returns, a collective returns the zero value and leaves result places alone, and the
// panic goes on: it reaches the caller of the launch. The same holds for runtime.Goexit.
//
// A [Member], its sub-group and its ranges are valid in one call of the functor, on its
// goroutine. Kept and used
//
//   - after the launch, they panic with "team: a member was used after its launch", until a
//     later launch on the same space takes the Member over;
//   - by another call of the functor in the same launch, a barrier or collective of a team of
//     several panics; all other methods answer for the member that the Member is by then;
//   - by another goroutine, they are a data race. In a team of one, where nothing waits,
//     only the race detector notices.
//
// # Order
//
// What members contribute is joined as a tree in rank order: ranks (0,1), (2,3), ...,
// then (0,2), ... A result depends on the size of the group
// and never on the space, except that a device has sub-groups of its own size.
package team
