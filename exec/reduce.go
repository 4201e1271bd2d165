package exec

import (
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// ParallelReduce calls f once for every index of p, with an accumulator to join
// the item's contribution into, and joins the accumulators with r.
//
// One reducer looks after the whole accumulator; several look after one field
// each of an accumulator that is a struct, see [reducers.Field]. Reducers in a
// slice rs are passed as rs[0], rs[1:]...
//
// Order: items go to the lanes of their leaf, lanes and leaves are joined as a
// tree that depends on the policy and on the accumulator's type alone, so the
// result has the same bits on every space. The old content of the result place
// is dropped unless the reducer is made by [reducers.WithInitial]; an empty
// policy gives the identity. Final is applied once. The members of a team are joined
// in the order of their ranks, and then the teams as items.
//
// Errors and panics are those of [ParallelFor], and in addition a reducer that
// cannot be used. On any of them the result places keep their old content.
func ParallelReduce[Index, A any, P Policy[Index]](p P, f func(i Index, acc *A), r reducers.Reducer[A], more ...reducers.Reducer[A]) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	if f, ok := any(f).(func(*team.Member, *A)); ok && plan.Team.Size > 0 {
		a := newMembers(&plan, r, more...)
		return launchTeams(&plan, f, func(worker int) func(*team.Member) {
			a := a.of(worker)
			return func(m *team.Member) { f(m, &a.accs[m.Rank()]) }
		}, a)
	}
	if watches(plan.Space) {
		f = watchedReduce(f)
	}
	j, k := take[reduceKernel[Index, A, P]]()
	k.of(p, &plan)
	k.f, k.loop = f, newReduceLoop(f, &k.compiled, &k.boxed, &k.indices)
	prepare(&plan, func() { k.a.Reset(compose(r, more)) })
	j.columns = append(j.columns, &k.a.Column)
	return j.launch(&plan, k)
}

// compose is [reducers.Compose] that leaves a single reducer to [reduce.Slots.Reset], which
// looks what it is anyway.
func compose[A any](r reducers.Reducer[A], more []reducers.Reducer[A]) reducers.Reducer[A] {
	if len(more) == 0 {
		return r
	}
	return reducers.Compose(r, more...)
}

type reduceKernel[I, A any, P Policy[I]] struct {
	indices[I, P]
	f        func(i I, acc *A)
	loop     reduceLoop[A]
	compiled compiledReduce[A]        // loop, if there is one
	boxed    compiledReduceRuns[I, A] // or this one
	a        reduce.Slots[A]
	leaves   leafColumns // all of these
}

func (k *reduceKernel[I, A, P]) key() uintptr { return codeOf(k.f) }

func (k *reduceKernel[I, A, P]) release() {
	k.indices.release()
	k.f, k.loop, k.compiled, k.boxed = nil, nil, compiledReduce[A]{}, compiledReduceRuns[I, A]{}
	k.a.Release()
}

func (k *reduceKernel[I, A, P]) run(worker, _, begin, end int) {
	a := k.a.Begin(worker, end-begin)
	for k.plain && begin < end {
		to := k.upTo(worker, begin, end)
		if to == begin {
			return // cancelled
		}
		k.loop.span(k.first+begin, k.first+to, begin, a)
		begin = to
	}
	for begin < end {
		item := begin
		runs, block, rest := k.part(worker, begin, end)
		if begin = rest; runs != nil {
			k.loop.runs(runs, item, a)
		}
		reduceEach[I, A](k.f).block(block, item, a)
	}
}

// ParallelReduce2 is [ParallelReduce] with two reducers, each of which has an
// accumulator of its own. Each result has the bits it would have alone.
func ParallelReduce2[Index, A, B any, P Policy[Index]](p P, f func(i Index, a *A, b *B), ra reducers.Reducer[A], rb reducers.Reducer[B]) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	if f, ok := any(f).(func(*team.Member, *A, *B)); ok && plan.Team.Size > 0 {
		a, b := newMembers(&plan, ra), newMembers(&plan, rb)
		return launchTeams(&plan, f, func(worker int) func(*team.Member) {
			a, b := a.of(worker), b.of(worker)
			return func(m *team.Member) { f(m, &a.accs[m.Rank()], &b.accs[m.Rank()]) }
		}, a, b)
	}
	if watches(plan.Space) {
		f = watchedReduce2(f)
	}
	j, k := take[reduceKernel2[Index, A, B, P]]()
	k.of(p, &plan)
	k.f, k.loop = f, newReduceLoop2(f, &k.compiled, &k.boxed, &k.indices)
	prepare(&plan, func() {
		k.a.Reset(ra)
		k.b.Reset(rb)
	})
	j.columns = append(j.columns, &k.a.Column, &k.b.Column)
	return j.launch(&plan, k)
}

