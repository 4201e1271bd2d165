// Package exec runs kernels: four patterns, on execution spaces.
//
// # Patterns
//
// A pattern takes a policy, which says which items there are, and a functor,
// which is called for them:
//
//   - [ParallelFor] only calls it.
//   - [ParallelReduce] gives it an accumulator to join the item's contribution
//     into; [ParallelReduce2] to [ParallelReduce4] give it one per reducer.
//   - [ParallelReduceLanes] lets it own the loop and still join item by item.
//   - [ParallelScan] gives it the reduction of all items before.
//   - [ParallelFold] needs no functor: it reduces the values of a [Source] with
//     any number of reducers in one pass.
//
// Fastest is a functor that owns its loop (policy.Spans, the Rows and Tiles of a
// policy.MDRange2, ParallelReduceLanes) or a fold: a call per item costs more than the
// addition it makes. Command gokkosc compiles a functor that gets an index, with the same
// bits and the same call; see docs/kernels.md.
//
// # What the compiler says
//
// The functor's parameters follow from the policy and the reducers. Where they do not
// fit, the compiler names the type that they should have:
//
//	does not satisfy exec.Policy[Index] (missing method Next)
//	      The first argument is no policy: policy.Range(0, n) for a number n.
//	wrong type for method Next: have Next(int, int, []policy.Index2), want []Index
//	      The functor takes another index than the policy gives: here i policy.Index2,
//	      whose fields are i.I and i.J.
//	type func(i, j int) does not match func(i Index)
//	      A functor takes one index, however many dimensions the policy has.
//	does not match inferred type reducers.Reducer[float32]
//	      The functor's acc is a *float32, and the reducer has another type.
//	not enough arguments in call to exec.ParallelReduce
//	      There is no reducer.
//
// # Spaces
//
// A [Space] decides who runs what. [Serial] runs on the calling goroutine,
// [Goroutines] on the caller and standing helpers, [SimGPU] as a GPU would. A
// policy carries its space; without one, [Default] is used. A functor may launch
// on any space, its own included. Goroutines and SimGPU keep goroutines, which
// Close ends.
//
// # Teams
//
// [ParallelFor] and [ParallelReduce] to [ParallelReduce4] run over policy.Team
// too, on every space. The functor is called by every member of every team, with
// a *team.Member that it asks for its place, barriers, collectives, nested ranges
// and scratch memory; see package team. The members of a team run one at a time,
// each until it waits for the others, and teams run as the items of a range do.
// docs/teams.md draws it.
//
// What members do wrong together is an error of the launch. Members that would
// wait for ever are a [team.ErrDivergence] that lists where they wait.
//
// # The simulated GPU
//
// A [SimGPU] is made from a [gpu.Device], which says what one GPU can hold, such as
// [gpu.H200], and how it joins partial results: by shuffles or in shared memory within
// a block, with atomics, by the last block or by a second kernel between blocks.
// Launches that exceed the device are errors. [SimGPU.LastReport] tells which
// kernels, strategies, barriers and shuffles a launch took, and its [gpu.Occupancy].
// [SimGPU.WithSchedule] runs blocks, warps, lanes and members in another order, which is
// the same in every run; a kernel whose result depends on it has a bug. TestKernel of
// package exectest tries several.
// [TeamSizeMax] and [TeamSizeRecommended] tell which teams fit.
//
// # Results
//
// A pattern returns when everything has run. The reduction tree is decided by the
// policy and the accumulator's type alone, so a result has the same bits on every
// space; docs/determinism.md states the rule.
//
// What cannot be launched is an error, and the functor has then not run. A
// cancelled launch is an error that wraps the context's cause. A panic in the
// functor or a reducer reaches the caller as a [*Panic]. If several things go wrong, what
// does at the lowest items counts, and before a cancel; package space has the rule. On any
// of these, every result place keeps its old content, no worker is busy and the space can
// be used again.
//
// # How a launch works
//
// The pattern asks the policy for its plan, cuts the items into the leaves of a
// [space.Grid], and hides functor, reducers and value types in a [space.Job]. The space
// runs nodes of the tree and joins them; the job keeps panics and checks that the joins
// are those of the tree. What ends in slot 0 goes through Final and is stored. A new
// pattern is a kernel: the loop over one leaf. README.md in the folder of this package
// follows one call, file by file.
package exec
