package witness

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// byIndex are the functions of package algorithms and views whose functors are given an index.
var byIndex = []string{"ForEach", "Generate", "FillFunc"}

// launch runs the functors of a launch.
func (m *machine) launch(i ssa.CallInstruction, f *types.Func, args []value) {
	p := &policy{}
	for _, a := range args {
		for _, on := range append(m.elements(a), a) {
			if of := policyIn(on); of != nil {
				p = of
			}
		}
	}
	indexed := f.Pkg().Path() == module+"exec" || slices.Contains(byIndex, f.Name())
	for _, a := range args {
		c, ok := a.x.(*closure)
		if !ok || c.fn == nil || len(c.fn.Blocks) == 0 || a.kind != function {
			continue
		}
		m.functor(c, p, f.Name(), indexed)
	}
}

// An entry is an item: its index, and its name in reports.
type entry struct {
	index value
	name  string
	of    *member
}

const itemsOfFuel = 16 // limit of items that use up their fuel, after which no further item runs

// functor runs a functor for items, as often as conditions that nobody knows are to come out otherwise.
func (m *machine) functor(c *closure, p *policy, pattern string, indexed bool) {
	c = m.compiled(c)
	root := m.method(c.fn)
	m.launched[root.Syntax()] = true
	if m.fusing == nil && root.Syntax() != nil {
		m.Functor(root.Syntax(), pattern, p.host)
	}
	if p.alone && m.Unseen == nil && m.fusing == nil {
		return
	}
	if m.reached[root] == nil {
		m.reached[root] = map[token.Pos]bool{}
	}
	m.functors[root] = true
	list := m.entries(c.fn, p, indexed)
	if m.fusing != nil && len(list) > 0 { // only one item, with an index that is not 0
		list = list[len(list)*2/3:][:1]
	}
	up, host, held, explore := m.frame, m.left, m.held, m.explore
	m.explore, m.depth = newExplorer(), 1
	m.explore.given = explore.made
	bound := m.bound(c, root)
	for n, until := 0, few; n < until && m.spent < enough && m.explore.begin(); n++ {
		visited := len(m.visited)
		m.race = &race{
			root: root, tables: []map[uint64][]writer{{}}, reached: m.reached[root],
			alone: p.alone || m.fusing != nil, scan: pattern == "ParallelScan",
		}
		most := m.spent + itemsOfFuel*m.fuel
		for k, e := range list {
			if m.spent > most {
				break
			}
			m.item(k, e, func() { m.call(c.fn, m.first(c.fn, e, pattern, uint64(k)), bound, nil) })
		}
		m.explore.end()
		if len(m.visited) > visited {
			until = n + few + 1
		}
	}
	m.frame, m.left, m.held, m.explore, m.race, m.depth = up, host, held, explore, nil, 0
}

// compiled returns the closure of a compiled functor: a field of what its generated method is of. Of others it returns the
// functor.
func (m *machine) compiled(c *closure) *closure {
	root := m.method(c.fn)
	file := m.prog.Fset.Position(root.Pos()).Filename
	if root == c.fn || len(c.bound) != 1 || !strings.HasPrefix(filepath.Base(file), sources.Generated) {
		return c
	}
	p, ok := root.Params[0].Type().Underlying().(*types.Pointer)
	if !ok {
		return c
	}
	kernel, ok := p.Elem().Underlying().(*types.Struct)
	for k := 0; ok && k < kernel.NumFields(); k++ {
		field := kernel.Field(k)
		if f, ok := m.load(c.bound[0].field(k), field.Type()).x.(*closure); ok && isFunction(field.Type()) && f.fn != nil && len(f.fn.Blocks) > 0 {
			return f
		}
	}
	return c
}

// method returns the method that a function calls and does nothing else, or the function.
func (p *Program) method(fn *ssa.Function) *ssa.Function {
	if obj, ok := fn.Object().(*types.Func); ok && isWrapper(fn) {
		if of := p.prog.FuncValue(obj); of != nil {
			return of
		}
	}
	return fn
}

// item runs one item.
func (m *machine) item(k int, e entry, run func()) {
	r := m.race
	m.frame, m.left, m.visits, m.held, m.actor = nil, m.fuel, 0, nil, uint64(k)+1
	r.names, r.actors, r.league, r.phase, r.turn, r.unsure = []string{e.name}, []int{k}, -1, 0, 0, false
	if e.of != nil {
		r.league = int(e.of.league)
	}
	log := len(m.mem.log)
	m.attempt(run)
	m.spent += m.fuel - max(m.left, 0)
	m.depth = 1
	m.mem.back(log, nil)
}