type reduceKernel2[I, A, B any, P Policy[I]] struct {
	indices[I, P]
	f        func(i I, a *A, b *B)
	loop     reduceLoop2[A, B]
	compiled compiledReduce2[A, B]        // loop, if there is one
	boxed    compiledReduceRuns2[I, A, B] // or this one
	a        reduce.Slots[A]
	b        reduce.Slots[B]
	leaves   leafColumns // all of these
}

func (k *reduceKernel2[I, A, B, P]) key() uintptr { return codeOf(k.f) }

func (k *reduceKernel2[I, A, B, P]) release() {
	k.indices.release()
	k.f, k.loop, k.compiled, k.boxed = nil, nil, compiledReduce2[A, B]{}, compiledReduceRuns2[I, A, B]{}
	k.a.Release()
	k.b.Release()
}

func (k *reduceKernel2[I, A, B, P]) run(worker, _, begin, end int) {
	items := end - begin
	a, b := k.a.Begin(worker, items), k.b.Begin(worker, items)
	for k.plain && begin < end {
		to := k.upTo(worker, begin, end)
		if to == begin {
			return // cancelled
		}
		k.loop.span(k.first+begin, k.first+to, begin, a, b)
		begin = to
	}
	for begin < end {
		item := begin
		runs, block, rest := k.part(worker, begin, end)
		if begin = rest; runs != nil {
			k.loop.runs(runs, item, a, b)
		}
		reduceEach2[I, A, B](k.f).block(block, item, a, b)
	}
}

// ParallelReduce3 is [ParallelReduce2] with three reducers.
func ParallelReduce3[Index, A, B, C any, P Policy[Index]](p P, f func(i Index, a *A, b *B, c *C), ra reducers.Reducer[A], rb reducers.Reducer[B], rc reducers.Reducer[C]) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	if f, ok := any(f).(func(*team.Member, *A, *B, *C)); ok && plan.Team.Size > 0 {
		a, b, c := newMembers(&plan, ra), newMembers(&plan, rb), newMembers(&plan, rc)
		return launchTeams(&plan, f, func(worker int) func(*team.Member) {
			a, b, c := a.of(worker), b.of(worker), c.of(worker)
			return func(m *team.Member) { f(m, &a.accs[m.Rank()], &b.accs[m.Rank()], &c.accs[m.Rank()]) }
		}, a, b, c)
	}
	if watches(plan.Space) {
		f = watchedReduce3(f)
	}
	j, k := take[reduceKernel3[Index, A, B, C, P]]()
	k.of(p, &plan)
	k.f, k.loop = f, newReduceLoop3(f, &k.compiled, &k.boxed, &k.indices)
	prepare(&plan, func() {
		k.a.Reset(ra)
		k.b.Reset(rb)
		k.c.Reset(rc)
	})
	j.columns = append(j.columns, &k.a.Column, &k.b.Column, &k.c.Column)
	return j.launch(&plan, k)
}

type reduceKernel3[I, A, B, C any, P Policy[I]] struct {
	indices[I, P]
	f        func(i I, a *A, b *B, c *C)
	loop     reduceLoop3[A, B, C]
	compiled compiledReduce3[A, B, C]        // loop, if there is one
	boxed    compiledReduceRuns3[I, A, B, C] // or this one
	a        reduce.Slots[A]
	b        reduce.Slots[B]
	c        reduce.Slots[C]
	leaves   leafColumns // all of these
}

func (k *reduceKernel3[I, A, B, C, P]) key() uintptr { return codeOf(k.f) }

func (k *reduceKernel3[I, A, B, C, P]) release() {
	k.indices.release()
	k.f, k.loop, k.compiled, k.boxed = nil, nil, compiledReduce3[A, B, C]{}, compiledReduceRuns3[I, A, B, C]{}
	k.a.Release()
	k.b.Release()
	k.c.Release()
}

