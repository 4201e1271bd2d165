package exec

import (
	"fmt"
	"math/bits"
	"unsafe"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
)

// The loops over runs of functors that are compiled and get a point of several dimensions, or a row
// of such points. They are for the policies of package policy: runs of others may not be what their
// indices are.

// takesRuns reports whether a loop may run the items of a policy run by run.
func (k indexKind) takesRuns() bool { return k.ours && k.rank > 0 }

// A runsWalk runs runs with the loop of a functor, and what that leaves with the functor.
type runsWalk struct {
	f    any // the functor
	rows bool
	leaf int // items of a leaf
}

// oneLeaf is a leaf of all items that there may be.
const oneLeaf = 1 << (bits.UintSize - 2)

// run runs runs, the first item of which has that number: loop returns up to where it came, and alone runs what
// is left to the functor, a run at a time. Both get the number of the leaf that their first item is in,
// 0 for that of item. While the functor runs, *at is that leaf. The runs are not kept.
func (w runsWalk) run(runs []policy.Run, item int, at *node, loop func(runs []policy.Run, item, leaf int) (done, items int), alone func(r *policy.Run, item, leaf int)) {
	first, all := item/w.leaf, *at
	for len(runs) > 0 {
		done, items := loop(runs, item, item/w.leaf-first)
		if done == len(runs) && items == 0 {
			return
		}
		if uint(done) >= uint(len(runs)) || uint(items) >= uint(runs[done].Len) || w.rows && items > 0 {
			panic(breach{fmt.Errorf("exec: the loop of %v ran %d runs and returned %d of them and %d items of the next one, expected fewer items than that has, and none of a row", space.Functor{Func: w.f}, len(runs), done, items)})
		}
		begin := item
		for n := range done {
			item += runs[n].Len
		}
		runs = runs[done:]
		r := &runs[0]
		advance(r, items)
		if item += items; item > begin && item&(w.leaf-1) == 0 {
			continue // it may have stopped for that
		}
		left := r.Len
		if !w.rows {
			toLane0 := -item & (aloneItems - 1)
			r.Len = inLeaf(item, item+min(aloneItems+toLane0, left), w.leaf) - item
		}
		n := item / w.leaf
		*at = node{n, n + 1}
		alone(r, item, n-first)
		*at = all
		n = r.Len
		item += n
		if n == left {
			runs = runs[1:]
			continue
		}
		r.Len = left
		advance(r, n)
	}
}