// Strict lets a runtime error of a machine, which else is the end of its run, be one of the program: tests set it.
var Strict bool

// attempt runs something until it ends. An instruction that the machine cannot run is an end, too: it shows
// nothing.
func (m *machine) attempt(run func()) {
	defer func() {
		switch x := recover().(type) {
		case nil, end:
		case runtime.Error:
			if Strict {
				panic(x)
			}
		default:
			panic(x)
		}
	}()
	run()
}

// bound returns the values that a functor refers to. The receiver of a method value gets the name of the
// receiver as its tag.
func (m *machine) bound(c *closure, root *ssa.Function) []value {
	if c.fn == root || len(c.bound) != 1 || len(root.Params) == 0 {
		return c.bound
	}
	recv := c.bound[0]
	recv.tag = root.Params[0].Name()
	return []value{recv}
}

// first returns the arguments of a functor.
func (m *machine) first(fn *ssa.Function, e entry, pattern string, k uint64) []value {
	args := m.given(fn, e.index, k)
	m.accumulate(pattern, fn, args)
	if e.index.kind == null && len(args) > 0 {
		args[0] = m.param(fn.Params[0], 0, k)
	}
	return args
}

// given returns an index and what else a functor is given: its own.
func (m *machine) given(fn *ssa.Function, index value, k uint64) []value {
	args := []value{index}
	for n := 1; n < len(fn.Params); n++ {
		args = append(args, m.param(fn.Params[n], n, k))
	}
	return args[:min(len(args), len(fn.Params))]
}

// param returns a parameter that each item has its own of.
func (m *machine) param(p *ssa.Parameter, n int, k uint64) value {
	shape := mix(139, uint64(n))
	id := mix(mix(shape, k), m.actor)
	v := m.unknown(p.Type(), id, shape, item, p.Name())
	if v.obj != nil {
		v.obj.owner = m.depth
	}
	return v
}

// entries returns the items that are run.
func (m *machine) entries(fn *ssa.Function, p *policy, indexed bool) (list []entry) {
	if !indexed || len(fn.Params) == 0 {
		for k := range 3 {
			list = append(list, entry{value{kind: null}, fmt.Sprintf("call %d", k), nil})
		}
		return list
	}
	t := fn.Params[0].Type()
	lower, upper, known := m.ranges(p)
	if !known {
		for range m.rank(t) {
			lower, upper = append(lower, 0), append(upper, m.length+m.beyond)
		}
	}
	many := []int64{0, 40, 10, 5, 3, 2, 2}[min(len(lower), 6)]
	constants := m.constants(fn)
	if len(lower) > 2 {
		constants = nil
	}
	axes := make([][]int64, len(lower))
	for k := range lower {
		axes[k] = along(lower[k], upper[k], many, constants)
	}
	point := make([]int64, len(axes))
	var walk func(k int)
	walk = func(k int) {
		if k < len(axes) {
			for _, point[k] = range axes[k] {
				walk(k + 1)
			}
			return
		}
		if v, of, ok := m.indexOf(t, p, point, upper); ok {
			list = append(list, entry{v, called(point, of), of})
		}
	}
	walk(0)
	return list
}

func called(point []int64, of *member) string {
	if of != nil {
		return fmt.Sprintf("member %d of team %d", of.rank, of.league)
	}
	if len(point) == 1 {
		return fmt.Sprintf("item %d", point[0])
	}
	return "item " + strings.ReplaceAll(fmt.Sprint(point), " ", ", ")
}

