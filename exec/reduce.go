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
	e := erased1(f)
	if e, ok := any(e).(func(*team.Member, accumulator)); ok && plan.Team.Size > 0 {
		s := new(reduceLaunch[Index, A, P]) // of which teams need the columns only
		prepare(&plan, func() { s.a.Reset(compose(r, more)) })
		return launchTeams(&plan, f, ofMembers1(e), &s.a.Column)
	}
	j, s := take[reduceLaunch[Index, A, P]]()
	prepare(&plan, func() { s.a.Reset(compose(r, more)) })
	k := &s.kernel
	k.reset(f, s, &s.a.Column)
	s.points.of(&k.items, p, &plan)
	if watches(plan.Space) {
		k.loop = newReduceLoop(watchedReduce1(e, k.columns), &k.items)
	} else {
		k.loop = k.compile(&s.code, s.code.of(f), newReduceLoop(e, &k.items))
	}
	return j.reduce(&plan, k)
}

// reduceLaunch is what a launch of [ParallelReduce] keeps: what knows types, beside the kernel.
type reduceLaunch[I, A any, P Policy[I]] struct {
	kernel reduction
	points pointsOf[I, P]
	code   code1[A]
	a      reduce.Slots[A]
}

func (s *reduceLaunch[I, A, P]) release() {
	s.points.release()
	s.code = code1[A]{}
	s.a.Release()
}

// compose is [reducers.Compose] that leaves a single reducer to [reduce.Slots.Reset], which
// looks what it is anyway.
func compose[A any](r reducers.Reducer[A], more []reducers.Reducer[A]) reducers.Reducer[A] {
	if len(more) == 0 {
		return r
	}
	return reducers.Compose(r, more...)
}

// ParallelReduce2 is [ParallelReduce] with two reducers, each of which has an
// accumulator of its own. Each result has the bits it would have alone.
func ParallelReduce2[Index, A, B any, P Policy[Index]](p P, f func(i Index, a *A, b *B), ra reducers.Reducer[A], rb reducers.Reducer[B]) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	e := erased2(f)
	if e, ok := any(e).(func(*team.Member, accumulator, accumulator)); ok && plan.Team.Size > 0 {
		s := new(reduceLaunch2[Index, A, B, P]) // of which teams need the columns only
		prepare(&plan, func() {
			s.a.Reset(ra)
			s.b.Reset(rb)
		})
		return launchTeams(&plan, f, ofMembers2(e), &s.a.Column, &s.b.Column)
	}
	j, s := take[reduceLaunch2[Index, A, B, P]]()
	prepare(&plan, func() {
		s.a.Reset(ra)
		s.b.Reset(rb)
	})
	k := &s.kernel
	k.reset(f, s, &s.a.Column, &s.b.Column)
	s.points.of(&k.items, p, &plan)
	if watches(plan.Space) {
		k.loop = newReduceLoop2(watchedReduce2(e, k.columns), &k.items)
	} else {
		k.loop = k.compile(&s.code, s.code.of(f), newReduceLoop2(e, &k.items))
	}
	return j.reduce(&plan, k)
}

type reduceLaunch2[I, A, B any, P Policy[I]] struct {
	kernel reduction
	points pointsOf[I, P]
	code   code2[A, B]
	a      reduce.Slots[A]
	b      reduce.Slots[B]
}

func (s *reduceLaunch2[I, A, B, P]) release() {
	s.points.release()
	s.code = code2[A, B]{}
	s.a.Release()
	s.b.Release()
}

