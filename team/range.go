package team

import (
	"fmt"

	"github.com/gokkos/gokkos/internal/index"
)

// A Range is a number of items, for [For], [Reduce] and [Scan] to spread over the
// members of a team, over the vector lanes of one member, or over both. An item is an
// int from 0, or an index of several dimensions of which the last varies fastest. A
// range that begins elsewhere is one whose functor adds the beginning.
//
// It is a plain value, valid as long as its [Member].
type Range[I any] struct {
	m          *Member
	level      level
	ordered    bool // members take consecutive items: the range is what a functor of Shares got
	n0, n1, n2 int  // extents; a range of one dimension leaves n1 and n2 at 0
}

// n returns the number of items.
func (r *Range[I]) n() int {
	switch any((*I)(nil)).(type) {
	case *int, *Range[int]:
		return r.n0
	}
	return r.n0 * r.n1 * r.n2
}

// A rangeShape is what must be equal in the ranges that the members of a team give.
type rangeShape struct {
	level      level
	dimensions uint8 // 0 for Shares
	n          [3]int
}

// shape returns the level and the extents of r.
func (r *Range[I]) shape() rangeShape {
	x := rangeShape{r.level, 1, [3]int{r.n0, r.n1, r.n2}}
	switch any((*I)(nil)).(type) {
	case *Index2:
		x.dimensions = 2
	case *Index3:
		x.dimensions = 3
	case *Range[int]:
		x.dimensions = 0
	}
	return x
}

func (x *rangeShape) text() string {
	name := [...]string{"ThreadRange", "VectorRange", "TeamVectorRange"}[x.level]
	switch x.dimensions {
	case 0:
		return fmt.Sprintf("Shares(%s(%d))", name, x.n[0])
	case 1:
		return fmt.Sprintf("%s(%d)", name, x.n[0])
	case 2:
		return fmt.Sprintf("%s2(%d, %d)", name, x.n[0], x.n[1])
	}
	return fmt.Sprintf("%s3(%d, %d, %d)", name, x.n[0], x.n[1], x.n[2])
}

// level is what a Range is spread over.
type level uint8

const (
	overThreads level = iota
	overVector
	overBoth
)

// ThreadRange spreads the items 0 to n-1 over the members of m's team. All members call
// what is given the range, with the same n. It is the TeamThreadRange of Kokkos.
//
// Order: member r takes the items r, r+T, r+2T, ... in a team of T.
//
// Errors: an n below 0 ends the launch, as it does for every range.
func ThreadRange(m *Member, n int) Range[int] { return newRange(m, overThreads, n) }

// VectorRange spreads the items 0 to n-1 over the vector lanes of the member m, which
// are a loop: they take no part in a collective. It is the ThreadVectorRange of Kokkos.
//
// Order: lane l takes the items l, l+V, l+2V, ... of V lanes (see Member.VectorLength).
func VectorRange(m *Member, n int) Range[int] { return newRange(m, overVector, n) }

// TeamVectorRange spreads the items 0 to n-1 over the vector lanes of all members of m's
// team. All members call what is given the range, with the same n. It is the
// TeamVectorRange of Kokkos.
//
// Order: items are dealt in blocks of V, one to each member in turn: item i goes to lane
// i mod V of member i/V mod T.
func TeamVectorRange(m *Member, n int) Range[int] { return newRange(m, overBoth, n) }

// ThreadRange2 is a [ThreadRange] over the n0·n1 points of two dimensions.
func ThreadRange2(m *Member, n0, n1 int) Range[Index2] { return newRange2(m, overThreads, n0, n1) }

// VectorRange2 is a [VectorRange] over the n0·n1 points of two dimensions.
func VectorRange2(m *Member, n0, n1 int) Range[Index2] { return newRange2(m, overVector, n0, n1) }

// TeamVectorRange2 is a [TeamVectorRange] over the n0·n1 points of two dimensions.
func TeamVectorRange2(m *Member, n0, n1 int) Range[Index2] { return newRange2(m, overBoth, n0, n1) }

// ThreadRange3 is a [ThreadRange] over the n0·n1·n2 points of three dimensions.
func ThreadRange3(m *Member, n0, n1, n2 int) Range[Index3] {
	return newRange3(m, overThreads, n0, n1, n2)
}

// VectorRange3 is a [VectorRange] over the n0·n1·n2 points of three dimensions.
func VectorRange3(m *Member, n0, n1, n2 int) Range[Index3] {
	return newRange3(m, overVector, n0, n1, n2)
}

// TeamVectorRange3 is a [TeamVectorRange] over the n0·n1·n2 points of three dimensions.
func TeamVectorRange3(m *Member, n0, n1, n2 int) Range[Index3] {
	return newRange3(m, overBoth, n0, n1, n2)
}

func newRange(m *Member, l level, n int) Range[int] {
	if n < 0 {
		negativeExtent(n)
	}
	return Range[int]{m: m, level: l, n0: n}
}

func newRange2(m *Member, l level, n0, n1 int) Range[Index2] {
	checkExtents(n0, n1, 1)
	return Range[Index2]{m: m, level: l, n0: n0, n1: n1, n2: 1}
}

func newRange3(m *Member, l level, n0, n1, n2 int) Range[Index3] {
	checkExtents(n0, n1, n2)
	return Range[Index3]{m: m, level: l, n0: n0, n1: n1, n2: n2}
}

// checkExtents ends the launch if an extent is negative, or if an int cannot hold their
// product.
func checkExtents(n0, n1, n2 int) {
	if least := min(n0, n1, n2); least < 0 {
		negativeExtent(least)
	}
	if _, ok := index.Volume(n0, n1, n2); !ok {
		misuse("a range of %d x %d x %d items: an int cannot count them", n0, n1, n2)
	}
}

