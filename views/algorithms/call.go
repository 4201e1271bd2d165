package algorithms

import (
	"context"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// A call is one call of an algorithm: where it runs, and what has gone wrong so far. After
// an error nothing more is launched, so an algorithm looks at it once, at its end.
type call struct {
	name  string
	on    policy.Launch
	err   error
	done  <-chan struct{} // closed when the call is cancelled, nil if it cannot be
	heard atomic.Bool     // a functor has ended early for that
}

// pieceItems is the number of items between two looks at whether the call is cancelled. The leaves of large
// views have many more, and one is an item of its launch.
const pieceItems = 1024

// newCall begins the algorithm of that name. Each of missing says that the user gave no
// function.
func newCall(name string, on []policy.Launch, missing ...bool) *call {
	c := new(call)
	c.begin(name, on)
	for _, m := range missing {
		if m {
			c.fail("a function is nil")
		}
	}
	return c
}

// begin makes c a call of the algorithm of that name.
func (c *call) begin(name string, on []policy.Launch) {
	*c = call{name: name, on: policy.Launch{}.WithLabel(name).With(on...)}
	if ctx := c.items(0).Plan().Context; ctx != nil {
		c.done = ctx.Done()
	}
}

// stopped reports whether the call is cancelled. A functor that asks ends early then, and the call has failed.
func (c *call) stopped() bool {
	select {
	case <-c.done:
		c.heard.Store(true)
		return true
	default:
		return false
	}
}

// hear makes it an error that a functor of a launch has ended early: the error of a launch that is cancelled.
func (c *call) hear() {
	if c.err == nil && c.heard.Load() {
		c.err = exec.ParallelFor(c.items(1), func(policy.Span) {})
	}
}

// pieces calls f for parts of a span, in order, until the call is cancelled.
func (c *call) pieces(s policy.Span, f func(part policy.Span)) {
	for begin := s.Begin; begin < s.End && !c.stopped(); begin += pieceItems {
		f(policy.Span{Begin: begin, End: min(begin+pieceItems, s.End)})
	}
}

// memoryOf returns n elements that are zero, or nil if the call is cancelled before the memory is ready: the zeros of
// large memory take longer than a cancel may. The memory is held until it is ready. A call that failed gets nil, too.
func memoryOf[T any](c *call, n int) []T {
	const small = 1 << 17 // bytes
	if c.err != nil {
		return nil
	}
	if c.done == nil || n <= small/max(int(unsafe.Sizeof(*new(T))), 1) {
		return make([]T, n)
	}
	made := make(chan func() []T, 1)
	go func() {
		defer func() {
			if wrong := recover(); wrong != nil { // a length that no slice has
				made <- func() []T { panic(wrong) }
			}
		}()
		x := make([]T, n)
		made <- func() []T { return x }
	}()
	select {
	case x := <-made:
		return x()
	case <-c.done:
		c.heard.Store(true)
		c.hear()
		return nil
	}
}

// fail keeps the first error.
func (c *call) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("algorithms: "+c.name+": "+format, args...)
	}
}

// commit keeps what is launched from now on from being cancelled: it writes results that
// must not be half written.
func (c *call) commit() {
	c.on, c.done = c.on.WithContext(context.Background()), nil
}

// items returns the policy of items 0 to n-1.
func (c *call) items(n int) policy.SpansPolicy {
	return policy.Spans(0, n).With(c.on)
}

// spans runs f over parts of the leaves of items 0 to n-1.
func (c *call) spans(n int, f func(s policy.Span)) {
	c.leaves(n, func(s policy.Span) { c.pieces(s, f) })
}

// leaves runs f over the leaves of items 0 to n-1.
func (c *call) leaves(n int, f func(s policy.Span)) {
	if c.err == nil {
		c.err = exec.ParallelFor(c.items(n), f)
		c.hear()
	}
}

// blocks runs f over blocks of leaf items, numbered from 0; leaf comes from [leafOf].
func (c *call) blocks(n, leaf int, f func(block int, s policy.Span)) {
	if c.err == nil {
		p := c.items(n).Chunk(leaf)
		c.err = exec.ParallelFor(p, func(s policy.Span) { f(s.Begin/leaf, s) })
		c.hear()
	}
}

// leafOf returns the size of blocks that are at least that large, and their number.
func leafOf(n, least int) (leaf, blocks int) {
	g := space.NewGrid(n, least, true)
	return g.Leaf, g.Leaves
}

// first returns the lowest index that look finds, or -1. look returns the lowest index in a
// span, or -1; it need not be called for spans behind.
func (c *call) first(n int, look func(s policy.Span) int) int { return c.firstIn(c.spans, n, look) }

// firstIn is first over the spans of each: those of c.spans, or of c.leaves for a look that reads beyond its span.
func (c *call) firstIn(each func(n int, f func(s policy.Span)), n int, look func(s policy.Span) int) int {
	var best atomic.Int64
	best.Store(int64(n))
	each(n, func(s policy.Span) {
		if int64(s.Begin) >= best.Load() {
			return
		}
		i := int64(look(s))
		for b := best.Load(); i >= 0 && i < b && !best.CompareAndSwap(b, i); b = best.Load() {
		}
	})
	if i := int(best.Load()); c.err == nil && i < n {
		return i
	}
	return -1
}

// lowest returns the lowest i below n for which holds returns true, or -1; see first.
func (c *call) lowest(n int, holds func(i int) bool) int {
	return c.first(n, func(s policy.Span) int {
		for i := range s.All() {
			if holds(i) {
				return i
			}
		}
		return -1
	})
}

// count returns the sum of f over the leaves of items 0 to n-1.
func (c *call) count(n int, f func(s policy.Span) int) (total int) {
	if c.err == nil {
		p := c.items(n)
		c.err = exec.ParallelReduce(p, func(s policy.Span, acc *int) {
			c.pieces(s, func(s policy.Span) { *acc += f(s) })
		}, builtin.Sum(&total))
		c.hear()
	}
	return total
}

// bit returns 1 for true, without a branch.
func bit(b bool) int {
	n := 0
	if b {
		n = 1
	}
	return n
}

// result returns n, or the error and 0.
func (c *call) result(n int) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	return n, nil
}
