package ptx

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// An item has the registers of the facts about an item.
type item struct {
	number string   // register of its number, or "" if that is the index less the index of item 0
	index  string   // of its index if that is an integer, else of the coordinate along runs
	coords []string // of all coordinates
	stop   string   // where the row ends
	end    string   // the label behind the item
	setup  []string // of the values of the setup that depend on the index
	sums   map[string]string
}

// indexParams returns the parameters that say which index an item has, see kernel.Text.
func (w *writer) indexParams(comments map[string]string) (names []string) {
	rank := w.k.Index.Rank
	if rank == 0 {
		comments["begin"] = "index of item 0"
		return []string{"begin"}
	}
	names = []string{"mode", "left", "across", "begin"}
	comments["begin"] = "number of item 0 among the points"
	for d := range rank {
		names = append(names, fmt.Sprintf("lower%d", d))
	}
	for n := range rank {
		names = append(names, fmt.Sprintf("extent%d", n), fmt.Sprintf("tile%d", n), fmt.Sprintf("below%d", n))
	}
	for n := 1; n < rank; n++ {
		names = append(names, fmt.Sprintf("size%d", n), fmt.Sprintf("multiplier%d", n), fmt.Sprintf("shift%d", n))
	}
	return names
}

// param32 loads the lower half of a parameter.
func (w *writer) param32(name string) string { return w.To(b32, "ld.param.u32", "["+name+"]") }

// openBox loads the numbers of the box that all items need, if there is a box.
func (w *writer) openBox(last string) {
	w.box = &box{rank: w.k.Index.Rank, begin: w.Param("begin"), last: last}
	b := w.box
	if b.rank == 0 {
		return
	}
	is := func(name string, n int) string {
		return w.To(pred, "setp.eq.s32", w.param32(name), n)
	}
	b.plain, b.narrow, b.left, b.across = is("mode", 0), is("mode", 1), is("left", 1), is("across", 1)
	for n := 1; n < b.rank; n++ {
		for k, name := range []string{"size", "multiplier", "shift"} {
			b.mul[n][k] = w.param32(fmt.Sprint(name, n))
		}
	}
	if w.k.Index.Row {
		b.leaf = w.Param("leaf")
	}
}

// locate computes the index of an item from its number, and the values of the setup that depend on the index.
// If plain is true, the box is known to be plain.
func (w *writer) locate(at *item, plain bool) {
	at.sums = map[string]string{}
	b := w.box
	if b.rank == 0 {
		at.index = w.To(b64, "add.s64", b.begin, at.number)
		return
	}
	for n := range b.rank {
		b.x[n] = w.Fresh(b64)
	}
	if w.k.Index.Row {
		b.at, b.rest = w.Fresh(b64), w.Fresh(b64)
	}
	point := w.To(b64, "add.s64", b.begin, at.number)
	if plain {
		w.plainPoint(point)
	} else {
		wide, narrow, found := w.NewLabel("wide"), w.NewLabel("narrow"), w.NewLabel("found")
		w.Op("@!%s bra %s", b.plain, narrow)
		w.plainPoint(point)
		w.Op("bra %s", found)
		w.Label(narrow)
		w.Op("@!%s bra %s", b.narrow, wide)
		w.tiledPoint(point, ir.I32)
		w.Op("bra %s", found)
		w.Label(wide)
		w.tiledPoint(point, ir.I64)
		w.Label(found)
	}
	if w.k.Index.Row {
		if len(w.k.Accs) == 0 {
			w.beginRow(at)
		}
		w.cutRow(at)
	}
	at.coords = nil
	for d := range b.rank {
		x, other := b.x[d], b.x[b.rank-1-d]
		if x != other {
			x = w.To(b64, "selp.b64", other, x, b.left)
		}
		at.coords = append(at.coords, w.To(b64, "add.s64", x, w.Param(fmt.Sprintf("lower%d", d))))
	}
	at.index = at.coords[w.k.Index.Dim]
	if w.k.Index.Row {
		at.stop = w.To(b64, "add.s64", at.index, b.rest)
	}
	w.setup(at)
}

// plainPoint makes coordinates in a box of one tile, with less than 2³¹ points.
func (w *writer) plainPoint(point string) {
	b := w.box
	n := w.To(b32, "cvt.u32.u64", point)
	for p := b.rank - 1; p > 0; p-- {
		size := b.mul[p][0]
		product := w.To(b64, "mul.wide.u32", n, b.mul[p][1])
		q := w.To(b32, "cvt.u32.u64", w.To(b64, "shr.u64", product, b.mul[p][2]))
		x := w.To(b32, "sub.s32", n, w.To(b32, "mul.lo.s32", q, size))
		w.Op("cvt.u64.u32 %s, %s", b.x[p], x)
		if p == b.rank-1 && w.k.Index.Row {
			w.Op("mov.b64 %s, %s", b.at, b.x[p])
			w.Op("cvt.u64.u32 %s, %s", b.rest, w.To(b32, "sub.s32", size, x))
		}
		n = q
	}
	w.Op("cvt.u64.u32 %s, %s", b.x[0], n)
}

