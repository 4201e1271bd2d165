package exec

import (
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// ParallelReduce calls f once for every index of p, with an accumulator to join
// the item's contribution into, and joins the accumulators with r.
//
// One reducer looks after the whole accumulator; several look after one field
// each of an accumulator that is a struct, see [reducers.Field].
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
func ParallelReduce[I, A any](p Policy[I], f func(i I, acc *A), r ...reducers.Reducer[A]) error {
	if f == nil {
		return errNilFunctor
	}
	plan := planOf(p)
	if f, ok := any(f).(func(*team.Member, *A)); ok && plan.Team.Size > 0 {
		a := newMembers(r...)
		return launchTeams(plan, func(worker int) func(*team.Member) {
			a := a.of(worker)
			return func(m *team.Member) { f(m, &a.accs[m.Rank()]) }
		}, a)
	}
	a := reducers.NewSlots(reducers.Compose(r...))
	return launch(plan, &reduceKernel[I, A]{indices[I]{p: p}, f, a}, a)
}

type reduceKernel[I, A any] struct {
	indices[I]
	f func(i I, acc *A)
	a *reducers.Slots[A]
}

func (k *reduceKernel[I, A]) run(worker, _, begin, end int) {
	a := k.a.Begin(worker, end-begin)
	am := len(a) - 1
	for begin < end {
		var block []I
		block, begin = k.next(worker, begin, end)
		for n, i := range block {
			k.f(i, &a[n&am])
		}
	}
}

// ParallelReduce2 is [ParallelReduce] with two reducers, each of which has an
// accumulator of its own. Each result has the bits it would have alone.
func ParallelReduce2[I, A, B any](p Policy[I], f func(i I, a *A, b *B), ra reducers.Reducer[A], rb reducers.Reducer[B]) error {
	if f == nil {
		return errNilFunctor
	}
	plan := planOf(p)
	if f, ok := any(f).(func(*team.Member, *A, *B)); ok && plan.Team.Size > 0 {
		a, b := newMembers(ra), newMembers(rb)
		return launchTeams(plan, func(worker int) func(*team.Member) {
			a, b := a.of(worker), b.of(worker)
			return func(m *team.Member) { f(m, &a.accs[m.Rank()], &b.accs[m.Rank()]) }
		}, a, b)
	}
	a, b := reducers.NewSlots(ra), reducers.NewSlots(rb)
	return launch(plan, &reduceKernel2[I, A, B]{indices[I]{p: p}, f, a, b}, a, b)
}

type reduceKernel2[I, A, B any] struct {
	indices[I]
	f func(i I, a *A, b *B)
	a *reducers.Slots[A]
	b *reducers.Slots[B]
}

func (k *reduceKernel2[I, A, B]) run(worker, _, begin, end int) {
	items := end - begin
	a, b := k.a.Begin(worker, items), k.b.Begin(worker, items)
	am, bm := len(a)-1, len(b)-1
	for begin < end {
		var block []I
		block, begin = k.next(worker, begin, end)
		for n, i := range block {
			k.f(i, &a[n&am], &b[n&bm])
		}
	}
}

// ParallelReduce3 is [ParallelReduce2] with three reducers.
func ParallelReduce3[I, A, B, C any](p Policy[I], f func(i I, a *A, b *B, c *C), ra reducers.Reducer[A], rb reducers.Reducer[B], rc reducers.Reducer[C]) error {
	if f == nil {
		return errNilFunctor
	}
	plan := planOf(p)
	if f, ok := any(f).(func(*team.Member, *A, *B, *C)); ok && plan.Team.Size > 0 {
		a, b, c := newMembers(ra), newMembers(rb), newMembers(rc)
		return launchTeams(plan, func(worker int) func(*team.Member) {
			a, b, c := a.of(worker), b.of(worker), c.of(worker)
			return func(m *team.Member) { f(m, &a.accs[m.Rank()], &b.accs[m.Rank()], &c.accs[m.Rank()]) }
		}, a, b, c)
	}
	a, b, c := reducers.NewSlots(ra), reducers.NewSlots(rb), reducers.NewSlots(rc)
	return launch(plan, &reduceKernel3[I, A, B, C]{indices[I]{p: p}, f, a, b, c}, a, b, c)
}

type reduceKernel3[I, A, B, C any] struct {
	indices[I]
	f func(i I, a *A, b *B, c *C)
	a *reducers.Slots[A]
	b *reducers.Slots[B]
	c *reducers.Slots[C]
}

func (k *reduceKernel3[I, A, B, C]) run(worker, _, begin, end int) {
	items := end - begin
	a, b, c := k.a.Begin(worker, items), k.b.Begin(worker, items), k.c.Begin(worker, items)
	am, bm, cm := len(a)-1, len(b)-1, len(c)-1
	for begin < end {
		var block []I
		block, begin = k.next(worker, begin, end)
		for n, i := range block {
			k.f(i, &a[n&am], &b[n&bm], &c[n&cm])
		}
	}
}

// ParallelReduce4 is [ParallelReduce2] with four reducers.
func ParallelReduce4[I, A, B, C, D any](p Policy[I], f func(i I, a *A, b *B, c *C, d *D), ra reducers.Reducer[A], rb reducers.Reducer[B], rc reducers.Reducer[C], rd reducers.Reducer[D]) error {
	if f == nil {
		return errNilFunctor
	}
	plan := planOf(p)
	if f, ok := any(f).(func(*team.Member, *A, *B, *C, *D)); ok && plan.Team.Size > 0 {
		a, b, c, d := newMembers(ra), newMembers(rb), newMembers(rc), newMembers(rd)
		return launchTeams(plan, func(worker int) func(*team.Member) {
			a, b, c, d := a.of(worker), b.of(worker), c.of(worker), d.of(worker)
			return func(m *team.Member) { f(m, &a.accs[m.Rank()], &b.accs[m.Rank()], &c.accs[m.Rank()], &d.accs[m.Rank()]) }
		}, a, b, c, d)
	}
	a, b, c, d := reducers.NewSlots(ra), reducers.NewSlots(rb), reducers.NewSlots(rc), reducers.NewSlots(rd)
	return launch(plan, &reduceKernel4[I, A, B, C, D]{indices[I]{p: p}, f, a, b, c, d}, a, b, c, d)
}

type reduceKernel4[I, A, B, C, D any] struct {
	indices[I]
	f func(i I, a *A, b *B, c *C, d *D)
	a *reducers.Slots[A]
	b *reducers.Slots[B]
	c *reducers.Slots[C]
	d *reducers.Slots[D]
}

func (k *reduceKernel4[I, A, B, C, D]) run(worker, _, begin, end int) {
	items := end - begin
	a, b, c, d := k.a.Begin(worker, items), k.b.Begin(worker, items), k.c.Begin(worker, items), k.d.Begin(worker, items)
	am, bm, cm, dm := len(a)-1, len(b)-1, len(c)-1, len(d)-1
	for begin < end {
		var block []I
		block, begin = k.next(worker, begin, end)
		for n, i := range block {
			k.f(i, &a[n&am], &b[n&bm], &c[n&cm], &d[n&dm])
		}
	}
}

var (
	_ Policy[int]          = policy.RangePolicy{}
	_ Policy[*team.Member] = policy.TeamPolicy{}
)
