package foldtext

// nodes returns the entry that joins nodes of 32 leaves up to the root, 32 at a time, and then prefixes down to them. It is
// run by one block, whose warps take groups of 32.
func (w *scanWriter) nodes() string {
	leaves := w.Param("leaves")
	thread := w.Special("tid.x")
	g := &groups{
		lane32: w.To(b32, "and.b32", thread, "31"),
		warp:   w.Wide(w.To(b32, "shr.u32", thread, "5")),
		warps:  w.To(b64, "shr.u64", w.Wide(w.Special("ntid.x")), "5"),
	}
	g.lane = w.Wide(g.lane32)
	var levels []level
	for count, names := w.groupsOf(leaves), []string{"nodes", "nodes2", "nodes3"}; len(names) > 0; names = names[1:] {
		levels = append(levels, level{w.Address(names[0]), count})
		count = w.groupsOf(count)
	}
	top := len(levels) - 1
	for k, l := range levels[:top] {
		w.groups(g, l, func(group, _, x, number string) {
			_, sum := w.up(x, number, l.count)
			w.storeIf(w.To(pred, "setp.eq.s64", g.lane, "0"), w.place(levels[k+1].base, group), sum)
		})
	}
	w.groups(g, levels[top], func(_, place, x, number string) {
		of, sum := w.up(x, number, levels[top].count)
		w.storeIf(w.To(pred, "setp.eq.s64", g.lane, "0"), w.Address("root"), sum)
		initial := w.To(w.part.class, "ld.param."+w.part.class.Stored(), "[initial]")
		w.storeIf(w.To(pred, "setp.lt.u64", number, levels[top].count), place, w.prefixes(of, g.lane32, initial))
	})
	for k := top - 1; k >= 0; k-- {
		l := levels[k]
		w.groups(g, l, func(group, place, x, number string) {
			of, _ := w.up(x, number, l.count)
			before := w.To(w.part.class, "ld.global."+w.part.class.Stored(), "["+w.place(levels[k+1].base, group)+"]")
			w.storeIf(w.To(pred, "setp.lt.u64", number, l.count), place, w.prefixes(of, g.lane32, before))
		})
	}
	w.Op("ret")
	return w.Entry(w.scan.Nodes, []string{"leaves", "nodes", "nodes2", "nodes3", "initial", "root"}, nil)
}

// A level is the nodes of a height: their sums, which become their prefixes.
type level struct{ base, count string }

// groups is who takes groups of nodes.
type groups struct{ lane32, lane, warp, warps string }

// groupsOf returns how many groups of 32 there are.
func (w *scanWriter) groupsOf(n string) string {
	return w.To(b64, "shr.u64", w.To(b64, "add.s64", n, warp-1), "5")
}

// groups calls f for the groups of a level, with the number of the group, and the place, the value and the number of the
// lane's node, and waits for all.
func (w *scanWriter) groups(g *groups, l level, f func(group, place, x, number string)) {
	again, done := w.NewLabel("group"), w.NewLabel("level")
	group, all := w.To(b64, "mov.b64", g.warp), w.groupsOf(l.count)
	w.Label(again)
	w.Op("@%s bra %s", w.To(pred, "setp.ge.u64", group, all), done) // the whole warp at once
	number := w.To(b64, "add.s64", w.To(b64, "shl.b64", group, "5"), g.lane)
	place := w.place(l.base, number)
	f(group, place, w.loadOr(w.To(pred, "setp.lt.u64", number, l.count), place), number)
	w.Op("add.s64 %s, %s, %s", group, group, g.warps)
	w.Op("bra %s", again)
	w.Label(done)
	w.Op("bar.sync 0")
}

// storeIf stores a sum where a predicate is true.
func (w *scanWriter) storeIf(is, address, x string) {
	w.Op("@%s st.global.%s [%s], %s", is, w.part.class.Stored(), address, x)
}

// between returns the entry that joins sums of leaves up to nodes of 32, or makes prefixes of these sums.
func (w *scanWriter) between(name string, down bool) string {
	lane, group, count := w.Special("tid.x"), w.Wide(w.Special("ctaid.x")), w.Param("leaves")
	number := w.To(b64, "add.s64", w.To(b64, "shl.b64", group, "5"), w.Wide(lane))
	has, place := w.To(pred, "setp.lt.u64", number, count), w.place(w.Address("sums"), number)
	node := w.place(w.Address("nodes"), group)
	levels, sum := w.up(w.loadOr(has, place), number, count)
	if down {
		before := w.To(w.part.class, "ld.global."+w.part.class.Stored(), "["+node+"]")
		w.storeIf(has, place, w.prefixes(levels, lane, before))
	} else {
		w.storeIf(w.To(pred, "setp.eq.s32", lane, "0"), node, sum)
	}
	w.Op("ret")
	return w.Entry(name, []string{"leaves", "sums", "nodes"}, nil)
}
