package foldtext

import "fmt"

// tree joins the values of leaves along the tree: a block those of its own, and the block that ends last those of blocks. A
// block that is the only one has the root by then, and waits for nothing more.
func (w *writer) tree(b block, outs, roots []string) {
	own := w.to(b64, "min.s64", w.to(b64, "sub.s64", b.count, b.first), b.width)
	w.op("bar.sync 0")
	alone := w.to(pred, "setp.eq.s32", w.to(b32, "mov.u32", "%nctaid.x"), "1")
	w.levels(run{w.to(b64, "add.s64", b.base, b.first), own, "1"}, 1, outs, roots, alone)
	w.op("@%s ret", alone)
	w.isLast(w.address("done"), w.to(b32, "add.s32", w.to(b32, "mov.u32", "%nctaid.x"), "-1"))
	parts := len(w.fold.Bytes)
	log := w.to(b32, "popc.b64", w.to(b64, "sub.s64", b.width, "1"))
	blocks := w.to(b64, "sub.s64", w.to(b64, "add.s64", b.count, b.width), "1")
	w.levels(run{b.base, w.to(b64, "shr.u64", blocks, log), b.width}, max(8/parts, 1), outs, roots, "")
	w.op("ret")
}

// A run is values in memory that are neighbours in the tree.
type run struct {
	first  string // the number of the first one
	count  string // how many there are; none if that is negative
	stride string // from one to the next
}

// levels joins a run along the tree, in all warps of a block. A lane takes some neighbours at a time, a power of two,
// and a warp those of its lanes, of which lane l joins what lane l+h has, for h = 1, 2, 4, 8, 16. What comes out are
// neighbours again, each where its first value was. The last one goes to roots where the predicate root is true, or is "".
func (w *writer) levels(r run, some int, outs, roots []string, root string) {
	shift := map[int]int{1: 5, 2: 6, 4: 7, 8: 8}[some]
	special := func(name string) string { return w.to(b32, "mov.u32", name) }
	thread := special("%tid.x")
	lane := w.to(b64, "cvt.u64.u32", w.to(b32, "and.b32", thread, "31"))
	warps := w.to(b64, "cvt.u64.u32", w.to(b32, "shr.u32", special("%ntid.x"), "5"))
	count, stride := w.to(b64, "mov.b64", r.count), w.to(b64, "mov.b64", r.stride)

	level, again, next, done := w.newLabel("level"), w.newLabel("node"), w.newLabel("next"), w.newLabel("ended")
	w.label(level)
	nodes := w.to(b64, "shr.s64", w.to(b64, "add.s64", count, fmt.Sprint(1<<shift-1)), fmt.Sprint(shift))
	node := w.to(b64, "cvt.u64.u32", w.to(b32, "shr.u32", thread, "5"))
	w.label(again)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", node, nodes), next) // the whole warp at once
	number := w.to(b64, "mul.lo.s64", w.to(b64, "add.s64", w.to(b64, "shl.b64", node, "5"), lane), fmt.Sprint(some))
	place := w.to(b64, "add.s64", r.first, w.to(b64, "mul.lo.s64", number, stride))
	w.neighbours(number, count, place, stride, some, outs)
	w.join32(number, count, some)
	behind := w.newLabel("kept")
	w.op("@%s bra %s", w.to(pred, "setp.ne.s64", lane, "0"), behind)
	inner := w.newLabel("inner")
	w.op("@%s bra %s", w.to(pred, "setp.gt.s64", nodes, "1"), inner)
	if root != "" {
		w.op("@!%s bra %s", root, inner)
	}
	w.store(w.to(b64, "mov.b64", "0"), roots)
	w.op("bra %s", behind)
	w.label(inner)
	w.store(place, outs)
	w.label(behind)
	w.op("add.s64 %s, %s, %s", node, node, warps)
	w.op("bra %s", again)

	w.label(next)
	w.op("@%s bra %s", w.to(pred, "setp.le.s64", nodes, "1"), done)
	w.op("bar.sync 0")
	w.op("mov.b64 %s, %s", count, nodes)
	w.op("shl.b64 %s, %s, %d", stride, stride, shift)
	w.op("bra %s", level)
	w.label(done)
}

// isLast ends all blocks but the last one that comes here, which then sees what the others have stored. There are as many as the
// register last says, and one more; done is the address of 32 bits that are 0, and are 0 again with the last one.
func (a *asm) isLast(done, last string) {
	a.op("bar.sync 0")
	one := a.to(pred, "setp.eq.s32", a.to(b32, "mov.u32", "%tid.x"), "0")
	before := a.to(b32, "mov.b32", "-1") // which no number of blocks is
	a.op("@%s fence.acq_rel.gpu", one)
	a.op("@%s atom.global.inc.u32 %s, [%s], %s", one, before, done, last)
	is := a.fresh(pred)
	a.op("bar.red.or.pred %s, 0, %s", is, a.to(pred, "setp.eq.s32", before, last))
	a.op("@!%s ret", is)
	a.op("fence.acq_rel.gpu")
}

// neighbours loads some values from a place on, of which those from count on are not there, all at a time, and joins them.
func (w *writer) neighbours(number, count, place, stride string, some int, outs []string) {
	values, none := make([][][]string, some), make([]string, some)
	for i := range some {
		if i > 0 {
			place = w.to(b64, "add.s64", place, stride)
		}
		none[i] = w.to(pred, "setp.ge.s64", w.to(b64, "add.s64", number, fmt.Sprint(i)), count)
		k := 0
		for n, c := range w.fold.columns {
			regs := w.accs[n]
			if i > 0 {
				regs = w.registers(c)
			}
			w.clear(c, regs)
			for j, p := range c.parts {
				w.op("@!%s ld.global.%s %s, [%s]", none[i], p.class.stored(), regs[j], w.elementAt(outs[k], place, p.class.bytes()))
				k++
			}
			values[i] = append(values[i], regs)
		}
	}
	for h := 1; h < some; h *= 2 {
		for i := 0; i < some; i += 2 * h {
			behind := w.newLabel("none")
			w.op("@%s bra %s", none[i+h], behind)
			for n, c := range w.fold.columns {
				c.join(w.asm, values[i][n], values[i+h][n])
			}
			w.label(behind)
		}
	}
}

// join32 joins what the lanes of a warp have, from number on, of which the numbers from count on are not there.
func (w *writer) join32(number, count string, some int) {
	h := w.to(b32, "mov.b32", "1")
	half, behind := w.newLabel("join"), w.newLabel("joined")
	w.label(half)
	others := w.others(h)
	away := w.to(b64, "mul.wide.u32", h, fmt.Sprint(some))
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", w.to(b64, "add.s64", number, away), count), behind)
	for n, c := range w.fold.columns {
		c.join(w.asm, w.accs[n], others[n])
	}
	w.label(behind)
	w.op("shl.b32 %s, %s, 1", h, h)
	w.op("@%s bra %s", w.to(pred, "setp.lt.s32", h, fmt.Sprint(warp)), half)
}
