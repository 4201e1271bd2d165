package foldtext

import "math/bits"

// leave stores what a leaf has come to, as a result if it is the only one.
func (w *tensorWriter) leave(x accs, result, leaf string) {
	only, behind := w.newLabel("only"), w.newLabel("left")
	w.op("@%s bra %s", w.only(), only)
	w.store(x, w.outs, w.place(result, leaf))
	w.op("bra %s", behind)
	w.label(only)
	w.store(x, w.roots, result)
	w.label(behind)
}

// only returns a predicate that a result has one leaf.
func (w *tensorWriter) only() string { return w.to(pred, "setp.eq.s64", w.leaves, "1") }

// lastOf ends all blocks but the last one of those that count themselves at a number of done.
func (w *tensorWriter) lastOf(number, blocks string) {
	done := w.to(b64, "add.s64", w.done, w.to(b64, "shl.b64", number, "2"))
	w.isLast(done, w.to(b32, "cvt.u32.u64", w.to(b64, "sub.s64", blocks, "1")))
}

// joinAlong joins the leaves of a result, which are neighbours: in the only block that it has, or in the last one.
func (w *tensorWriter) joinAlong(result string) {
	w.op("@%s ret", w.only())
	several, join := w.newLabel("several"), w.newLabel("tree")
	w.op("@%s bra %s", w.to(pred, "setp.ne.s64", w.blocks, "1"), several)
	w.op("bar.sync 0")
	w.op("bra %s", join)
	w.label(several)
	w.lastOf(result, w.blocks)
	w.label(join)
	f := &writer{asm: w.asm, fold: w.of.fold}
	for _, c := range w.of.fold.columns {
		f.accs = append(f.accs, f.registers(c))
	}
	leaves := run{w.to(b64, "mul.lo.s64", result, w.result), w.leaves, "1"}
	f.levels(leaves, max(8/len(w.of.Bytes), 1), w.outs, w.numbered(w.roots, result), "")
	w.op("ret")
}

// joinAcross joins the leaves of the results of a block's threads, in the last block of these. A thread joins some
// neighbours of each of its results, which are neighbours of others again, in place of the first of them.
func (w *tensorWriter) joinAcross(columns, group, result, live string) {
	w.op("@%s ret", w.only())
	w.lastOf(columns, w.leaves)
	some := w.together()
	log, groups := literal(bits.Len(uint(some))-1), literal(w.key.Lanes/w.of.Each)
	count, stride, node := w.to(b64, "mov.b64", w.leaves), w.to(b64, "mov.b64", "1"), w.fresh(b64)
	level, again, behind, next := w.newLabel("level"), w.newLabel("node"), w.newLabel("none"), w.newLabel("next")
	w.label(level)
	nodes := w.to(b64, "shr.u64", w.to(b64, "add.s64", count, literal(some-1)), log)
	w.op("mov.b64 %s, %s", node, group)
	w.label(again)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", node, nodes), next) // the whole warp at once
	w.op("@!%s bra %s", live, behind)
	first := w.to(b64, "shl.b64", node, log)
	var xs [][]accs
	var results, places []string
	for v := range w.wide { // all are loaded before any is stored
		results = append(results, w.to(b64, "add.s64", result, literal(v)))
		places = append(places, w.place(results[v], w.to(b64, "mul.lo.s64", first, stride)))
		xs = append(xs, w.neighbours(first, count, places[v], w.to(b64, "mul.lo.s64", stride, w.next), some))
	}
	rest := w.to(b64, "sub.s64", count, first)
	for v, x := range xs {
		for h := 1; h < some; h *= 2 {
			for i := 0; i < some; i += 2 * h {
				w.ifLess(literal(i+h), rest, func() { w.joinAll(x[i], x[i+h]) })
			}
		}
		root, stored := w.newLabel("root"), w.newLabel("stored")
		w.op("@%s bra %s", w.to(pred, "setp.eq.s64", nodes, "1"), root)
		w.store(x[0], w.outs, places[v])
		w.op("bra %s", stored)
		w.label(root)
		w.store(x[0], w.roots, results[v])
		w.label(stored)
	}
	w.label(behind)
	w.op("add.s64 %s, %s, %s", node, node, groups)
	w.op("bra %s", again)

	w.label(next)
	w.op("@%s ret", w.to(pred, "setp.eq.s64", nodes, "1"))
	w.op("bar.sync 0")
	w.op("mov.b64 %s, %s", count, nodes)
	w.op("shl.b64 %s, %s, %s", stride, stride, log)
	w.op("bra %s", level)
}

// together returns how many neighbours a thread of Across joins at a time: as many as it has loads under way before.
func (w *tensorWriter) together() int {
	some := 8
	for some > 2 && some*w.wide*len(w.of.Bytes) > 32 {
		some /= 2
	}
	return some
}

// neighbours loads some values from a place on, identities where there are none from number count on.
func (w *tensorWriter) neighbours(number, count, place, stride string, some int) (xs []accs) {
	for i := range some {
		if i > 0 {
			place = w.to(b64, "add.s64", place, stride)
		}
		is := w.to(pred, "setp.lt.s64", w.to(b64, "add.s64", number, literal(i)), count)
		x := w.identities()
		w.eachPart(x, w.outs, place, func(address string, p part, acc string) {
			w.op("@%s ld.global.%s %s, [%s]", is, p.class.stored(), acc, address)
		})
		xs = append(xs, x)
	}
	return xs
}
