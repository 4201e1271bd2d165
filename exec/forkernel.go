package exec

import (
	"fmt"

	compiled "github.com/gokkos/gokkos/exec/kernel"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// forKernel is the kernel of functors without accumulators.
type forKernel struct {
	items
	functor  any
	loop     loop
	compiled compiledLoop // loop, if it is compiled
	code     codeFor
	planes   compiled.ForPlanes // the code, if it runs several rows in one call, or nil
}

// compile returns the loop of the functor that is compiled, or else the given one. Items come in the form that it takes.
func (k *forKernel) compile(alone loop) loop {
	if !k.code.of(k.functor) || !k.compiled.of(&k.code, alone, k.functor, &k.items) {
		return alone
	}
	if k.code.boxes() {
		if k.planes, _ = k.code.inRun.(compiled.ForPlanes); k.planes != nil {
			k.byPlanes()
		}
	}
	return &k.compiled
}

func (k *forKernel) about(a *about) {
	k.items.tell(a, k.functor)
	// A policy of others may go wrong where a leaf begins or ends, or do so in the first item of a leaf for another one.
	a.cuts = !k.whole && (k.plain || k.kind.ours)
}

func (k *forKernel) release() {
	k.items.release()
	k.functor, k.loop, k.compiled, k.code, k.planes = nil, nil, compiledLoop{}, codeFor{}, nil
}

func (k *forKernel) run(w *walk, begin, end int) {
	for k.plain && begin < end {
		to := k.upTo(w, begin, end)
		if to == begin {
			return // cancelled
		}
		integers(&k.items, w, k.loop, begin, to)
		begin = to
	}
	each(&k.items, w, k.loop, begin, end)
}

// span implements nodeKernel: a loop that is compiled knows no leaves, and runs are cut where one ends, of as many
// leaves as one may run before it looks whether the launch goes on. A policy that is not ours may panic for a leaf.
func (k *forKernel) span(g space.Grid) int {
	switch {
	case k.plain, k.planer != nil:
		return g.Leaves
	case k.runner != nil && k.kind.ours:
		return max(pollItems/g.Leaf, 1)
	}
	return 0
}

func (k *forKernel) runNode(w *walk, _, begin, end, leaf int) {
	switch {
	case k.planer != nil:
		k.runPlanes(w, begin, end, leaf)
	case !k.plain:
		k.inRuns(w, begin, end, leaf, func(runs []policy.Run, item int) { k.loop.runs(w, runs, item) })
	case k.compiled.code != nil:
		k.runLoops(w, begin, end, leaf)
	default:
		for begin < end {
			to := k.ofLeaf(w, begin, end, leaf)
			if to == begin {
				return // cancelled, or leaves before have failed
			}
			integers(&k.items, w, k.loop, begin, to)
			begin = to
		}
	}
}

// runLoops is runNode for a loop of integers that is compiled.
func (k *forKernel) runLoops(w *walk, begin, end, leaf int) {
	for begin < end {
		to := w.upTo(begin, end)
		if to == begin {
			return // cancelled
		}
		k.compiled.ofNode(w, k.first, begin, to, leaf)
		begin = to
	}
}

// mostAlone is how many leaves are run at most before a loop that has refused all planes so far is asked again.
const mostAlone = 32

// runPlanes runs the items of a node plane by plane, and the rest of a leaf whose loop stops as the leaf is run
// alone. A loop that runs nothing of its planes again and again is asked for ever fewer leaves: it may refuse them all, as
// where memories overlap.
func (k *forKernel) runPlanes(w *walk, begin, end, leaf int) {
	alone := 1 // leaves
	for all := w.node; begin < end; w.node = all {
		planes, rest := k.nextPlanes(w, begin, end)
		to, done := k.inPlanes(planes, begin)
		if done {
			begin, alone = rest, 1
			continue
		}
		if to > begin {
			alone = 1
		}
		w.left(rest - to)
		begin = to
		for ran := 0; ran < alone && begin < end; ran++ {
			n := begin / leaf
			w.node = node{n, n + 1}
			to = inLeaf(begin, end, leaf)
			k.run(w, begin, to)
			begin = to
		}
		alone = min(2*alone, mostAlone)
	}
}

// inPlanes runs planes, the first item of which has that number, and returns up to where the loop came, and
// whether that is the end.
func (k *forKernel) inPlanes(planes []policy.Plane, item int) (to int, all bool) {
	if len(planes) == 0 {
		return item, true
	}
	done, rows := k.planes.Planes(planes)
	if done == len(planes) && rows == 0 {
		return item, true
	}
	if uint(done) >= uint(len(planes)) || uint(rows) >= uint(planes[done].Rows) {
		panic(breach{fmt.Errorf("exec: the loop of %v ran %d planes and returned %d of them and %d rows of the next one, expected fewer rows than that has", space.Functor{Func: k.functor}, len(planes), done, rows)})
	}
	for n := range done {
		item += planes[n].Rows * planes[n].Len
	}
	return item + rows*planes[done].Len, false
}
