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

// warpLanes is the number of threads of a warp.
const warpLanes = 32

// plainItems runs items of a box of one tile. A warp has neighbours of one row, and a thread has every 32nd
// item. So values that depend on the row alone are computed once. A thread runs its items together if they
// are in range, else one by one.
func (w *writer) plainItems(last string) {
	b := w.box
	done := w.NewLabel("done")
	point, k := w.rowPoint()
	inner := w.Wide(b.mul[b.rank-1][0])
	w.Op("@%s bra %s", w.To(pred, "setp.ge.u64", k, inner), done)
	w.prologue()
	number := w.To(b64, "sub.s64", point, b.begin)
	end := w.To(b64, "min.u64", inner, w.To(b64, "add.s64", k, kernel.PlainItems))
	first := w.Param("first")
	if w.together() {
		w.fast(number, k, first, last, inner, done)
	}

	again, next := w.NewLabel("again"), w.NewLabel("next")
	w.Label(again)
	w.Op("@%s bra %s", w.To(pred, "setp.lt.s64", number, first), next)
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", number, last), done)
	at := w.inRow(number, k, next)
	w.setup(&at)
	w.of(at)
	w.checks(at)
	w.block(w.k.Body, at)
	w.Label(next)
	w.Op("add.s64 %s, %s, %d", k, k, warpLanes)
	w.Op("add.s64 %s, %s, %d", number, number, warpLanes)
	w.Op("@%s bra %s", w.To(pred, "setp.lt.u64", k, end), again)
	w.Label(done)
	w.Op("ret")
}

// rowPoint computes all coordinates of the first point of a thread but the last one. It returns the number of
// that point and its last coordinate.
func (w *writer) rowPoint() (point, k string) {
	b := w.box
	size := b.mul[b.rank-1][0]
	divide := func(n string, p int) string {
		product := w.To(b64, "mul.wide.u32", n, b.mul[p][1])
		return w.To(b32, "cvt.u32.u64", w.To(b64, "shr.u64", product, b.mul[p][2]))
	}
	begin := w.To(b32, "cvt.u32.u64", w.To(b64, "add.s64", b.begin, w.Param("first")))
	rounded := w.To(b32, "add.s32", size, kernel.PlainItems-1)
	parts := w.To(b32, "shr.u32", rounded, bits.Len(kernel.PlainItems-1)) // ptxas divides by a power of two otherwise
	block := w.Special("ctaid.x")
	rows := w.To(b32, "div.u32", block, parts)
	part := w.To(b32, "sub.s32", block, w.To(b32, "mul.lo.s32", rows, parts))
	thread := w.Special("tid.x")
	lane, warp := w.To(b32, "and.b32", thread, warpLanes-1), w.To(b32, "shr.u32", thread, 5)
	rows = w.To(b32, "add.s32", w.To(b32, "mul.lo.s32", rows, kernel.PlainThreads/warpLanes), warp)
	row := w.To(b32, "add.s32", divide(begin, b.rank-1), rows)
	k = w.Wide(w.To(b32, "add.s32", w.To(b32, "mul.lo.s32", part, kernel.PlainItems), lane))
	point = w.To(b64, "add.s64", w.To(b64, "mul.wide.u32", row, size), k)
	for p := b.rank - 2; p > 0; p-- {
		q := divide(row, p)
		x := w.To(b32, "sub.s32", row, w.To(b32, "mul.lo.s32", q, b.mul[p][0]))
		b.x[p], row = w.Wide(x), q
	}
	b.x[0] = w.Wide(row)
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
		at.coords = append(at.coords, w.To(b64, "add.s64", x, w.Param("lower"+strconv.Itoa(d))))
	}
	at.index = at.coords[w.k.Index.Dim]
	return at
}

// together reports whether the items of a thread are worth a text of their own.
func (w *writer) together() bool {
	return !hasLoop(w.k.Body) && w.k.Body.Count() <= maxUnrolled &&
		!slices.ContainsFunc(w.k.Checks, func(c ir.SpanCheck) bool { return c.When != nil })
}

// fast runs all items of a thread, and ends it, if a full number of items would be in range. The row may have
// fewer items.
func (w *writer) fast(number, k, first, last, inner, done string) {
	const most = kernel.PlainItems - warpLanes
	slow := w.NewLabel("slow")
	w.Op("@%s bra %s", w.To(pred, "setp.lt.s64", number, first), slow)
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", w.To(b64, "add.s64", number, most), last), slow)
	begin := w.inRow(number, k, "")
	w.setup(&begin)
	w.of(begin)
	for _, p := range w.beyond(begin, most) {
		w.Op("@%s bra %s", p, slow)
	}
	left := w.To(b32, "cvt.u32.u64", w.To(b64, "sub.s64", inner, k)) // points of the row
	if w.storesLast() {
		few := w.NewLabel("few")
		w.Op("@%s bra %s", w.To(pred, "setp.le.u32", left, most), few)
		w.inner(func() { w.atOnce(begin, most) })
		w.Op("bra %s", done)
		w.Label(few)
	}
	own := w.ownSums()
	for n := 0; n <= most; n += warpLanes {
		at := begin
		at.end = w.NewLabel("item")
		if n > 0 {
			w.Op("@%s bra %s", w.To(pred, "setp.le.u32", left, n), done)
			at.number = w.To(b64, "add.s64", number, n)
			at.index = w.To(b64, "add.s64", begin.index, n)
		}
		w.of(at)
		w.reg[w.index()], w.away = begin.index, n
		if own {
			w.inner(func() { w.block(w.k.Body, at) })
		} else {
			w.block(w.k.Body, at)
		}
		w.Label(at.end)
	}
	w.away = 0
	w.Op("bra %s", done)
	w.Label(slow)
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
			at.index = w.To(b64, "add.s64", begin.index, n)
		}
		w.reg[w.index()], w.away = begin.index, n
		if own {
			w.inner(func() { f(at) })
		} else {
			f(at)
		}
	}
	for n := 0; n <= most; n += warpLanes {
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
	for n := 0; n <= most; n += warpLanes {
		w.reg = regs[n/warpLanes]
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

// ownSums reports whether an item makes sums that the next item of its row cannot use. The item may stop
// before it has made them, or their values belong to the item, such as a loaded value.
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

// beyond returns predicates, of which one is true if some items of a thread may be out of range. The last of
// these items is most items behind the first one. beyond asks for more than the items do, so that numbers
// with one limit are one condition.
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
				x = w.To(b64, "mov.b64", 0)
			}
			if least == "" {
				least, greatest = x, x
			} else {
				least, greatest = w.To(b64, "min.s64", least, x), w.To(b64, "max.s64", greatest, x)
			}
		}
		limit := w.in(g.limit)
		less := func(by string) {
			p = append(p, w.To(pred, "setp.lt.u64", limit, by))
			limit = w.To(b64, "sub.s64", limit, by)
		}
		if least != greatest {
			less(w.To(b64, "sub.s64", greatest, least))
		}
		if low < high {
			less(literal(ir.I64, uint64(high-low)))
		}
		x := w.To(b64, "add.s64", w.To(b64, "add.s64", w.total(g.of), least), literal(ir.I64, uint64(low)))
		p = append(p, w.To(pred, "setp.ge.u64", x, limit))
	}
	return p
}
