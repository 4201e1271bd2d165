package team

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// Reduce calls f for every item of r, with an accumulator to join the item's contribution
// into, and joins the accumulators with red. It is the nested parallel_reduce of Kokkos.
//
// One reducer looks after the whole accumulator; several look after one field each of an
// accumulator that is a struct, see [reducers.Field].
//
// The result goes to the result place of every member of the level: a [ThreadRange] and a
// [TeamVectorRange] have one for each member of the team, who gives a reducer of its own
// and sees the result when Reduce returns, which is a barrier; a [VectorRange] has that
// of the calling member alone, and no barrier. The old content of the place is dropped
// unless the reducer is made by [reducers.WithInitial]; then that of the lowest rank is
// joined in, once, to the left. A range without items gives the identity. Final is applied
// once, to the joined value, or to each member's own copy of it where a value refers to
// memory elsewhere: members never share memory through a result.
//
// Order, with T members and V vector lanes (see [Member.VectorLength]):
//
//   - ThreadRange: member r joins its items r, r+T, r+2T, ... in that order into one
//     accumulator.
//   - VectorRange: item i goes to lane i mod V. The lanes are joined in pairs: (0,1),
//     (2,3), ..., then (0,2), (4,6), ... and so on; the left one is the dst of the join.
//   - TeamVectorRange: item i goes to lane i mod V of member i/V mod T. A member's lanes
//     are joined as those of a VectorRange.
//   - The members' values are joined in the same way by rank. Lanes and members without
//     an item are left out.
//   - A reducer marked ordered has one lane and member r takes the items rc to (r+1)c-1,
//     c = ⌈n/T⌉, in that order. There is one lane, too, where the accumulator is larger
//     than 64 bytes or refers to memory elsewhere.
//
// f and the functions of the reducers must call no collective and no barrier: members have
// different numbers of items. A nested pattern over a [VectorRange] is neither.
//
// Errors: a nil f; a range that is its zero value; a reducer that cannot be used; members
// that give ranges of different levels or lengths, or reducers of different types; a call
// that only some members reach.
//
// Cost: a call for each item, unless r is made by [Shares]; one suspension in a team of several,
// some 30 ns in a team of one; and no allocation for values that refer to no memory elsewhere. A
// result place that is a variable of the functor is allocated, which takes some 10 ns.
//
//go:noinline
func Reduce[I, A any](r Range[I], f func(i I, acc *A), red reducers.Reducer[A], more ...reducers.Reducer[A]) {
	check(r.m, f == nil)
	var site uintptr
	if r.meets() {
		site = lane.Site()
	}
	a := open(r.m, r.level, red, more...)
	ordered := a.traits.Ordered
	ints, isInts := any(f).(func(int, *A))
	loop, isLoop := any(f).(func(Range[int], *A))
	switch s := r.share(ordered); {
	case r.m.run.settings.Watched || !isInts && !isLoop:
		reduceShare(&r, f, a)
	case isInts:
		reduceInts(ints, s, a.begin(s.longestBlock()))
	case s.begin < s.end:
		loop(r.own(ordered), &a.begin(1)[0])
	default:
		a.begin(0)
	}
	concludeOne(&r, site, ordered, a)
}

// reduceShare calls f for the items that the calling member takes.
func reduceShare[I, A any](r *Range[I], f func(i I, acc *A), a *accumulators[A]) {
	var i I
	watched := beginVector(r, unsafe.Pointer(&i))
	if watched != nil {
		f = watchedReduce(watched, f)
	}
	w, s := r.walk(&i, a.traits.Ordered)
	lanes := a.begin(s.longestBlock())
	for b := s.begin; b < s.end; b = s.next(b) {
		w.seek(b)
		l := 0
		for k := min(s.width, s.end-b); k > 0; k-- {
			f(i, &lanes[l])
			w.step()
			if l++; l == len(lanes) {
				l = 0
			}
		}
	}
	watched.end()
}

// reduceInts calls f for the integers of a share, each with the accumulator of its lane. It is unrolled:
// a call keeps no register, so that each would wait for the integer that the one before it has stored.
func reduceInts[A any](f func(i int, acc *A), s share, lanes []A) {
	for b := s.begin; b < s.end; b = s.next(b) {
		i, end := b, b+min(s.width, s.end-b)
		if len(lanes) == 1 {
			acc := &lanes[0]
			for ; end-i >= 4; i += 4 {
				f(i, acc)
				f(i+1, acc)
				f(i+2, acc)
				f(i+3, acc)
			}
			for ; i < end; i++ {
				f(i, acc)
			}
		}
		for i < end {
			row := lanes[:min(len(lanes), end-i)]
			for ; len(row) >= 4; row = row[4:] {
				four := (*[4]A)(row)
				f(i, &four[0])
				f(i+1, &four[1])
				f(i+2, &four[2])
				f(i+3, &four[3])
				i += 4
			}
			for l := range row {
				f(i, &row[l])
				i++
			}
		}
	}
}

// concludeOne is conclude with one column, whose result place is apart from all others if it is one.
func concludeOne[I, A any](r *Range[I], site uintptr, ordered bool, a *accumulators[A]) {
	if a.traits.Place != nil {
		checkPlaces([]column{a})
	}
	if a.used > 1 {
		a.join()
	}
	if !r.meets() {
		a.finish()
	} else if !meet(r.m, site, lane.Op{Kind: nestedReduce, Type: reflect.TypeFor[A](), Bytes: a.bytes()}, r.agreement(ordered), a) {
		return
	}
	a.store()
}

const nestedReduce = "nested reduce"

// conclude joins the columns and writes the results: of all members, who meet for that, or
// of the calling member alone if r is its own.
func conclude[I any](r *Range[I], site uintptr, ordered bool, columns ...column) {
	checkPlaces(columns)
	for _, c := range columns {
		c.join()
	}
	if r.meets() {
		op := lane.Op{Kind: nestedReduce}
		for _, c := range columns {
			op.Bytes += c.bytes()
		}
		if !meet(r.m, site, op, r.agreement(ordered), columns...) {
			return
		}
	} else {
		for _, c := range columns {
			c.finish()
		}
	}
	for _, c := range columns {
		c.store()
	}
}

// checkPlaces ends the launch with an error if results of the columns would be written to
// the same memory.
func checkPlaces(columns []column) {
	if apart(columns) {
		return
	}
	var backing [4]any // as many as Reduce4 has
	places := backing[:0]
	for _, c := range columns {
		places = append(places, c.place())
	}
	if err := reduce.CheckPlaces(places); err != nil {
		misuse("%w", err)
	}
}

// apart reports whether it is plain that no two results share memory.
func apart(columns []column) bool {
	var room [4]reduce.Extent // as many as Reduce4 has
	extents := room[:len(columns)]
	for k, c := range columns {
		var known bool
		if extents[k], known = c.extent(); !known {
			return false
		}
	}
	return reduce.Apart(extents)
}

// meet joins the columns of the members of m's team in one meeting. It returns false if the
// members cannot meet.
func meet(m *Member, site uintptr, op lane.Op, agreed agreement, columns ...column) bool {
	var b lane.Combiner
	for k := len(columns) - 1; k >= 0; k-- {
		b = columns[k].contribute(m, k, agreed, b)
	}
	if !m.meet(m.all, site, op, b) {
		return false
	}
	for _, c := range columns {
		c.receive(m)
	}
	return true
}