// rank returns the number of axes of an index.
func (m *machine) rank(t types.Type) int {
	if isNamed(t, "team", "Member") {
		return 2
	}
	s, ok := under(t).(*types.Struct)
	if !ok || s.NumFields() == 0 {
		return 1
	}
	if isNamed(t, "policy", "Span") {
		return 1
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.TypeArgs().Len() == 1 {
		return m.rank(n.TypeArgs().At(0))
	}
	return s.NumFields()
}

// indexOf returns an index as a functor is given it.
func (m *machine) indexOf(t types.Type, p *policy, point, upper []int64) (v value, of *member, ok bool) {
	own := func(n int64, k int) value {
		return value{kind: number, n: n, mark: item, shape: mix(149, uint64(k))}
	}
	if isNamed(t, "team", "Member") && len(point) == 2 {
		of := &member{point[0], point[1], upper[0], upper[1], p.dims}
		p := to(m.objectOf(mix(mix(151, uint64(point[0])), uint64(point[1])), 151))
		p.obj.data, p.mark, p.obj.owner = of, item, 1
		return p, of, true
	}
	if isInteger(t) {
		return own(point[0], 0), nil, len(point) == 1
	}
	if isNamed(t, "policy", "Span") {
		apart, long := 2*m.length, int64(2)
		if p.chunk > 0 {
			apart, long = p.chunk, p.chunk
		}
		return several(own(point[0]*apart, 0), own(point[0]*apart+long, 1)), nil, true
	}
	s, isStruct := under(t).(*types.Struct)
	n, isNamedType := types.Unalias(t).(*types.Named)
	if !isStruct || !isNamedType {
		return m.unknownItem(t, point), nil, true
	}
	if n.TypeArgs().Len() == 1 {
		return m.wrapped(n, s, p, point, upper)
	}
	if s.NumFields() != len(point) {
		return m.unknownItem(t, point), nil, true
	}
	list := make([]value, len(point))
	for k := range point {
		list[k] = own(point[k], k)
	}
	return several(list...), nil, true
}

// wrapped returns an index that has one of another type: a tile, a row, an item.
func (m *machine) wrapped(
	n *types.Named, s *types.Struct, p *policy, point, upper []int64,
) (value, *member, bool) {
	inner := n.TypeArgs().At(0)
	at, _, ok := m.indexOf(inner, p, point, upper)
	if !ok {
		return value{}, nil, false
	}
	next := make([]int64, len(point))
	for k := range point {
		next[k] = point[k] + 1
	}
	switch n.Obj().Name() {
	case "Tile":
		end, _, _ := m.indexOf(inner, p, next, upper)
		return several(at, end), nil, true
	case "Row":
		last := at
		if list := at.parts(); len(list) > 0 {
			last = list[len(list)-1]
		}
		end := last
		end.n++
		return several(at, several(last, end)), nil, true
	case "Item":
		list := []value{at}
		for k := 1; k < s.NumFields(); k++ {
			list = append(list, m.unknown(s.Field(k).Type(), mix(157, uint64(k)), mix(157, uint64(k)), 0, ""))
		}
		return several(list...), nil, true
	}
	return m.unknownItem(n, point), nil, true
}

func (m *machine) unknownItem(t types.Type, point []int64) value {
	id := uint64(163)
	for _, n := range point {
		id = mix(id, uint64(n))
	}
	return m.unknown(t, id, 163, item, "")
}

// constants returns numbers that the constants of a functor lead to: themselves, sums and products of two.
func (p *Program) constants(fn *ssa.Function) (list []int64) {
	if list, ok := p.numbers[fn]; ok {
		return list
	}
	var of []int64
	for _, g := range p.from(fn) {
		for _, b := range g.Blocks {
			for _, i := range b.Instrs {
				for _, o := range i.Operands(nil) {
					c, ok := (*o).(*ssa.Const)
					if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
						continue
					}
					if n := c.Int64(); n > 1 && n < 1<<20 && !slices.Contains(of, n) && len(of) < 6 {
						of = append(of, n)
					}
				}
			}
		}
	}
	for _, a := range of {
		list = append(list, a-1, a, a+1, 2*a, 2*a+1, 256+a)
		for _, b := range of {
			list = append(list, a*b, a*b+1, a*b+2)
			if a < 16 {
				list = append(list, b<<a, b<<a+1)
			}
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	p.numbers[fn] = list
	return list
}

// from returns a function, those in it, and those of the package that they call.
func (p *Program) from(fn *ssa.Function) (list []*ssa.Function) {
	if list, ok := p.inside[fn]; ok {
		return list
	}
	seen := map[*ssa.Function]bool{}
	var add func(g *ssa.Function)
	add = func(g *ssa.Function) {
		if g == nil || seen[g] || len(seen) > 100 || len(g.Blocks) == 0 {
			return
		}
		seen[g] = true
		list = append(list, g)
		for _, a := range g.AnonFuncs {
			add(a)
		}
		for _, b := range g.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(ssa.CallInstruction); ok {
					add(call.Common().StaticCallee())
				}
			}
		}
	}
	add(fn)
	p.inside[fn] = list
	return list
}
