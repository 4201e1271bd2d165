package exec

import (
	"errors"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// ParallelFor calls f once for every index of p, in no promised order.
//
// It returns an error, without calling f, if the policy is invalid or its space
// cannot be used, and an error that wraps the context's cause if the launch was
// cancelled. If f panics, ParallelFor panics with a [*Panic].
func ParallelFor[Index any, P Policy[Index]](p P, f func(i Index)) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	if f, ok := any(f).(func(*team.Member)); ok && plan.Team.Size > 0 {
		return launchTeams(&plan, f, func(int) func(*team.Member) { return f })
	}
	if watches(plan.Space) {
		f = watchedFor(f)
	}
	j, k := take[forKernel[Index, P]]()
	k.of(p, &plan)
	k.f, k.loop = f, newForLoop(f, &k.compiled, &k.boxed, &k.indices)
	return j.launch(&plan, k)
}

var errNilFunctor = errors.New("exec: the functor is nil")

type forKernel[I any, P Policy[I]] struct {
	indices[I, P]
	f        func(i I)
	loop     forLoop
	compiled compiledFor        // loop, if there is one
	boxed    compiledForRuns[I] // or this one
}

// A forLoop is the loop over the items of a leaf, for functors of one form.
type forLoop interface {
	span(begin, end int)    // the integers begin to end-1
	runs(runs []policy.Run) // the indices of all of these
}

func (k *forKernel[I, P]) key() uintptr { return codeOf(k.f) }

func (k *forKernel[I, P]) release() {
	k.indices.release()
	k.f, k.loop, k.compiled, k.boxed = nil, nil, compiledFor{}, compiledForRuns[I]{}
}

func (k *forKernel[I, P]) run(worker, _, begin, end int) {
	for k.plain && begin < end {
		to := k.upTo(worker, begin, end)
		if to == begin {
			return // cancelled
		}
		k.loop.span(k.first+begin, k.first+to)
		begin = to
	}
	for begin < end {
		runs, block, rest := k.part(worker, begin, end)
		if begin = rest; runs != nil {
			k.loop.runs(runs)
		}
		forEach[I](k.f).block(block)
	}
}

// span implements nodeKernel: a loop that is compiled knows no leaves, and runs are cut where one ends, of as many
// leaves as one may run before it looks whether the launch goes on. A policy that is not ours may panic for a leaf.
func (k *forKernel[I, P]) span(g space.Grid) int {
	switch {
	case k.plain, k.planer != nil:
		return g.Leaves
	case k.runner != nil && k.kind.ours:
		return max(pollItems/g.Leaf, 1)
	}
	return 0
}

func (k *forKernel[I, P]) runNode(worker, _, begin, end, leaf int, at *node, failed *faults) {
	switch {
	case k.planer != nil:
		k.runPlanes(worker, begin, end, leaf, at)
	case !k.plain:
		k.inRuns(worker, begin, end, leaf, at, failed, func(runs []policy.Run, _ int) { k.loop.runs(runs) })
	case k.compiled.code != nil:
		k.runLoops(worker, begin, end, leaf, at)
	default:
		for begin < end {
			to := k.ofLeaf(worker, begin, end, leaf, at, failed)
			if to == begin {
				return // cancelled, or leaves before have failed
			}
			k.loop.span(k.first+begin, k.first+to)
			begin = to
		}
	}
}

// runLoops is runNode for a loop of integers that is compiled.
func (k *forKernel[I, P]) runLoops(worker, begin, end, leaf int, at *node) {
	for begin < end {
		to := k.poll.upTo(worker, begin, end)
		if to == begin {
			return // cancelled
		}
		k.compiled.node(k.first, begin, to, leaf, at)
		begin = to
	}
}

// mostAlone is how many leaves are run at most before a loop that has refused all planes so far is asked again.
const mostAlone = 32