//go:noinline
func negativeExtent(n int) { misuse("a range of extent %d: need at least 0", n) }

// check ends the launch if the range is its zero value, the functor is nil or the member's
// launch is over.
func check(m *Member, functorIsNil bool) {
	if m == nil || functorIsNil || m.run == nil {
		misuseOfRange(m)
	}
}

//go:noinline
func misuseOfRange(m *Member) {
	if m == nil {
		misuse("the range is its zero value, expected one that is made by ThreadRange, VectorRange or TeamVectorRange")
	}
	if m.run == nil {
		misuse(expired)
	}
	misuse("the functor is nil")
}

// A share is the items of a range that the calling member takes: blocks of width items that
// begin at begin, begin+stride, ...; the last one ends at end at the latest.
type share struct{ begin, end, width, stride int }

// next returns where the block after that at b begins, or the end.
func (s *share) next(b int) int {
	if s.end-b <= s.stride { // the sum may be more than an int can count
		return s.end
	}
	return b + s.stride
}

// advance goes to the next block and returns the number of its items, or 0 if there is none.
//
//go:noinline
func (s *share) advance() int {
	if s.end-s.begin <= s.stride { // the sum may be more than an int can count
		return 0
	}
	s.begin += s.stride
	return min(s.width, s.end-s.begin)
}

// longestBlock returns the number of items in the longest block.
func (s share) longestBlock() int { return max(0, min(s.width, s.end-s.begin)) }

// share returns what the calling member takes. An ordered share is one block and lies
// between those of the neighbours in rank.
func (r *Range[I]) share(ordered bool) share {
	n := r.n()
	if r.m.size == 1 || r.level == overVector {
		return share{0, n, n, max(n, 1)}
	}
	return r.part(n, ordered || r.ordered)
}

// part returns what one of several members takes of n items.
//
//go:noinline
func (r *Range[I]) part(n int, ordered bool) share {
	rank, size := r.m.rank, r.m.size
	switch {
	case ordered:
		chunk := r.chunk()
		begin := n
		if rank <= n/chunk { // the product may be more than an int can count
			begin = rank * chunk
		}
		return share{begin, begin + min(chunk, n-begin), chunk, chunk}
	case r.level == overBoth:
		v := r.m.run.shape.Vector
		return share{rank * v, n, v, size * v}
	}
	return share{rank, n, 1, size}
}

// chunk returns the number of items of the members that have a full ordered share, at
// least 1 in a team of several.
func (r *Range[I]) chunk() int { return (r.n()-1)/r.m.size + 1 }

// membersWithItems returns the number of members that have an item: those with the lowest ranks.
func (r *Range[I]) membersWithItems(ordered bool) int {
	n := r.n()
	switch {
	case n == 0:
		return 0
	case ordered || r.ordered:
		return (n-1)/r.chunk() + 1
	case r.level == overBoth:
		return min((n-1)/r.m.run.shape.Vector+1, r.m.size)
	}
	return min(n, r.m.size)
}

// lanes returns the number of vector lanes that an item of the range may go to.
func (r *Range[I]) lanes() int {
	if r.level == overThreads {
		return 1
	}
	return max(r.m.run.shape.Vector, 1)
}

// meets reports whether the members of the team must meet for a result.
func (r *Range[I]) meets() bool { return r.level != overVector && r.m.size != 1 }

// A walk goes from item to item of a range. One of the pointers is set: to the index of the
// current item.
type walk struct {
	at1    *int
	at2    *Index2
	at3    *Index3
	n1, n2 int
}

// walk returns the calling member's share, and a walk over it that keeps the index of the
// current item in *i. The one item of Shares is there from the beginning.
func (r *Range[I]) walk(i *I, ordered bool) (w walk, s share) {
	s = r.share(ordered)
	w.n1, w.n2 = r.n1, r.n2
	switch i := any(i).(type) {
	case *int:
		w.at1 = i
	case *Index2:
		w.at2 = i
	case *Index3:
		w.at3 = i
	case *Range[int]:
		*i = r.own(ordered)
		if s.begin < s.end {
			s = share{0, 1, 1, 1}
		}
	}
	return w, s
}

// own returns the one item of Shares.
func (r *Range[I]) own(ordered bool) Range[int] {
	return Range[int]{m: r.m, level: r.level, ordered: ordered || r.ordered, n0: r.n0}
}

// seek goes to item k, the first of a block. A new walk is at item 0.
func (w *walk) seek(k int) {
	switch {
	case w.at1 != nil:
		*w.at1 = k
	case k == 0: // no division, and the item of Shares
	case w.at2 != nil:
		*w.at2 = Index2{I: k / w.n1, J: k % w.n1}
	default:
		row := k / w.n2
		*w.at3 = Index3{I: row / w.n1, J: row % w.n1, K: k % w.n2}
	}
}

// step goes to the next item.
func (w *walk) step() {
	if i := w.at1; i != nil {
		*i++
		return
	}
	w.carry()
}

//go:noinline
func (w *walk) carry() {
	if p := w.at2; p != nil {
		if p.J++; p.J == w.n1 {
			p.I, p.J = p.I+1, 0
		}
		return
	}
	p := w.at3
	if p == nil {
		return // the item of Shares
	}
	if p.K++; p.K < w.n2 {
		return
	}
	if p.J, p.K = p.J+1, 0; p.J == w.n1 {
		p.I, p.J = p.I+1, 0
	}
}