// ParallelReduce3 is [ParallelReduce2] with three reducers.
func ParallelReduce3[Index, A, B, C any, P Policy[Index]](p P, f func(i Index, a *A, b *B, c *C), ra reducers.Reducer[A], rb reducers.Reducer[B], rc reducers.Reducer[C]) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	e := erased3(f)
	if e, ok := any(e).(func(*team.Member, accumulator, accumulator, accumulator)); ok && plan.Team.Size > 0 {
		s := new(reduceLaunch3[Index, A, B, C, P]) // of which teams need the columns only
		prepare(&plan, func() {
			s.a.Reset(ra)
			s.b.Reset(rb)
			s.c.Reset(rc)
		})
		return launchTeams(&plan, f, ofMembers3(e), &s.a.Column, &s.b.Column, &s.c.Column)
	}
	j, s := take[reduceLaunch3[Index, A, B, C, P]]()
	prepare(&plan, func() {
		s.a.Reset(ra)
		s.b.Reset(rb)
		s.c.Reset(rc)
	})
	k := &s.kernel
	k.reset(f, s, &s.a.Column, &s.b.Column, &s.c.Column)
	s.points.of(&k.items, p, &plan)
	if watches(plan.Space) {
		k.loop = newReduceLoop3(watchedReduce3(e, k.columns), &k.items)
	} else {
		k.loop = k.compile(&s.code, s.code.of(f), newReduceLoop3(e, &k.items))
	}
	return j.reduce(&plan, k)
}

type reduceLaunch3[I, A, B, C any, P Policy[I]] struct {
	kernel reduction
	points pointsOf[I, P]
	code   code3[A, B, C]
	a      reduce.Slots[A]
	b      reduce.Slots[B]
	c      reduce.Slots[C]
}

func (s *reduceLaunch3[I, A, B, C, P]) release() {
	s.points.release()
	s.code = code3[A, B, C]{}
	s.a.Release()
	s.b.Release()
	s.c.Release()
}

// ParallelReduce4 is [ParallelReduce2] with four reducers.
func ParallelReduce4[Index, A, B, C, D any, P Policy[Index]](p P, f func(i Index, a *A, b *B, c *C, d *D), ra reducers.Reducer[A], rb reducers.Reducer[B], rc reducers.Reducer[C], rd reducers.Reducer[D]) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	e := erased4(f)
	if e, ok := any(e).(func(*team.Member, accumulator, accumulator, accumulator, accumulator)); ok && plan.Team.Size > 0 {
		s := new(reduceLaunch4[Index, A, B, C, D, P]) // of which teams need the columns only
		prepare(&plan, func() {
			s.a.Reset(ra)
			s.b.Reset(rb)
			s.c.Reset(rc)
			s.d.Reset(rd)
		})
		return launchTeams(&plan, f, ofMembers4(e), &s.a.Column, &s.b.Column, &s.c.Column, &s.d.Column)
	}
	j, s := take[reduceLaunch4[Index, A, B, C, D, P]]()
	prepare(&plan, func() {
		s.a.Reset(ra)
		s.b.Reset(rb)
		s.c.Reset(rc)
		s.d.Reset(rd)
	})
	k := &s.kernel
	k.reset(f, s, &s.a.Column, &s.b.Column, &s.c.Column, &s.d.Column)
	s.points.of(&k.items, p, &plan)
	if watches(plan.Space) {
		k.loop = newReduceLoop4(watchedReduce4(e, k.columns), &k.items)
	} else {
		k.loop = k.compile(&s.code, s.code.of(f), newReduceLoop4(e, &k.items))
	}
	return j.reduce(&plan, k)
}

type reduceLaunch4[I, A, B, C, D any, P Policy[I]] struct {
	kernel reduction
	points pointsOf[I, P]
	code   code4[A, B, C, D]
	a      reduce.Slots[A]
	b      reduce.Slots[B]
	c      reduce.Slots[C]
	d      reduce.Slots[D]
}

func (s *reduceLaunch4[I, A, B, C, D, P]) release() {
	s.points.release()
	s.code = code4[A, B, C, D]{}
	s.a.Release()
	s.b.Release()
	s.c.Release()
	s.d.Release()
}

var (
	_ Policy[int]          = policy.RangePolicy{}
	_ Policy[*team.Member] = policy.TeamPolicy{}
)