func (k *reduceKernel3[I, A, B, C, P]) run(worker, _, begin, end int) {
	items := end - begin
	a, b, c := k.a.Begin(worker, items), k.b.Begin(worker, items), k.c.Begin(worker, items)
	for k.plain && begin < end {
		to := k.upTo(worker, begin, end)
		if to == begin {
			return // cancelled
		}
		k.loop.span(k.first+begin, k.first+to, begin, a, b, c)
		begin = to
	}
	for begin < end {
		item := begin
		runs, block, rest := k.part(worker, begin, end)
		if begin = rest; runs != nil {
			k.loop.runs(runs, item, a, b, c)
		}
		reduceEach3[I, A, B, C](k.f).block(block, item, a, b, c)
	}
}

// ParallelReduce4 is [ParallelReduce2] with four reducers.
func ParallelReduce4[Index, A, B, C, D any, P Policy[Index]](p P, f func(i Index, a *A, b *B, c *C, d *D), ra reducers.Reducer[A], rb reducers.Reducer[B], rc reducers.Reducer[C], rd reducers.Reducer[D]) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	if f, ok := any(f).(func(*team.Member, *A, *B, *C, *D)); ok && plan.Team.Size > 0 {
		a, b, c, d := newMembers(&plan, ra), newMembers(&plan, rb), newMembers(&plan, rc), newMembers(&plan, rd)
		return launchTeams(&plan, f, func(worker int) func(*team.Member) {
			a, b, c, d := a.of(worker), b.of(worker), c.of(worker), d.of(worker)
			return func(m *team.Member) { f(m, &a.accs[m.Rank()], &b.accs[m.Rank()], &c.accs[m.Rank()], &d.accs[m.Rank()]) }
		}, a, b, c, d)
	}
	if watches(plan.Space) {
		f = watchedReduce4(f)
	}
	j, k := take[reduceKernel4[Index, A, B, C, D, P]]()
	k.of(p, &plan)
	k.f, k.loop = f, newReduceLoop4(f, &k.compiled, &k.boxed, &k.indices)
	prepare(&plan, func() {
		k.a.Reset(ra)
		k.b.Reset(rb)
		k.c.Reset(rc)
		k.d.Reset(rd)
	})
	j.columns = append(j.columns, &k.a.Column, &k.b.Column, &k.c.Column, &k.d.Column)
	return j.launch(&plan, k)
}

type reduceKernel4[I, A, B, C, D any, P Policy[I]] struct {
	indices[I, P]
	f        func(i I, a *A, b *B, c *C, d *D)
	loop     reduceLoop4[A, B, C, D]
	compiled compiledReduce4[A, B, C, D]        // loop, if there is one
	boxed    compiledReduceRuns4[I, A, B, C, D] // or this one
	a        reduce.Slots[A]
	b        reduce.Slots[B]
	c        reduce.Slots[C]
	d        reduce.Slots[D]
	leaves   leafColumns // all of these
}

func (k *reduceKernel4[I, A, B, C, D, P]) key() uintptr { return codeOf(k.f) }

func (k *reduceKernel4[I, A, B, C, D, P]) release() {
	k.indices.release()
	k.f, k.loop, k.compiled, k.boxed = nil, nil, compiledReduce4[A, B, C, D]{}, compiledReduceRuns4[I, A, B, C, D]{}
	k.a.Release()
	k.b.Release()
	k.c.Release()
	k.d.Release()
}

func (k *reduceKernel4[I, A, B, C, D, P]) run(worker, _, begin, end int) {
	items := end - begin
	a, b, c, d := k.a.Begin(worker, items), k.b.Begin(worker, items), k.c.Begin(worker, items), k.d.Begin(worker, items)
	for k.plain && begin < end {
		to := k.upTo(worker, begin, end)
		if to == begin {
			return // cancelled
		}
		k.loop.span(k.first+begin, k.first+to, begin, a, b, c, d)
		begin = to
	}
	for begin < end {
		item := begin
		runs, block, rest := k.part(worker, begin, end)
		if begin = rest; runs != nil {
			k.loop.runs(runs, item, a, b, c, d)
		}
		reduceEach4[I, A, B, C, D](k.f).block(block, item, a, b, c, d)
	}
}

var (
	_ Policy[int]          = policy.RangePolicy{}
	_ Policy[*team.Member] = policy.TeamPolicy{}
)
