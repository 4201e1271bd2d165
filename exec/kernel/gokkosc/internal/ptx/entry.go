package ptx

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// captured returns the parameters that the functor has captured.
func (w *writer) captured() (names []string, comments map[string]string) {
	comments = map[string]string{}
	for n, s := range w.k.Scalars {
		if shapeName(w.k, s.Param, s.Path) != "" {
			continue
		}
		name := fmt.Sprintf("scalar%d", n)
		names, comments[name] = append(names, name), w.k.PathString(s.Param, s.Path)
	}
	for n, m := range w.k.Captured() {
		if m.Own {
			continue
		}
		name := fmt.Sprintf("mem%d", n)
		names, comments[name] = append(names, name), w.k.PathString(m.Param, m.Path)
	}
	return names, comments
}

// scalar loads a parameter that is a number of a type.
func (w *writer) scalar(name string, t ir.Type) string {
	typ, c := w.inMemory(t)
	if t == ir.Bool {
		typ = "u32"
	}
	r := w.To(c, "ld.param."+typ, "["+name+"]")
	if t == ir.Bool {
		r = w.To(pred, "setp.ne.s32", r, 0)
	}
	return r
}

// prologue computes the values that are the same for all items.
func (w *writer) prologue() {
	for n, m := range w.k.Mems {
		if m.Table != nil {
			w.mems = append(w.mems, w.To(b64, "mov.u64", tableName(n)))
			continue
		}
		if m.Own {
			w.mems = append(w.mems, w.own(m))
			continue
		}
		w.mems = append(w.mems, w.Address(fmt.Sprintf("mem%d", n)))
	}
	loaded := map[int]string{}
	uniforms := func(v *ir.Value) {
		if v.Op == ir.Uniform {
			if loaded[v.Index] == "" {
				name := shapeName(w.k, w.k.Scalars[v.Index].Param, w.k.Scalars[v.Index].Path)
				if name == "" {
					name = fmt.Sprintf("scalar%d", v.Index)
				}
				loaded[v.Index] = w.scalar(name, v.Type)
			}
			w.reg[v] = loaded[v.Index]
		}
	}
	w.k.Setup.Walk(uniforms)
	w.k.Body.Walk(uniforms)
	w.splitSetup()
	for _, v := range w.k.Setup.Values {
		if !slices.Contains(w.ofItem, v) {
			w.value(v, item{})
		}
	}
}

// thread returns the number of the thread among all, and the number of threads.
func (w *writer) thread() (number, all string) {
	block, size := w.Special("ctaid.x"), w.Special("ntid.x")
	first := w.To(b64, "mul.wide.u32", block, size)
	own := w.Wide(w.Special("tid.x"))
	number = w.To(b64, "add.s64", first, own)
	return number, w.To(b64, "mul.wide.u32", w.Special("nctaid.x"), size)
}

// items returns the entry that runs items, one in each thread.
func (w *writer) items(name string) string {
	names, comments := w.captured()
	first := append(w.indexParams(comments), "first", "last", "status")
	comments["first"] = "items first to last-1"
	if w.ofRows {
		first = append(first, "leaf")
	}
	last := w.Param("last")
	w.openBox(last)
	if w.plain {
		w.plainItems(last)
		return w.Entry(name, append(first, names...), comments)
	}
	thread, all := w.thread()
	number := w.To(b64, "add.s64", w.Param("first"), thread)
	done := w.NewLabel("done")
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", number, last), done)
	w.prologue()
	if w.strides() {
		w.stride(number, last, all)
	} else {
		at := item{number: number, end: done}
		w.locate(&at, false)
		w.of(at)
		w.checks(at)
		w.block(w.k.Body, at)
	}
	w.Label(done)
	w.Op("ret")
	return w.Entry(name, append(first, names...), comments)
}

// strides reports whether threads go on to other items: if an item is long, and its index is an integer. A
// thread then takes fewer instructions per item. Values that are the same for all items are computed once,
// and ptxas reads constants of a loop from memory without a load. For an item with a loop this gains too
// little.
func (w *writer) strides() bool {
	return w.k.Index.Rank == 0 && !hasLoop(w.k.Body) && w.k.Body.Count() > maxUnrolled
}

// stride runs the item with a number. Then it runs items further on, in steps of the number of threads. The
// thread keeps the index alone: if the index wraps around behind the last item, it is still behind that item.
func (w *writer) stride(number, last, all string) {
	index := w.To(b64, "add.s64", w.box.begin, number)
	end := w.To(b64, "add.s64", w.box.begin, last)
	again, next := w.NewLabel("again"), w.NewLabel("next")
	w.Label(again)
	at := item{index: index, end: next, sums: map[string]string{}}
	w.of(at)
	w.checks(at)
	w.block(w.k.Body, at)
	w.Label(next)
	w.Op("add.s64 %s, %s, %s", index, index, all)
	behind := w.To(b64, "sub.s64", index, end)
	w.Op("@%s bra %s", w.To(pred, "setp.lt.s64", behind, 0), again)
}

