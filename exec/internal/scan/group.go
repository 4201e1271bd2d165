package scan

import (
	"runtime/debug"
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/policy"
)

// groupOn returns how many leaves a worker of the space runs at once. It is MostInStep or MaxGroup if
// the policy scans leaves itself. It is MaxGroup for a functor of integers without a chunk, if there are
// enough leaves for all workers. Otherwise it is 1.
func (s *scan[A]) groupOn(on space.Space) int {
	if s.several != nil && s.job.Grid.Leaves >= 2*launch.MostInStep*on.Concurrency() {
		return launch.MostInStep
	}
	if s.several != nil || s.ints != nil && s.Plain && !s.job.Chunked && s.job.Grid.Leaves >= 2*launch.MaxGroup*on.Concurrency() {
		return launch.MaxGroup
	}
	return 1
}

// fitsCaches reports whether the data that the scan reads and writes probably stays in the caches of
// several workers. Two passes over all of it are best then.
func (s *scan[A]) fitsCaches(on space.Space) bool {
	workers := on.Concurrency()
	return workers > 1 && s.job.Grid.Items/workers <= launch.LateItems && s.job.Grid.Leaves <= scanUnits
}

// stepOf returns how many leaves of n one call of runLeaves takes at most.
func (s *scan[A]) stepOf(n launch.Node) int {
	if s.several != nil {
		return n.Last - n.First
	}
	return s.group
}

// nodeOf returns the node of the items begin to end-1, in leaves of leaf items.
func nodeOf(begin, end, leaf int) launch.Node {
	return launch.Node{First: begin / leaf, Last: (end-1)/leaf + 1}
}

// runLeaves runs the items of the leaves n, at most stepOf(n) leaves, each with an accumulator of its
// own. If items may panic, w is at the leaf whose items run.
func (s *scan[A]) runLeaves(w *launch.Walk, n launch.Node, accs []A, final bool) {
	if s.array != nil {
		s.far()
	}
	g := &s.job.Grid
	begin := n.First * g.Leaf
	end := begin + min(g.Items-begin, (n.Last-n.First)*g.Leaf)
	if s.several != nil && !s.job.Stepped {
		if !w.Cancelled() {
			s.several.ScanLeaves(begin, end, g.Leaf, accs, final)
		}
		return
	}
	if f := s.ints; f != nil && s.Plain {
		if s.code != nil {
			s.byLoop(w, n, accs, final)
			return
		}
		if len(accs) == launch.MaxGroup && end-begin == launch.MaxGroup*g.Leaf {
			r := inStep[A]{f: f, first: s.First + begin, leaf: g.Leaf, accs: (*[launch.MaxGroup]A)(accs), final: final, walk: w}
			r.Run(n)
			return
		}
		for k := range accs {
			w.Node = launch.Leaf(n.First + k)
			leaf := begin + k*g.Leaf
			for last := leaf + min(g.Leaf, end-leaf); leaf < last; {
				to := w.UpTo(leaf, last)
				if to == leaf {
					break // cancelled
				}
				scanInts(f).Span(w, s.First+leaf, s.First+to, unsafe.Pointer(&accs[k]), final)
				leaf = to
			}
		}
		return
	}
	if f := s.spans; f != nil && s.Plain {
		for k := range accs {
			w.Node = launch.Leaf(n.First + k)
			if w.Cancelled() {
				return
			}
			leaf := begin + k*g.Leaf
			f(policy.Span{Begin: s.First + leaf, End: s.First + leaf + min(g.Leaf, end-leaf)}, unsafe.Pointer(&accs[k]), final)
		}
		return
	}
	for k := range accs {
		w.Node = launch.Leaf(n.First + k)
		for leaf := begin + min(g.Leaf, end-begin); begin < leaf; {
			var b launch.Block
			b, begin = s.Next(w, begin, leaf)
			s.loop.Block(w, b, unsafe.Pointer(&accs[k]), final)
		}
	}
}

// inStep runs the items of a group in turn: the first item of each leaf, the second item of each leaf,
// and so on.
type inStep[A any] struct {
	f     func(i int, a loops.Accumulator, final bool)
	first int // index of the first item
	leaf  int
	accs  *[launch.MaxGroup]A
	final bool

	walk *launch.Walk

	calls int // number of calls of f that have returned
}

// Run runs the items of the leaves n. If several leaves panic, the effect is as if only the lowest had.
// Run completes the leaves below it, unless the launch is cancelled. A functor that ends its goroutine
// does so, whatever panics in leaves below.
func (r *inStep[A]) Run(n launch.Node) {
	done := false
	defer func() {
		if done {
			return
		}
		value := recover()
		exits := value == nil && goexit.Runs()
		stack, torn := debug.Stack(), r.index(r.calls)
		r.below(n)
		if !exits {
			r.walk.Form, r.walk.I = launch.AtInt, torn
			panic(&lane.Panic{Value: value, Stack: stack})
		}
	}()
	// No range over Pieces: it is not inlined into the package of a functor, and allocates then.
	for begin, last := 0, launch.MaxGroup*r.leaf; begin < last; {
		end := r.walk.UpTo(begin, last)
		if end == begin {
			break // cancelled
		}
		r.upTo(end)
		begin = end
	}
	done = true
}

// upTo makes the calls before number end. Call c is for item c/MaxGroup of leaf c%MaxGroup.
func (r *inStep[A]) upTo(end int) {
	f, leaf, accs, final := r.f, r.leaf, r.accs, r.final
	if r.calls%launch.MaxGroup == 0 {
		last := r.first + end/launch.MaxGroup
		for i := r.first + r.calls/launch.MaxGroup; i < last; i++ {
			f(i, unsafe.Pointer(&accs[0]), final)
			r.calls++
			f(i+leaf, unsafe.Pointer(&accs[1]), final)
			r.calls++
			f(i+2*leaf, unsafe.Pointer(&accs[2]), final)
			r.calls++
			f(i+3*leaf, unsafe.Pointer(&accs[3]), final)
			r.calls++
		}
	}
	for r.calls < end {
		k := r.calls % launch.MaxGroup
		f(r.index(r.calls), unsafe.Pointer(&accs[k]), final)
		r.calls++
	}
}

// index returns the index of the item of a call.
func (r *inStep[A]) index(call int) int {
	return r.first + call%launch.MaxGroup*r.leaf + call/launch.MaxGroup
}

// below runs the remaining items of the leaves below the leaf that panics.
func (r *inStep[A]) below(n launch.Node) {
	torn, from := r.calls%launch.MaxGroup, r.calls/launch.MaxGroup+1
	for k := range torn {
		r.walk.Node = launch.Leaf(n.First + k)
		for begin := from; begin < r.leaf; {
			end := r.walk.UpTo(begin, r.leaf)
			if end == begin {
				break // cancelled
			}
			leaf := r.first + k*r.leaf
			scanInts(r.f).Span(r.walk, leaf+begin, leaf+end, unsafe.Pointer(&r.accs[k]), r.final)
			begin = end
		}
	}
	r.walk.Node = launch.Leaf(n.First + torn)
}
