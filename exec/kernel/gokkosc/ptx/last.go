package ptx

// last lets the block that ends last join the values of leaves along the tree. A warp takes 32 neighbours, of which lane l
// joins what lane l+h has, for h = 1, 2, 4, 8, 16; what comes out are neighbours again, until one is left.
func (w *writer) last(l *lanes, columns []column) {
	w.isLast()
	wide := func(x string) string { return w.to(b64, "cvt.u64.u32", "%s", x) }
	special := func(name string) string { return w.to(b32, "mov.u32", "%%%s", name) }
	thread := special("tid.x")
	lane := wide(w.to(b32, "and.b32", "%s, 31", thread))
	warps := wide(w.to(b32, "shr.u32", "%s, 5", special("ntid.x")))
	base := w.to(b64, "shr.u64", "%s, %s", l.first, l.log)
	items := w.to(b64, "sub.s64", "%s, 1", w.to(b64, "add.s64", "%s, %s", w.to(b64, "sub.s64", "%s, %s", l.last, l.first), l.size))
	count, stride := w.to(b64, "shr.u64", "%s, %s", items, l.log), w.to(b64, "mov.b64", "1")

	level, again, next, done := w.newLabel("level"), w.newLabel("node"), w.newLabel("level"), w.newLabel("ended")
	w.label(level)
	nodes := w.to(b64, "shr.u64", "%s, 5", w.to(b64, "add.s64", "%s, 31", count))
	node := wide(w.to(b32, "shr.u32", "%s, 5", thread))
	w.label(again)
	w.op("@%s bra %s", w.to(pred, "setp.ge.u64", "%s, %s", node, nodes), next) // the whole warp at once
	number := w.to(b64, "add.s64", "%s, %s", w.to(b64, "shl.b64", "%s, 5", node), lane)
	place := w.to(b64, "add.s64", "%s, %s", base, w.to(b64, "mul.lo.s64", "%s, %s", number, stride))
	w.loadOr(w.to(pred, "setp.ge.u64", "%s, %s", number, count), place, columns)
	w.join32(number, count, columns)
	w.storeOf(lane, nodes, place, columns)
	w.op("add.s64 %s, %s, %s", node, node, warps)
	w.op("bra %s", again)

	w.label(next)
	w.op("@%s bra %s", w.to(pred, "setp.le.u64", "%s, 1", nodes), done)
	w.op("bar.sync 0")
	w.op("mov.b64 %s, %s", count, nodes)
	w.op("shl.b64 %s, %s, 5", stride, stride)
	w.op("bra %s", level)
	w.label(done)
	w.op("ret")
}

// isLast ends all blocks but the last one that comes here, which then sees what the others have stored.
func (w *writer) isLast() {
	blocks := w.to(b32, "add.s32", "%s, -1", w.to(b32, "mov.u32", "%%nctaid.x"))
	done := w.address("done")
	w.op("bar.sync 0")
	one := w.to(pred, "setp.eq.s32", "%s, 0", w.to(b32, "mov.u32", "%%tid.x"))
	before := w.to(b32, "mov.b32", "-1") // which no number of blocks is
	w.op("@%s fence.acq_rel.gpu", one)
	w.op("@%s atom.global.inc.u32 %s, [%s], %s", one, before, done, blocks) // 0 again with the last one
	is := w.fresh(pred)
	w.op("bar.red.or.pred %s, 0, %s", is, w.to(pred, "setp.eq.s32", "%s, %s", before, blocks))
	w.op("@!%s ret", is)
	w.op("fence.acq_rel.gpu")
}

// loadOr loads the values at a place, or if the register is true those of no items.
func (w *writer) loadOr(none, place string, columns []column) {
	behind := w.newLabel("loaded")
	for n, a := range w.k.Accs {
		w.op("mov.%s %s, %s", movable(a.Type), columns[n].acc, columns[n].identity)
	}
	w.op("@%s bra %s", none, behind)
	for n, a := range w.k.Accs {
		x := w.loadAt(a.Elem, "global", w.at(columns[n].out, place, a.Elem.Bytes()))
		w.op("mov.%s %s, %s", movable(a.Type), columns[n].acc, x)
	}
	w.label(behind)
}

// join32 joins what the lanes of a warp have, of which the numbers from count on have nothing.
func (w *writer) join32(number, count string, columns []column) {
	h := w.to(b32, "mov.b32", "1")
	half, behind := w.newLabel("half"), w.newLabel("lane")
	w.label(half)
	others := w.others(columns, h)
	right := w.to(b64, "add.s64", "%s, %s", number, w.to(b64, "cvt.u64.u32", "%s", h))
	w.op("@%s bra %s", w.to(pred, "setp.ge.u64", "%s, %s", right, count), behind)
	w.joinAll(columns, others)
	w.label(behind)
	w.op("shl.b32 %s, %s, 1", h, h)
	w.op("@%s bra %s", w.to(pred, "setp.lt.s32", "%s, 32", h), half)
}

// storeOf lets lane 0 store what it has: where it was loaded, or if there is one node that is the root.
func (w *writer) storeOf(lane, nodes, place string, columns []column) {
	behind, root := w.newLabel("kept"), w.newLabel("root")
	w.op("@%s bra %s", w.to(pred, "setp.ne.s64", "%s, 0", lane), behind)
	w.op("@%s bra %s", w.to(pred, "setp.le.u64", "%s, 1", nodes), root)
	for n, a := range w.k.Accs {
		w.storeAt(a.Elem, w.at(columns[n].out, place, a.Elem.Bytes()), columns[n].acc)
	}
	w.op("bra %s", behind)
	w.label(root)
	for n, a := range w.k.Accs {
		w.storeAt(a.Elem, "["+columns[n].root+"]", columns[n].acc)
	}
	w.label(behind)
}