// checks stops an item if conditions on the index do not hold: where some do not, all are asked one by one.
func (w *writer) checks(at item) {
	failing := w.failing(at)
	if len(failing) == 0 {
		return
	}
	all := failing[0]
	for _, p := range failing[1:] {
		all = w.To(pred, "or.pred", all, p)
	}
	some, behind := w.NewLabel("some"), w.NewLabel("inside")
	w.Op("@%s bra %s", all, some)
	w.Label(behind)
	w.Later(func() {
		w.Label(some)
		for _, c := range w.k.Checks {
			w.stopIf(w.outside(c, at.index), Stop{c.Pos, outOfRange}, at)
		}
		w.Op("bra %s", behind)
	})
}

// failing returns predicates one of which is true if a condition on the index does not hold. Checks with one limit are
// one group, if their numbers differ by a number that is the same for all items.
func (w *writer) failing(at item) (p []string) {
	w.of(at)
	groups, others := w.groups(0)
	for _, c := range others {
		p = append(p, w.outside(c, at.index))
	}
	for _, g := range groups {
		p = append(p, w.anyOutside(g))
	}
	return p
}

// groups returns the conditions on the index, grouped by limit. They are for the item and every 32nd item
// behind it, up to most items further. The others have conditions of their own, or do not depend on the item.
func (w *writer) groups(most int) (groups []*group, others []ir.SpanCheck) {
	for _, c := range w.k.Checks {
		for w.away = 0; w.away <= most; w.away += warpLanes {
			of, same := w.split(w.sumOf(c.Base).plus(w.stepOf(c), 1))
			if c.When != nil || len(of.terms) == 0 {
				others = append(others, c)
				break
			}
			n := slices.IndexFunc(groups, func(g *group) bool { return g.limit == c.Limit && g.of.key() == of.key() })
			if n < 0 {
				n, groups = len(groups), append(groups, &group{limit: c.Limit, of: of})
			}
			groups[n].same = append(groups[n].same, same)
		}
	}
	w.away = 0
	return groups, others
}

// stepOf returns the term that the index adds to the number of a condition.
func (w *writer) stepOf(c ir.SpanCheck) sum {
	if s, ok := w.product(w.index(), c.Step); ok {
		return s
	}
	return sum{terms: []term{{w.index(), c.Step, 1}}}.plus(sum{terms: []term{{c.Step, nil, 1}}}, uint64(w.away))
}

// A group is numbers that depend on the item in one way, and must be below one limit.
type group struct {
	limit *ir.Value
	of    sum
	same  []sum
}

// anyOutside returns whether one of the numbers is negative or not below the limit. It asks whether the least
// number is below the limit less the distance from the least to the greatest.
func (w *writer) anyOutside(g *group) string {
	limit := w.use(g.limit)
	least, most := "", ""
	for n, s := range g.same {
		x := w.total(s)
		switch {
		case x == "":
			x = w.To(b64, "mov.b64", literal(ir.I64, s.constant))
		case s.constant != 0:
			x = w.To(b64, "add.s64", x, literal(ir.I64, s.constant))
		}
		if n == 0 {
			least, most = x, x
		} else {
			least, most = w.To(b64, "min.s64", least, x), w.To(b64, "max.s64", most, x)
		}
	}
	if least != most {
		apart := w.To(b64, "sub.s64", most, least)
		room := w.To(b64, "sub.s64", w.in(g.limit), apart)
		none := w.To(pred, "setp.gt.u64", apart, limit)
		limit = w.To(b64, "selp.b64", 0, room, none)
	}
	x := w.To(b64, "add.s64", w.total(g.of), least)
	return w.To(pred, "setp.ge.u64", x, limit)
}

// outside returns whether a condition on the index does not hold.
func (w *writer) outside(c ir.SpanCheck, index string) string {
	x := index
	switch step := c.Step; {
	case step.Op == ir.Const && step.Int() == 0:
		x = w.in(c.Base)
	case step.Op != ir.Const || step.Int() != 1:
		x = w.To(b64, "mul.lo.s64", x, w.use(step))
		fallthrough
	default:
		if c.Base.Op != ir.Const || c.Base.Int() != 0 {
			x = w.To(b64, "add.s64", x, w.use(c.Base))
		}
	}
	p := w.To(pred, "setp.ge.u64", x, w.use(c.Limit))
	if c.When != nil {
		p = w.To(pred, "and.pred", p, w.in(c.When))
	}
	return p
}
