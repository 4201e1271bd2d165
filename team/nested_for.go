package team

import "unsafe"

// For calls f for every item of r: each member of the team for its share of a
// [ThreadRange] or [TeamVectorRange], the calling member for all of a [VectorRange]. It
// is the nested parallel_for of Kokkos.
//
// Order: a member calls f for its items in ascending order. There is no barrier at the
// end: call [Member.Barrier] before an item of another member is read.
//
// f must call no collective and no barrier of a group whose members have different numbers
// of items.
//
// Errors: a nil f; a range that is its zero value.
//
// Cost: that of the loop, and a call for each item; [Range.All] has none.
func For[I any](r Range[I], f func(i I)) {
	check(r.m, f == nil)
	if f, ok := any(f).(func(int)); ok && !r.m.run.settings.Watched && (r.m.size == 1 || r.level == overVector) {
		forInts(f, r.n0)
		return
	}
	forShare(r, f)
}

// forInts calls f for 0 to n-1. It is unrolled as reduceInts is.
func forInts(f func(i int), n int) {
	i := 0
	for ; n-i >= 4; i += 4 {
		f(i)
		f(i + 1)
		f(i + 2)
		f(i + 3)
	}
	for ; i < n; i++ {
		f(i)
	}
}

func forShare[I any](r Range[I], f func(i I)) {
	var i I
	watched := beginVector(&r, unsafe.Pointer(&i))
	if watched != nil {
		f = watchedFor(watched, f)
	}
	w, s := r.walk(&i, false)
	for b := s.begin; b < s.end; b = s.next(b) {
		w.seek(b)
		for k := min(s.width, s.end-b); k > 0; k-- {
			f(i)
			w.step()
		}
	}
	watched.end()
}
