package team

import (
	"iter"
	"unsafe"
)

// All yields the items of r that [For] gives its functor, in that order: the calling member's
// share of a [ThreadRange] or [TeamVectorRange], all of a [VectorRange].
//
//	for j := range team.ThreadRange(m, n).All() {
//		y[j] += x[j]
//	}
//
// There is no barrier at the end of the loop, and there may be none in it: members have
// different numbers of items.
//
// Errors: a range that is its zero value.
//
// Cost: that of a plain loop and 5 ns, since the compiler inlines it. It inlines nothing in the body: an inner loop over
// All costs a call for each item, and for j := range n none, which is all of a [VectorRange] too; a functor with a loop
// of its own is slow and allocated there, unless it is in a function of its own or the outer loop is [For]. An index of
// several dimensions costs a call.
func (r Range[I]) All() iter.Seq[I] {
	return func(yield func(I) bool) {
		// There is one call of yield, for that is where the body of the caller's loop goes, and
		// whether I is an int is a constant of each instance. The blocks are in memory, so that
		// the body has the registers.
		var at I
		var w walk
		var s share
		var step int
		one := unsafe.Sizeof(at) == unsafe.Sizeof(int(0))
		if one {
			s.begin, s.end, s.width, s.stride, step = r.loop(false)
		} else {
			check(r.m, false)
			w, s = r.walk(&at, false)
		}
		for items := s.longestBlock(); items > 0; items = s.advance() {
			k := s.begin
			if !one {
				w.seek(k)
			}
			for range items {
				i := at
				if one {
					here := k // k itself stays in a register
					i = *(*I)(unsafe.Pointer(&here))
				} else {
					w.step()
				}
				if !yield(i) {
					return
				}
				k += step
			}
		}
	}
}

// loop returns what the calling member takes of a range of one dimension as nested loops: items
// b, b+step, b+2·step, ... of each block b = begin, begin+stride, ..., of which there are as many
// as the block is wide. Blocks of one item are one block with a step.
//
//go:noinline
func (r *Range[I]) loop(ordered bool) (begin, end, width, stride, step int) {
	check(r.m, false)
	if r.m.size == 1 || r.level == overVector {
		return 0, r.n0, r.n0, r.n0, 1
	}
	s := r.share(ordered)
	if s.width == 1 && s.begin < s.end {
		return s.begin, s.end, (s.end-s.begin-1)/s.stride + 1, s.end, s.stride
	}
	return s.begin, s.end, s.width, s.stride, 1
}

// Shares returns r for a functor that owns its loop. It has one item for each member that
// has items of r: the range itself, of which the functor runs the calling member's share.
//
//	team.Reduce(team.Shares(team.ThreadRange(m, n)), func(r team.Range[int], acc *float64) {
//		sum := *acc
//		for j := range r.All() {
//			sum += x[j]
//		}
//		*acc = sum
//	}, builtin.Sum(&total))
//
// Order: a member has one accumulator, whatever the number of its vector lanes, and the order
// inside of its share is the functor's. With one vector lane, and over a [ThreadRange], the
// functor above gives the bits of [Reduce] over r; [ReduceLanes] does so with any. In [Scan] a
// member's share is consecutive items, as it is without Shares.
func Shares(r Range[int]) Range[Range[int]] {
	return Range[Range[int]]{m: r.m, level: r.level, ordered: r.ordered, n0: r.n0}
}
