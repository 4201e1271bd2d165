package witness

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A policy is the known part of a policy or of a Launch.
type policy struct {
	kind  string // the function that made it, or "" if nobody knows
	args  []value
	form  string // "", Tiles, Rows or Items
	alone bool   // items run one after the other
	host  bool   // items run on the host even if there is a device
	chunk int64  // items that a worker takes at a time, 0 if nobody knows
	dims  []int64
}

// policyCall models the functions that make policies and change them.
func (m *machine) policyCall(i ssa.CallInstruction, f *types.Func, args []value) (value, bool) {
	name := f.Name()
	if f.Signature().Recv() == nil {
		p := &policy{kind: name, args: args}
		switch {
		case name == "On":
			p.on(args[0])
		case name != "Range" && name != "Spans" && name != "Team" && !strings.HasPrefix(name, "MDRange"):
			return value{}, false
		}
		v := value{x: p}
		v.id, v.shape, v.mark = m.madeOf(97, args)
		return v, true
	}
	if name == "All" { // of a span
		return m.span(args[0]), true
	}
	p := policy{}
	if of := policyIn(args[0]); of != nil {
		p = *of
	}
	switch name {
	case "On":
		p.on(args[1])
	case "With":
		for _, on := range m.elements(args[1]) {
			if of := policyIn(on); of != nil {
				p.alone, p.host = of.alone, of.host
			}
		}
	case "Tiles", "Rows", "Items":
		p.form = name
	case "Chunk":
		p.chunk = args[1].n
	case "Dims":
		p.dims = []int64{args[1].n, args[2].n}
	case "WithContext", "WithLabel", "Iterate", "Tile", "Scratch", "SubGroup", "Vector", "Plan":
	default:
		return value{}, false
	}
	v := value{x: &p}
	v.id, v.shape, v.mark = m.madeOf(101, args)
	return v, true
}

// policyIn returns the policy that a value has in it, or nil.
func policyIn(v value) *policy {
	switch x := v.x.(type) {
	case *policy:
		return x
	case value:
		return policyIn(x)
	case []value:
		for _, p := range x {
			if of := policyIn(p); of != nil {
				return of
			}
		}
	}
	return nil
}

// on notes the space of a policy.
func (p *policy) on(space value) {
	p.alone = space.kind == boxed && isNamed(space.typ, "exec", "Serial")
	p.host = p.alone || space.kind == boxed && isNamed(space.typ, "exec", "Goroutines")
}

// isNamed reports whether a type, or what it points to, is a type of a package of gokkos.
func isNamed(t types.Type, pkg, name string) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module+pkg && n.Obj().Name() == name
}

// elements returns the elements of a short slice.
func (m *machine) elements(s value) (list []value) {
	e, ok := s.x.(extent)
	if !ok || s.kind != slice {
		return nil
	}
	for k := range min(e.len.n, 8) {
		if c, ok := m.mem.cells[s.element(integer(k)).id]; ok {
			list = append(list, c.v)
		}
	}
	return list
}

// span returns the function that yields the items of a span.
func (m *machine) span(of value) value {
	list := of.parts()
	if len(list) < 2 {
		return value{id: 103}
	}
	return value{kind: function, x: &closure{run: func(m *machine, args []value, at ssa.Instruction) value {
		yield, ok := args[0].x.(*closure)
		if !ok || yield.fn == nil {
			return value{}
		}
		for k := list[0]; k.n < list[1].n && k.n < list[0].n+2*m.length; k.n++ {
			m.call(yield.fn, []value{k}, yield.bound, at)
		}
		return value{}
	}}}
}

// ranges returns the bounds of the axes of a policy, and whether they are known.
func (m *machine) ranges(p *policy) (lower, upper []int64, known bool) {
	word := func(v value) int64 {
		if v.mark&made != 0 {
			return v.n + m.beyond
		}
		return v.n
	}
	switch {
	case p.kind == "Range" || p.kind == "Spans":
		return []int64{p.args[0].n}, []int64{word(p.args[1])}, true
	case p.kind == "Team":
		size := word(p.args[1])
		if size < 0 {
			size = 4
		}
		return []int64{0, 0}, []int64{word(p.args[0]), size}, true
	case strings.HasPrefix(p.kind, "MDRange"):
		for k := range min(len(p.args[0].parts()), len(p.args[1].parts())) {
			lower = append(lower, p.args[0].parts()[k].n)
			upper = append(upper, word(p.args[1].parts()[k]))
		}
		return lower, upper, len(lower) > 0
	}
	return nil, nil, false
}

// along returns indices of an axis. For a short axis it returns all indices. For a long axis it returns the
// first and the last ones, and constants of the functor.
func along(lower, upper int64, many int64, constants []int64) (list []int64) {
	if upper-lower <= many {
		for k := lower; k < upper; k++ {
			list = append(list, k)
		}
		return list
	}
	for k := range (many + 1) / 2 {
		list = append(list, lower+k)
	}
	for k := range many / 2 {
		list = append(list, upper-1-k)
	}
	for _, k := range constants {
		if k >= lower && k < upper {
			list = append(list, k)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
