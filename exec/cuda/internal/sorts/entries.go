package sorts

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// A source is where keys come from.
type source struct {
	n, src, step string
	code         code
}

// sourceNames are the parameters of a source.
var sourceNames = append([]string{"n", "src", "step"}, codeNames("in")...)

// source loads the parameters of a source.
func (w *writer) source() source {
	return source{w.Param("n"), w.Address("src"), w.Param("step"), w.code("in")}
}

// load loads the number of an item into a register where a predicate is true, always if it is "".
func (w *writer) load(s source, x, item, is string) {
	guard := ""
	if is != "" {
		guard = "@" + is + " "
	}
	w.Op("%sld.global.%s %s, [%s]", guard, w.memory(), x, w.at(s.src, item, s.step))
}

// loaded returns the key of an item.
func (w *writer) loaded(s source, item string) string {
	x := w.Fresh(w.class())
	w.load(s, x, item, "")
	return w.encode(s.code, x)
}

// survey returns the entry Survey. A thread looks at each key and at the one behind it.
func (w *writer) survey() string {
	s, out := w.source(), w.Address("out")
	thread := w.Special("tid.x")
	item := w.To(b64, "add.s64", w.To(b64, "mul.wide.u32", w.Special("ctaid.x"), Threads), w.Wide(thread))
	stride := w.To(b64, "mul.wide.u32", w.Special("nctaid.x"), Threads)
	first := w.loaded(s, w.To(b64, "mov.b64", 0))
	differ, descent := w.To(w.class(), w.op("mov.b"), 0), w.To(b32, "mov.b32", 0)

	again, last, done := w.NewLabel("item"), w.NewLabel("last"), w.NewLabel("done")
	w.Label(again)
	w.Op("@!%s bra %s", w.below(item, s.n), done)
	x := w.loaded(s, item)
	w.Op("%s %s, %s, %s", w.op("or.b"), differ, differ, w.To(w.class(), w.op("xor.b"), x, first))
	next := w.To(b64, "add.s64", item, 1)
	w.Op("@!%s bra %s", w.below(next, s.n), last)
	w.Op("@%s mov.b32 %s, 1", w.To(pred, w.op("setp.gt.u"), x, w.loaded(s, next)), descent)
	w.Label(last)
	w.Op("add.s64 %s, %s, %s", item, item, stride)
	w.Op("bra %s", again)
	w.Label(done)

	words := []string{differ, w.To(b32, "mov.b32", 0), descent}
	if w.class() == b64 {
		words[0], words[1] = w.Halves(differ)
	}
	one := w.To(pred, "setp.eq.s32", w.To(b32, "and.b32", thread, 31), 0)
	for n, x := range words {
		for h := 16; h > 0; h /= 2 {
			x = w.To(b32, "or.b32", x, w.Shuffle("down", b32, x, h))
		}
		w.Op("@%s atom.global.or.b32 %s, %s, %s", one, w.Fresh(b32), offset(out, 4*n), x)
	}
	w.Op("ret")
	return w.Entry(Survey, append(slices.Clone(sourceNames), "out"), nil)
}

// count returns the entry Count.
func (w *writer) count() string {
	w.Tile = 4 * Threads
	s, shift, counts := w.source(), w.To(b32, "cvt.u32.u64", w.Param("shift")), w.Address("counts")
	thread, block := w.Special("tid.x"), w.Special("ctaid.x")
	own := w.To(b64, "mov.u64", "tile")
	mine := w.word(own, thread)
	w.Op("st.shared.u32 [%s], %s", mine, w.To(b32, "mov.b32", 0))
	item := w.To(b64, "add.s64", w.To(b64, "mul.wide.u32", block, Tile), w.Wide(thread))
	var keys, is [each]string
	for j := range each {
		is[j], keys[j] = w.below(item, s.n), w.To(w.class(), w.op("mov.b"), 0)
		w.load(s, keys[j], item, is[j])
		item = w.To(b64, "add.s64", item, Threads)
	}
	w.Op("bar.sync 0")
	one := w.To(b32, "mov.b32", 1)
	for j := range each {
		place := w.word(own, w.digit(w.encode(s.code, keys[j]), shift))
		w.Op("@%s atom.shared.add.u32 %s, [%s], %s", is[j], w.Fresh(b32), place, one)
	}
	w.Op("bar.sync 0")
	w.Op("st.global.u32 [%s], %s", w.countOf(counts, thread, block), w.To(b32, "ld.shared.u32", "["+mine+"]"))
	w.Op("ret")
	return w.Entry(Count, append(slices.Clone(sourceNames), "shift", "blocks", "counts"), nil)
}

// countOf returns the address of the count of a digit in a tile.
func (w *writer) countOf(counts, digit, tile string) string {
	n := w.To(b64, "add.s64", w.To(b64, "mul.lo.s64", w.Wide(digit), w.Param("blocks")), w.Wide(tile))
	return w.at(counts, n, "4")
}

