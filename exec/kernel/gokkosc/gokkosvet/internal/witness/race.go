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
	root    *ssa.Function         // the functor
	tables  []map[uint64][]writer // by the places
	names   []string              // of actors, from the item inwards
	actors  []int
	league  int                // of a member, or -1
	phase   int                // barriers that the member has passed
	turn    int                // reductions of its team, which wait for all members
	reached map[token.Pos]bool // writes that items have come to where the environment is not strange
	alone   bool
	joined  string // the name of an accumulator
	scan    bool   // the items belong to a scan
	pass    bool   // the pass is the last one, which may write
	unsure  bool   // a condition that nobody knows, or a function of another package, has led the item here
}

// A writer is who wrote, and where.
type writer struct {
	at     token.Pos
	place  string // name of the place that the writer writes
	by     string // the function that writes, toMap, or "" of an assignment
	actor  int
	name   string
	league int
	phase  int
	turn   int
	held   []uint64
	datum  bool
	sure   bool // the item writes, whatever the data are
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
	place := p.tag
	if place == "" {
		place = p.obj.name
	}
	for level := p.obj.owner + 1; level <= m.depth; level++ {
		w := writer{
			at, place, what, r.actors[level-1], r.names[level-1], r.league, r.phase, r.turn, slices.Clone(m.held),
			of&datum != 0 && plain, !r.unsure && of == 0 && !m.strange,
		}
		list := r.tables[level-1][p.id]
		here, again := 0, false
		for _, v := range list {
			if v.at == at {
				here++
				again = again || v.actor == w.actor
			}
			switch {
			case v.actor == w.actor || w.excused(v, level):
			case v.at == at:
				m.racing[at] = true
				m.found(at, w.shares(level), fmt.Sprintf("%s and %s both do", v.name, w.name))
			case v.sure && w.sure && (level > 1 || w.league < 0 || w.league != v.league || w.turn == v.turn):
				m.pairs.add(v, w, level)
			}
		}
		if here < 3 && !again {
			r.tables[level-1][p.id] = append(list, w)
		}
	}
}

// doubt notes that nobody knows whether the item does what follows.
func (m *machine) doubt() {
	if m.race != nil {
		m.race.unsure = true
	}
}

// shares says that a place is written which others write.
func (w writer) shares(level int) string {
	switch {
	case level > 1:
		return "a functor of vector lanes writes " + w.place + ", which the lanes share: use team.Reduce"
	case w.by == toMap:
		return "a functor writes to the map " + w.place + ", which items share"
	case w.by != "":
		return "a functor writes all of " + w.place + " by " + w.by + ", which items share"
	}
	return "a functor writes " + w.place + ", which items share: use a reducer or package atomics"
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

// again reports whether a store computes the new value from the old value of the same place.
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
