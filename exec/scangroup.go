package exec

import (
	"runtime/debug"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/policy"
)

// A leavesScanner is a policy that knows what the functor of a scan does, and does it for
// several leaves at once.
type leavesScanner[A any] interface {
	// ScanLeaves runs the items begin to end, which are leaves of that length, each with
	// an accumulator of its own. It does not panic.
	ScanLeaves(begin, end, leaf int, accs []A, final bool)
}

// groupOn returns how many leaves a worker of a space is to run at once: several if they can
// be run in step, and if there are enough of them for all.
func (s *scan[A]) groupOn(on space.Space) int {
	if s.several != nil && s.job.grid.Leaves >= 2*mostInStep*on.Concurrency() {
		return mostInStep
	}
	if s.several != nil || s.ints != nil && s.plain && !s.job.chunked && s.job.grid.Leaves >= 2*maxGroup*on.Concurrency() {
		return maxGroup
	}
	return 1
}

// fitsCaches reports whether what the items of the scan read and write probably stays in the
// caches of the workers of a space, so that it is best read twice.
func (s *scan[A]) fitsCaches(on space.Space) bool {
	workers := on.Concurrency()
	return workers > 1 && s.job.grid.Items/workers <= lateItems && s.job.grid.Leaves <= scanUnits
}

// stepOf returns how many leaves of n are run in one call of items.
func (s *scan[A]) stepOf(n node) int {
	if s.several != nil {
		return n.last - n.first
	}
	return s.group
}

// nodeOf returns the node of the items begin to end, which are leaves of that length.
func nodeOf(begin, end, leaf int) node { return node{begin / leaf, (end-1)/leaf + 1} }

// runLeaves runs the items of the leaves n, at most as many as stepOf says, each leaf with an
// accumulator of its own. The worker is at the leaf whose items run.
func (s *scan[A]) runLeaves(w *walk, n node, accs []A, final bool) {
	if s.array != nil {
		s.far()
	}
	g := &s.job.grid
	begin := n.first * g.Leaf
	end := begin + min(g.Items-begin, (n.last-n.first)*g.Leaf)
	if s.several != nil && !s.job.stepped {
		if !w.cancelled() {
			s.several.ScanLeaves(begin, end, g.Leaf, accs, final)
		}
		return
	}
	if f := s.ints; f != nil && s.plain {
		if len(accs) == maxGroup && end-begin == maxGroup*g.Leaf {
			r := inStep[A]{f: f, first: s.first + begin, leaf: g.Leaf, accs: (*[maxGroup]A)(accs), final: final, walk: w}
			r.run(n)
			return
		}
		for k := range accs {
			w.node = node{n.first + k, n.first + k + 1}
			leaf := begin + k*g.Leaf
			for last := leaf + min(g.Leaf, end-leaf); leaf < last; {
				to := w.upTo(leaf, last)
				if to == leaf {
					break // cancelled
				}
				scanInts(f).span(w, s.first+leaf, s.first+to, unsafe.Pointer(&accs[k]), final)
				leaf = to
			}
		}
		return
	}
	if f := s.spans; f != nil && s.plain {
		for k := range accs {
			w.node = node{n.first + k, n.first + k + 1}
			if w.cancelled() {
				return
			}
			leaf := begin + k*g.Leaf
			f(policy.Span{Begin: s.first + leaf, End: s.first + leaf + min(g.Leaf, end-leaf)}, unsafe.Pointer(&accs[k]), final)
		}
		return
	}
	for k := range accs {
		w.node = node{n.first + k, n.first + k + 1}
		for leaf := begin + min(g.Leaf, end-begin); begin < leaf; {
			var b block
			b, begin = s.next(w, begin, leaf)
			s.loop.block(w, b, unsafe.Pointer(&accs[k]), final)
		}
	}
}

// A scanLoop runs indices that the policy has given one by one.
type scanLoop interface {
	block(w *walk, b block, a accumulator, final bool)
}

// scanInts is the loop of a functor that gets an integer.
type scanInts func(i int, a accumulator, final bool)

func (f scanInts) span(w *walk, i, end int, a accumulator, final bool) {
	w.form = atInt
	for ; i < end; i++ {
		w.i = i
		f(i, a, final)
	}
	w.form = nowhere
}

func (f scanInts) block(w *walk, b block, a accumulator, final bool) {
	scanEach[int](f).block(w, b, a, final)
}

// scanEach is the loop of a functor that gets an index.
type scanEach[I any] func(i I, a accumulator, final bool)

func (f scanEach[I]) block(w *walk, b block, a accumulator, final bool) {
	w.atBlock(b)
	for n, i := range indicesOf[I](b) {
		w.i = n
		f(i, a, final)
	}
	w.leaveBlock()
}

// erasedScan returns a functor with the type of its accumulator hidden, see accumulator.
func erasedScan[I, A any](f func(I, *A, bool)) func(I, accumulator, bool) {
	return *(*func(I, accumulator, bool))(unsafe.Pointer(&f))
}

// inStep runs the items of a group in turn: the first of each leaf, the second of each, and
// so on.
type inStep[A any] struct {
	f     func(i int, a accumulator, final bool)
	first int // the index of the first item
	leaf  int
	accs  *[maxGroup]A
	final bool

	walk *walk

	calls int // of f that have returned
}

// run runs the items of the leaves n. If several leaves panic, it is as if only the lowest
// one had: what is before that is run, unless the launch is cancelled. One that ends its
// goroutine does so, whatever panics below it.
func (r *inStep[A]) run(n node) {
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
			r.walk.form, r.walk.i = atInt, torn
			panic(&lane.Panic{Value: value, Stack: stack})
		}
	}()
	for _, end := range r.walk.pieces(0, maxGroup*r.leaf) {
		r.upTo(end)
	}
	done = true
}

// upTo makes the calls up to that number: call c is one for item c/maxGroup of leaf
// c%maxGroup.
func (r *inStep[A]) upTo(end int) {
	f, leaf, accs, final := r.f, r.leaf, r.accs, r.final
	if r.calls%maxGroup == 0 {
		last := r.first + end/maxGroup
		for i := r.first + r.calls/maxGroup; i < last; i++ {
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
		k := r.calls % maxGroup
		f(r.index(r.calls), unsafe.Pointer(&accs[k]), final)
		r.calls++
	}
}

// index returns the index of the item of a call.
func (r *inStep[A]) index(call int) int { return r.first + call%maxGroup*r.leaf + call/maxGroup }

// below runs what the leaves below the one that panics have yet to run.
func (r *inStep[A]) below(n node) {
	torn, from := r.calls%maxGroup, r.calls/maxGroup+1
	for k := range torn {
		r.walk.node = node{n.first + k, n.first + k + 1}
		for begin, end := range r.walk.pieces(from, r.leaf) {
			leaf := r.first + k*r.leaf
			scanInts(r.f).span(r.walk, leaf+begin, leaf+end, unsafe.Pointer(&r.accs[k]), r.final)
		}
	}
	r.walk.node = node{n.first + torn, n.first + torn + 1}
}
