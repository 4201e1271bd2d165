package team

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// Scan computes prefix reductions over r. It calls f for every item with the accumulator
// of all the items before it; f must join its own contribution into *acc. Where f reads
// *acc decides the kind of scan: before the join it is the exclusive prefix, after it the
// inclusive one. It is the nested parallel_scan of Kokkos.
//
// For each item f is called once with final true, and before that, by a team of several,
// once with final false to learn the contributions; it must contribute the same both
// times, and write its results only when final is true. The first exclusive prefix is the
// identity, or with [reducers.WithInitial] the initial value of the lowest rank.
//
// The total of all items goes through Final to red's result place, that of every member
// for a [ThreadRange] or a [TeamVectorRange]. Final is not applied to the prefixes.
//
// The members of a team meet between the two passes and not at the end: call
// [Member.Barrier] before an item of another member is read.
//
// Order: a member takes a contiguous chunk of ⌈n/T⌉ items and joins them in ascending
// order, in one lane. The chunks' sums are joined as the tree of [Reduce], with every
// inner node identity (+) left (+) right. A left child has its parent's prefix, a right
// child identity (+) prefix of the parent (+) sum of the left sibling, and a member
// starts from the prefix of its chunk. The total is the root's sum. A team of one, and a
// [VectorRange], is one pass from the identity or the initial value, the total what is
// there at the end.
//
// f and the functions of the reducer must call no collective and no barrier.
//
// Errors: those of [Reduce].
//
//go:noinline
func Scan[I, A any](r Range[I], f func(i I, acc *A, final bool), red reducers.Reducer[A]) {
	check(r.m, f == nil)
	var site uintptr
	if r.meets() {
		site = lane.Site()
	}
	a := open(r.m, r.level, red)
	a.width = 1
	a.begin(r.share(true).longestBlock())
	acc := &a.lanes[0]
	if r.meets() {
		a.scan = true
		scanShare(&r, f, acc, false)
		op := lane.Op{Kind: "nested scan", Type: reflect.TypeFor[A](), Bytes: collective.SizeOf[A]()}
		if !meet(r.m, site, op, r.agreement(true), a) {
			return
		}
		scanShare(&r, f, &a.prefix, true)
	} else {
		a.seed(acc)
		scanShare(&r, f, acc, true)
		a.r.Final(acc)
	}
	a.store()
}

func scanShare[I, A any](r *Range[I], f func(i I, acc *A, final bool), acc *A, final bool) {
	var i I
	w, s := r.walk(&i, true)
	if s.begin == s.end {
		return
	}
	watched := beginVector(r, unsafe.Pointer(&i))
	if watched != nil {
		f = watchedScan(watched, f)
	}
	sums := !final && beginSums(r.m, acc)
	w.seek(s.begin)
	for k := s.end - s.begin; k > 0; k-- {
		f(i, acc, final)
		w.step()
	}
	if sums {
		watch.EndReadOnly()
	}
	watched.end()
}

// seed sets *val to the first prefix of a scan: the initial value if the reducer has one,
// else the identity.
func (a *accumulators[A]) seed(val *A) {
	if a.traits.Initial {
		*val, a.initial = a.initial, *val
		return
	}
	a.clear(val)
}

// sweep joins the values of the members up the tree, to values[0], and the prefixes down
// it.
func (b *meeting[A]) sweep() {
	t := &b.tree
	if t.Prefix == nil {
		t.Prefix = make([]A, len(b.values))
	}
	t.R, t.Sums = b.r, b.values[:b.membersWithItems]
	b.r.Init(&t.Prefix[0])
	if b.contributions[0].initial {
		b.r.Join(&t.Prefix[0], &b.initial)
	}
	for rank := 1; rank < b.membersWithItems; rank++ {
		t.Next(rank)
	}
	t.Total()
}
