package scan

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/exec/space/device"
)

// byLoop is runLeaves for a functor with a compiled loop. Whole leaves of a group take turns as far as the loop runs. Then
// each leaf in order goes on alone, and the functor runs items where the loop stops.
func (s *scan[A]) byLoop(w *launch.Walk, n launch.Node, accs []A, final bool) {
	g := &s.job.Grid
	var done [launch.MaxGroup]int // items of each leaf
	if len(accs) == launch.MaxGroup && n.Last*g.Leaf <= g.Items {
		s.takeTurns(w, n.First*g.Leaf, accs, final, &done)
	}
	for k := range accs {
		w.Node = launch.Leaf(n.First + k)
		leaf := w.First * g.Leaf
		for item, last := leaf+done[k], min(leaf+g.Leaf, g.Items); item < last; {
			to := w.UpTo(item, last)
			if to == item {
				return // cancelled
			}
			s.span(w, s.First+item, s.First+to, &accs[k], final)
			item = to
		}
	}
}

// span runs the integers begin to end-1 of a leaf.
func (s *scan[A]) span(w *launch.Walk, begin, end int, acc *A, final bool) {
	for begin < end {
		next := begin + s.code.Scan(begin, end-begin, 0, unsafe.Slice(acc, 1), final)
		to := loops.Resume(s.functor, next, begin, end, 0)
		scanInts(s.ints).Span(w, next, to, unsafe.Pointer(acc), final)
		begin = to
	}
}

// Leaves that take turns are turnSkew items apart in their leaves, if they have at least minSkewed items. Loads of an
// item would else be at the same place of a page as stores of another one just before, which processors take for the
// same memory: an item of three arrays takes 9 ns then, and 1 ns with the skew.
const (
	turnSkew  = 32
	minSkewed = 256
)

// takeTurns runs items of a group that begins with item begin by the compiled loop, until that stops. It counts the items of
// each leaf that are done.
func (s *scan[A]) takeTurns(w *launch.Walk, begin int, accs []A, final bool, done *[launch.MaxGroup]int) {
	leaf, skew := s.job.Grid.Leaf, 0
	begin += s.First
	if leaf >= minSkewed {
		skew = turnSkew
		for k := range accs {
			ahead := skew * (launch.MaxGroup - 1 - k)
			if ahead == 0 {
				break
			}
			if done[k] = s.code.Scan(begin+k*leaf, ahead, 0, accs[k:k+1], final); done[k] < ahead {
				return
			}
		}
	}
	for done[0] < leaf {
		left := (leaf - done[0]) * launch.MaxGroup
		rounds := (w.UpTo(0, left) + launch.MaxGroup - 1) / launch.MaxGroup
		if rounds == 0 {
			return // cancelled
		}
		calls := s.code.Scan(begin+done[0], rounds, leaf-skew, accs, final)
		if uint(calls) > uint(rounds*launch.MaxGroup) {
			panic(launch.Breach("exec: the loop of %v ran %d rounds of %d leaves and returned %d, expected as many integers at most", device.Functor{Func: s.functor}, rounds, launch.MaxGroup, calls))
		}
		for k := range done {
			done[k] += (calls + launch.MaxGroup - 1 - k) / launch.MaxGroup
		}
		if calls < rounds*launch.MaxGroup {
			return
		}
	}
}