// tiledPoint makes coordinates in any box, by divisions of integers of a type.
func (w *writer) tiledPoint(point string, t ir.Type) {
	b, c := w.box, w.classOf(t)
	u, s := kind(t, true), kind(t, false)
	param, n := w.Param, point
	if t == ir.I32 {
		param, n = w.param32, w.To(b32, "cvt.u32.u64", point)
	}
	two := func(op, x, y string) string { return w.To(c, op, x, y) }
	divide := func(x, y string) (q, rest string) {
		q = two("div."+u, x, y)
		return q, two("sub."+s, x, two("mul.lo."+s, q, y))
	}
	var origins, lengths []string // by position among tiles
	area := ""
	for q := range b.rank {
		tile := param(fmt.Sprintf("tile%d", q))
		slab := two("mul.lo."+s, param(fmt.Sprintf("below%d", q)), tile)
		if area != "" {
			slab = two("mul.lo."+s, slab, area)
		}
		var number string
		number, n = divide(n, slab)
		origin := two("mul.lo."+s, number, tile)
		length := two("min."+u, tile, two("sub."+s, param(fmt.Sprintf("extent%d", q)), origin))
		origins, lengths = append(origins, origin), append(lengths, length)
		if area == "" {
			area = length
		} else if q < b.rank-1 {
			area = two("mul.lo."+s, area, length)
		}
	}
	turned := func(list []string, p int) string { // by position among points
		x, other := list[p], list[b.rank-1-p]
		if x == other {
			return x
		}
		return w.To(c, "selp."+raw(t), other, x, b.across)
	}
	for p := b.rank - 1; p >= 0; p-- {
		x := n
		if p > 0 {
			length := turned(lengths, p)
			n, x = divide(n, length)
			if p == b.rank-1 && w.k.Index.Row {
				w.widen(b.at, x, t)
				w.widen(b.rest, two("sub."+s, length, x), t)
			}
		}
		w.widen(b.x[p], two("add."+s, turned(origins, p), x), t)
	}
}

// widen moves an integer without a sign to a register of 64 bits.
func (w *writer) widen(dst, x string, t ir.Type) {
	if t == ir.I32 {
		w.Op("cvt.u64.u32 %s, %s", dst, x)
	} else {
		w.Op("mov.b64 %s, %s", dst, x)
	}
}

// beginRow leaves out an item that begins no row, where the thread of the first point runs the row. Leaves begin rows.
func (w *writer) beginRow(at *item) {
	b := w.box
	in := w.To(b64, "and.b64", at.number, w.To(b64, "sub.s64", b.leaf, 1))
	p := w.To(pred, "setp.ne.s64", w.To(b64, "min.u64", in, b.at), 0)
	w.Op("@%s bra %s", p, at.end)
}

// cutRow ends the row at the end of its leaf, or at the last item to run.
func (w *writer) cutRow(at *item) {
	b := w.box
	in := w.To(b64, "and.b64", at.number, w.To(b64, "sub.s64", b.leaf, 1))
	for _, left := range []string{w.To(b64, "sub.s64", b.leaf, in), w.To(b64, "sub.s64", b.last, at.number)} {
		w.Op("min.u64 %s, %s, %s", b.rest, b.rest, left)
	}
}

// splitSetup separates the values of the setup that depend on the index from the values that are the same for
// all items.
func (w *writer) splitSetup() {
	of := map[*ir.Value]bool{}
	for _, v := range w.k.Setup.Values {
		of[v] = v.Op == ir.Coord || v.Op == ir.Stop || slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return of[a] })
		if of[v] {
			w.ofItem = append(w.ofItem, v)
		}
	}
}

// setup computes the values of the setup that depend on the index.
func (w *writer) setup(at *item) {
	at.setup = nil
	for _, v := range w.ofItem {
		w.value(v, *at)
		at.setup = append(at.setup, w.reg[v])
	}
}

// of sets values of the setup to the values of an item.
func (w *writer) of(at item) {
	w.sums, w.reg[w.index()] = at.sums, at.index
	for n, v := range w.ofItem {
		w.reg[v] = at.setup[n]
	}
}
