package ptx

import (
	"math/bits"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// tree joins the values of leaves along the tree: a block those of its own, and the block that ends last those of blocks. A
// block that is the only one has the root by then, and waits for nothing more.
func (w *writer) tree(l *lanes, columns []column) {
	base := w.to(b64, "shr.u64", "%s, %s", l.first, l.log)
	own := w.to(b64, "min.s64", "%s, %s", w.to(b64, "sub.s64", "%s, %s", l.leaves, l.before), l.width)
	w.op("bar.sync 0")
	alone := w.to(pred, "setp.eq.s32", "%s, 1", w.to(b32, "mov.u32", "%%nctaid.x"))
	w.levels(run{w.to(b64, "add.s64", "%s, %s", base, l.before), own, "1"}, 1, columns, alone)
	w.op("@%s ret", alone)
	w.isLast()
	log := w.to(b32, "popc.b64", "%s", w.to(b64, "sub.s64", "%s, 1", l.width))
	blocks := w.to(b64, "sub.s64", "%s, 1", w.to(b64, "add.s64", "%s, %s", l.leaves, l.width))
	w.levels(run{base, w.to(b64, "shr.u64", "%s, %s", blocks, log), l.width}, max(4/len(columns), 1), columns, "")
	w.op("ret")
}

// A run is values in memory that are neighbours in the tree.
type run struct {
	first  string // the number of the first one
	count  string // how many there are; none if that is negative
	stride string // from one to the next
}

// levels joins a run along the tree, in all warps of a block. A lane takes some neighbours at a time, a power of two, and
// a warp those of its lanes, of which lane l joins what lane l+h has, for h = 1, 2, 4, 8, 16. What comes out are neighbours
// again, each where its first value was, until there is one, which is the root if a predicate is true, or "".
func (w *writer) levels(r run, some int, columns []column, root string) {
	shift := 4 + bits.Len(uint(some))
	wide := func(x string) string { return w.to(b64, "cvt.u64.u32", "%s", x) }
	special := func(name string) string { return w.to(b32, "mov.u32", "%%%s", name) }
	thread := special("tid.x")
	lane := wide(w.to(b32, "and.b32", "%s, 31", thread))
	warps := wide(w.to(b32, "shr.u32", "%s, 5", special("ntid.x")))
	count, stride := w.to(b64, "mov.b64", "%s", r.count), w.to(b64, "mov.b64", "%s", r.stride)

	level, again, next, done := w.newLabel("level"), w.newLabel("node"), w.newLabel("next"), w.newLabel("ended")
	w.label(level)
	nodes := w.to(b64, "shr.s64", "%s, %d", w.to(b64, "add.s64", "%s, %d", count, 1<<shift-1), shift)
	node := wide(w.to(b32, "shr.u32", "%s, 5", thread))
	w.label(again)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", "%s, %s", node, nodes), next) // the whole warp at once
	number := w.to(b64, "mul.lo.s64", "%s, %d", w.to(b64, "add.s64", "%s, %s", w.to(b64, "shl.b64", "%s, 5", node), lane), some)
	place := w.to(b64, "add.s64", "%s, %s", r.first, w.to(b64, "mul.lo.s64", "%s, %s", number, stride))
	w.neighbours(number, count, place, stride, some, columns)
	w.join32(number, count, some, columns)
	behind := w.newLabel("kept")
	w.op("@%s bra %s", w.to(pred, "setp.ne.s64", "%s, 0", lane), behind)
	inner := w.newLabel("inner")
	w.op("@%s bra %s", w.to(pred, "setp.gt.s64", "%s, 1", nodes), inner)
	if root != "" {
		w.op("@!%s bra %s", root, inner)
	}
	for n, a := range w.k.Accs {
		w.storeAt(a.Elem, "["+columns[n].root+"]", columns[n].acc)
	}
	w.op("bra %s", behind)
	w.label(inner)
	w.storeValues(place, columns)
	w.label(behind)
	w.op("add.s64 %s, %s, %s", node, node, warps)
	w.op("bra %s", again)

	w.label(next)
	w.op("@%s bra %s", w.to(pred, "setp.le.s64", "%s, 1", nodes), done)
	w.op("bar.sync 0")
	w.op("mov.b64 %s, %s", count, nodes)
	w.op("shl.b64 %s, %s, %d", stride, stride, shift)
	w.op("bra %s", level)
	w.label(done)
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

// neighbours loads some values from a place on, of which those from count on are not there, all at a time, and joins them
// into the accumulators.
func (w *writer) neighbours(number, count, place, stride string, some int, columns []column) {
	values, none := make([][]string, some), make([]string, some)
	for i := range some {
		if i > 0 {
			place = w.to(b64, "add.s64", "%s, %s", place, stride)
		}
		none[i] = w.to(pred, "setp.ge.s64", "%s, %s", w.to(b64, "add.s64", "%s, %d", number, i), count)
		for n, a := range w.k.Accs {
			x := columns[n].acc
			if i > 0 {
				x = w.fresh(w.classOf(a.Type))
			}
			w.op("mov.%s %s, %s", movable(a.Type), x, columns[n].identity)
			w.loadUnless(none[i], a.Elem, w.at(columns[n].out, place, a.Elem.Bytes()), x)
			values[i] = append(values[i], x)
		}
	}
	for h := 1; h < some; h *= 2 {
		for i := 0; i < some; i += 2 * h {
			behind := w.newLabel("none")
			w.op("@%s bra %s", none[i+h], behind)
			for n, a := range w.k.Accs {
				w.join(a.Type, columns[n].join, values[i][n], values[i+h][n])
			}
			w.label(behind)
		}
	}
}

// loadUnless loads an element into a register, unless another one is true.
func (w *writer) loadUnless(none string, t ir.Type, at, dst string) {
	typ, c := w.inMemory(t)
	if t != ir.Bool {
		w.op("@!%s ld.global.%s %s, %s", none, typ, dst, at)
		return
	}
	x := w.to(c, "selp.b32", "1, 0, %s", dst)
	w.op("@!%s ld.global.%s %s, %s", none, typ, x, at)
	w.op("setp.ne.s32 %s, %s, 0", dst, x)
}

// join32 joins what the lanes of a warp have, from number on, of which the numbers from count on are not there.
func (w *writer) join32(number, count string, some int, columns []column) {
	h := w.to(b32, "mov.b32", "1")
	half, behind := w.newLabel("half"), w.newLabel("lane")
	w.label(half)
	others := w.others(columns, h)
	right := w.to(b64, "add.s64", "%s, %s", number, w.to(b64, "mul.wide.u32", "%s, %d", h, some))
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", "%s, %s", right, count), behind)
	w.joinAll(columns, others)
	w.label(behind)
	w.op("shl.b32 %s, %s, 1", h, h)
	w.op("@%s bra %s", w.to(pred, "setp.lt.s32", "%s, 32", h), half)
}
