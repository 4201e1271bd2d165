package ptx

import (
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// plainItems runs items of a box of one tile: a warp has neighbours of one row, and a thread every 32nd of them, so that all
// that depends on the row is computed once. They are run together if they are in range, else one by one.
func (w *writer) plainItems(last string) {
	b := w.box
	done := w.newLabel("done")
	point, k := w.rowPoint()
	inner := w.to(b64, "cvt.u64.u32", "%s", b.mul[b.rank-1][0])
	w.op("@%s bra %s", w.to(pred, "setp.ge.u64", "%s, %s", k, inner), done)
	w.prologue()
	number := w.to(b64, "sub.s64", "%s, %s", point, b.begin)
	end := w.to(b64, "min.u64", "%s, %s", inner, w.to(b64, "add.s64", "%s, %d", k, kernel.PlainItems))
	first := w.param("first")
	if w.together() {
		w.fast(number, k, first, last, inner, done)
	}

	again, next := w.newLabel("again"), w.newLabel("next")
	w.label(again)
	w.op("@%s bra %s", w.to(pred, "setp.lt.s64", "%s, %s", number, first), next)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", "%s, %s", number, last), done)
	at := w.inRow(number, k, next)
	w.setup(&at)
	w.of(at)
	w.checks(at)
	w.block(w.k.Body, at)
	w.label(next)
	w.op("add.s64 %s, %s, %d", k, k, kernel.PlainLanes)
	w.op("add.s64 %s, %s, %d", number, number, kernel.PlainLanes)
	w.op("@%s bra %s", w.to(pred, "setp.lt.u64", "%s, %s", k, end), again)
	w.label(done)
	w.op("ret")
}

// rowPoint makes the coordinates but the last one of the first point of a thread, and returns the number of that point and
// the last coordinate.
func (w *writer) rowPoint() (point, k string) {
	b := w.box
	special := func(name string) string { return w.to(b32, "mov.u32", "%%%s", name) }
	size := b.mul[b.rank-1][0]
	divide := func(n string, p int) string {
		product := w.to(b64, "mul.wide.u32", "%s, %s", n, b.mul[p][1])
		return w.to(b32, "cvt.u32.u64", "%s", w.to(b64, "shr.u64", "%s, %s", product, b.mul[p][2]))
	}
	begin := w.to(b32, "cvt.u32.u64", "%s", w.to(b64, "add.s64", "%s, %s", b.begin, w.param("first")))
	rounded := w.to(b32, "add.s32", "%s, %d", size, kernel.PlainItems-1)
	parts := w.to(b32, "shr.u32", "%s, %d", rounded, bits.Len(kernel.PlainItems-1)) // ptxas divides by a power of two otherwise
	block := special("ctaid.x")
	rows := w.to(b32, "div.u32", "%s, %s", block, parts)
	part := w.to(b32, "sub.s32", "%s, %s", block, w.to(b32, "mul.lo.s32", "%s, %s", rows, parts))
	thread := special("tid.x")
	lane, warp := w.to(b32, "and.b32", "%s, %d", thread, kernel.PlainLanes-1), w.to(b32, "shr.u32", "%s, 5", thread)
	rows = w.to(b32, "add.s32", "%s, %s", w.to(b32, "mul.lo.s32", "%s, %d", rows, kernel.PlainThreads/kernel.PlainLanes), warp)
	row := w.to(b32, "add.s32", "%s, %s", divide(begin, b.rank-1), rows)
	k = w.to(b64, "cvt.u64.u32", "%s", w.to(b32, "add.s32", "%s, %s", w.to(b32, "mul.lo.s32", "%s, %d", part, kernel.PlainItems), lane))
	point = w.to(b64, "add.s64", "%s, %s", w.to(b64, "mul.wide.u32", "%s, %s", row, size), k)
	for p := b.rank - 2; p > 0; p-- {
		q := divide(row, p)
		x := w.to(b32, "sub.s32", "%s, %s", row, w.to(b32, "mul.lo.s32", "%s, %s", q, b.mul[p][0]))
		b.x[p], row = w.to(b64, "cvt.u64.u32", "%s", x), q
	}
	b.x[0] = w.to(b64, "cvt.u64.u32", "%s", row)
	return point, k
}

// inRow returns an item of the row that has this last coordinate. Points vary fastest along the dimension of the rows of the
// functor if it gets rows, else along the last one.
func (w *writer) inRow(number, k, end string) item {
	b := w.box
	at := item{number: number, end: end, sums: map[string]string{}}
	for d := range b.rank {
		p := d
		if w.k.Index.Dim == 0 {
			p = b.rank - 1 - d
		}
		x := k
		if p < b.rank-1 {
			x = b.x[p]
		}
		at.coords = append(at.coords, w.to(b64, "add.s64", "%s, %s", x, w.param("lower"+strconv.Itoa(d))))
	}
	at.index = at.coords[w.k.Index.Dim]
	return at
}

// together reports whether the items of a thread are worth a text of their own.
func (w *writer) together() bool {
	return !hasLoop(w.k.Body) && w.k.Body.Count() <= maxUnrolled &&
		!slices.ContainsFunc(w.k.Checks, func(c ir.SpanCheck) bool { return c.When != nil })
}

// fast runs all items of a thread, and ends it, if so many would be in range that its row may have fewer of.
func (w *writer) fast(number, k, first, last, inner, done string) {
	const most = kernel.PlainItems - kernel.PlainLanes
	slow := w.newLabel("slow")
	w.op("@%s bra %s", w.to(pred, "setp.lt.s64", "%s, %s", number, first), slow)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", "%s, %s", w.to(b64, "add.s64", "%s, %d", number, most), last), slow)
	begin := w.inRow(number, k, "")
	w.setup(&begin)
	w.of(begin)
	for _, p := range w.beyond(begin, most) {
		w.op("@%s bra %s", p, slow)
	}
	left := w.to(b32, "cvt.u32.u64", "%s", w.to(b64, "sub.s64", "%s, %s", inner, k)) // points of the row
	if w.storesLast() {
		few := w.newLabel("few")
		w.op("@%s bra %s", w.to(pred, "setp.le.u32", "%s, %d", left, most), few)
		w.inner(func() { w.atOnce(begin, most) })
		w.op("bra %s", done)
		w.label(few)
	}
	own := w.ownSums()
	for n := 0; n <= most; n += kernel.PlainLanes {
		at := begin
		at.end = w.newLabel("item")
		if n > 0 {
			w.op("@%s bra %s", w.to(pred, "setp.le.u32", "%s, %d", left, n), done)
			at.number = w.to(b64, "add.s64", "%s, %d", number, n)
			at.index = w.to(b64, "add.s64", "%s, %d", begin.index, n)
		}
		w.of(at)
		w.reg[w.index()], w.away = begin.index, n
		if own {
			w.inner(func() { w.block(w.k.Body, at) })
		} else {
			w.block(w.k.Body, at)
		}
		w.label(at.end)
	}
	w.away = 0
	w.op("bra %s", done)
	w.label(slow)
}

// storesLast reports whether an item has no branches and stores behind all that it loads.
func (w *writer) storesLast() bool {
	stored := false
	for _, v := range w.k.Body.Values {
		switch v.Op {
		case ir.Store:
			stored = true
		case ir.If, ir.Loop, ir.Check:
			return false
		case ir.Load:
			if stored && w.k.Mems[v.Index].Table == nil {
				return false
			}
		}
	}
	return stored
}

// atOnce runs all items of a thread, which store when all have loaded: their loads are under way together.
func (w *writer) atOnce(begin item, most int) {
	var regs []map[*ir.Value]string
	own := w.ownSums()
	each := func(n int, f func(at item)) {
		at := begin
		if n > 0 {
			at.index = w.to(b64, "add.s64", "%s, %d", begin.index, n)
		}
		w.reg[w.index()], w.away = begin.index, n
		if own {
			w.inner(func() { f(at) })
		} else {
			f(at)
		}
	}
	for n := 0; n <= most; n += kernel.PlainLanes {
		each(n, func(at item) {
			for _, v := range w.k.Body.Values {
				if v.Op != ir.Store {
					w.value(v, at)
				}
			}
			regs = append(regs, maps.Clone(w.reg))
		})
	}
	before := w.reg
	for n := 0; n <= most; n += kernel.PlainLanes {
		w.reg = regs[n/kernel.PlainLanes]
		each(n, func(item) {
			for _, v := range w.k.Body.Values {
				if v.Op == ir.Store {
					w.store(v)
				}
			}
		})
	}
	w.reg, w.away = before, 0
}

// ownSums reports whether an item makes sums that the next one of its row has no use for: it may stop before it has made them,
// or they are of values of its own, as of one that it has loaded.
func (w *writer) ownSums() (own bool) {
	w.k.Body.Walk(func(v *ir.Value) {
		switch v.Op {
		case ir.Check:
			own = true
		case ir.Load, ir.Store:
			for _, t := range w.sumOf(v.Args[0]).terms {
				own = own || t.x != w.index() && t.x.Op != ir.Coord && !slices.Contains(w.k.Setup.Values, t.x)
			}
		}
	})
	return own
}

// beyond returns predicates one of which is true if some of the items of a thread, the last of which is so far behind the
// first, may be out of range. It asks for more than they do, so that numbers with one limit are one condition.
func (w *writer) beyond(at item, most int) (p []string) {
	groups, others := w.groups(most)
	for _, c := range others {
		p = append(p, w.outside(c, at.index))
	}
	for _, g := range groups {
		low, high := int64(math.MaxInt64), int64(math.MinInt64)
		least, greatest := "", ""
		seen := map[string]bool{}
		for _, s := range g.same {
			low, high = min(low, int64(s.constant)), max(high, int64(s.constant))
			if seen[s.key()] {
				continue
			}
			seen[s.key()] = true
			x := w.total(s)
			if x == "" {
				x = w.to(b64, "mov.b64", "0")
			}
			if least == "" {
				least, greatest = x, x
			} else {
				least, greatest = w.to(b64, "min.s64", "%s, %s", least, x), w.to(b64, "max.s64", "%s, %s", greatest, x)
			}
		}
		limit := w.in(g.limit)
		less := func(by string) {
			p = append(p, w.to(pred, "setp.lt.u64", "%s, %s", limit, by))
			limit = w.to(b64, "sub.s64", "%s, %s", limit, by)
		}
		if least != greatest {
			less(w.to(b64, "sub.s64", "%s, %s", greatest, least))
		}
		if low < high {
			less(literal(ir.I64, uint64(high-low)))
		}
		x := w.to(b64, "add.s64", "%s, %s", w.to(b64, "add.s64", "%s, %s", w.total(g.of), least), literal(ir.I64, uint64(low)))
		p = append(p, w.to(pred, "setp.ge.u64", "%s, %s", x, limit))
	}
	return p
}
