package witness

import (
	"go/ast"
	"go/types"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A target is an instruction that runs functors, or that makes a functor which another function launches. The
// instruction is nil if such a passed functor captures nothing.
type target struct {
	ssa.Instruction
	passed *ssa.Function // nil if the instruction itself runs functors
	launch string        // the launch that the passed functor reaches: "exec.ParallelFor"
}

// A Passed is a functor that reaches a launch, maybe in another package.
type Passed struct {
	Literal *ast.FuncLit // nil if it is a function or a method value
	Func    *types.Func
	Launch  string // "exec.ParallelFor"
}

// passed returns the targets of a list of passed functors: functors of this package that have not run.
func (p *Program) passed(list []Passed) (targets []target) {
	for _, f := range list {
		for _, fn := range p.functions() {
			if f.Literal == nil && fn.Object() != f.Func || f.Literal != nil && fn.Syntax() != f.Literal || p.launched[fn.Syntax()] {
				continue
			}
			if len(fn.Params) > 0 && isNamed(fn.Params[0].Type(), "policy", "Row") { // along which dimension, the launch alone says
				continue
			}
			t := target{passed: fn, launch: f.Launch}
			if made := p.made(fn); made != nil {
				t.Instruction, t.passed = made, made.Fn.(*ssa.Function)
			} else if len(fn.FreeVars) > 0 || fn.Signature.Recv() != nil {
				continue
			}
			targets = append(targets, t)
		}
	}
	return targets
}

// made returns the instruction that makes the closure of a literal or a method value; nil if there is none.
func (p *Program) made(fn *ssa.Function) *ssa.MakeClosure {
	if fn.Parent() != nil {
		return makes(fn)
	}
	for _, host := range p.functions() {
		for _, b := range host.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*ssa.MakeClosure); ok && c.Fn != fn && fn.Object() != nil && c.Fn.(*ssa.Function).Object() == fn.Object() {
					return c
				}
			}
		}
	}
	return nil
}

// aim runs the functors of a target.
func (m *machine) aim(t target) {
	if t.Instruction != nil {
		m.host(t)
	}
	if t.passed == nil {
		return
	}
	c := &closure{fn: t.passed}
	if t.Instruction != nil {
		if m.closure == nil {
			return
		}
		c.bound, m.closure = m.closure, nil
	}
	name, indexed := strings.CutPrefix(t.launch, "exec.")
	m.functor(c, &policy{}, name, indexed)
}

// A goal is where a function of the host is run to.
type goal struct {
	at     ssa.Instruction
	far    []int // how many blocks the goal is away
	visits map[int]int
}

// targets returns the launches of the package, and the calls of functions that launch their arguments.
func (p *Program) targets() (list []target) {
	all := p.functions()
	wrappers := map[*ssa.Function]bool{}
	for grown := true; grown; {
		grown = false
		for _, fn := range all {
			hands := func(c *ssa.Call) bool { return p.hands(c, wrappers) }
			if wrappers[fn] || !slices.ContainsFunc(calls(fn), hands) {
				continue
			}
			for ; fn != nil; fn = fn.Parent() {
				wrappers[fn], grown = true, true
			}
		}
	}
	for _, fn := range all {
		for _, c := range calls(fn) {
			callee := c.Call.StaticCallee()
			if callee == nil {
				continue
			}
			obj, _ := callee.Object().(*types.Func)
			if obj != nil && launches(obj) && takesFunction(c) || wrappers[callee] || wrappers[callee.Origin()] {
				list = append(list, target{Instruction: c})
			}
		}
	}
	return list
}

// functions returns the functions of the package, in the order of their places.
func (p *Program) functions() []*ssa.Function {
	seen := map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || seen[fn] || len(fn.Blocks) == 0 {
			return
		}
		seen[fn] = true
		for _, a := range fn.AnonFuncs {
			add(a)
		}
	}
	for _, mem := range p.pkg.Members {
		switch mem := mem.(type) {
		case *ssa.Function:
			add(mem)
		case *ssa.Type:
			for _, t := range []types.Type{mem.Type(), types.NewPointer(mem.Type())} {
				n, ok := mem.Type().(*types.Named)
				if !ok || types.IsInterface(t) {
					continue
				}
				for f := range n.Methods() {
					add(p.prog.FuncValue(f))
				}
			}
		}
	}
	list := slices.Collect(maps.Keys(seen))
	slices.SortFunc(list, func(a, b *ssa.Function) int {
		if d := int(a.Pos()) - int(b.Pos()); d != 0 {
			return d
		}
		return len(a.String()) - len(b.String())
	})
	return list
}

func calls(fn *ssa.Function) (list []*ssa.Call) {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.Call); ok {
				list = append(list, c)
			}
		}
	}
	return list
}

