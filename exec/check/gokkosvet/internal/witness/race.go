package witness

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

const toMap = "map"

// A race has who wrote what in the items of a launch.
type race struct {
	root    *ssa.Function // the functor
	tables  []map[written][]writer
	names   []string // of actors, from the item inwards
	actors  []int
	league  int                // of a member, or -1
	phase   int                // barriers that the member has passed
	reached map[token.Pos]bool // writes that items have come to where the environment is not strange
	alone   bool
	joined  string // the name of an accumulator
	scan    bool   // items are those of a scan
	pass    bool   // that may write: the last one
}

// A written is a place that is written, and where.
type written struct {
	at  token.Pos
	key uint64
}

// A writer is who wrote.
type writer struct {
	actor  int
	name   string
	league int
	phase  int
	held   []uint64
	datum  bool
}

// excused reports whether two writes exclude each other.
func (w writer) excused(v writer, level int) bool {
	if w.datum && v.datum || level == 1 && w.league >= 0 && w.league == v.league && w.phase != v.phase {
		return true
	}
	return slices.ContainsFunc(w.held, func(l uint64) bool { return slices.Contains(v.held, l) })
}

// write notes that the item writes a place.
func (m *machine) write(i ssa.Instruction, p value, what string, plain bool) {
	r := m.race
	if r == nil || m.depth == 0 || p.obj == nil || p.obj.owner >= m.depth || p.mark&left != 0 {
		return // nobody else's, such as what an accumulator refers to
	}
	if p.obj.owner == 0 && !r.pass && m.fusing == nil {
		m.found(r.root.Pos(), "the functor of a scan does not ask whether the pass is final: it may write only then", "")
	}
	at := m.site(i)
	if !at.IsValid() {
		return
	}
	if !m.strange {
		r.reached[at] = true
	} else if r.reached[at] || p.mark&item != 0 {
		return
	}
	of := m.region()
	if of&claim != 0 || p.mark&claim != 0 || r.alone {
		return
	}
	for level := p.obj.owner + 1; level <= m.depth; level++ {
		w := writer{
			r.actors[level-1], r.names[level-1], r.league, r.phase, slices.Clone(m.held), of&datum != 0 && plain,
		}
		key := written{at, p.id}
		table := r.tables[level-1]
		for _, v := range table[key] {
			if v.actor != w.actor && !w.excused(v, level) {
				m.conflict(at, p, what, level, v.name, w.name)
			}
		}
		same := func(v writer) bool { return v.actor == w.actor }
		if list := table[key]; len(list) < 3 && !slices.ContainsFunc(list, same) {
			table[key] = append(list, w)
		}
	}
}

// conflict reports two writers of a place.
func (m *machine) conflict(at token.Pos, p value, what string, level int, a, b string) {
	name := p.tag
	if name == "" {
		name = p.obj.name
	}
	both := fmt.Sprintf("%s and %s both do", a, b)
	switch {
	case level > 1:
		m.found(at, "a functor of vector lanes writes "+name+", which the lanes share: use team.Reduce", both)
	case what == toMap:
		m.found(at, "a functor writes to the map "+name+", which items share", both)
	case what != "":
		m.found(at, "a functor writes all of "+name+" by "+what+", which items share", both)
	default:
		m.found(at, "a functor writes "+name+", which items share: use a reducer or package atomics", both)
	}
}

// site returns the place of an instruction, or that of the call in the functor that has led to it.
func (m *machine) site(i ssa.Instruction) token.Pos {
	at := i.Pos()
	for f := m.frame; f != nil; f = f.up {
		if !m.functorHas(f.code.fn) {
			if f.call != nil {
				at = f.call.Pos()
			}
		} else if !at.IsValid() && f.call != nil {
			at = f.call.Pos()
		}
		if f.code.fn == m.race.root {
			break
		}
	}
	return at
}

// functorHas reports whether a function is the functor, or one that the launch was given, or stands in it.
func (m *machine) functorHas(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == m.race.root || slices.Contains(m.handed, fn) {
			return true
		}
	}
	return false
}

// again reports whether what is stored is made of what was there.
func (m *machine) again(i *ssa.Store) bool {
	var made func(v ssa.Value, depth int) bool
	made = func(v ssa.Value, depth int) bool {
		if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL && sameAddress(u.X, i.Addr) {
			return true
		}
		of, ok := v.(ssa.Instruction)
		if !ok || depth > 6 {
			return false
		}
		for _, o := range of.Operands(nil) {
			if *o != nil && made(*o, depth+1) {
				return true
			}
		}
		return false
	}
	return made(i.Val, 0)
}

func sameAddress(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok := a.(*ssa.FieldAddr)
	y, too := b.(*ssa.FieldAddr)
	if ok && too {
		return x.Field == y.Field && sameAddress(x.X, y.X)
	}
	u, ok := a.(*ssa.UnOp)
	w, too := b.(*ssa.UnOp)
	return ok && too && u.Op == token.MUL && w.Op == token.MUL && sameAddress(u.X, w.X)
}
