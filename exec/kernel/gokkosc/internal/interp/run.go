package interp

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// Lanes are the lanes of a reduction's accumulators, as bits: Lanes[a][l] is lane l of
// accumulator a.
type Lanes [][]uint64

// Span runs the items begin to end-1 and returns the first item that it has not run: end, or the first item
// that stops. An item that stops changes no memory and no lane.
//
// Items are numbered from item, which is the number of item begin. For each accumulator, an item goes to lane
// number mod L of its L lanes. L is a power of two.
func Span(k *ir.Kernel, a *Args, begin, end, item int, lanes Lanes) (next int) {
	r := Run{At: []int{begin}, Len: end - begin}
	return begin + r.Do(k, a, item, lanes)
}

// A Run is a sequence of items along which coordinate Dim of the index grows, the dimension of the kernel's
// runs. A kernel of rows runs a Run as one item.
type Run struct {
	At  []int // the index of the first item
	Len int
}

// Do runs the items of a run and returns the number of items before the first that stops, see [Span]. For a
// kernel of rows the result is all items or 0.
func (r Run) Do(k *ir.Kernel, a *Args, item int, lanes Lanes) (done int) {
	m := &machine{k: k, args: a, run: r, regs: make([]uint64, k.NumValues()), kept: map[*ir.Value][]uint64{}}
	if !m.block(k.Setup) {
		return 0
	}
	for _, pair := range k.Apart {
		if a.mems[pair[0]].overlaps(a.mems[pair[1]]) {
			return 0
		}
	}
	first := r.At[k.Index.Dim]
	if k.Index.Row {
		if r.Len > 0 && !m.item(first, item, lanes) {
			return 0
		}
		return r.Len
	}
	for n := range r.Len {
		if !m.item(first+n, item+n, lanes) {
			return n
		}
	}
	return max(r.Len, 0)
}

// A machine runs items.
type machine struct {
	k      *ir.Kernel
	args   *Args
	run    Run
	regs   []uint64 // by ID
	index  int      // of the item
	number int      // of the item, among those of the launch
	undo   []undo
	kept   map[*ir.Value][]uint64 // results of ifs, loops and folds

	team  *team // of a member; nil: items are no teams
	rank  int
	meet  func(meeting) bool // waits for the others
	given []uint64           // results of the last meeting
}

// undo records an element that a store overwrites, with its bits from before.
type undo struct {
	mem  memory
	at   int
	bits uint64
}

// item runs an item, and reports whether it went to its end.
func (m *machine) item(i, number int, lanes Lanes) bool {
	m.index, m.number, m.undo = i, number, m.undo[:0]
	contributed := len(m.args.Contributions)
	if !m.allowed(i) {
		return false
	}
	for n, p := range m.k.Body.Params {
		m.regs[p.ID] = lanes[n][number&(len(lanes[n])-1)]
	}
	if !m.block(m.k.Body) {
		for n := len(m.undo) - 1; n >= 0; n-- {
			u := m.undo[n]
			u.mem.store(u.at, u.bits)
		}
		m.args.Contributions = m.args.Contributions[:contributed]
		return false
	}
	for n, y := range m.k.Body.Yield {
		lanes[n][number&(len(lanes[n])-1)] = m.regs[y.ID]
	}
	return true
}

// allowed reports whether the conditions on the index hold.
func (m *machine) allowed(i int) bool {
	for _, c := range m.k.Checks {
		if c.When != nil && m.regs[c.When.ID] == 0 {
			continue
		}
		if m.regs[c.Base.ID]+m.regs[c.Step.ID]*uint64(i) >= m.regs[c.Limit.ID] {
			return false
		}
	}
	return true
}

// block runs a block, and reports whether no check has stopped it.
func (m *machine) block(b *ir.Block) bool {
	for _, v := range b.Values {
		if !m.value(v) {
			return false
		}
	}
	return true
}

