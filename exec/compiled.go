package exec

import (
	"fmt"

	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
)

// The loops of functors that are compiled, see package kernel: a loop runs the items up to the
// first that it cannot, the functor runs some, and so on. They are parts of the kernels of
// launches, so that a launch makes none.

// aloneItems is how many items a functor runs at least where its loop has stopped. A loop that
// stops at each item then costs a call for so many items; one that stops once leaves as many to
// the functor. It is a multiple of all numbers of lanes.
const aloneItems = 32

// resume returns up to where the functor f runs the items begin to end, the first of which has
// that number, after its loop returned next: next if that is end. The loop goes on at lane 0.
func resume(f any, next, begin, end, item int) (to int) {
	if next < begin || next > end {
		panic(breach{fmt.Errorf("exec: the loop of %v ran the integers %d to %d and returned %d, expected %d to %d", space.Functor{Func: f}, begin, end-1, next, begin, end)})
	}
	if next == end {
		return end
	}
	item += next - begin
	toLane0 := -item & (aloneItems - 1)
	return next + min(aloneItems+toLane0, end-next)
}

// compiledFor is the loop of a func(int), and the functor.
type compiledFor struct {
	f    func(int)
	code compiled.For
}

// of finds the loop of a functor.
func (c *compiledFor) of(f func(int)) bool {
	code, ok := compiled.Of(f).(compiled.For)
	if ok {
		*c = compiledFor{f, code}
	}
	return ok
}

func (c *compiledFor) span(i, end int) {
	for i < end {
		next := c.code.Span(i, end)
		to := resume(c.f, next, i, end, i)
		forInts(c.f).span(next, to)
		i = to
	}
}

// node runs items of a node, whose indices begin at first, in one call: leaves are short where items are few.
// While the functor runs, *at is the leaf that it is in.
func (c *compiledFor) node(first, begin, end, leaf int, at *node) {
	for all := *at; begin < end; *at = all {
		next := c.code.Span(first+begin, first+end)
		to := resume(c.f, next, first+begin, first+end, begin) - first
		next -= first
		if next < to {
			n := next / leaf
			*at = node{n, n + 1}
			to = inLeaf(next, to, leaf)
		}
		forInts(c.f).span(first+next, first+to)
		begin = to
	}
}

func (c *compiledFor) runs(runs []policy.Run) {
	for n := range runs {
		r := &runs[n]
		c.span(r.At[0], r.At[0]+r.Len)
	}
}

// compiledReduce is the loop of a functor with an accumulator.
type compiledReduce[A any] struct {
	f      func(int, *A)
	code   compiled.Reduce[A]
	leaves compiled.ReduceLeaves[A] // code, if it runs several leaves in one call, or nil
}

// of finds the loop of a functor.
func (c *compiledReduce[A]) of(f func(int, *A)) bool {
	code, ok := typed.As[compiled.Reduce[A]](compiled.Of(f))
	if ok {
		leaves, _ := typed.As[compiled.ReduceLeaves[A]](code)
		*c = compiledReduce[A]{f, code, leaves}
	}
	return ok
}

// whole runs as many whole leaves of the items begin to end as it can, in one call, and returns the first item that it has
// not run. The index of item 0 is first. See [compiled.ReduceLeaves] for the rest.
func (c *compiledReduce[A]) whole(first, begin, end, leaf, lanes int, a, sums []A) (next int) {
	items := (end - begin) / leaf * leaf
	if items == 0 || begin%leaf != 0 {
		return begin
	}
	next = c.leaves.Leaves(first+begin, first+begin+items, leaf, lanes, a, sums) - first
	if next < begin || next > begin+items || next%leaf != 0 {
		panic(breach{fmt.Errorf("exec: the loop of %v ran leaves of %d of the integers %d to %d and returned %d, expected the first of a leaf", space.Functor{Func: c.f}, leaf, first+begin, first+begin+items-1, first+next)})
	}
	return next
}

// node runs items of the node all, whose indices begin at first, into the lanes of its leaves. Leaves that
// are whole are run in one call; while span runs items of another one, *at is that leaf.
func (c *compiledReduce[A]) node(first, begin, end, leaf, lanes int, a []A, at *node, all node) {
	for begin < end {
		n := begin/leaf - all.first
		own := a[n*lanes:]
		if next := c.whole(first, begin, end, leaf, lanes, own, nil); next > begin {
			begin = next
			continue
		}
		to := inLeaf(begin, end, leaf)
		*at = node{all.first + n, all.first + n + 1}
		c.span(first+begin, first+to, begin, own[:lanes])
		*at = all
		begin = to
	}
}

