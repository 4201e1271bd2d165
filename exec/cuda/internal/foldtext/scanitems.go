package foldtext

import (
	"fmt"
	"strconv"
)

func literal(n int) string { return strconv.Itoa(n) }

// bytes returns those of a value in shared memory, and of a sum.
func (w *scanWriter) bytes() string { return literal(w.part.class.Bytes()) }

// columns is how many items of a leaf a tile has: lanes load and store one, or two neighbours as a word.
func (w *scanWriter) columns() int { return warp * w.wide }

// tileRow returns the bytes between the rows of a tile: one value more than there are, so that a column is in as many banks.
func (w *scanWriter) tileRow() int { return (w.columns() + 1) * w.part.class.Bytes() }

// A tile is the items of some columns of each of 32 leaves. Lane l loads and stores column l, or columns 2*l and 2*l+1, which
// lie in the tile as l and 32+l, so that lanes use as many banks. It walks row l.
type tile struct {
	leaf, leafLog string
	items         string
	lane, number  string // of the thread, 64 bits, and of its leaf
	lane32        string
	count         string // of leaves
	column        string // the first one, in its leaf
	own           string // the first of the lane, from there on
	at            string // the item that the lane loads first of leaf 0
	mine, row     string // addresses in the tile
	values        []string
}

// A side is where items are in memory.
type side struct{ at, leaf, tile string } // the address of the lane's item of row 0, and the bytes to the next of each

// newTile begins an entry.
func (w *scanWriter) newTile() *tile {
	w.Tile = warp * w.tileRow()
	t := &tile{leaf: w.Param("leaf"), items: w.Param("items"), count: w.Param("leaves")}
	t.leafLog = w.To(b32, "popc.b64", w.To(b64, "sub.s64", t.leaf, "1"))
	t.lane32 = w.Special("tid.x")
	t.lane = w.Wide(t.lane32)
	first := w.To(b64, "shl.b64", w.Wide(w.Special("ctaid.x")), "5")
	t.number = w.To(b64, "add.s64", first, t.lane)
	t.own = w.To(b64, "mul.lo.s64", t.lane, w.wide)
	t.at = w.To(b64, "add.s64", w.To(b64, "shl.b64", first, t.leafLog), t.own)
	t.column = w.To(b64, "mov.b64", "0")
	base := w.To(b64, "mov.u64", "tile")
	t.mine = w.To(b64, "add.s64", base, w.To(b64, "mul.lo.s64", t.lane, w.bytes()))
	t.row = w.To(b64, "add.s64", base, w.To(b64, "mul.lo.s64", t.lane, w.tileRow()))
	for range warp {
		t.values = append(t.values, w.Fresh(w.loaded()))
	}
	return t
}

// loaded returns the class of what a lane loads at a time.
func (w *scanWriter) loaded() class {
	if w.wide > 1 {
		return b64
	}
	return w.part.class
}

// side returns where the items of a tile are, by parameters.
func (w *scanWriter) side(t *tile, base, step string) *side {
	bytes := w.Param(step)
	at := w.To(b64, "add.s64", w.Address(base), w.To(b64, "mul.lo.s64", t.at, bytes))
	return &side{at, w.To(b64, "mul.lo.s64", t.leaf, bytes), w.To(b64, "mul.lo.s64", bytes, w.columns())}
}

// rows returns how many leaves, from the first on, have an item in the lane's column.
func (w *scanWriter) rows(t *tile) string {
	rest := w.To(b64, "sub.s64", w.To(b64, "add.s64", w.To(b64, "sub.s64", t.items, t.at), t.leaf), "1")
	all := w.To(b64, "max.s64", w.To(b64, "min.s64", w.To(b64, "shr.s64", rest, t.leafLog), warp), "0")
	inside := w.To(pred, "setp.lt.s64", w.To(b64, "add.s64", t.column, t.own), t.leaf)
	return w.To(b32, "selp.b32", w.To(b32, "cvt.u32.u64", all), "0", inside)
}

// each calls f for the items of the lane's column, with a predicate that there is one and its address.
func (w *scanWriter) each(s *side, rows string, f func(n int, is, address string)) {
	address := w.To(b64, "mov.b64", s.at)
	for n := range warp {
		f(n, w.To(pred, "setp.gt.s32", rows, n), address)
		address = w.To(b64, "add.s64", address, s.leaf)
	}
}

// load begins to load the column, identities where there are no items, and goes on to the next.
func (w *scanWriter) load(t *tile, src *side) (rows string) {
	rows = w.rows(t)
	w.each(src, rows, func(n int, is, address string) {
		if w.wide > 1 {
			w.Op("mov.b64 %s, 0x%x", t.values[n], uint64(uint32(w.part.identity))*(1<<32+1))
			w.Op("@%s ld.global.u64 %s, [%s]", is, t.values[n], address)
			return
		}
		w.set(w.part, t.values[n], w.part.literal(w.part.identity))
		w.Op("@%s ld.global.%s %s, [%s]", is, w.scan.e.memory(), t.values[n], address)
	})
	w.Op("add.s64 %s, %s, %s", src.at, src.at, src.tile)
	return rows
}

// share hands the column to those who walk the rows.
func (w *scanWriter) share(t *tile) {
	w.Op("bar.sync 0") // they have walked the tile before
	for n, x := range t.values {
		if w.wide > 1 {
			low, high := w.Halves(x)
			w.Op("st.shared.u32 %s, %s", w.mine(t, n, 0), low)
			w.Op("st.shared.u32 %s, %s", w.mine(t, n, 1), high)
			continue
		}
		w.Op("st.shared.%s %s, %s", w.part.class.Stored(), w.mine(t, n, 0), x)
	}
	w.Op("bar.sync 0")
}