func takesFunction(c *ssa.Call) bool {
	return slices.ContainsFunc(c.Call.Args, func(v ssa.Value) bool { return isFunction(v.Type()) })
}

// hands reports whether a call launches a function that its own function is given.
func (p *Program) hands(c *ssa.Call, wrappers map[*ssa.Function]bool) bool {
	callee := c.Call.StaticCallee()
	if callee == nil {
		return false
	}
	obj, _ := callee.Object().(*types.Func)
	if !(obj != nil && launches(obj)) && !wrappers[callee] && !wrappers[callee.Origin()] {
		return false
	}
	return slices.ContainsFunc(c.Call.Args, func(v ssa.Value) bool { return isFunction(v.Type()) && isGiven(v) })
}

func isFunction(t types.Type) bool {
	_, is := t.Underlying().(*types.Signature)
	return is
}

// isGiven reports whether a function comes from a parameter or a field, or calls one that does.
func isGiven(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Field:
		return true
	case *ssa.ChangeType:
		return isGiven(v.X)
	case *ssa.MakeClosure:
		return slices.ContainsFunc(v.Bindings, func(b ssa.Value) bool {
			p, ok := b.Type().Underlying().(*types.Pointer)
			return ok && isFunction(p.Elem()) && isGiven(&ssa.UnOp{X: b})
		})
	case *ssa.UnOp:
		switch a := v.X.(type) {
		case *ssa.FieldAddr, *ssa.FreeVar:
			return true
		case *ssa.Alloc:
			return slices.ContainsFunc(*a.Referrers(), func(i ssa.Instruction) bool {
				s, ok := i.(*ssa.Store)
				return ok && s.Addr == a && isGiven(s.Val)
			})
		}
	}
	return false
}

const (
	hostFuel  = 20_000
	hostTurns = 12 // of a loop, after which the way to the goal is the shortest one
)

// host runs the function around a target until it comes there.
func (m *machine) host(t target) {
	fn := t.Parent()
	var bound []value
	if fn.Parent() != nil {
		if i := makes(fn); i != nil {
			m.host(target{Instruction: i})
			if m.closure == nil {
				return
			}
			bound, m.closure = m.closure, nil
		}
	}
	args := m.params(fn)
	m.left, m.frame, m.live = hostFuel, nil, false
	m.goal = &goal{at: t.Instruction, far: distances(t.Block()), visits: map[int]int{}}
	m.attempt(func() { m.call(fn, args, bound, nil) })
	m.spent += hostFuel - max(m.left, 0)
	m.goal, m.depth, m.race = nil, 0, nil
}

// params returns parameters of a function of the host that nobody knows.
func (m *machine) params(fn *ssa.Function) (args []value) {
	for k, p := range fn.Params {
		id := mixText(mix(mixText(167, fn.String()), uint64(k)), p.Name())
		args = append(args, m.unknown(p.Type(), id, id, 0, p.Name()))
	}
	return args
}

// makes returns the instruction that makes the closure of a function.
func makes(fn *ssa.Function) *ssa.MakeClosure {
	for _, b := range fn.Parent().Blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.MakeClosure); ok && c.Fn == fn {
				return c
			}
		}
	}
	return nil
}

// distances returns how far each block is from one.
func distances(to *ssa.BasicBlock) []int {
	far := make([]int, len(to.Parent().Blocks))
	for k := range far {
		far[k] = math.MaxInt
	}
	far[to.Index] = 0
	for next := []*ssa.BasicBlock{to}; len(next) > 0; next = next[1:] {
		for _, b := range next[0].Preds {
			if far[b.Index] == math.MaxInt {
				far[b.Index] = far[next[0].Index] + 1
				next = append(next, b)
			}
		}
	}
	return far
}

// is reports whether an instruction is the goal.
func (g *goal) is(f *frame, i ssa.Instruction) bool { return g != nil && g.at == i && f.up == nil }

// choose returns the block that leads to the goal, nil if both do.
func (g *goal) choose(m *machine, f *frame, i *ssa.If) *ssa.BasicBlock {
	if g == nil || f.up != nil || f.code.fn != g.at.Parent() || m.depth > 0 {
		return nil
	}
	a, b := i.Block().Succs[0], i.Block().Succs[1]
	if i.Block() == g.at.Block() {
		return nil
	}
	g.visits[i.Block().Index]++
	switch x, y := g.far[a.Index], g.far[b.Index]; {
	case x == math.MaxInt:
		return b
	case y == math.MaxInt:
		return a
	case g.visits[i.Block().Index] > hostTurns && x < y:
		return a
	case g.visits[i.Block().Index] > hostTurns:
		return b
	}
	return nil
}