// leafLanes returns the lanes of the leaf of that number, of leaves the first of which has the lanes a.
func leafLanes[A any](a []A, leaf int) []A { return a[leaf*len(a) : (leaf+1)*len(a)] }

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
	w := runsWalk{c.forEach, c.kind.row, oneLeaf}
	w.run(runs, 0, new(node),
		func(runs []policy.Run, _, _ int) (done, items int) { return c.code.Runs(runs) },
		func(r *policy.Run, _, _ int) {
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
	code, ok := typed.As[compiled.ReduceRuns[A]](compiled.Of(f))
	if ok {
		*c = compiledReduceRuns[I, A]{f, code, kind}
	}
	return ok
}

// inLeaves reports whether there is a loop that runs several leaves in one call: rows are cut where one ends.
func (c *compiledReduceRuns[I, A]) inLeaves() bool { return c.code != nil && !c.kind.row }

func (c *compiledReduceRuns[I, A]) runs(runs []policy.Run, item int, a []A) {
	c.leaves(runs, item, oneLeaf, a, new(node))
}

// leaves runs runs of items of several leaves: a are the lanes of the leaf that the first item is in, and those of the leaves
// behind follow in its array. While the functor runs, *at is the leaf that it is in.
func (c *compiledReduceRuns[I, A]) leaves(runs []policy.Run, item, leaf int, a []A, at *node) {
	w := runsWalk{c.reduceEach, c.kind.row, leaf}
	w.run(runs, item, at,
		func(runs []policy.Run, item, n int) (done, items int) {
			return c.code.Runs(runs, item, leaf, leafLanes(a, n))
		},
		func(r *policy.Run, item, n int) {
			if c.kind.row {
				c.reduceEach(rowOf[I](r, c.kind.rank), &a[0])
			} else {
				c.reduceEach.runs(one(r), item, leafLanes(a, n))
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
	code, ok := typed.As[compiled.ReduceRuns2[A, B]](compiled.Of(f))
	if ok {
		*c = compiledReduceRuns2[I, A, B]{f, code, kind}
	}
	return ok
}

func (c *compiledReduceRuns2[I, A, B]) inLeaves() bool { return c.code != nil && !c.kind.row }

func (c *compiledReduceRuns2[I, A, B]) runs(runs []policy.Run, item int, a []A, b []B) {
	c.leaves(runs, item, oneLeaf, a, b, new(node))
}

func (c *compiledReduceRuns2[I, A, B]) leaves(runs []policy.Run, item, leaf int, a []A, b []B, at *node) {
	w := runsWalk{c.reduceEach2, c.kind.row, leaf}
	w.run(runs, item, at,
		func(runs []policy.Run, item, n int) (done, items int) {
			return c.code.Runs(runs, item, leaf, leafLanes(a, n), leafLanes(b, n))
		},
		func(r *policy.Run, item, n int) {
			if c.kind.row {
				c.reduceEach2(rowOf[I](r, c.kind.rank), &a[0], &b[0])
			} else {
				c.reduceEach2.runs(one(r), item, leafLanes(a, n), leafLanes(b, n))
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
	code, ok := typed.As[compiled.ReduceRuns3[A, B, C]](compiled.Of(f))
	if ok {
		*x = compiledReduceRuns3[I, A, B, C]{f, code, kind}
	}
	return ok
}

func (x *compiledReduceRuns3[I, A, B, C]) inLeaves() bool { return x.code != nil && !x.kind.row }

func (x *compiledReduceRuns3[I, A, B, C]) runs(runs []policy.Run, item int, a []A, b []B, c []C) {
	x.leaves(runs, item, oneLeaf, a, b, c, new(node))
}

func (x *compiledReduceRuns3[I, A, B, C]) leaves(runs []policy.Run, item, leaf int, a []A, b []B, c []C, at *node) {
	w := runsWalk{x.reduceEach3, x.kind.row, leaf}
	w.run(runs, item, at,
		func(runs []policy.Run, item, n int) (done, items int) {
			return x.code.Runs(runs, item, leaf, leafLanes(a, n), leafLanes(b, n), leafLanes(c, n))
		},
		func(r *policy.Run, item, n int) {
			if x.kind.row {
				x.reduceEach3(rowOf[I](r, x.kind.rank), &a[0], &b[0], &c[0])
			} else {
				x.reduceEach3.runs(one(r), item, leafLanes(a, n), leafLanes(b, n), leafLanes(c, n))
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
	code, ok := typed.As[compiled.ReduceRuns4[A, B, C, D]](compiled.Of(f))
	if ok {
		*x = compiledReduceRuns4[I, A, B, C, D]{f, code, kind}
	}
	return ok
}

func (x *compiledReduceRuns4[I, A, B, C, D]) inLeaves() bool { return x.code != nil && !x.kind.row }

func (x *compiledReduceRuns4[I, A, B, C, D]) runs(runs []policy.Run, item int, a []A, b []B, c []C, d []D) {
	x.leaves(runs, item, oneLeaf, a, b, c, d, new(node))
}

func (x *compiledReduceRuns4[I, A, B, C, D]) leaves(runs []policy.Run, item, leaf int, a []A, b []B, c []C, d []D, at *node) {
	w := runsWalk{x.reduceEach4, x.kind.row, leaf}
	w.run(runs, item, at,
		func(runs []policy.Run, item, n int) (done, items int) {
			return x.code.Runs(runs, item, leaf, leafLanes(a, n), leafLanes(b, n), leafLanes(c, n), leafLanes(d, n))
		},
		func(r *policy.Run, item, n int) {
			if x.kind.row {
				x.reduceEach4(rowOf[I](r, x.kind.rank), &a[0], &b[0], &c[0], &d[0])
			} else {
				x.reduceEach4.runs(one(r), item, leafLanes(a, n), leafLanes(b, n), leafLanes(c, n), leafLanes(d, n))
			}
		})
}

// compiledValuesRuns is the loop of a functor that returns the value of a point.
type compiledValuesRuns[I, T any] struct {
	mapEach[I, T]
	code compiled.ValuesRuns[T]
}

func (c *compiledValuesRuns[I, T]) runs(dst []T, runs []policy.Run) {
	w := runsWalk{c.mapEach, false, oneLeaf}
	w.run(runs, 0, new(node),
		func(runs []policy.Run, item, _ int) (done, items int) {
			items = c.code.Runs(runs, dst[item:])
			for done < len(runs) && items >= runs[done].Len {
				items -= runs[done].Len
				done++
			}
			return done, items
		},
		func(r *policy.Run, item, _ int) { c.mapEach.runs(dst[item:item+r.Len], one(r)) })
}
