package foldtext

import "fmt"

// last lets the block that ends last join the values of so many leaves, from number base on, along the tree. A warp takes
// 32 neighbours, of which lane l joins what lane l+h has, for h = 1, 2, 4, 8, 16; what comes out are neighbours again,
// until one is left.
func (w *writer) last(leaves, base string, outs, roots []string) {
	w.isLast()
	special := func(name string) string { return w.to(b32, "mov.u32", name) }
	thread := special("%tid.x")
	lane := w.to(b64, "cvt.u64.u32", w.to(b32, "and.b32", thread, "31"))
	warps := w.to(b64, "cvt.u64.u32", w.to(b32, "shr.u32", special("%ntid.x"), "5"))
	count, stride := w.to(b64, "mov.b64", leaves), w.to(b64, "mov.b64", "1")

	level, again, next, done := w.newLabel("level"), w.newLabel("node"), w.newLabel("next"), w.newLabel("ended")
	w.label(level)
	nodes := w.to(b64, "shr.u64", w.to(b64, "add.s64", count, "31"), "5")
	node := w.to(b64, "cvt.u64.u32", w.to(b32, "shr.u32", thread, "5"))
	w.label(again)
	w.op("@%s bra %s", w.to(pred, "setp.ge.u64", node, nodes), next) // the whole warp at once
	number := w.to(b64, "add.s64", w.to(b64, "shl.b64", node, "5"), lane)
	place := w.to(b64, "add.s64", base, w.to(b64, "mul.lo.s64", number, stride))
	w.loadOr(w.to(pred, "setp.ge.u64", number, count), place, outs)
	w.join32(number, count)
	w.storeOf(lane, nodes, place, outs, roots)
	w.op("add.s64 %s, %s, %s", node, node, warps)
	w.op("bra %s", again)

	w.label(next)
	w.op("@%s bra %s", w.to(pred, "setp.le.u64", nodes, "1"), done)
	w.op("bar.sync 0")
	w.op("mov.b64 %s, %s", count, nodes)
	w.op("shl.b64 %s, %s, 5", stride, stride)
	w.op("bra %s", level)
	w.label(done)
	w.op("ret")
}

// isLast ends all blocks but the last one that comes here, which then sees what the others have stored.
func (w *writer) isLast() {
	blocks := w.to(b32, "add.s32", w.to(b32, "mov.u32", "%nctaid.x"), "-1")
	done := w.address("done")
	w.op("bar.sync 0")
	one := w.to(pred, "setp.eq.s32", w.to(b32, "mov.u32", "%tid.x"), "0")
	before := w.to(b32, "mov.b32", "-1") // which no number of blocks is
	w.op("@%s fence.acq_rel.gpu", one)
	w.op("@%s atom.global.inc.u32 %s, [%s], %s", one, before, done, blocks) // 0 again with the last one
	is := w.fresh(pred)
	w.op("bar.red.or.pred %s, 0, %s", is, w.to(pred, "setp.eq.s32", before, blocks))
	w.op("@!%s ret", is)
	w.op("fence.acq_rel.gpu")
}

// loadOr loads the values at a place, or if the register is true those of no items.
func (w *writer) loadOr(none, place string, outs []string) {
	behind := w.newLabel("loaded")
	for n, c := range w.fold.columns {
		for k, p := range c.parts {
			w.op("mov.%s %s, %s", p.class.moved(), w.accs[n][k], p.literal(p.identity))
		}
	}
	w.op("@%s bra %s", none, behind)
	w.each(place, outs, func(address string, p part, acc string) {
		w.op("ld.global.%s %s, [%s]", p.class.stored(), acc, address)
	})
	w.label(behind)
}

// join32 joins what the lanes of a warp have, of which the numbers from count on have nothing.
func (w *writer) join32(number, count string) {
	h := w.to(b32, "mov.b32", "1")
	half, behind := w.newLabel("join"), w.newLabel("joined")
	w.label(half)
	others := w.others(h)
	right := w.to(b64, "add.s64", number, w.to(b64, "cvt.u64.u32", h))
	w.op("@%s bra %s", w.to(pred, "setp.ge.u64", right, count), behind)
	for n, c := range w.fold.columns {
		c.join(w.asm, w.accs[n], others[n])
	}
	w.label(behind)
	w.op("shl.b32 %s, %s, 1", h, h)
	w.op("@%s bra %s", w.to(pred, "setp.lt.s32", h, fmt.Sprint(warp)), half)
}

// storeOf lets lane 0 store what it has: where it was loaded, or if there is one node that is the root.
func (w *writer) storeOf(lane, nodes, place string, outs, roots []string) {
	behind, root := w.newLabel("kept"), w.newLabel("root")
	w.op("@%s bra %s", w.to(pred, "setp.ne.s64", lane, "0"), behind)
	store := func(address string, p part, acc string) {
		w.op("st.global.%s [%s], %s", p.class.stored(), address, acc)
	}
	w.op("@%s bra %s", w.to(pred, "setp.le.u64", nodes, "1"), root)
	w.each(place, outs, store)
	w.op("bra %s", behind)
	w.label(root)
	k := 0
	for n, c := range w.fold.columns {
		for i, p := range c.parts {
			store(roots[k], p, w.accs[n][i])
			k++
		}
	}
	w.label(behind)
}
