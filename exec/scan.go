package exec

import (
	"fmt"
	"math/bits"
	"runtime/debug"
	"sync"

	"github.com/gokkos/gokkos/reducers"
)

// ParallelScan computes prefix reductions. It calls f for every index of p with
// the accumulator of all the items before it; f must join its own contribution
// into *acc. Where f reads *acc decides the kind of scan: before the join it is
// the exclusive prefix, after it the inclusive one.
//
//	func(i int, acc *float64, final bool) {
//		if final {
//			exclusive[i] = *acc
//		}
//		*acc += x[i]
//	}
//
// For each item f is called once with final true, and before that possibly with
// final false to learn the contributions; it must contribute the same both
// times, and write its results only when final is true. Some items may be final before
// the contributions of others are learned: a result must not be written where another
// item's contribution is read. The first exclusive prefix is the identity, or the initial
// value with [reducers.WithInitial].
//
// The total of all items goes through Final to r's result place. Final is not
// applied to the prefixes.
//
// Cost: a leaf's results are computed while what it has read is in cache, as soon as all
// that comes before it is known. Up to three partial results are kept for each leaf, of
// which there are at most 4096.
//
// A reducer whose traits say Once is an error: f contributes twice.
//
// Order: a leaf's prefix is joined down the tree of [ParallelReduce]; inside a
// leaf the items are joined in their order, in one lane. Errors and panics are
// those of ParallelReduce; f may by then have been called with final true.
func ParallelScan[I, A any, P Policy[I]](p P, f func(i I, acc *A, final bool), r reducers.Reducer[A]) error {
	if f == nil {
		return errNilFunctor
	}
	if r = reducers.Compose(r); reducers.TraitsOf(r).Once {
		return fmt.Errorf("exec: ParallelScan with a %T, to which each item must contribute once: a scan calls its functor twice", r)
	}
	plan := planOf[I](p)
	up, s := take[scan[I, A, P]]()
	s.of(p, &plan)
	s.f, s.r = f, r
	s.total.Reset(s.r)
	if err := refuseTeams("ParallelScan", plan); err != nil {
		return err
	}
	down := jobs.Get().(*job)
	down.columns = append(down.columns, &s.total)
	space, err := check(&plan, down.columns, nil)
	down.columns = down.columns[:0] // until there is a total
	if err != nil {
		return err
	}
	plan.Whole = true // a leaf is scanned in one lane
	up.plan(&plan, s)
	s.rest = scanResults[I, A, P]{s}
	down.plan(&plan, &s.rest)
	s.up, s.down, s.leaves = up, down, up.grid.Leaves
	s.fused = ours(space) && reducers.IsFlat[A]()
	if err := s.launch(space); err != nil {
		return err
	}
	down.give(space)
	up.give(space)
	return nil
}

// launch runs the jobs of a scan.
func (s *scan[I, A, P]) launch(space Space) error {
	up, down := s.up, s.down
	up.finely = s.fused
	if err := up.run(space); err != nil {
		return err
	}
	all := up.all()
	if !up.guard(&all, func() bool { s.settle(); return true }) {
		return up.fault.raise()
	}
	if s.torn { // and did not do so again
		return s.fault.raise()
	}
	if s.left() {
		down.report = up.report
		if err := down.run(space); err != nil {
			return err
		}
	}
	down.columns = append(down.columns, &s.total)
	return down.store()
}

// scan is the kernel that learns the contributions of the leaves. Where it is fused, a
// worker also computes the results of those of its leaves whose prefix is known by then;
// nobody waits, and what is left is computed by another launch.
//
// Sums and prefixes are those of the tree, in whatever order the leaves come.
type scan[I, A any, P Policy[I]] struct {
	indices[I, P]
	f      func(i I, acc *A, final bool)
	r      reducers.Reducer[A]
	total  reducers.Slots[A]
	leaves int
	fused  bool

	up, down *job
	rest     scanResults[I, A, P] // the kernel of down
	accs     buffers[A]           // the first of each is the worker's accumulator
	done     []bool               // leaves that have their results
	waiting  [][]int32            // leaves of each worker that wait for their prefix

	mu     sync.Mutex
	summed []bool  // leaves whose sum is known
	known  int     // leaves, from the first on, whose prefix is known
	torn   bool    // a join has panicked: what is left is for settle
	fault  fault   // what it panicked with
	levels []level // of the tree, that of the leaves first
	sums   []A     // of the nodes, level by level
	prefix []A     // what comes before each leaf
}

