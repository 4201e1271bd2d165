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
	block := w.Wide(w.Special("ctaid.x"))
	result, chunk := w.To(b64, "div.u64", block, w.blocks), w.To(b64, "rem.u64", block, w.blocks)
	thread := w.To(b64, "add.s64", w.To(b64, "mul.lo.s64", chunk, w.Wide(w.Special("ntid.x"))), w.Wide(w.Special("tid.x")))
	lane := w.To(b64, "and.b64", thread, lanes-1)
	leaf := w.To(b64, "shr.u64", thread, bits.Len(uint(lanes-1)))
	number := w.To(b64, "add.s64", w.Param("first"), result)
	live := w.To(pred, "setp.lt.s64", leaf, w.leaves)
	begin, used := w.part(leaf, live)

	x := w.identities()
	where := w.To(b64, "mov.b64", w.at(w.kept, w.base, number))
	k := w.To(b64, "mov.b64", lane)
	item := w.To(b64, "add.s64", begin, lane)
	w.walk(where, item, func(load func(behind int) string, advance func(n int)) {
		again, single, done := w.NewLabel("rows"), w.NewLabel("single"), w.NewLabel("walked")
		w.Label(again)
		w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", w.To(b64, "add.s64", k, (atOnce-1)*lanes), used), single)
		var values [atOnce]string
		for n := range values {
			values[n] = load(n * lanes)
		}
		for n, v := range values {
			w.item(x, w.loaded(v)[0], item, n*lanes)
		}
		advance(atOnce * lanes)
		w.Op("add.s64 %s, %s, %d", k, k, atOnce*lanes)
		w.Op("bra %s", again)
		w.Label(single)
		w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", k, used), done)
		w.item(x, w.loaded(load(0))[0], item, 0)
		advance(lanes)
		w.Op("add.s64 %s, %s, %d", k, k, lanes)
		w.Op("bra %s", single)
		w.Label(done)
	})
	for h := lanes / 2; h > 0; h /= 2 {
		others := w.above(x, h)
		w.ifLess(w.To(b64, "add.s64", lane, h), used, func() { w.join(x, others) })
	}
	behind := w.NewLabel("none")
	w.Op("@!%s bra %s", live, behind)
	w.ifLess(lane, "1", func() { w.leave(x, result, leaf) })
	w.Label(behind)
	w.joinAlong(result)
	return w.Entry(w.of.Along, names, nil)
}

// part returns the first item of a leaf, and how many it has, 0 where a predicate is false.
func (w *tensorWriter) part(leaf, live string) (begin, used string) {
	begin = w.To(b64, "mul.lo.s64", w.To(b64, "add.s64", leaf, w.from), w.leaf)
	used = w.To(b64, "min.s64", w.To(b64, "sub.s64", w.items, begin), w.leaf)
	return begin, w.To(b64, "selp.b64", used, "0", live)
}

// walk calls f with what loads the item so far behind the register item of a result that begins at the register where, and
// with what goes on by so many.
func (w *tensorWriter) walk(where, item string, f func(load func(behind int) string, advance func(n int))) {
	if len(w.walked) > 1 { // each item is looked for
		f(func(behind int) string {
			return w.load(w.at(w.walked, where, w.To(b64, "add.s64", item, behind)))
		}, func(n int) { w.Op("add.s64 %s, %s, %d", item, item, n) })
		return
	}
	step := w.walked[0].stride
	from := w.To(b64, "mov.b64", w.at(w.walked, where, item))
	last, address := -1, "" // neighbours are reached by an addition
	f(func(behind int) string {
		switch {
		case behind == 0:
			address = from
		case behind == last+1 && last >= 0:
			address = w.To(b64, "add.s64", address, step)
		default:
			address = w.To(b64, "add.s64", from, w.To(b64, "mul.lo.s64", step, behind))
		}
		last = behind
		return w.load(address)
	}, func(n int) {
		w.Op("add.s64 %s, %s, %s", from, from, w.To(b64, "mul.lo.s64", step, n))
		w.Op("add.s64 %s, %s, %d", item, item, n)
	})
}