func (c *compiledReduce[A]) span(i, end, item int, a []A) {
	for i < end {
		next := c.code.Span(i, end, item, a)
		to := resume(c.f, next, i, end, item)
		reduceInts[A](c.f).span(next, to, item+next-i, a)
		item += to - i
		i = to
	}
}

func (c *compiledReduce[A]) runs(runs []policy.Run, item int, a []A) {
	for n := range runs {
		r := &runs[n]
		c.span(r.At[0], r.At[0]+r.Len, item, a)
		item += r.Len
	}
}

// compiledReduce2 is compiledReduce with two accumulators.
type compiledReduce2[A, B any] struct {
	f    func(int, *A, *B)
	code compiled.Reduce2[A, B]
}

func (c *compiledReduce2[A, B]) of(f func(int, *A, *B)) bool {
	code, ok := typed.As[compiled.Reduce2[A, B]](compiled.Of(f))
	if ok {
		*c = compiledReduce2[A, B]{f, code}
	}
	return ok
}

func (c *compiledReduce2[A, B]) span(i, end, item int, a []A, b []B) {
	for i < end {
		next := c.code.Span(i, end, item, a, b)
		to := resume(c.f, next, i, end, item)
		reduceInts2[A, B](c.f).span(next, to, item+next-i, a, b)
		item += to - i
		i = to
	}
}

func (c *compiledReduce2[A, B]) runs(runs []policy.Run, item int, a []A, b []B) {
	for n := range runs {
		r := &runs[n]
		c.span(r.At[0], r.At[0]+r.Len, item, a, b)
		item += r.Len
	}
}

// compiledReduce3 is compiledReduce with three accumulators.
type compiledReduce3[A, B, C any] struct {
	f    func(int, *A, *B, *C)
	code compiled.Reduce3[A, B, C]
}

func (x *compiledReduce3[A, B, C]) of(f func(int, *A, *B, *C)) bool {
	code, ok := typed.As[compiled.Reduce3[A, B, C]](compiled.Of(f))
	if ok {
		*x = compiledReduce3[A, B, C]{f, code}
	}
	return ok
}

func (x *compiledReduce3[A, B, C]) span(i, end, item int, a []A, b []B, c []C) {
	for i < end {
		next := x.code.Span(i, end, item, a, b, c)
		to := resume(x.f, next, i, end, item)
		reduceInts3[A, B, C](x.f).span(next, to, item+next-i, a, b, c)
		item += to - i
		i = to
	}
}

func (x *compiledReduce3[A, B, C]) runs(runs []policy.Run, item int, a []A, b []B, c []C) {
	for n := range runs {
		r := &runs[n]
		x.span(r.At[0], r.At[0]+r.Len, item, a, b, c)
		item += r.Len
	}
}

// compiledReduce4 is compiledReduce with four accumulators.
type compiledReduce4[A, B, C, D any] struct {
	f    func(int, *A, *B, *C, *D)
	code compiled.Reduce4[A, B, C, D]
}

func (x *compiledReduce4[A, B, C, D]) of(f func(int, *A, *B, *C, *D)) bool {
	code, ok := typed.As[compiled.Reduce4[A, B, C, D]](compiled.Of(f))
	if ok {
		*x = compiledReduce4[A, B, C, D]{f, code}
	}
	return ok
}

func (x *compiledReduce4[A, B, C, D]) span(i, end, item int, a []A, b []B, c []C, d []D) {
	for i < end {
		next := x.code.Span(i, end, item, a, b, c, d)
		to := resume(x.f, next, i, end, item)
		reduceInts4[A, B, C, D](x.f).span(next, to, item+next-i, a, b, c, d)
		item += to - i
		i = to
	}
}

func (x *compiledReduce4[A, B, C, D]) runs(runs []policy.Run, item int, a []A, b []B, c []C, d []D) {
	for n := range runs {
		r := &runs[n]
		x.span(r.At[0], r.At[0]+r.Len, item, a, b, c, d)
		item += r.Len
	}
}

// compiledValues is the loop of a functor that returns the value of an index.
type compiledValues[T any] struct {
	f    func(int) T
	code compiled.Values[T]
}

func (c *compiledValues[T]) span(dst []T, i int) {
	for len(dst) > 0 {
		next := i + c.code.Values(i, dst)
		to := resume(c.f, next, i, i+len(dst), i)
		mapInts[T](c.f).span(dst[next-i:to-i], next)
		dst, i = dst[to-i:], to
	}
}

func (c *compiledValues[T]) runs(dst []T, runs []policy.Run) {
	for n := range runs {
		r := &runs[n]
		c.span(dst[:r.Len], r.At[0])
		dst = dst[r.Len:]
	}
}
