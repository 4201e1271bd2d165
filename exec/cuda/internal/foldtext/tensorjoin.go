package foldtext

import "math/bits"

// leave stores what a leaf has come to, as a result if it is the only one.
func (w *tensorWriter) leave(x []string, result, leaf string) {
	only, behind := w.NewLabel("only"), w.NewLabel("left")
	w.Op("@%s bra %s", w.only(), only)
	w.store(x, w.outs, w.place(result, leaf))
	w.Op("bra %s", behind)
	w.Label(only)
	w.store(x, w.roots, result)
	w.Label(behind)
}

// only returns a predicate that a result has one leaf.
func (w *tensorWriter) only() string { return w.To(pred, "setp.eq.s64", w.leaves, "1") }

// lastOf ends all blocks but the last one of those that count themselves at a number of done.
func (w *tensorWriter) lastOf(number, blocks string) {
	done := w.To(b64, "add.s64", w.done, w.To(b64, "shl.b64", number, "2"))
	w.IsLast(done, w.To(b32, "cvt.u32.u64", w.To(b64, "sub.s64", blocks, "1")))
}

// joinAlong joins the leaves of a result, which are neighbours: in the only block that it has, or in the last one.
func (w *tensorWriter) joinAlong(result string) {
	w.Op("@%s ret", w.only())
	several, join := w.NewLabel("several"), w.NewLabel("tree")
	w.Op("@%s bra %s", w.To(pred, "setp.ne.s64", w.blocks, "1"), several)
	w.Op("bar.sync 0")
	w.Op("bra %s", join)
	w.Label(several)
	w.lastOf(result, w.blocks)
	w.Label(join)
	v := &values{w.asm, w.of.columns, w.outs, nil}
	acc := w.Registers(v)
	first := w.To(b64, "mul.lo.s64", result, w.result)
	v.roots = w.numbered(w.roots, result)
	w.Levels(v, acc, first, w.leaves, "1", w.of.columns.neighbours(), "")
	w.Op("ret")
}

// joinAcross joins the leaves of the results of a block's threads, in the last block of these. A thread joins some
// neighbours of each of its results, which are neighbours of others again, in place of the first of them.
func (w *tensorWriter) joinAcross(columns, group, result, live string) {
	w.Op("@%s ret", w.only())
	w.lastOf(columns, w.leaves)
	some := w.together()
	log, groups := literal(bits.Len(uint(some))-1), literal(w.key.Lanes/w.of.Each)
	count, stride, node := w.To(b64, "mov.b64", w.leaves), w.To(b64, "mov.b64", "1"), w.Fresh(b64)
	level, again, behind, next := w.NewLabel("level"), w.NewLabel("node"), w.NewLabel("none"), w.NewLabel("next")
	w.Label(level)
	nodes := w.To(b64, "shr.u64", w.To(b64, "add.s64", count, some-1), log)
	w.Op("mov.b64 %s, %s", node, group)
	w.Label(again)
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", node, nodes), next) // the whole warp at once
	w.Op("@!%s bra %s", live, behind)
	first := w.To(b64, "shl.b64", node, log)
	var xs [][][]string
	var results, places []string
	for v := range w.wide { // all are loaded before any is stored
		results = append(results, w.To(b64, "add.s64", result, v))
		places = append(places, w.place(results[v], w.To(b64, "mul.lo.s64", first, stride)))
		xs = append(xs, w.neighbours(first, count, places[v], w.To(b64, "mul.lo.s64", stride, w.next), some))
	}
	rest := w.To(b64, "sub.s64", count, first)
	for v, x := range xs {
		w.joinNeighbours(x, rest)
		root, stored := w.NewLabel("root"), w.NewLabel("stored")
		w.Op("@%s bra %s", w.To(pred, "setp.eq.s64", nodes, "1"), root)
		w.store(x[0], w.outs, places[v])
		w.Op("bra %s", stored)
		w.Label(root)
		w.store(x[0], w.roots, results[v])
		w.Label(stored)
	}
	w.Label(behind)
	w.Op("add.s64 %s, %s, %s", node, node, groups)
	w.Op("bra %s", again)

	w.Label(next)
	w.Op("@%s ret", w.To(pred, "setp.eq.s64", nodes, "1"))
	w.Op("bar.sync 0")
	w.Op("mov.b64 %s, %s", count, nodes)
	w.Op("shl.b64 %s, %s, %s", stride, stride, log)
	w.Op("bra %s", level)
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
func (w *tensorWriter) neighbours(number, count, place, stride string, some int) (xs [][]string) {
	for i := range some {
		if i > 0 {
			place = w.To(b64, "add.s64", place, stride)
		}
		is := w.To(pred, "setp.lt.s64", w.To(b64, "add.s64", number, i), count)
		x := w.identities()
		w.eachPart(x, w.outs, place, func(address string, p part, acc string) {
			w.Op("@%s ld.global.%s %s, [%s]", is, p.class.Stored(), acc, address)
		})
		xs = append(xs, x)
	}
	return xs
}

// MostNodes is how many values of a result the entry Nodes joins.
const MostNodes = 8

// nodes returns the entry that joins values of results, of each in a thread.
func (w *tensorWriter) nodes() string {
	names := w.begin()
	result := w.To(b64, "mul.lo.s64", w.Wide(w.Special("ctaid.x")), w.Wide(w.Special("ntid.x")))
	result = w.To(b64, "add.s64", result, w.Wide(w.Special("tid.x")))
	live := w.To(pred, "setp.lt.s64", w.To(b64, "add.s64", w.Param("first"), result), w.Param("last"))
	w.Op("@!%s ret", live)
	x := w.neighbours(w.To(b64, "mov.b64", "0"), w.leaves, w.To(b64, "mul.lo.s64", result, w.result), w.next, MostNodes)
	w.joinNeighbours(x, w.leaves)
	w.store(x[0], w.roots, result)
	w.Op("ret")
	return w.Entry(w.of.Nodes, names, nil)
}

// joinNeighbours joins the first values, of which there are rest, into the first one.
func (w *tensorWriter) joinNeighbours(x [][]string, rest string) {
	for h := 1; h < len(x); h *= 2 {
		for i := 0; i+h < len(x); i += 2 * h {
			w.ifLess(literal(i+h), rest, func() { w.join(x[i], x[i+h]) })
		}
	}
}