// across returns the entry in which neighbours are of different results.
func (w *tensorWriter) across() string {
	names := w.begin()
	each := w.of.Each
	w.wide = w.key.Results()
	thread := w.Wide(w.Special("tid.x"))
	group, column := w.To(b64, "shr.u64", thread, "5"), w.To(b64, "and.b64", thread, "31")
	block := w.Wide(w.Special("ctaid.x"))
	leaf, columns := w.To(b64, "div.u64", block, w.blocks), w.To(b64, "rem.u64", block, w.blocks)
	result := w.To(b64, "add.s64", w.To(b64, "shl.b64", columns, "5"), column)
	result = w.To(b64, "mul.lo.s64", result, w.wide)
	number := w.To(b64, "add.s64", w.Param("first"), result)
	live := w.To(pred, "setp.lt.s64", number, w.Param("last"))
	begin, used := w.part(leaf, live)

	xs := make([][][]string, w.wide) // of each result and lane
	for v := range xs {
		for range each {
			xs[v] = append(xs[v], w.identities())
		}
	}
	where := w.To(b64, "mov.b64", w.at(w.kept, w.base, number))
	lane := w.To(b64, "mul.lo.s64", group, each)
	k := w.To(b64, "mov.b64", lane)
	item := w.To(b64, "add.s64", begin, lane)
	w.walk(where, item, func(load func(behind int) string, advance func(n int)) {
		w.rounds(xs, k, used, item, load, advance)
	})
	for v, x := range xs {
		k := 0
		for _, c := range w.of.columns {
			w.joinColumn(c, k, x, group, thread, used)
			k += len(c.parts)
		}
		behind := w.NewLabel("none")
		w.Op("@!%s bra %s", live, behind)
		w.ifLess(group, "1", func() { w.leave(x[0], w.To(b64, "add.s64", result, v), leaf) })
		w.Label(behind)
	}
	w.joinAcross(columns, group, result, live)
	return w.Entry(w.of.Across, names, nil)
}

// rounds joins the items of a thread of Across, of which a round has one of each lane. k is the first one's number in the leaf.
func (w *tensorWriter) rounds(xs [][][]string, k, used, item string, load func(behind int) string, advance func(n int)) {
	lanes, each := w.key.Lanes, w.of.Each
	rounds := max(1, w.key.atOnce(w.memory.size)/each)
	join := func(values string, round, lane int) {
		for v, x := range w.loaded(values) {
			w.item(xs[v][lane], x, item, round*lanes+lane)
		}
	}
	again, single, done := w.NewLabel("rounds"), w.NewLabel("round"), w.NewLabel("walked")
	w.Label(again)
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", w.To(b64, "add.s64", k, (rounds-1)*lanes+each-1), used), single)
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
	w.Op("add.s64 %s, %s, %d", k, k, rounds*lanes)
	w.Op("bra %s", again)
	w.Label(single)
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", k, used), done)
	for n := range each {
		w.ifLess(w.To(b64, "add.s64", k, n), used, func() { join(load(n), 0, n) })
	}
	advance(lanes)
	w.Op("add.s64 %s, %s, %d", k, k, lanes)
	w.Op("bra %s", single)
	w.Label(done)
}

// joinColumn joins the lanes of a column, whose first part is number k, as a butterfly, in the threads of the first warp: those of others go through shared
// memory.
func (w *tensorWriter) joinColumn(c column, k int, xs [][]string, group, thread, used string) {
	each := w.of.Each
	groups := w.key.Lanes / each
	lanes := make([][]string, w.key.Lanes)
	for l := range each {
		lanes[l] = xs[l][k:][:len(c.parts):len(c.parts)]
	}
	others, done := w.NewLabel("others"), w.NewLabel("lanes")
	const line = warp * 8
	row := func(g, l, p int) int { return (((g-1)*each+l)*len(c.parts) + p) * line }
	column := ""
	if groups > 1 {
		w.Tile = max(w.Tile, row(groups, 0, 0))
		column = w.To(b64, "add.s64", w.To(b64, "mov.u64", "tile"), w.To(b64, "shl.b64", w.To(b64, "and.b64", thread, "31"), "3"))
		w.Op("bar.sync 0") // the column before is joined
		w.Op("@%s bra %s", w.To(pred, "setp.eq.s64", group, "0"), others)
		mine := w.To(b64, "add.s64", column, w.To(b64, "mul.lo.s64", w.To(b64, "sub.s64", group, "1"), row(2, 0, 0)))
		for l := range each {
			for p, of := range c.parts {
				w.Op("st.shared.%s [%s+%d], %s", of.class.Stored(), mine, row(1, l, p), lanes[l][p])
			}
		}
		w.Label(others)
		w.Op("bar.sync 0")
		w.Op("@%s bra %s", w.To(pred, "setp.ne.s64", group, "0"), done)
		for l := each; l < w.key.Lanes; l++ {
			for p, of := range c.parts {
				lanes[l] = append(lanes[l], w.To(of.class, "ld.shared."+of.class.Stored(), fmt.Sprintf("[%s+%d]", column, row(l/each, l%each, p))))
			}
		}
	}
	for h := w.key.Lanes / 2; h > 0; h /= 2 {
		for l := range h {
			w.ifLess(literal(l+h), used, func() { c.join(w.asm, lanes[l], lanes[l+h]) })
		}
	}
	if groups > 1 {
		w.Label(done)
	}
}
