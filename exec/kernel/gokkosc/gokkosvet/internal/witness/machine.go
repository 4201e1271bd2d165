package witness

import (
	"golang.org/x/tools/go/ssa"
)

// A machine runs functions of a package in one environment.
type machine struct {
	*Program
	mem     memory
	objects map[uint64]*object
	explore *explorer
	environment
	depth     int // 0 on the host, 1 in an item, 2 and more in lanes of it
	allocated uint64
	visits    uint64 // of allocations in an item
	left      int    // fuel of the item
	frame     *frame
	held      []uint64        // the locks that are held
	race      *race           // nil on the host
	goal      *goal           // of the host
	live      bool            // launches are run
	handed    []*ssa.Function // functors that the launching call gets
	closure   []value         // values captured by the function for which the host runs
	actor     uint64          // the number of the item
	judge     *judge          // of a join, or nil
	fusing    *fusing         // of products, or nil
}

// An end ends a run.
type end struct{}

// A frame is a call.
type frame struct {
	code    *code
	up      *frame
	call    ssa.Instruction // in the frame above
	regs    []value
	bound   []value
	block   int
	step    int
	defers  []func()
	regions []region
	left    mark // of the regions that a block has just left
}

// A region are blocks that a condition has chosen whose result nobody knows.
type region struct {
	until int
	of    mark
}

// region returns the marks of what happens here.
func (m *machine) region() (of mark) {
	for f := m.frame; f != nil; f = f.up {
		for _, r := range f.regions {
			of |= r.of
		}
	}
	return of
}

// call calls a function.
func (m *machine) call(fn *ssa.Function, args, bound []value, at ssa.Instruction) (result value) {
	c := m.codeOf(fn)
	f := &frame{code: c, up: m.frame, call: at, regs: make([]value, len(c.registers)), bound: bound}
	switch all, own := c.calls(f); {
	case all > nested:
		panic(end{})
	case own > recursions, m.goal != nil && !m.live && m.left < hostFuel*3/4:
		return m.vague(fn, args)
	}
	followed := m.fusing.follows(fn)
	if !followed {
		args = apart(args)
		m.fusing.forget()
	}
	for k, p := range fn.Params {
		if k < len(args) {
			f.regs[c.registers[p]] = args[k]
		}
	}
	m.frame = f
	result = m.run(f)
	for len(f.defers) > 0 {
		f.undefer()
	}
	for _, r := range f.regions {
		result.mark |= r.of
	}
	m.frame = f.up
	if !followed {
		m.fusing.forget()
	}
	return m.fusing.returned(fn, result)
}

const (
	nested     = 200 // calls, after which an item ends
	recursions = 16  // of a function, after which its result is one that nobody knows
)

// calls returns how many calls a call is in, and how many of its own function.
func (c *code) calls(f *frame) (all, own int) {
	for ; f != nil; f = f.up {
		if all++; f.code == c {
			own++
		}
	}
	return all, own
}

// vague returns a result of a function that nobody knows.
func (m *machine) vague(fn *ssa.Function, args []value) value {
	id, shape, of := m.madeOf(mixText(173, fn.String()), args)
	t := fn.Signature.Results()
	if t.Len() == 1 {
		return m.unknown(t.At(0).Type(), id, shape, of, "")
	}
	return m.unknown(t, id, shape, of, "")
}

func (f *frame) undefer() {
	last := f.defers[len(f.defers)-1]
	f.defers = f.defers[:len(f.defers)-1]
	last()
}

// run runs the blocks of a function and returns its result.
func (m *machine) run(f *frame) value {
	fn := f.code.fn
	block, from := fn.Blocks[0], -1
	for {
		f.block = block.Index
		f.enter()
		m.visited[block] = true
		m.fusing.arrive(block)
		phis, at := m.phis(f, block, from), block
		for k, i := range at.Instrs[phis:] {
			f.step = phis + k
			if m.left--; m.left < 0 {
				panic(end{})
			}
			switch i := i.(type) {
			case *ssa.Return:
				if len(i.Results) == 1 {
					return m.get(i.Results[0])
				}
				return several(m.all(i.Results)...)
			case *ssa.Panic:
				panic(end{})
			case *ssa.Jump:
				block, from = block.Succs[0], block.Index
			case *ssa.If:
				block, from = m.branch(f, i), block.Index
			default:
				m.step(f, i)
			}
		}
	}
}