// level is the nodes of one height.
type level struct {
	first int // where their sums begin
	nodes int
	known int // nodes, from the first on, whose sum is known; not kept for leaves
}

func (s *scan[I, A, P]) key() uintptr { return codeOf(s.f) }

// stage names the kernel for a device, and what comes before it.
func (s *scan[I, A, P]) stage() (before, name string) { return "", "scan: sums" }

func (s *scan[I, A, P]) open(workers int, g Grid) {
	s.total.Open(1, 1, 1) // the initial value is read before f can change it
	s.indices.open(workers, g)
	s.accs.open(workers, apart[A]())
	s.levels = s.levels[:0]
	size := 0
	for nodes := s.leaves; nodes > 0; nodes = (nodes + 1) / 2 {
		s.levels = append(s.levels, level{first: size, nodes: nodes})
		if size += nodes; nodes == 1 {
			break
		}
	}
	s.sums = resize(s.sums[:0], size)
	s.prefix = resize(s.prefix[:0], s.leaves)
	s.summed, s.done = resize(s.summed[:0], s.leaves), resize(s.done[:0], s.leaves)
	clear(s.summed)
	clear(s.done)
	s.waiting = resize(s.waiting, workers)
	for w := range s.waiting {
		s.waiting[w] = s.waiting[w][:0]
	}
	s.known, s.torn, s.fault = 0, false, fault{}
	if s.leaves > 0 {
		s.total.Seed(&s.prefix[0])
		s.known = 1
	}
}

func (s *scan[I, A, P]) release() {
	s.indices.release()
	s.f, s.r = nil, nil
	s.up, s.down, s.rest.scan = nil, nil, nil
	s.total.Release()
	s.accs.release()
	s.sums, s.prefix = wipe(s.sums), wipe(s.prefix)
}

func (s *scan[I, A, P]) run(worker, leaf, begin, end int) {
	acc := s.accumulator(worker)
	s.r.Init(acc)
	s.items(worker, begin, end, acc, false)
	s.sums[leaf] = s.take(acc)
	if !s.fused {
		return
	}
	known := s.advance(leaf)
	waiting := append(s.waiting[worker], int32(leaf))
	for len(waiting) > 0 && int(waiting[0]) < known {
		next := int(waiting[0])
		waiting = append(waiting[:0], waiting[1:]...)
		s.results(worker, next)
	}
	s.waiting[worker] = waiting
}

// results computes the results of a leaf whose prefix is known, unless the launch fails
// anyway. A panic is one of the launch for results: it gives way to any of the others.
func (s *scan[I, A, P]) results(worker, leaf int) {
	if s.up.failed.Load() || s.up.cancelled() || int64(leaf) >= s.down.limit.Load() {
		return
	}
	n := node{leaf, leaf + 1}
	s.done[leaf] = s.down.guard(&n, func() bool {
		begin := leaf * s.up.grid.Leaf
		s.finish(worker, leaf, begin, min(begin+s.up.grid.Leaf, s.up.grid.Items))
		return true
	})
}

// finish runs the items of a leaf from its prefix.
func (s *scan[I, A, P]) finish(worker, leaf, begin, end int) {
	acc := s.accumulator(worker)
	*acc = s.prefix[leaf]
	s.items(worker, begin, end, acc, true)
	s.take(acc)
}

// accumulator returns the worker's accumulator, which take left empty.
func (s *scan[I, A, P]) accumulator(worker int) *A { return &s.accs.room(worker, 1)[0] }

// take returns an accumulator's value and leaves none.
func (s *scan[I, A, P]) take(acc *A) (val A) {
	*acc, val = val, *acc
	return val
}

