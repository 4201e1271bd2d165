package foldtext

import (
	"fmt"
	"math/bits"
)

// atOnce is how many items of a lane are loaded one behind the other in Along.
const atOnce = 8

// along returns the entry in which lanes of a leaf are threads.
func (w *tensorWriter) along() string {
	names := w.begin()
	lanes := w.key.Lanes
	block := w.special("%ctaid.x")
	result, chunk := w.to(b64, "div.u64", block, w.blocks), w.to(b64, "rem.u64", block, w.blocks)
	thread := w.to(b64, "add.s64", w.to(b64, "mul.lo.s64", chunk, w.special("%ntid.x")), w.special("%tid.x"))
	lane := w.to(b64, "and.b64", thread, literal(lanes-1))
	leaf := w.to(b64, "shr.u64", thread, literal(bits.Len(uint(lanes-1))))
	number := w.to(b64, "add.s64", w.param("first"), result)
	live := w.to(pred, "setp.lt.s64", leaf, w.leaves)
	begin, used := w.part(leaf, live)

	x := w.identities()
	where := w.to(b64, "mov.b64", w.at(w.kept, w.base, number))
	k := w.to(b64, "mov.b64", lane)
	item := w.to(b64, "add.s64", begin, lane)
	w.walk(where, item, func(load func(behind int) string, advance func(n int)) {
		again, single, done := w.newLabel("rows"), w.newLabel("single"), w.newLabel("walked")
		w.label(again)
		w.op("@%s bra %s", w.to(pred, "setp.ge.s64", w.to(b64, "add.s64", k, literal((atOnce-1)*lanes)), used), single)
		var values [atOnce]string
		for n := range values {
			values[n] = load(n * lanes)
		}
		for n, v := range values {
			w.item(x, w.loaded(v)[0], item, n*lanes)
		}
		advance(atOnce * lanes)
		w.op("add.s64 %s, %s, %d", k, k, atOnce*lanes)
		w.op("bra %s", again)
		w.label(single)
		w.op("@%s bra %s", w.to(pred, "setp.ge.s64", k, used), done)
		w.item(x, w.loaded(load(0))[0], item, 0)
		advance(lanes)
		w.op("add.s64 %s, %s, %d", k, k, lanes)
		w.op("bra %s", single)
		w.label(done)
	})
	for h := lanes / 2; h > 0; h /= 2 {
		others := w.above(x, literal(h))
		w.ifLess(w.to(b64, "add.s64", lane, literal(h)), used, func() { w.joinAll(x, others) })
	}
	behind := w.newLabel("none")
	w.op("@!%s bra %s", live, behind)
	w.ifLess(lane, "1", func() { w.leave(x, result, leaf) })
	w.label(behind)
	w.joinAlong(result)
	return w.entry(w.of.Along, names)
}

// part returns the first item of a leaf, and how many it has, 0 where a predicate is false.
func (w *tensorWriter) part(leaf, live string) (begin, used string) {
	begin = w.to(b64, "mul.lo.s64", leaf, w.leaf)
	used = w.to(b64, "min.s64", w.to(b64, "sub.s64", w.items, begin), w.leaf)
	return begin, w.to(b64, "selp.b64", used, "0", live)
}

// walk calls f with what loads the item so far behind the register item of a result that begins at the register where, and
// with what goes on by so many.
func (w *tensorWriter) walk(where, item string, f func(load func(behind int) string, advance func(n int))) {
	if len(w.walked) > 1 { // each item is looked for
		f(func(behind int) string {
			return w.load(w.at(w.walked, where, w.to(b64, "add.s64", item, literal(behind))))
		}, func(n int) { w.op("add.s64 %s, %s, %d", item, item, n) })
		return
	}
	step := w.walked[0].stride
	from := w.to(b64, "mov.b64", w.at(w.walked, where, item))
	last, address := -1, "" // neighbours are reached by an addition
	f(func(behind int) string {
		switch {
		case behind == 0:
			address = from
		case behind == last+1 && last >= 0:
			address = w.to(b64, "add.s64", address, step)
		default:
			address = w.to(b64, "add.s64", from, w.to(b64, "mul.lo.s64", step, literal(behind)))
		}
		last = behind
		return w.load(address)
	}, func(n int) {
		w.op("add.s64 %s, %s, %s", from, from, w.to(b64, "mul.lo.s64", step, literal(n)))
		w.op("add.s64 %s, %s, %d", item, item, n)
	})
}