// runPlanes runs the items of a node plane by plane, and the rest of a leaf whose loop stops as the leaf is run
// alone. A loop that runs nothing of its planes again and again is asked for ever fewer leaves: it may refuse them all, as
// where memories overlap.
func (k *forKernel[I, P]) runPlanes(worker, begin, end, leaf int, at *node) {
	alone := 1 // leaves
	for all := *at; begin < end; *at = all {
		planes, rest := k.nextPlanes(worker, begin, end)
		to, done := k.boxed.runPlanes(planes, begin)
		if done {
			begin, alone = rest, 1
			continue
		}
		if to > begin {
			alone = 1
		}
		k.poll.left(worker, rest-to)
		begin = to
		for ran := 0; ran < alone && begin < end; ran++ {
			n := begin / leaf
			*at = node{n, n + 1}
			to = inLeaf(begin, end, leaf)
			k.run(worker, n, begin, to)
			begin = to
		}
		alone = min(2*alone, mostAlone)
	}
}

// newForLoop returns the loop of a functor: *compiled or *boxed, which x then walks in runs, if it has
// such a one.
func newForLoop[I any, P Policy[I]](f func(i I), compiled *compiledFor, boxed *compiledForRuns[I], x *indices[I, P]) forLoop {
	switch f := any(f).(type) {
	case func(int):
		if compiled.of(f) {
			return compiled
		}
		return forInts(f)
	case func(policy.Span):
		if x.plain {
			return forSpans(f)
		}
	}
	if boxed.of(f, x.kind) {
		x.byRuns()
		if boxed.planes != nil {
			x.byPlanes()
		}
		return boxed
	}
	switch f := any(f).(type) {
	case func(policy.Index2):
		return forPoints2{f}
	case func(policy.Index3):
		return forPoints3{f}
	case func(policy.Index4):
		return forPoints4{f}
	}
	if x.rows == nil {
		return forEach[I](f)
	}
	x.byRuns()
	switch f := any(f).(type) {
	case func(policy.Row[policy.Index2]):
		return forRows2(f)
	case func(policy.Row[policy.Index3]):
		return forRows3(f)
	case func(policy.Row[policy.Index4]):
		return forRows4(f)
	}
	return forRows[I]{f, x.kind.rank}
}

// forInts is the loop of a functor that gets an integer.
type forInts func(i int)

// span is unrolled because its variables are in memory: a call saves no registers.
func (f forInts) span(i, end int) {
	at := i
	done := false
	defer locate(&at, &done)
	for ; end-i >= 4; i += 4 {
		at = i
		f(i)
		at = i + 1
		f(i + 1)
		at = i + 2
		f(i + 2)
		at = i + 3
		f(i + 3)
	}
	for ; i < end; i++ {
		at = i
		f(i)
	}
	done = true
}

func (f forInts) runs(runs []policy.Run) {
	for n := range runs {
		r := &runs[n]
		f.span(r.At[0], r.At[0]+r.Len)
	}
}

// forSpans is the loop of a functor that gets the integers of a leaf.
type forSpans func(s policy.Span)

func (f forSpans) span(begin, end int) { f(policy.Span{Begin: begin, End: end}) }

func (f forSpans) runs(runs []policy.Run) {
	for n := range runs {
		f(spanOf(&runs[n]))
	}
}

// forEach is the loop of a functor that gets an index.
type forEach[I any] func(i I)

func (f forEach[I]) span(begin, end int) { f.runs([]policy.Run{span(begin, end)}) }

// block calls f for some indices.
func (f forEach[I]) block(indices []I) {
	var at I
	done := false
	defer locate(&at, &done)
	for _, at = range indices {
		f(at)
	}
	done = true
}

// runs is unrolled, see forInts.
func (f forEach[I]) runs(runs []policy.Run) {
	var at I
	done := false
	defer locate(&at, &done)
	for n := range runs {
		at = *pointOf[I](&runs[n])
		x := along(&at, runs[n].Dim)
		i, end := *x, *x+runs[n].Len
		for ; end-i >= 4; i += 4 {
			*x = i
			f(at)
			*x = i + 1
			f(at)
			*x = i + 2
			f(at)
			*x = i + 3
			f(at)
		}
		switch *x = i; end - i { // a short row has most of its items here
		case 3:
			f(at)
			*x++
			fallthrough
		case 2:
			f(at)
			*x++
			fallthrough
		case 1:
			f(at)
		}
	}
	done = true
}
