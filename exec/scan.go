package exec

import "github.com/gokkos/gokkos/reducers"

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
// times, and write its results only when final is true. The first exclusive
// prefix is the identity, or the initial value with [reducers.WithInitial].
//
// The total of all items goes through Final to r's result place. Final is not
// applied to the prefixes.
//
// Memory: up to three partial results are kept for each leaf, of which there are at
// most 4096.
//
// Order: a leaf's prefix is joined down the tree of [ParallelReduce]; inside a
// leaf the items are joined in their order, in one lane. Errors and panics are
// those of ParallelReduce; f may by then have been called with final true.
func ParallelScan[I, A any, P Policy[I]](p P, f func(i I, acc *A, final bool), r reducers.Reducer[A]) error {
	if f == nil {
		return errNilFunctor
	}
	r = reducers.Compose(r)
	s := &scan[I, A, P]{f: f, r: r, total: reducers.NewSlots(r)}
	plan := planOf[I](p)
	s.of(p, &plan)
	if err := refuseTeams("ParallelScan", plan); err != nil {
		return err
	}
	space, err := check(&plan, []column{s.total}, nil)
	if err != nil {
		return err
	}
	plan.Whole = true // a leaf is scanned in one lane
	up := newJob(&plan, &sumKernel[I, A, P]{s}, nil)
	s.leaves = up.grid.Leaves
	if err := up.run(space); err != nil {
		return err
	}
	down := newJob(&plan, &scanKernel[I, A, P]{s}, nil)
	down.report = up.report
	all := down.all()
	if !down.guard(&all, func() bool { s.sweep(); return true }) {
		return down.fault.raise()
	}
	if err := down.run(space); err != nil {
		return err
	}
	down.columns = []column{s.total}
	return down.store()
}

// scan is what the passes of one ParallelScan share.
type scan[I, A any, P Policy[I]] struct {
	indices[I, P]
	f      func(i I, acc *A, final bool)
	r      reducers.Reducer[A]
	total  *reducers.Slots[A]
	leaves int
	sums   [][]A // sums[h][k] is the k-th node of height h in the reduction tree
	prefix []A   // what comes before each leaf
}

func (s *scan[I, A, P]) key() uintptr { return codeOf(s.f) }

// items runs f over the items of a leaf.
func (s *scan[I, A, P]) items(worker, begin, end int, acc *A, final bool) {
	for begin < end {
		var block []I
		block, begin = s.next(worker, begin, end)
		for _, i := range block {
			s.f(i, acc, final)
		}
	}
}

// sweep joins the sums of the leaves up the tree and the prefixes down it.
func (s *scan[I, A, P]) sweep() {
	if s.leaves == 0 {
		return
	}
	for h := 0; len(s.sums[h]) > 1; h++ {
		below := s.sums[h]
		level := make([]A, (len(below)+1)/2)
		for k := range level {
			s.r.Init(&level[k])
			s.r.Join(&level[k], &below[2*k])
			if 2*k+1 < len(below) {
				s.r.Join(&level[k], &below[2*k+1])
			}
		}
		s.sums = append(s.sums, level)
	}
	top := len(s.sums) - 1
	*s.total.At(0) = s.sums[top][0]

	// A node's prefix is kept with its first leaf, so a left child has it already.
	s.prefix = make([]A, s.leaves)
	s.total.Seed(&s.prefix[0])
	for h := top - 1; h >= 0; h-- {
		for k := 1; k < len(s.sums[h]); k += 2 {
			p := &s.prefix[k<<h]
			s.r.Init(p)
			s.r.Join(p, &s.prefix[(k-1)<<h])
			s.r.Join(p, &s.sums[h][k-1])
		}
	}
}

// sumKernel learns the sums of the leaves.
type sumKernel[I, A any, P Policy[I]] struct{ *scan[I, A, P] }

func (k *sumKernel[I, A, P]) open(workers int, g Grid) {
	k.total.Open(1, 1, 1) // the initial value is read before f can change it
	k.indices.open(workers, g)
	k.sums = [][]A{make([]A, k.leaves)}
}

func (k *sumKernel[I, A, P]) run(worker, leaf, begin, end int) {
	var acc A
	k.r.Init(&acc)
	k.items(worker, begin, end, &acc, false)
	k.sums[0][leaf] = acc
}

// stage names the kernel for a device, and what comes before it.
func (k *sumKernel[I, A, P]) stage() (before, name string) { return "", "scan: sums" }

// scanKernel runs every leaf from its prefix.
type scanKernel[I, A any, P Policy[I]] struct{ *scan[I, A, P] }

func (k *scanKernel[I, A, P]) stage() (before, name string) { return "scan: offsets", "scan: results" }

func (k *scanKernel[I, A, P]) run(worker, leaf, begin, end int) {
	acc := k.prefix[leaf]
	k.items(worker, begin, end, &acc, true)
}
