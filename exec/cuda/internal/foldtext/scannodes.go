package foldtext

// nodes returns the entry that joins nodes of 32 leaves up to the root, 32 at a time, and then prefixes down to them. It is
// run by one block, whose warps take groups of 32.
func (w *scanWriter) nodes() string {
	leaves := w.param("leaves")
	thread := w.to(b32, "mov.u32", "%tid.x")
	g := &groups{
		lane32: w.to(b32, "and.b32", thread, "31"),
		warp:   w.to(b64, "cvt.u64.u32", w.to(b32, "shr.u32", thread, "5")),
		warps:  w.to(b64, "shr.u64", w.special("%ntid.x"), "5"),
	}
	g.lane = w.to(b64, "cvt.u64.u32", g.lane32)
	var levels []level
	for count, names := w.groupsOf(leaves), []string{"nodes", "nodes2", "nodes3"}; len(names) > 0; names = names[1:] {
		levels = append(levels, level{w.address(names[0]), count})
		count = w.groupsOf(count)
	}
	top := len(levels) - 1
	for k, l := range levels[:top] {
		w.groups(g, l, func(group, _, x, number string) {
			_, sum := w.up(x, number, l.count)
			w.storeIf(w.to(pred, "setp.eq.s64", g.lane, "0"), w.place(levels[k+1].base, group), sum)
		})
	}
	w.groups(g, levels[top], func(_, place, x, number string) {
		of, sum := w.up(x, number, levels[top].count)
		w.storeIf(w.to(pred, "setp.eq.s64", g.lane, "0"), w.address("root"), sum)
		initial := w.to(w.part.class, "ld.param."+w.part.class.stored(), "[initial]")
		w.storeIf(w.to(pred, "setp.lt.u64", number, levels[top].count), place, w.prefixes(of, g.lane32, initial))
	})
	for k := top - 1; k >= 0; k-- {
		l := levels[k]
		w.groups(g, l, func(group, place, x, number string) {
			of, _ := w.up(x, number, l.count)
			before := w.to(w.part.class, "ld.global."+w.part.class.stored(), "["+w.place(levels[k+1].base, group)+"]")
			w.storeIf(w.to(pred, "setp.lt.u64", number, l.count), place, w.prefixes(of, g.lane32, before))
		})
	}
	w.op("ret")
	return w.entry(w.scan.Nodes, []string{"leaves", "nodes", "nodes2", "nodes3", "initial", "root"})
}

// A level is the nodes of a height: their sums, which become their prefixes.
type level struct{ base, count string }

// groups is who takes groups of nodes.
type groups struct{ lane32, lane, warp, warps string }

// groupsOf returns how many groups of 32 there are.
func (w *scanWriter) groupsOf(n string) string {
	return w.to(b64, "shr.u64", w.to(b64, "add.s64", n, literal(warp-1)), "5")
}

// groups calls f for the groups of a level, with the number of the group, and the place, the value and the number of the
// lane's node, and waits for all.
func (w *scanWriter) groups(g *groups, l level, f func(group, place, x, number string)) {
	again, done := w.newLabel("group"), w.newLabel("level")
	group, all := w.to(b64, "mov.b64", g.warp), w.groupsOf(l.count)
	w.label(again)
	w.op("@%s bra %s", w.to(pred, "setp.ge.u64", group, all), done) // the whole warp at once
	number := w.to(b64, "add.s64", w.to(b64, "shl.b64", group, "5"), g.lane)
	place := w.place(l.base, number)
	f(group, place, w.loadOr(w.to(pred, "setp.lt.u64", number, l.count), place), number)
	w.op("add.s64 %s, %s, %s", group, group, g.warps)
	w.op("bra %s", again)
	w.label(done)
	w.op("bar.sync 0")
}

// storeIf stores a sum where a predicate is true.
func (w *scanWriter) storeIf(is, address, x string) {
	w.op("@%s st.global.%s [%s], %s", is, w.part.class.stored(), address, x)
}