// before returns the sum of what the threads of a block before this one have, and of what all have. It takes 32 bytes of shared
// memory.
func (w *writer) before(thread, x, room string) (before, all string) {
	lane := w.To(b32, "and.b32", thread, 31)
	none := w.To(b32, "mov.b32", 0)
	sum := x
	for h := 1; h < 32; h *= 2 {
		other := w.Shuffle("idx", b32, sum, w.To(b32, "sub.s32", lane, h))
		sum = w.To(b32, "add.s32", sum, w.To(b32, "selp.b32", other, none, w.To(pred, "setp.ge.s32", lane, h)))
	}
	of := w.To(b32, "shr.u32", thread, 5)
	w.Op("@%s st.shared.u32 [%s], %s", w.To(pred, "setp.eq.s32", lane, 31), w.word(room, of), sum)
	w.Op("bar.sync 0")
	before, all = w.To(b32, "sub.s32", sum, x), none
	for n := range warps {
		y := w.To(b32, "ld.shared.u32", offset(room, 4*n))
		left := w.To(pred, "setp.gt.u32", of, n)
		before, all = w.To(b32, "add.s32", before, w.To(b32, "selp.b32", y, none, left)), w.To(b32, "add.s32", all, y)
	}
	w.Op("bar.sync 0")
	return before, all
}

// places returns the entry Places.
func (w *writer) places() string {
	w.Tile = 4 * warps
	blocks, totals := w.Param("blocks"), w.Address("totals")
	thread, digit := w.Special("tid.x"), w.Special("ctaid.x")
	row := w.at(w.Address("counts"), w.To(b64, "mul.lo.s64", w.Wide(digit), blocks), "4")
	room := w.To(b64, "mov.u64", "tile")
	sum, first := w.To(b32, "mov.b32", 0), w.To(b64, "mov.b64", 0)
	again := w.NewLabel("tiles")
	w.Label(again)
	tile := w.To(b64, "add.s64", first, w.Wide(thread))
	is, place := w.below(tile, blocks), w.at(row, tile, "4")
	x := w.To(b32, "mov.b32", 0)
	w.Op("@%s ld.global.u32 %s, [%s]", is, x, place)
	before, all := w.before(thread, x, room)
	w.Op("@%s st.global.u32 [%s], %s", is, place, w.To(b32, "add.s32", sum, before))
	w.Op("add.s32 %s, %s, %s", sum, sum, all)
	w.Op("add.s64 %s, %s, %d", first, first, Threads)
	w.Op("@%s bra %s", w.below(first, blocks), again)
	w.Op("@%s st.global.u32 [%s], %s", w.To(pred, "setp.eq.s32", thread, 0), w.word(totals, digit), sum)
	w.Op("ret")
	return w.Entry(Places, []string{"blocks", "counts", "totals"}, nil)
}

// restore returns the entry Restore, a thread to a key.
func (w *writer) restore() string {
	item := w.To(b64, "add.s64", w.To(b64, "mul.wide.u32", w.Special("ctaid.x"), Threads), w.Wide(w.Special("tid.x")))
	w.Op("@!%s ret", w.below(item, w.Param("n")))
	x := w.To(w.class(), "ld.global."+w.memory(), "["+w.at(w.Address("src"), item, literal(w.Bytes))+"]")
	w.Op("st.global.%s [%s], %s", w.memory(), w.at(w.Address("dst"), item, w.Param("dstStep")), w.decode(w.code("out"), x))
	w.Op("ret")
	return w.Entry(Restore, append([]string{"n", "src", "dst", "dstStep"}, codeNames("out")...), nil)
}

// Gather returns the name and the text of an entry that copies items of so many units, each of unit bytes: 1, 2, 4 or 8. Its
// parameters are n, src, step, ranks, dst, dstStep, units: item k of dst becomes item ranks[k] of src, or item k if
// ranks is 0. Steps are in bytes. A thread copies an item.
func Gather(unit int) (entry, text string) {
	w := &writer{Key: Key{Bytes: unit}}
	item := w.To(b64, "add.s64", w.To(b64, "mul.wide.u32", w.Special("ctaid.x"), Threads), w.Wide(w.Special("tid.x")))
	w.Op("@!%s ret", w.below(item, w.Param("n")))
	ranks, from := w.Param("ranks"), w.To(b64, "mov.b64", item)
	same := w.NewLabel("same")
	w.Op("@%s bra %s", w.To(pred, "setp.eq.s64", ranks, 0), same)
	rank := w.To(b32, "ld.global.u32", "["+w.at(w.To(b64, "cvta.to.global.u64", ranks), item, "4")+"]")
	w.Op("cvt.u64.u32 %s, %s", from, rank)
	w.Label(same)
	src, dst := w.at(w.Address("src"), from, w.Param("step")), w.at(w.Address("dst"), item, w.Param("dstStep"))
	left, again := w.Param("units"), w.NewLabel("unit")
	w.Label(again)
	w.Op("st.global.%s [%s], %s", w.memory(), dst, w.To(w.class(), "ld.global."+w.memory(), "["+src+"]"))
	for _, x := range []string{src, dst} {
		w.Op("add.s64 %s, %s, %d", x, x, unit)
	}
	w.Op("sub.s64 %s, %s, 1", left, left)
	w.Op("@%s bra %s", w.To(pred, "setp.ne.s64", left, 0), again)
	w.Op("ret")
	entry = "gokkos_gather"
	return entry, ptxtext.Module(w.Entry(entry, []string{"n", "src", "step", "ranks", "dst", "dstStep", "units"}, nil))
}
