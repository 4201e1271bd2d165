package views

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/nest"
	"github.com/gokkos/gokkos/policy"
)

// DeepCopy copies the elements of src into dst, in parallel, from any layout to any layout.
// It is Kokkos::deep_copy. It is the only way between memories: the views may be in any two,
// on any space.
//
// If dst is src, element for element, nothing is done: so it is with a [MirrorCopy] that is
// the view itself. It is an error if the extents differ, or if the views have elements in
// common otherwise, and then nothing is copied; and what is an error of [exec.ParallelFor].
// If the launch is cancelled, elements that it had not reached keep their content.
//
// What functors cannot touch from the host, its memory copies: from and to the host, within
// itself, and to another such memory by way of the host. If that fails, the content of dst is
// not specified. It is not cancelled once it has begun.
//
// On a space of several processes, each copies all of its own view.
func DeepCopy[T any](dst, src Viewer[T], on ...policy.Launch) error {
	if isNil(dst) || isNil(src) {
		return errors.New("views: DeepCopy of a nil view, or to one")
	}
	d, s := dst.view(), src.view()
	size := int(unsafe.Sizeof(*new(T)))
	return d.shape.orNone().copied(s.shape.orNone(), d.region(), s.region(), size, func() error { return deepCopy(d, s, on) })
}

// copied checks a copy from s to d, elements of that size in two regions, and has it made.
func (d *shape) copied(s *shape, to, from memory.Region, size int, run func() error) error {
	if !slices.Equal(d.extents(), s.extents()) || d.length != s.length {
		return fmt.Errorf("views: DeepCopy of %v to %v, expected equal extents", s, d)
	}
	if err := cmp.Or(s.usable("DeepCopy"), d.usable("DeepCopy to a view")); err != nil {
		return err
	}
	if to.Same(from) {
		return nil
	}
	if to.Overlaps(from) {
		return fmt.Errorf("views: DeepCopy of %v to %v, which have elements in common", s, d)
	}
	if !tools.On() {
		return run()
	}
	return tools.Do(tools.Event{
		Kind: tools.Copy, Label: fmt.Sprintf("%v to %v", s, d), Bytes: d.length * size,
		Space: d.home.memory.String(), From: s.home.memory.String(),
	}, run)
}

// deepCopy is DeepCopy of views that have nothing in common.
func deepCopy[T any](d, s View[T], on []policy.Launch) error {
	size := int(unsafe.Sizeof(*new(T)))
	if to, from := d.shape.orNone(), s.shape.orNone(); to.far() || from.far() {
		return transfer(to, from, d.Address(), s.Address(), size, on)
	}
	dst, src := d.data, s.data
	c := copyingOf(d.shape.orNone(), s.shape.orNone(), size)
	err := c.run(on, func(s policy.Span) { copyRows(c, dst, src, s) }, func(d, s, i, j int) { copyTile(c, dst, src, d, s, i, j) })
	if err == nil {
		copied(d, s)
	}
	return err
}

// tileBytes is how far a tile reaches along the memory of src, so that its lines and pages
// are used up while they are near. Along that of dst it is a block wide: measured.
const tileBytes = 2048

// block is the edge of a block, a part of a tile: few enough rows of either side to be
// in an L1 cache together wherever they lie, and of float64, each is a cache line.
const block = 8

// A copying is a copy under way. Its items are elements if the innermost loops of the two
// sides are the same, and otherwise tiles of the two innermost loops.
type copying struct {
	dst, src *shape
	loops    nest.Loops // over dst (a) and src (b), by place in dst
	cross    int        // the innermost loop of src, if it is not that of dst, and else -1
	outer    nest.Loops // the other loops, if there are tiles
	n        int        // the length of a tile in loop cross
}

// copyingOf returns the copy of elements of that size.
func copyingOf(dst, src *shape, size int) *copying {
	c := &copying{dst: dst, src: src, cross: -1}
	c.loops = nestOf(dst, src.stride[:]).ByPlace()
	inner := c.loops.Rank - 1
	for d := range inner {
		if c.loops.B[d] < c.loops.B[inner] && (c.cross < 0 || c.loops.B[d] < c.loops.B[c.cross]) {
			c.cross = d
		}
	}
	if c.cross >= 0 {
		c.outer = c.loops.Without(c.cross)
		c.n = max(tileBytes/max(size, 1), block)
	}
	return c
}

func (c *copying) items() int {
	if c.cross < 0 {
		return c.loops.Items
	}
	across, along := c.tiles()
	return c.outer.Items * across * along
}

// tiles returns the number of tiles in loop cross and in the innermost one.
func (c *copying) tiles() (across, along int) {
	return (c.loops.N[c.cross]-1)/c.n + 1, (c.loops.N[c.loops.Rank-1]-1)/block + 1
}

// run launches the copy, whose elements are copied by rows or by tile.
func (c *copying) run(on []policy.Launch, rows func(s policy.Span), tile func(d, s, i, j int)) error {
	p := policy.Spans(0, c.items()).WithLabel(fmt.Sprintf("DeepCopy of %v to %v", c.src, c.dst)).With(on...)
	p = p.On(memory.Here(p.Plan().Space))
	if c.cross < 0 {
		return exec.ParallelFor(p, rows)
	}
	across, along := c.tiles()
	return exec.ParallelFor(p, func(s policy.Span) {
		for t := range s.All() {
			dst, src := c.outer.At(t / along / across)
			tile(dst, src, t/along%across*c.n, t%along*block)
		}
	})
}

// copyRows copies where the innermost loop of both sides is the same.
func copyRows[T any](c *copying, dst, src []T, s policy.Span) {
	_, a, b := c.loops.Inner()
	r := c.loops.Rows(s.Begin, s.End)
	for r.Next() {
		if a == 1 && b == 1 {
			copy(dst[r.A:r.A+r.N], src[r.B:r.B+r.N])
			continue
		}
		for k := range r.N {
			dst[r.A+k*a] = src[r.B+k*b]
		}
	}
}

// copyTile copies the tile that begins at (i, j) of loop cross and the innermost one, of the
// matrix that begins at d in dst, and at s in src.
func copyTile[T any](c *copying, dst, src []T, d, s, i, j int) {
	x, last := &c.loops, c.loops.Rank-1
	n, m := min(c.n, x.N[c.cross]-i), min(block, x.N[last]-j)
	d += i*x.A[c.cross] + j*x.A[last]
	s += i*x.B[c.cross] + j*x.B[last]
	if m == block && x.A[last] == 1 && x.B[c.cross] == 1 {
		transpose(dst[d:], src[s:], n, x.A[c.cross], x.B[last])
		return
	}
	for range n {
		for q := range m {
			dst[d+q*x.A[last]] = src[s+q*x.B[last]]
		}
		d += x.A[c.cross]
		s += x.B[c.cross]
	}
}

// transpose sets dst[p*da+q] to src[q*sb+p] for p below n and q below block.
func transpose[T any](dst, src []T, n, da, sb int) {
	s0, s1, s2, s3 := src[:n], src[sb:][:n], src[2*sb:][:n], src[3*sb:][:n]
	s4, s5, s6, s7 := src[4*sb:][:n], src[5*sb:][:n], src[6*sb:][:n], src[7*sb:][:n]
	for p := range n {
		d := (*[block]T)(dst)
		d[0], d[1], d[2], d[3] = s0[p], s1[p], s2[p], s3[p]
		d[4], d[5], d[6], d[7] = s4[p], s5[p], s6[p], s7[p]
		dst = dst[min(da, len(dst)):]
	}
}