// mine returns the place of a value of the lane in row n.
func (w *scanWriter) mine(t *tile, n, k int) string {
	return fmt.Sprintf("[%s+%d]", t.mine, n*w.tileRow()+k*warp*w.part.class.Bytes())
}

// next goes on to the next tile.
func (w *scanWriter) next(t *tile) {
	w.Op("add.s64 %s, %s, %d", t.at, t.at, w.columns())
	w.Op("add.s64 %s, %s, %d", t.column, t.column, w.columns())
}

// walk calls f with the values of the lane's row and their places in the tile. So many as there are lanes are loaded before any
// of them is joined.
func (w *scanWriter) walk(t *tile, f func(x, place string)) {
	for first := 0; first < w.columns(); first += warp {
		var places, values [warp]string
		for n := range warp {
			k := (first+n)%w.wide*warp + (first+n)/w.wide
			places[n] = fmt.Sprintf("[%s+%d]", t.row, k*w.part.class.Bytes())
			values[n] = w.To(w.part.class, "ld.shared."+w.part.class.Stored(), places[n])
		}
		for n, x := range values {
			f(x, places[n])
		}
	}
}

// sums returns the entry that joins the items of leaves, and these up to nodes of 32.
func (w *scanWriter) sums() string {
	t := w.newTile()
	src := w.side(t, "src", "step")
	sums, nodes := w.Address("sums"), w.Address("nodes")
	acc := w.identity()
	w.load(t, src)
	again := w.NewLabel("tile")
	w.Label(again)
	w.share(t)
	w.next(t)
	w.load(t, src) // on its way while the tile is walked
	w.walk(t, func(x, _ string) { w.join(acc, x) })
	w.Op("@%s bra %s", w.To(pred, "setp.lt.s64", t.column, t.leaf), again)

	has := w.To(pred, "setp.lt.u64", t.number, t.count)
	w.Op("@%s st.global.%s [%s], %s", has, w.part.class.Stored(), w.place(sums, t.number), acc)
	_, sum := w.up(acc, t.number, t.count)
	is := w.To(pred, "setp.eq.s64", t.lane, "0")
	w.Op("@%s st.global.%s [%s], %s", is, w.part.class.Stored(), w.place(nodes, w.Wide(w.Special("ctaid.x"))), sum)
	w.Op("ret")
	return w.Entry(w.scan.Sums, []string{"items", "leaf", "src", "step", "leaves", "sums", "nodes"}, nil)
}

// items returns the entry that joins the items of leaves from their prefixes on.
func (w *scanWriter) items(inclusive bool) string {
	t := w.newTile()
	src, dst := w.side(t, "src", "step"), w.side(t, "dst", "dstStep")
	rows := w.Fresh(b32)
	w.Op("mov.b32 %s, %s", rows, w.load(t, src))
	sum := w.loadOr(w.To(pred, "setp.lt.u64", t.number, t.count), w.place(w.Address("sums"), t.number))
	all := w.To(w.part.class, "ld.global."+w.part.class.Stored(), "["+w.place(w.Address("nodes"), w.Wide(w.Special("ctaid.x")))+"]")
	levels, _ := w.up(sum, t.number, t.count)
	acc := w.Fresh(w.part.class)
	w.set(w.part, acc, w.prefixes(levels, t.lane32, all))

	again := w.NewLabel("tile")
	w.Label(again)
	w.share(t)
	w.next(t)
	next := w.load(t, src)
	w.walk(t, func(x, place string) {
		if inclusive {
			w.join(acc, x)
		}
		w.Op("st.shared.%s %s, %s", w.part.class.Stored(), place, acc)
		if !inclusive {
			w.join(acc, x)
		}
	})
	w.Op("bar.sync 0")
	w.each(dst, rows, func(n int, is, address string) {
		if w.wide > 1 {
			low, high := w.To(b32, "ld.shared.u32", w.mine(t, n, 0)), w.To(b32, "ld.shared.u32", w.mine(t, n, 1))
			w.Op("@%s st.global.u64 [%s], %s", is, address, w.To(b64, "mov.b64", fmt.Sprintf("{%s, %s}", low, high)))
			return
		}
		x := w.To(w.part.class, "ld.shared."+w.part.class.Stored(), w.mine(t, n, 0))
		w.Op("@%s st.global.%s [%s], %s", is, w.scan.e.kept(), address, x)
	})
	w.Op("add.s64 %s, %s, %s", dst.at, dst.at, dst.tile)
	w.Op("mov.b32 %s, %s", rows, next)
	w.Op("@%s bra %s", w.To(pred, "setp.lt.s64", t.column, t.leaf), again)
	w.Op("ret")
	return w.Entry(w.scan.Items, []string{"items", "leaf", "src", "step", "leaves", "sums", "nodes", "dst", "dstStep"}, nil)
}

// kept returns the type that stores have: of integers that are shorter than a register, the lower bits.
func (e element) kept() string {
	if e.float() {
		return e.memory()
	}
	return fmt.Sprintf("u%d", 8*e.size)
}

// loadOr loads a sum where a predicate is true, and else is the identity.
func (w *scanWriter) loadOr(is, address string) string {
	x := w.identity()
	w.Op("@%s ld.global.%s %s, [%s]", is, w.part.class.Stored(), x, address)
	return x
}
