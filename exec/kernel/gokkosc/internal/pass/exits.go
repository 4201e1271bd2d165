package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Exits moves the work of the round that leaves a loop behind that loop, if the work stores. Of
//
//	for j := range n {
//		if x[j] > limit {
//			y[i] = j
//			return
//		}
//	}
//
// the loop then only finds j: it stores nothing, so its checks stand behind no store. The loop carries out
// the values that the round has computed.
func Exits(k *ir.Kernel) { (&exits{k}).block(k.Body, false) }

type exits struct{ k *ir.Kernel }

// block moves the last work of the loops of a block behind them, inner loops first. The block may be in a
// loop.
func (e *exits) block(b *ir.Block, inLoop bool) {
	var out []*ir.Value
	for n, v := range b.Values {
		if v.Op == ir.Loop {
			e.running(v)
		}
		for _, inner := range v.Blocks {
			e.block(inner, inLoop || v.Op == ir.Loop)
		}
		out = append(out, v)
		if v.Op == ir.Loop {
			out = append(out, e.loop(v, b.Values[n+1:], inLoop)...)
		}
	}
	b.Values = out
}

// running sets the flags that leave a loop to false in its body, as they are there.
func (e *exits) running(loop *ir.Value) {
	to := replacement{}
	for _, p := range loop.Head().Params {
		if leaves(loop.Head().Yield[0], p) {
			to[p] = constant(e.k, ir.Bool, 0)
		}
	}
	if len(to) > 0 {
		to.block(loop.LoopBody())
	}
}

// leaves reports whether the condition of a loop is false if a flag is true.
func leaves(cond, flag *ir.Value) bool {
	switch cond.Op {
	case ir.Not:
		return isPart(cond.Args[0], flag)
	case ir.And:
		return leaves(cond.Args[0], flag) || leaves(cond.Args[1], flag)
	case ir.Result:
		v := cond.Args[0]
		if v.Op != ir.If || !leaves(v.Args[0], flag) {
			return false
		}
		other := v.Else().Yield[cond.Index]
		return other == v.Args[0] || isBool(other, false)
	}
	return false
}

// isPart reports whether a condition is a flag, or holds if that or another one does.
func isPart(cond, flag *ir.Value) bool {
	return cond == flag || cond.Op == ir.Or && (isPart(cond.Args[0], flag) || isPart(cond.Args[1], flag))
}

// isBool reports whether a value is a constant truth.
func isBool(v *ir.Value, is bool) bool {
	return v.Op == ir.Const && v.Type == ir.Bool && (v.Bits != 0) == is
}

// A way leads from the body of a loop to a block that runs in the last round only.
type way []step

// A step leads from a block into a branch of an If in it, which yields a flag that leaves the loop.
type step struct {
	in     *ir.Block
	branch *ir.Value
	side   int // 0 for then
	flag   int // number among the yields of the If
}

// last returns the block.
func (w way) last() *ir.Block {
	s := w[len(w)-1]
	return s.branch.Blocks[s.side]
}

// ways appends the ways to the blocks that set a flag, given the way to the block that another flag has led
// to. It reports whether there are no others.
func ways(b *ir.Block, flag *ir.Value, to way, list *[]way) (all bool) {
	switch {
	case isBool(flag, false):
		return true
	case isBool(flag, true) && len(to) > 0:
		if !slices.ContainsFunc(*list, func(w way) bool { return w.last() == b }) {
			*list = append(*list, slices.Clone(to))
		}
		return true
	case flag.Op != ir.Result || flag.Args[0].Op != ir.If:
		return false
	}
	v := flag.Args[0]
	for !slices.Contains(b.Values, v) { // v may stand in a block around this one, which runs if that flag is set
		if len(to) == 0 {
			return false
		}
		s := to[len(to)-1]
		if s.side != 0 || !implied(s.branch.Args[0], v, flag.Index) {
			return false
		}
		b, to = s.in, to[:len(to)-1]
	}
	all = true
	for side, inner := range v.Blocks {
		all = ways(inner, inner.Yield[flag.Index], append(slices.Clone(to), step{b, v, side, flag.Index}), list) && all
	}
	return all
}

// loop returns the values that go between a loop and the values after it in its block. If the block is in an
// outer loop, the moved values say for that loop where the flag is set.
func (e *exits) loop(loop *ir.Value, after []*ir.Value, inLoop bool) (behind []*ir.Value) {
	for n := 0; n < len(loop.Head().Params); n++ {
		if loop.Head().Params[n].Type != ir.Bool || !leaves(loop.Head().Yield[0], loop.Head().Params[n]) {
			continue
		}
		var list []way
		all := ways(loop.LoopBody(), loop.LoopBody().Yield[n], nil, &list) && isBool(loop.Args[n], false)
		only := all && len(list) == 1
		var branch, flag *ir.Value
		rest := &ir.Block{}
		if inLoop {
			if flag = constant(e.k, ir.Bool, 0); !only {
				flag = e.result(loop, n)
			}
			rest.Yield = []*ir.Value{flag}
		}
		for _, w := range list {
			m := &exitLane{exits: e, loop: loop, way: w}
			if !m.find() {
				continue
			}
			left := n
			if !only {
				left = m.carry(constant(e.k, ir.Bool, 1), len(w), constant(e.k, ir.Bool, 0))
			}
			moved := m.move()
			behind = append(behind, m.results...)
			if both := asks(after, loop, n); both != nil && only && !inLoop {
				both.Then().Values = append(moved, both.Then().Values...)
				continue
			}
			cond := e.result(loop, left)
			behind = append(behind, cond)
			then := &ir.Block{Values: moved}
			if inLoop {
				then.Yield = []*ir.Value{constant(e.k, ir.Bool, 1)}
			}
			branch = e.k.NewValue(ir.If, ir.None, cond)
			branch.Pos, branch.Blocks = loop.Pos, []*ir.Block{then, rest}
			rest = &ir.Block{Values: []*ir.Value{branch}}
			if inLoop {
				r := e.result(branch, 0)
				rest.Values, rest.Yield = append(rest.Values, r), []*ir.Value{r}
			}
		}
		if branch == nil {
			continue
		}
		if inLoop {
			if flag.Op == ir.Result {
				behind = append(behind, flag)
			}
			ofBranch(after, loop, n, branch)
		}
		behind = append(behind, branch)
	}
	return behind
}

// ofBranch replaces a flag behind a loop by the one of the branch that stands there now.
func ofBranch(after []*ir.Value, loop *ir.Value, flag int, branch *ir.Value) {
	for _, r := range after {
		if r.Op == ir.Result && r.Args[0] == loop && r.Index == flag {
			r.Args[0], r.Index = branch, 0
		}
	}
}

// asks returns the first of the values behind a loop that looks into memory. It must be a branch that is
// taken if a flag left the loop.
func asks(after []*ir.Value, loop *ir.Value, flag int) *ir.Value {
	for _, v := range after {
		if looks(v) {
			if v.Op == ir.If && v.Args[0].Op == ir.Result && v.Args[0].Args[0] == loop && v.Args[0].Index == flag {
				return v
			}
			break
		}
	}
	return nil
}

// result returns a new result of a loop or a branch.
func (e *exits) result(of *ir.Value, n int) *ir.Value {
	r := e.k.NewValue(ir.Result, of.Results()[n], of)
	r.Index = n
	if of.Op == ir.Loop {
		r.Name = of.Head().Params[n].Name
	}
	return r
}