// enter leaves the regions that end at a block.
func (f *frame) enter() {
	f.left = 0
	for n := len(f.regions); n > 0 && f.regions[n-1].until == f.block; n = len(f.regions) {
		f.left |= f.regions[n-1].of
		f.regions = f.regions[:n-1]
	}
}

// phis sets the registers that depend on the block before, and returns their number.
func (m *machine) phis(f *frame, b *ssa.BasicBlock, from int) int {
	var list []value
	for _, i := range b.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		for k, p := range b.Preds {
			if p.Index == from {
				v := m.get(phi.Edges[k])
				v.product = nil
				v.mark |= f.left
				list = append(list, v)
				break
			}
		}
	}
	for k, v := range list {
		f.regs[f.code.registers[b.Instrs[k].(*ssa.Phi)]] = v
	}
	return len(list)
}

// branch returns the block that a condition leads to.
func (m *machine) branch(f *frame, i *ssa.If) *ssa.BasicBlock {
	if b := m.goal.choose(m, f, i); b != nil {
		return b
	}
	c := m.judge.asks(m.decided(m.get(i.Cond)))
	if of := c.mark & (datum | claim | left); of != 0 && m.judge == nil {
		until, last := f.code.meets(i.Block().Index), len(f.regions)-1
		if last >= 0 && f.regions[last].until == until {
			f.regions[last].of |= of // in a loop
		} else {
			f.regions = append(f.regions, region{until, of})
		}
	}
	return i.Block().Succs[1-c.n]
}

func (m *machine) all(list []ssa.Value) (values []value) {
	for _, v := range list {
		values = append(values, m.get(v))
	}
	return values
}

// get returns what an operand has.
func (m *machine) get(v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Const:
		return m.constantOf(v)
	case *ssa.Function:
		return value{kind: function, x: &closure{fn: v}}
	case *ssa.Global:
		p := to(m.objectOf(mixText(41, v.String())|1, 0))
		p.obj.name, p.obj.shape = v.Name(), p.obj.id
		p.tag, p.shape = v.Name(), p.obj.id
		return p
	case *ssa.FreeVar:
		for k, is := range m.frame.code.fn.FreeVars {
			if is == v && k < len(m.frame.bound) {
				return m.frame.bound[k]
			}
		}
	case *ssa.Builtin:
		return value{kind: opaque, id: mixText(43, v.Name())}
	}
	if k, ok := m.frame.code.registers[v]; ok {
		return m.frame.regs[k]
	}
	id := mixText(47, v.Name())
	return m.unknown(v.Type(), id, id, 0, "")
}

// step runs an instruction.
func (m *machine) step(f *frame, i ssa.Instruction) {
	switch i := i.(type) {
	case ssa.CallInstruction:
		m.invoke(f, i)
	case ssa.Value:
		f.regs[f.code.registers[i]] = m.value(f, i)
	case *ssa.Store:
		p, v := m.get(i.Addr), m.get(i.Val)
		m.write(i, p, "", !m.again(i))
		m.stored(i, p, v)
		m.store(p, v, i.Val.Type())
	case *ssa.Send:
		m.sends(i)
	case *ssa.MapUpdate:
		p := m.get(i.Map)
		m.write(i, p, toMap, true)
		m.store(p.element(number64(m.get(i.Key))), m.get(i.Value), i.Value.Type())
	case *ssa.RunDefers:
		for len(f.defers) > 0 {
			f.undefer()
		}
	}
}

// number64 returns a number that stands for the key of a map.
func number64(key value) value {
	return value{kind: number, n: int64(key.hash()), shape: key.form(), mark: key.mark & passed}
}

// here returns a number that differs between instructions.
func (f *frame) here() uint64 { return f.code.shapes + uint64(f.block)<<20 + uint64(f.step) }
