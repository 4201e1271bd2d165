package goloops

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// A window is the elements of a memory that the rounds of a loop access one after the other. A loop from i =
// begin to end-1 has a window from base+begin on. The method slices a window once, so the loop needs no
// bounds checks.
type window struct {
	mem  int
	base *ir.Value
	name string
}

// windows finds the windows of the item loop (nil) and of inner loops, and maps loads and stores to the
// windows that they access. Logged stores, and loops that other loops run, have no windows. The function
// changes the kernel: the index of such an access becomes the window's base.
func windows(k *ir.Kernel, logged map[*ir.Value]bool, called map[*ir.Value]*Call) (of map[*ir.Value][]*window, access map[*ir.Value]*window) {
	s := &windower{k, logged, called, map[*ir.Value][]*window{}, map[*ir.Value]*window{}}
	fixed := map[*ir.Value]bool{}
	for _, v := range k.Setup.Values {
		fixed[v] = true
	}
	for _, v := range k.Body.Values {
		if v.Op == ir.Item && len(k.Checks) > 0 {
			f := &pass.Former{Kernel: k, X: v, Fixed: func(v *ir.Value) bool { return fixed[v] }}
			f.Put = func(v *ir.Value) {
				k.Setup.Values = append(k.Setup.Values, v)
				fixed[v] = true
			}
			s.find(nil, nil, k.Body, f)
		}
	}
	s.loops(k.Body)
	pass.Dead(k)
	return s.of, s.access
}

type windower struct {
	k      *ir.Kernel
	logged map[*ir.Value]bool // stores that need the index in memory
	called map[*ir.Value]*Call
	of     map[*ir.Value][]*window
	access map[*ir.Value]*window
}

func (s *windower) loops(b *ir.Block) {
	var out []*ir.Value
	for _, v := range b.Values {
		if s.called[v] != nil {
			out = append(out, v)
			continue
		}
		for _, inner := range v.Blocks {
			s.loops(inner)
		}
		if c, ok := countOf(b, v); ok {
			own := ir.Inside(v.Blocks...)
			f := &pass.Former{Kernel: s.k, X: c.Index, Fixed: func(v *ir.Value) bool { return !own[v] }}
			f.Put = func(v *ir.Value) { out = append(out, v) }
			s.find(v, c.From, v.LoopBody(), f)
		}
		out = append(out, v)
	}
	b.Values = out
}

// countOf returns a loop of a block as one whose index this back end counts in a variable of the loop. That
// is possible if nothing behind the loop asks for the last index.
func countOf(b *ir.Block, v *ir.Value) (pass.Count, bool) {
	if v.Op != ir.Loop {
		return pass.Count{}, false
	}
	c, ok := pass.CountOf(v)
	for _, r := range results(b, v) {
		ok = ok && r.Index != c.Place
	}
	return c, ok && c.Index.Type == ir.I64 && !c.Unsigned
}

// find makes windows of the elements that each round of a loop accesses. Nothing before the access in the
// block may ask whether the index is in range: code before the loop has asked for all rounds. A check of the
// block whose limit moves, or whose index counts, may ask for other indices than its own. An example is
// x[i:i+n[i]][2]. There are no windows behind such a check. An index that a branch checks has no window
// behind the branch: one side of it might not have asked. A window that begins at a negative constant would
// not compile; items that come there have stopped before.
func (s *windower) find(loop, from *ir.Value, b *ir.Block, f *pass.Former) {
	inBranch := map[*ir.Value]bool{} // indices that were checked there
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			inner.Walk(func(v *ir.Value) {
				if v.Op == ir.Check {
					inBranch[v.Args[0]] = true
				}
			})
		}
		if v.Op == ir.Check {
			if _, counts := f.Of(v.Args[0]); counts || v.Args[1].Op != ir.Const && !f.Fixed(v.Args[1]) {
				return
			}
		}
		if v.Op != ir.Load && v.Op != ir.Store || s.access[v] != nil || s.logged[v] || s.k.Mems[v.Index].Array || s.k.Mems[v.Index].Param < 0 || inBranch[v.Args[0]] {
			continue
		}
		if x, ok := f.Of(v.Args[0]); ok && x.Step.Op == ir.Const && x.Step.Int() == 1 && !below(x.Base, from) {
			w := s.window(loop, v.Index, x.Base)
			v.Args[0] = x.Base
			s.access[v] = w
		}
	}
}

// below reports whether the sum of two values is a negative constant.
func below(base, from *ir.Value) bool {
	return from != nil && base.Op == ir.Const && from.Op == ir.Const && base.Int()+from.Int() < 0
}

func (s *windower) window(loop *ir.Value, mem int, base *ir.Value) *window {
	for _, w := range s.of[loop] {
		if w.mem == mem && w.base == base {
			return w
		}
	}
	w := &window{mem: mem, base: base}
	s.of[loop] = append(s.of[loop], w)
	return w
}
