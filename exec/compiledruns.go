package exec

import (
	"fmt"
	"unsafe"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// The loops over runs of functors that are compiled and get a point of several dimensions, or a row
// of such points. They are for the policies of package policy: runs of others may not be what their
// indices are.

// takesRuns reports whether a loop may run the items of a policy run by run.
func (k indexKind) takesRuns() bool { return k.ours && k.rank > 0 }

// walkRuns runs runs, the first item of which has that number: loop returns up to where it came, and
// alone runs what is left to the functor f, a run at a time. The runs are not kept.
func walkRuns(f any, rows bool, runs []policy.Run, item int, loop func(runs []policy.Run, item int) (done, items int), alone func(r *policy.Run, item int)) {
	for len(runs) > 0 {
		done, items := loop(runs, item)
		if done == len(runs) && items == 0 {
			return
		}
		if uint(done) >= uint(len(runs)) || uint(items) >= uint(runs[done].Len) || rows && items > 0 {
			panic(breach{fmt.Errorf("exec: the loop of %v ran %d runs and returned %d of them and %d items of the next one, expected fewer items than that has, and none of a row", space.Functor{Func: f}, len(runs), done, items)})
		}
		for n := range done {
			item += runs[n].Len
		}
		runs = runs[done:]
		r := &runs[0]
		advance(r, items)
		item += items
		left := r.Len
		if !rows {
			toLane0 := -item & (aloneItems - 1)
			r.Len = min(aloneItems+toLane0, left)
		}
		alone(r, item)
		n := r.Len
		item += n
		if n == left {
			runs = runs[1:]
			continue
		}
		r.Len = left
		advance(r, n)
	}
}

// advance lets a run begin some items later.
func advance(r *policy.Run, items int) {
	r.At[r.Dim] += items
	r.Len -= items
}

// rowOf returns a run of points of a rank as the row that the functor gets: I is a [policy.Row] of
// these, and so as many integers, and two more.
func rowOf[I any](r *policy.Run, rank int) I {
	var words [len(r.At) + 2]int
	*(*[len(r.At)]int)(words[:]) = r.At
	*(*policy.Span)(unsafe.Pointer(&words[rank])) = spanOf(r)
	return *(*I)(unsafe.Pointer(&words))
}

// spanOf returns what the coordinate of a run goes over that grows.
func spanOf(r *policy.Run) policy.Span {
	first := r.At[r.Dim]
	return policy.Span{Begin: first, End: first + r.Len}
}

// one returns a run as a list.
func one(r *policy.Run) []policy.Run { return unsafe.Slice(r, 1) }

// compiledForRuns is the loop of a func(I), and the functor.
type compiledForRuns[I any] struct {
	forEach[I]
	code   compiled.ForRuns
	planes compiled.ForPlanes // code, if it runs several rows in one call, or nil
	kind   indexKind
}

// of finds the loop of a functor.
func (c *compiledForRuns[I]) of(f func(I), kind indexKind) bool {
	if !kind.takesRuns() {
		return false
	}
	code, ok := compiled.Of(f).(compiled.ForRuns)
	if ok {
		planes, _ := code.(compiled.ForPlanes)
		*c = compiledForRuns[I]{f, code, planes, kind}
	}
	return ok
}

func (c *compiledForRuns[I]) runs(runs []policy.Run) {
	walkRuns(c.forEach, c.kind.row, runs, 0,
		func(runs []policy.Run, _ int) (done, items int) { return c.code.Runs(runs) },
		func(r *policy.Run, _ int) {
			if c.kind.row {
				c.forEach(rowOf[I](r, c.kind.rank))
			} else {
				c.forEach.runs(one(r))
			}
		})
}

// runPlanes runs planes, the first item of which has that number, and returns up to where the loop came, and
// whether that is the end.
func (c *compiledForRuns[I]) runPlanes(planes []policy.Plane, item int) (to int, all bool) {
	if len(planes) == 0 {
		return item, true
	}
	done, rows := c.planes.Planes(planes)
	if done == len(planes) && rows == 0 {
		return item, true
	}
	if uint(done) >= uint(len(planes)) || uint(rows) >= uint(planes[done].Rows) {
		panic(breach{fmt.Errorf("exec: the loop of %v ran %d planes and returned %d of them and %d rows of the next one, expected fewer rows than that has", space.Functor{Func: c.forEach}, len(planes), done, rows)})
	}
	for n := range done {
		item += planes[n].Rows * planes[n].Len
	}
	return item + rows*planes[done].Len, false
}

// compiledReduceRuns is the loop of a functor with an accumulator.
type compiledReduceRuns[I, A any] struct {
	reduceEach[I, A]
	code compiled.ReduceRuns[A]
	kind indexKind
}

func (c *compiledReduceRuns[I, A]) of(f func(I, *A), kind indexKind) bool {
	if !kind.takesRuns() {
		return false
	}
	code, ok := compiled.Of(f).(compiled.ReduceRuns[A])
	if ok {
		*c = compiledReduceRuns[I, A]{f, code, kind}
	}
	return ok
}

func (c *compiledReduceRuns[I, A]) runs(runs []policy.Run, item int, a []A) {
	walkRuns(c.reduceEach, c.kind.row, runs, item,
		func(runs []policy.Run, item int) (done, items int) { return c.code.Runs(runs, item, a) },
		func(r *policy.Run, item int) {
			if c.kind.row {
				c.reduceEach(rowOf[I](r, c.kind.rank), &a[0])
			} else {
				c.reduceEach.runs(one(r), item, a)
			}
		})
}

// compiledReduceRuns2 is compiledReduceRuns with two accumulators.
type compiledReduceRuns2[I, A, B any] struct {
	reduceEach2[I, A, B]
	code compiled.ReduceRuns2[A, B]
	kind indexKind
}

func (c *compiledReduceRuns2[I, A, B]) of(f func(I, *A, *B), kind indexKind) bool {
	if !kind.takesRuns() {
		return false
	}
	code, ok := compiled.Of(f).(compiled.ReduceRuns2[A, B])
	if ok {
		*c = compiledReduceRuns2[I, A, B]{f, code, kind}
	}
	return ok
}

func (c *compiledReduceRuns2[I, A, B]) runs(runs []policy.Run, item int, a []A, b []B) {
	walkRuns(c.reduceEach2, c.kind.row, runs, item,
		func(runs []policy.Run, item int) (done, items int) { return c.code.Runs(runs, item, a, b) },
		func(r *policy.Run, item int) {
			if c.kind.row {
				c.reduceEach2(rowOf[I](r, c.kind.rank), &a[0], &b[0])
			} else {
				c.reduceEach2.runs(one(r), item, a, b)
			}
		})
}

// compiledReduceRuns3 is compiledReduceRuns with three accumulators.
type compiledReduceRuns3[I, A, B, C any] struct {
	reduceEach3[I, A, B, C]
	code compiled.ReduceRuns3[A, B, C]
	kind indexKind
}

func (x *compiledReduceRuns3[I, A, B, C]) of(f func(I, *A, *B, *C), kind indexKind) bool {
	if !kind.takesRuns() {
		return false
	}
	code, ok := compiled.Of(f).(compiled.ReduceRuns3[A, B, C])
	if ok {
		*x = compiledReduceRuns3[I, A, B, C]{f, code, kind}
	}
	return ok
}

func (x *compiledReduceRuns3[I, A, B, C]) runs(runs []policy.Run, item int, a []A, b []B, c []C) {
	walkRuns(x.reduceEach3, x.kind.row, runs, item,
		func(runs []policy.Run, item int) (done, items int) { return x.code.Runs(runs, item, a, b, c) },
		func(r *policy.Run, item int) {
			if x.kind.row {
				x.reduceEach3(rowOf[I](r, x.kind.rank), &a[0], &b[0], &c[0])
			} else {
				x.reduceEach3.runs(one(r), item, a, b, c)
			}
		})
}

// compiledReduceRuns4 is compiledReduceRuns with four accumulators.
type compiledReduceRuns4[I, A, B, C, D any] struct {
	reduceEach4[I, A, B, C, D]
	code compiled.ReduceRuns4[A, B, C, D]
	kind indexKind
}

func (x *compiledReduceRuns4[I, A, B, C, D]) of(f func(I, *A, *B, *C, *D), kind indexKind) bool {
	if !kind.takesRuns() {
		return false
	}
	code, ok := compiled.Of(f).(compiled.ReduceRuns4[A, B, C, D])
	if ok {
		*x = compiledReduceRuns4[I, A, B, C, D]{f, code, kind}
	}
	return ok
}

func (x *compiledReduceRuns4[I, A, B, C, D]) runs(runs []policy.Run, item int, a []A, b []B, c []C, d []D) {
	walkRuns(x.reduceEach4, x.kind.row, runs, item,
		func(runs []policy.Run, item int) (done, items int) { return x.code.Runs(runs, item, a, b, c, d) },
		func(r *policy.Run, item int) {
			if x.kind.row {
				x.reduceEach4(rowOf[I](r, x.kind.rank), &a[0], &b[0], &c[0], &d[0])
			} else {
				x.reduceEach4.runs(one(r), item, a, b, c, d)
			}
		})
}

// compiledValuesRuns is the loop of a functor that returns the value of a point.
type compiledValuesRuns[I, T any] struct {
	mapEach[I, T]
	code compiled.ValuesRuns[T]
}

func (c *compiledValuesRuns[I, T]) runs(dst []T, runs []policy.Run) {
	walkRuns(c.mapEach, false, runs, 0,
		func(runs []policy.Run, item int) (done, items int) {
			items = c.code.Runs(runs, dst[item:])
			for done < len(runs) && items >= runs[done].Len {
				items -= runs[done].Len
				done++
			}
			return done, items
		},
		func(r *policy.Run, item int) { c.mapEach.runs(dst[item:item+r.Len], one(r)) })
}