// across returns the entry in which neighbours are of different results.
func (w *tensorWriter) across() string {
	names := w.begin()
	each := w.of.Each
	w.wide = w.key.Results()
	thread := w.special("%tid.x")
	group, column := w.to(b64, "shr.u64", thread, "5"), w.to(b64, "and.b64", thread, "31")
	block := w.special("%ctaid.x")
	leaf, columns := w.to(b64, "div.u64", block, w.blocks), w.to(b64, "rem.u64", block, w.blocks)
	result := w.to(b64, "add.s64", w.to(b64, "shl.b64", columns, "5"), column)
	result = w.to(b64, "mul.lo.s64", result, literal(w.wide))
	number := w.to(b64, "add.s64", w.param("first"), result)
	live := w.to(pred, "setp.lt.s64", number, w.param("last"))
	begin, used := w.part(leaf, live)

	xs := make([][]accs, w.wide) // of each result and lane
	for v := range xs {
		for range each {
			xs[v] = append(xs[v], w.identities())
		}
	}
	where := w.to(b64, "mov.b64", w.at(w.kept, w.base, number))
	lane := w.to(b64, "mul.lo.s64", group, literal(each))
	k := w.to(b64, "mov.b64", lane)
	item := w.to(b64, "add.s64", begin, lane)
	w.walk(where, item, func(load func(behind int) string, advance func(n int)) {
		w.rounds(xs, k, used, item, load, advance)
	})
	for v, x := range xs {
		for n := range w.of.fold.columns {
			w.joinColumn(n, x, group, thread, used)
		}
		behind := w.newLabel("none")
		w.op("@!%s bra %s", live, behind)
		w.ifLess(group, "1", func() { w.leave(x[0], w.to(b64, "add.s64", result, literal(v)), leaf) })
		w.label(behind)
	}
	w.joinAcross(columns, group, result, live)
	return w.entry(w.of.Across, names)
}

// rounds joins the items of a thread of Across, of which a round has one of each lane. k is the first one's number in the leaf.
func (w *tensorWriter) rounds(xs [][]accs, k, used, item string, load func(behind int) string, advance func(n int)) {
	lanes, each := w.key.Lanes, w.of.Each
	rounds := max(1, w.key.atOnce(w.memory.size)/each)
	join := func(values string, round, lane int) {
		for v, x := range w.loaded(values) {
			w.item(xs[v][lane], x, item, round*lanes+lane)
		}
	}
	again, single, done := w.newLabel("rounds"), w.newLabel("round"), w.newLabel("walked")
	w.label(again)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", w.to(b64, "add.s64", k, literal((rounds-1)*lanes+each-1)), used), single)
	var values []string
	for r := range rounds {
		for n := range each {
			values = append(values, load(r*lanes+n))
		}
	}
	for n, v := range values {
		join(v, n/each, n%each)
	}
	advance(rounds * lanes)
	w.op("add.s64 %s, %s, %d", k, k, rounds*lanes)
	w.op("bra %s", again)
	w.label(single)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", k, used), done)
	for n := range each {
		w.ifLess(w.to(b64, "add.s64", k, literal(n)), used, func() { join(load(n), 0, n) })
	}
	advance(lanes)
	w.op("add.s64 %s, %s, %d", k, k, lanes)
	w.op("bra %s", single)
	w.label(done)
}

// joinColumn joins the lanes of a column as a butterfly, in the threads of the first warp: those of others go through shared
// memory.
func (w *tensorWriter) joinColumn(n int, xs []accs, group, thread, used string) {
	c, each := w.of.fold.columns[n], w.of.Each
	groups := w.key.Lanes / each
	lanes := make([][]string, w.key.Lanes)
	for l := range each {
		lanes[l] = xs[l][n]
	}
	others, done := w.newLabel("others"), w.newLabel("lanes")
	const line = warp * 8
	row := func(g, l, p int) int { return (((g-1)*each+l)*len(c.parts) + p) * line }
	column := ""
	if groups > 1 {
		w.tile = max(w.tile, row(groups, 0, 0))
		column = w.to(b64, "add.s64", w.to(b64, "mov.u64", "tile"), w.to(b64, "shl.b64", w.to(b64, "and.b64", thread, "31"), "3"))
		w.op("bar.sync 0") // the column before is joined
		w.op("@%s bra %s", w.to(pred, "setp.eq.s64", group, "0"), others)
		mine := w.to(b64, "add.s64", column, w.to(b64, "mul.lo.s64", w.to(b64, "sub.s64", group, "1"), literal(row(2, 0, 0))))
		for l := range each {
			for p, of := range c.parts {
				w.op("st.shared.%s [%s+%d], %s", of.class.stored(), mine, row(1, l, p), lanes[l][p])
			}
		}
		w.label(others)
		w.op("bar.sync 0")
		w.op("@%s bra %s", w.to(pred, "setp.ne.s64", group, "0"), done)
		for l := each; l < w.key.Lanes; l++ {
			for p, of := range c.parts {
				lanes[l] = append(lanes[l], w.to(of.class, "ld.shared."+of.class.stored(), fmt.Sprintf("[%s+%d]", column, row(l/each, l%each, p))))
			}
		}
	}
	for h := w.key.Lanes / 2; h > 0; h /= 2 {
		for l := range h {
			w.ifLess(literal(l+h), used, func() { c.join(w.asm, lanes[l], lanes[l+h]) })
		}
	}
	if groups > 1 {
		w.label(done)
	}
}
