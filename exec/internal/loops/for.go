package loops

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// For is the kernel of functors without accumulators.
type For struct {
	items.Items
	Functor  any
	Loop     Loop
	compiled compiledLoop // loop, if it is compiled
	code     codeFor
	planes   compiled.ForPlanes // the code, if it runs several rows in one call, or nil
}

// Compile returns the loop of the functor that is compiled, or else the given one. Items come in the form that it takes.
func (k *For) Compile(alone Loop) Loop {
	if !k.code.of(k.Functor) || !k.compiled.of(&k.code, alone, k.Functor, &k.Items) {
		return alone
	}
	if k.code.boxes() {
		if k.planes, _ = k.code.inRun.(compiled.ForPlanes); k.planes != nil {
			k.ByPlanes()
		}
	}
	return &k.compiled
}

func (k *For) About(a *launch.About) {
	k.Items.Tell(a, k.Functor)
	// A policy of others may go wrong where a leaf begins or ends, or do so in the first item of a leaf for another one.
	a.Cuts = !k.Whole && (k.Plain || k.Kind.Ours)
}

func (k *For) Release() {
	k.Items.Release()
	k.Functor, k.Loop, k.compiled, k.code, k.planes = nil, nil, compiledLoop{}, codeFor{}, nil
}

func (k *For) Run(w *launch.Walk, begin, end int) {
	for k.Plain && begin < end {
		to := k.UpTo(w, begin, end)
		if to == begin {
			return // cancelled
		}
		integers(&k.Items, w, k.Loop, begin, to)
		begin = to
	}
	each(&k.Items, w, k.Loop, begin, end)
}

// Span implements NodeKernel: a loop that is compiled knows no leaves, and runs are cut where one ends, of as many
// leaves as one may run before it looks whether the launch goes on. A policy that is not ours may panic for a leaf.
func (k *For) Span(g space.Grid) int {
	switch {
	case k.Plain, k.Planer != nil:
		return g.Leaves
	case k.Runner != nil && k.Kind.Ours:
		return max(launch.PollItems/g.Leaf, 1)
	}
	return 0
}

func (k *For) RunNode(w *launch.Walk, _, begin, end, leaf int) {
	switch {
	case k.Planer != nil:
		k.runPlanes(w, begin, end, leaf)
	case !k.Plain:
		k.InRuns(w, begin, end, leaf, func(runs []policy.Run, item int) { k.Loop.Runs(w, runs, item) })
	case k.compiled.code != nil:
		k.runLoops(w, begin, end, leaf)
	default:
		for begin < end {
			to := k.OfLeaf(w, begin, end, leaf)
			if to == begin {
				return // cancelled, or leaves before have failed
			}
			integers(&k.Items, w, k.Loop, begin, to)
			begin = to
		}
	}
}

// runLoops is RunNode for a loop of integers that is compiled.
func (k *For) runLoops(w *launch.Walk, begin, end, leaf int) {
	for begin < end {
		to := w.UpTo(begin, end)
		if to == begin {
			return // cancelled
		}
		k.compiled.ofNode(w, k.First, begin, to, leaf)
		begin = to
	}
}

// mostAlone is how many leaves are run at most before a loop that has refused all planes so far is asked again.
const mostAlone = 32

// runPlanes runs the items of a node plane by plane, and the rest of a leaf whose loop stops as the leaf is run
// alone. A loop that runs nothing of its planes again and again is asked for ever fewer leaves: it may refuse them all, as
// where memories overlap.
func (k *For) runPlanes(w *launch.Walk, begin, end, leaf int) {
	alone := 1 // leaves
	for all := w.Node; begin < end; w.Node = all {
		planes, rest := k.NextPlanes(w, begin, end)
		to, done := k.inPlanes(planes, begin)
		if done {
			begin, alone = rest, 1
			continue
		}
		if to > begin {
			alone = 1
		}
		w.Left(rest - to)
		begin = to
		for ran := 0; ran < alone && begin < end; ran++ {
			n := begin / leaf
			w.Node = launch.Leaf(n)
			to = items.InLeaf(begin, end, leaf)
			k.Run(w, begin, to)
			begin = to
		}
		alone = min(2*alone, mostAlone)
	}
}

// inPlanes runs planes, the first item of which has that number, and returns up to where the loop came, and
// whether that is the end.
func (k *For) inPlanes(planes []policy.Plane, item int) (to int, all bool) {
	if len(planes) == 0 {
		return item, true
	}
	done, rows := k.planes.Planes(planes)
	if done == len(planes) && rows == 0 {
		return item, true
	}
	if uint(done) >= uint(len(planes)) || uint(rows) >= uint(planes[done].Rows) {
		panic(launch.Breach("exec: the loop of %v ran %d planes and returned %d of them and %d rows of the next one, expected fewer rows than that has", space.Functor{Func: k.Functor}, len(planes), done, rows))
	}
	for n := range done {
		item += planes[n].Rows * planes[n].Len
	}
	return item + rows*planes[done].Len, false
}