func (m *machine) value(v *ir.Value) bool {
	switch v.Op {
	case ir.Check:
		return m.regs[v.Args[0].ID] < m.regs[v.Args[1].ID]
	case ir.If:
		b := v.Else()
		if m.regs[v.Args[0].ID] != 0 {
			b = v.Then()
		}
		if !m.block(b) {
			return false
		}
		m.keep(v, b.Yield)
	case ir.Loop:
		return m.loop(v)
	case ir.Store:
		mem, at := m.args.mems[v.Index], int(m.regs[v.Args[0].ID])
		m.log(v, undo{mem, at, mem.load(at)})
		mem.store(at, m.regs[v.Args[1].ID])
	case ir.Atomic:
		mem, at := m.args.mems[v.Index], int(m.regs[v.Args[0].ID])
		was := mem.load(at)
		m.log(v, undo{mem, at, was})
		m.regs[v.ID] = was
		mem.store(at, m.becomes(v, was))
	case ir.Combine:
		c := Contribution{Access: v.Index, Item: m.number, Method: v.Func}
		for _, a := range v.Args {
			c.Args = append(c.Args, m.regs[a.ID])
		}
		m.args.Contributions = append(m.args.Contributions, c)
	case ir.Meet, ir.Each, ir.Fold, ir.Gather, ir.Prefix, ir.Pass:
		return m.ofTeam(v)
	case ir.Result:
		m.regs[v.ID] = m.kept[v.Args[0]][v.Index]
	default:
		m.regs[v.ID] = m.plain(v)
	}
	return true
}

// log records an overwritten element, unless it belongs to the item's own memory.
func (m *machine) log(v *ir.Value, u undo) {
	switch {
	case m.k.Mems[v.Index].Own:
	case m.team != nil:
		m.team.undo = append(m.team.undo, u)
	default:
		m.undo = append(m.undo, u)
	}
}

// becomes returns the bits that an atomic operation sets an element to.
func (m *machine) becomes(v *ir.Value, was uint64) uint64 {
	if v.Func == "load" {
		return was
	}
	y := m.regs[v.Args[1].ID]
	op := v.Becomes()
	switch {
	case v.Func == "exchange":
		return y
	case op != ir.Invalid:
		does := &ir.Value{Op: op, Type: v.Type, Unsigned: v.Unsigned, Args: []*ir.Value{v.Args[1], v.Args[1]}}
		return Eval(does, [3]uint64{was, y})
	case was == y:
		return m.regs[v.Args[2].ID]
	}
	return was
}

// loop runs a loop, and keeps its results.
func (m *machine) loop(v *ir.Value) bool {
	next := v.Args
	for {
		m.assign(v.Head().Params, next)
		if !m.block(v.Head()) {
			return false
		}
		if m.regs[v.Head().Yield[0].ID] == 0 {
			m.keep(v, v.Head().Params)
			return true
		}
		if !m.block(v.LoopBody()) {
			return false
		}
		next = v.LoopBody().Yield
	}
}

// keep keeps values as the results of an If or a Loop.
func (m *machine) keep(v *ir.Value, results []*ir.Value) {
	kept := m.kept[v][:0]
	for _, r := range results {
		kept = append(kept, m.regs[r.ID])
	}
	m.kept[v] = kept
}

// assign sets all of dst at once.
func (m *machine) assign(dst, src []*ir.Value) {
	bits := make([]uint64, len(src))
	for n, s := range src {
		bits[n] = m.regs[s.ID]
	}
	for n, d := range dst {
		m.regs[d.ID] = bits[n]
	}
}

// plain returns the bits of a value without blocks and effects.
func (m *machine) plain(v *ir.Value) uint64 {
	switch v.Op {
	case ir.Const:
		return v.Bits
	case ir.Uniform:
		return m.args.scalars[v.Index]
	case ir.Cells:
		if d, rank := v.Extent(); v.Index < len(m.args.Cells) && len(m.args.Cells[v.Index]) == rank {
			return uint64(m.args.Cells[v.Index][d])
		}
		return 0
	case ir.Coord:
		return uint64(m.run.At[v.Index])
	case ir.Stop:
		return uint64(m.run.At[m.k.Index.Dim] + m.run.Len)
	case ir.Item:
		return uint64(m.index)
	case ir.Member:
		return uint64(m.rank)
	case ir.Load:
		return m.args.mems[v.Index].load(int(m.regs[v.Args[0].ID]))
	}
	var x [3]uint64
	for n, a := range v.Args {
		x[n] = m.regs[a.ID]
	}
	return Eval(v, x)
}