// items runs f over the items of a leaf.
func (s *scan[I, A, P]) items(worker, begin, end int, acc *A, final bool) {
	if f, ok := any(s.f).(func(int, *A, bool)); ok && s.plain {
		for i, end := s.first+begin, s.first+end; i < end; i++ {
			f(i, acc, final)
		}
		return
	}
	f := s.f
	for begin < end {
		var block []I
		block, begin = s.next(worker, begin, end)
		for _, i := range block {
			f(i, acc, final)
		}
	}
}

// advance takes note of a leaf's sum and joins what can be joined now. It returns how many
// leaves, from the first on, have a prefix.
func (s *scan[I, A, P]) advance(leaf int) (known int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.summed[leaf] = true
	if s.torn {
		return s.known
	}
	s.torn = true
	defer func() {
		if !s.torn {
			return
		}
		if value := recover(); value != nil { // nil is runtime.Goexit, which goes on
			s.fault = s.up.panicked(s.up.all(), value, debug.Stack())
			known = s.known
		}
	}()
	for s.known < s.leaves && s.summed[s.known-1] {
		// The leaf before completes a node of each height up to that of the subtree
		// that ends with it, and this subtree's left sibling has a prefix.
		height := bits.TrailingZeros(uint(s.known))
		for h := 1; h <= height; h++ {
			s.joinSum(h, s.known>>h-1)
		}
		s.joinPrefix(height, s.known>>height)
		s.known++
	}
	s.torn = false
	return s.known
}

// joinSum joins the sum of node k of height h, unless it is known.
func (s *scan[I, A, P]) joinSum(h, k int) {
	at, below := &s.levels[h], s.levels[h-1]
	if k < at.known {
		return
	}
	sum := &s.sums[at.first+k]
	s.r.Init(sum)
	s.r.Join(sum, &s.sums[below.first+2*k])
	if 2*k+1 < below.nodes {
		s.r.Join(sum, &s.sums[below.first+2*k+1])
	}
	at.known = k + 1
}

// joinPrefix joins the prefix of the right child k of height h. A node's prefix is kept
// with its first leaf, so that a left child has its parent's already.
func (s *scan[I, A, P]) joinPrefix(h, k int) {
	p := &s.prefix[k<<h]
	s.r.Init(p)
	s.r.Join(p, &s.prefix[(k-1)<<h])
	s.r.Join(p, &s.sums[s.levels[h].first+k-1])
}

// settle joins the sums of the leaves up the tree and the prefixes down it, as far as
// this was not done before. The order is the same on all spaces, and so is a panic.
func (s *scan[I, A, P]) settle() {
	if s.leaves == 0 {
		return
	}
	top := len(s.levels) - 1
	for h := 1; h <= top; h++ {
		for k := range s.levels[h].nodes {
			s.joinSum(h, k)
		}
	}
	*s.total.At(0) = s.sums[s.levels[top].first]
	for h := top - 1; h >= 0; h-- {
		for k := 1; k < s.levels[h].nodes; k += 2 {
			if k<<h >= s.known {
				s.joinPrefix(h, k)
			}
		}
	}
}

// left reports whether there are leaves without results, or a panic among those that
// were computed.
func (s *scan[I, A, P]) left() bool {
	for _, done := range s.done {
		if !done {
			return true
		}
	}
	return false
}

// scanResults is the kernel that computes the results of the leaves that have none.
type scanResults[I, A any, P Policy[I]] struct{ *scan[I, A, P] }

func (k *scanResults[I, A, P]) stage() (before, name string) { return "scan: offsets", "scan: results" }

func (k *scanResults[I, A, P]) key() uintptr { return 0 }

func (k *scanResults[I, A, P]) open(workers int, g Grid) {
	k.indices.open(workers, g)
	k.accs.open(workers, apart[A]())
}

func (k *scanResults[I, A, P]) release() {}

func (k *scanResults[I, A, P]) run(worker, leaf, begin, end int) {
	if k.done[leaf] {
		return
	}
	k.finish(worker, leaf, begin, end)
}
