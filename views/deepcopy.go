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
	if !slices.Equal(d.form().extents(), s.form().extents()) || d.Len() != s.Len() {
		return fmt.Errorf("views: DeepCopy of %v to %v, expected equal extents", s, d)
	}
	if err := cmp.Or(s.form().usable("DeepCopy"), d.form().usable("DeepCopy to a view")); err != nil {
		return err
	}
	if d.region().Same(s.region()) {
		return nil
	}
	if d.region().Overlaps(s.region()) {
		return fmt.Errorf("views: DeepCopy of %v to %v, which have elements in common", s, d)
	}
	if !tools.On() {
		return deepCopy(d, s, on)
	}
	e := tools.Event{
		Kind: tools.Copy, Label: fmt.Sprintf("%v to %v", s, d), Bytes: d.Len() * int(unsafe.Sizeof(*new(T))),
		Space: d.form().home.memory.String(), From: s.form().home.memory.String(),
	}
	return tools.Do(e, func() error { return deepCopy(d, s, on) })
}

// deepCopy is DeepCopy of views that have nothing in common.
func deepCopy[T any](d, s View[T], on []policy.Launch) error {
	if d.form().far() || s.form().far() {
		return transfer(d, s, on)
	}
	c := newCopying(d, s)
	p := policy.Spans(0, c.items()).WithLabel(fmt.Sprintf("DeepCopy of %v to %v", s, d)).With(on...)
	p = p.On(memory.Here(p.Plan().Space))
	err := exec.ParallelFor(p, c.run)
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
type copying[T any] struct {
	dst, src []T
	loops    nest.Loops // over dst (a) and src (b), by place in dst
	cross    int        // the innermost loop of src, if it is not that of dst, and else -1
	outer    nest.Loops // the other loops, if there are tiles
	n        int        // the length of a tile in loop cross
}

func newCopying[T any](dst, src View[T]) *copying[T] {
	c := &copying[T]{dst: dst.data, src: src.data, cross: -1}
	c.loops = nestOf(dst.form(), src.form().stride[:]).ByPlace()
	inner := c.loops.Rank - 1
	for d := range inner {
		if c.loops.B[d] < c.loops.B[inner] && (c.cross < 0 || c.loops.B[d] < c.loops.B[c.cross]) {
			c.cross = d
		}
	}
	if c.cross >= 0 {
		c.outer = c.loops.Without(c.cross)
		size := max(int(unsafe.Sizeof(*new(T))), 1)
		c.n = max(tileBytes/size, block)
	}
	return c
}

func (c *copying[T]) items() int {
	if c.cross < 0 {
		return c.loops.Items
	}
	across, along := c.tiles()
	return c.outer.Items * across * along
}

// tiles returns the number of tiles in loop cross and in the innermost one.
func (c *copying[T]) tiles() (across, along int) {
	return (c.loops.N[c.cross]-1)/c.n + 1, (c.loops.N[c.loops.Rank-1]-1)/block + 1
}

func (c *copying[T]) run(s policy.Span) {
	if c.cross < 0 {
		c.rows(s)
		return
	}
	across, along := c.tiles()
	for t := range s.All() {
		dst, src := c.outer.At(t / along / across)
		c.tile(dst, src, t/along%across*c.n, t%along*block)
	}
}

// rows copies where the innermost loop of both sides is the same.
func (c *copying[T]) rows(s policy.Span) {
	_, a, b := c.loops.Inner()
	r := c.loops.Rows(s.Begin, s.End)
	for r.Next() {
		if a == 1 && b == 1 {
			copy(c.dst[r.A:r.A+r.N], c.src[r.B:r.B+r.N])
			continue
		}
		for k := range r.N {
			c.dst[r.A+k*a] = c.src[r.B+k*b]
		}
	}
}

// tile copies the tile that begins at (i, j) of loop cross and the innermost one, of the
// matrix that begins at d in dst, and at s in src.
func (c *copying[T]) tile(d, s, i, j int) {
	x, last := &c.loops, c.loops.Rank-1
	n, m := min(c.n, x.N[c.cross]-i), min(block, x.N[last]-j)
	d += i*x.A[c.cross] + j*x.A[last]
	s += i*x.B[c.cross] + j*x.B[last]
	if m == block && x.A[last] == 1 && x.B[c.cross] == 1 {
		transpose(c.dst[d:], c.src[s:], n, x.A[c.cross], x.B[last])
		return
	}
	for range n {
		for q := range m {
			c.dst[d+q*x.A[last]] = c.src[s+q*x.B[last]]
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
