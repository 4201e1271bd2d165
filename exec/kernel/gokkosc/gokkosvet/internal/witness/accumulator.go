package witness

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An accumulator is the object into which a functor joins. Its values have the mark left.
type accumulator struct{ *object }

// accumulate notes the accumulators of an item, and the pass of a scan.
func (m *machine) accumulate(pattern string, fn *ssa.Function, args []value) {
	m.race.pass = true
	scan := pattern == "ParallelScan"
	if !scan && !strings.HasPrefix(pattern, "ParallelReduce") {
		return
	}
	for k := range args[min(1, len(args)):] {
		a := &args[k+1]
		if a.kind == pointer && a.obj != nil && a.mark&left == 0 {
			a.mark |= left
			a.obj.name = fn.Params[k+1].Name()
			a.obj.data = accumulator{a.obj}
			if m.race.joined == "" {
				m.race.joined = a.obj.name
			}
		}
	}
	if scan && len(args) > 2 {
		args[1].mark |= claim // the prefix may belong to one item alone
		args[2] = m.decided(value{id: 138, shape: 138})
		m.race.pass = args[2].n == 1
	}
}

// accumulatorIn returns the accumulator that a value refers to, at its beginning or anywhere.
func (m *machine) accumulatorIn(v value, depth int) (accumulator, bool) {
	if v.obj != nil && v.kind == pointer {
		a, ok := v.obj.data.(accumulator)
		return a, ok
	}
	for _, p := range slices.Concat(v.parts(), m.elements(v)) {
		if a, ok := m.accumulatorIn(p, depth+1); ok && depth < 4 {
			return a, true
		}
	}
	return accumulator{}, false
}

// stored looks at a value that the functor stores.
func (m *machine) stored(i *ssa.Store, p, v value) {
	if m.race == nil || m.fusing != nil || p.obj == nil || !m.functorHas(m.frame.code.fn) {
		return
	}
	if a, ok := p.obj.data.(accumulator); ok {
		of := v.marks() | m.region()
		if p.id == p.obj.id && of&left == 0 && of&item != 0 {
			m.found(m.site(i), "a functor assigns to the accumulator "+a.name+
				", whose content is the reduction of other items: join into it", "")
		}
		return
	}
	if p.obj.owner > 0 || p.mark&left != 0 { // an accumulator leads to the place
		return
	}
	if a, ok := m.accumulatorIn(v, 0); ok {
		m.found(m.site(i), "a functor keeps the accumulator "+a.name+" in "+p.tag+
			": it is the item's for this call only", "")
	} else if v.marks()&left != 0 && v.kind != pointer && !m.race.scan {
		m.found(m.site(i), "a functor uses the accumulator "+m.race.joined+" as data: its content is the reduction of some items, "+
			"and which is not defined", "")
	}
}

// sends looks at a value that the functor sends.
func (m *machine) sends(i *ssa.Send) {
	if a, ok := m.accumulatorIn(m.get(i.X), 0); ok && m.race != nil {
		m.found(i.Pos(), "a functor sends the accumulator "+a.name+" away: it is the item's for this call only", "")
	}
}

// marks returns the marks of a value and of its parts.
func (v value) marks() mark {
	of := v.mark
	for _, p := range v.parts() {
		of |= p.marks()
	}
	return of
}
