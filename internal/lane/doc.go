// Package lane runs the lanes (threads) of a team or thread block that meet at barriers.
//
// A block is a number of lanes that all run one body. They run one at a time, in the order of
// a schedule, each until it returns or has to wait, so a block is deterministic and its lanes
// need no locks among themselves. A lane waits only at a meeting: all lanes of a [Scope] (the block,
// or a sub-group of it) arrive, what they brought is combined once, all go on. A barrier is a
// meeting that combines nothing; a reduction, a scan or a broadcast is one meeting too, never
// log2 of them.
//
// # One block, from call to result
//
// [Engine.Do] hands a function to the engine's own goroutine, and [Engine.Run], called there,
// runs one block:
//
//   - Round 0 starts every lane. A carrier (a coroutine from the engine's pool) runs lane after
//     lane. When a lane waits, its carrier stays with it and the next carrier goes on, so a
//     lane that never waits costs no coroutine.
//   - At the end of a round the meetings to which every lane of their scope came are completed,
//     and their lanes are the next round. Scopes are independent: one sub-group may be five
//     meetings ahead of another.
//   - Schedules other than the ascending one have no rounds: a meeting is completed as soon as
//     the last of its lanes has come, and any lane that can run may be the next one.
//   - When no lane can run, the block is over, or its lanes wait for one another: that is a
//     [Divergence].
//
// # What can go wrong in a body
//
// A round is always finished, so that what is reported does not depend on the order of the
// lanes; without rounds, those that can run go on up to their next meeting. Then
//
//   - a panic ends the block; of several in that round the lowest lane's is reported, as a
//     [Panic] with the lane's stack;
//   - [runtime.Goexit], which is what t.FailNow calls, ends the block, the function given to
//     Do, and Do's caller. A panic in the same round is reported instead;
//   - a Divergence lists every place where lanes wait, with its line and its lanes, and which
//     lanes have returned.
//
// Lanes that still wait are then unwound as by runtime.Goexit: their deferred functions run,
// recover sees nothing, no body can refuse. What such deferred functions panic with is dropped.
// The engine is as good as new afterwards.
//
// A lane may wait in a deferred function while it panics, or after runtime.Goexit. To unwind it
// would replace that, and the cause would be lost. So Meet returns false there, the lane goes
// on, and its own panic comes out; it counts as one of that round. Whether a deferred function
// has recovered is not to be seen from Meet. A lane that has goes on likewise, until it returns
// or meets again, and what it panics with then is dropped: the block has diverged, and the
// report names the panic.
//
// # What a body must not do
//
// Call [runtime.LockOSThread] and then meet, or be called by a function given to Do that did:
// the runtime kills the program, since a coroutine cannot change threads. Use its Lane on
// another goroutine. Wait on a channel or a lock for what a lane of its own block does later;
// for what others do it may wait.
package lane
