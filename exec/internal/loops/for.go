package loops

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
)

// For is the kernel of functors without accumulators.
type For struct {
	items.Items
	Functor  any
	Loop     Loop
	compiled compiledLoop // Loop, if it is compiled
	code     codeFor
	planes   compiled.ForPlanes // the code, if it runs several rows in one call; or nil
}

// Compile returns the compiled loop of the functor, or alone if there is none. It makes items come in the
// form that the loop takes.
func (k *For) Compile(alone Loop) Loop {
	if !k.code.of(k.Functor) {
		return alone
	}
	if body := bodyOf(k.code.loop(), alone); body != nil {
		return body
	}
	if !k.compiled.of(&k.code, alone, k.Functor, 0, &k.Items) {
		return alone
	}
	if k.code.boxes() {
		if k.planes, _ = k.code.inRun.(compiled.ForPlanes); k.planes != nil {
			k.ByPlanes()
		}
	}
	return &k.compiled
}

func (k *For) Key() uintptr { return launch.CodeOf(k.Functor) }

func (k *For) About(a *launch.About) {
	k.Items.Tell(a, k.Functor)
	// Leaves of other policies keep their length. Such a policy may panic where a leaf begins or ends, or
	// report a fault in a leaf's first item that belongs to another item.
	if !k.Whole && (k.Plain || k.Kind.Ours) {
		a.Least = k.compiled.lanes()
	}
}

func (k *For) Release() {
	k.Items.Release()
	k.Functor, k.Loop, k.compiled, k.code, k.planes = nil, nil, compiledLoop{}, codeFor{}, nil
}

// runLeaf runs the items of a leaf.
func (k *For) runLeaf(w *launch.Walk, begin, end int) {
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

// Span implements [launch.Kernel]. One call takes any number of leaves of integers or planes. Runs are
// split at leaf boundaries, and a call takes about launch.PollItems, the most items between two looks. Other
// policies run leaf by leaf, as their Next may panic.
func (k *For) Span(g space.Grid) int {
	switch {
	case k.Plain, k.Planer != nil:
		return g.Leaves
	case k.Runner != nil && k.Kind.Ours:
		return max(launch.PollItems/g.Leaf, 1)
	}
	return 0
}

func (k *For) RunNode(w *launch.Walk, slot, begin, end, leaf int) {
	if slot == launch.InLanes {
		k.runLeaf(w, begin, end)
		return
	}
	switch {
	case k.Planer != nil:
		k.runPlanes(w, begin, end, leaf)
	case !k.Plain:
		k.InRuns(w, begin, end, leaf, func(runs []policy.Run, item int) { k.Loop.Runs(w, runs, item) })
	case k.compiled.code != nil && !k.compiled.whole:
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

// runLoops is RunNode for a compiled loop over integers.
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

// mostAlone is the most leaves that run alone before a loop that has refused all its planes is tried again.
const mostAlone = 32

// runPlanes runs the items of a node plane by plane. If the loop stops, runLeaf runs the rest of the leaf. A loop
// that runs nothing of its planes again and again is tried after 1, 2, 4 and more leaves: it may refuse all
// planes, as when memories overlap.
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
			k.runLeaf(w, begin, to)
			begin = to
		}
		alone = min(2*alone, mostAlone)
	}
}

// inPlanes runs planes from item item on. all reports whether it has run them all; if not, to is the first
// item that it has not run.
func (k *For) inPlanes(planes []policy.Plane, item int) (to int, all bool) {
	if len(planes) == 0 {
		return item, true
	}
	done, rows := k.planes.Planes(planes)
	if done == len(planes) && rows == 0 {
		return item, true
	}
	if uint(done) >= uint(len(planes)) || uint(rows) >= uint(planes[done].Rows) {
		panic(launch.Breach("exec: the loop of %v ran %d planes and returned %d of them and %d rows of the next one, expected fewer rows than that has", device.Functor{Func: k.Functor}, len(planes), done, rows))
	}
	for n := range done {
		item += planes[n].Rows * planes[n].Len
	}
	return item + rows*planes[done].Len, false
}
