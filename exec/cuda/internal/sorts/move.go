package sorts

import (
	"slices"
	"strconv"
)

func literal(n int) string { return strconv.Itoa(n) }

// A tile is the keys of a block. Those of a warp are neighbours, and lane l has key 32 j + l of them for each j: so the order
// of keys is that of warps, then of j, then of lanes.
type tile struct {
	source
	shift        string
	thread, lane string
	block        string
	begin        string // the item of key 0
	keys         [each]string
	at           [each]string // where the count of the key's digit is in the words of the warp
	places       [each]string // of keys in the tile when it is sorted

	sorted string // address of keys in shared memory, as they are sorted; words that go along come there behind them
	counts string // of words for each warp and digit
	apart  string // of words for each digit: its place in all of dst less that in the tile
	room   string
}

// move returns the entry Move.
func (w *writer) move() string {
	size := w.class().Bytes()
	counts := Tile * size
	apart := counts + 4*Threads*warps
	room := apart + 4*Threads
	w.Tile = room + 4*warps
	base := w.To(b64, "mov.u64", "tile")
	behind := func(bytes int) string { return w.To(b64, "add.s64", base, bytes) }
	t := &tile{source: w.source(), shift: w.To(b32, "cvt.u32.u64", w.Param("shift")), thread: w.Special("tid.x"), block: w.Special("ctaid.x"), sorted: base, counts: behind(counts), apart: behind(apart), room: behind(room)}
	t.lane = w.To(b32, "and.b32", t.thread, 31)
	t.begin = w.To(b64, "mul.wide.u32", t.block, Tile)
	first := w.first(t)
	w.fetch(t, first)
	w.rank(t)
	w.sum(t)
	w.shuffle(t)
	places, is := w.store(t)
	names := append(slices.Clone(sourceNames), "shift", "blocks", "counts", "totals", "dst", "dstStep")
	names = append(names, codeNames("out")...)
	if w.Ranks {
		w.along(t, first, places, is)
		names = append(names, "ranks", "toRanks")
	}
	w.Op("ret")
	return w.Entry(Move, names, nil)
}

// first returns the item of the thread's first key.
func (w *writer) first(t *tile) string {
	of := w.To(b32, "mul.lo.s32", w.To(b32, "shr.u32", t.thread, 5), 32*each)
	return w.To(b64, "add.s64", t.begin, w.Wide(w.To(b32, "add.s32", of, t.lane)))
}

// fetch loads the keys. Those behind the last item are the largest, and so they stay behind all others.
func (w *writer) fetch(t *tile, item string) {
	var is [each]string
	for j := range each {
		is[j], t.keys[j] = w.below(item, t.n), w.To(w.class(), w.op("mov.b"), 0)
		w.load(t.source, t.keys[j], item, is[j])
		item = w.To(b64, "add.s64", item, 32)
	}
	none := w.To(b32, "mov.b32", 0)
	mine := w.word(t.counts, t.thread)
	for n := range warps {
		w.Op("st.shared.u32 %s, %s", offset(mine, 4*Threads*n), none)
	}
	w.Op("bar.sync 0")
	last := w.To(w.class(), w.op("mov.b"), -1)
	for j, x := range t.keys {
		t.keys[j] = w.To(w.class(), w.op("selp.b"), w.encode(t.code, x), last, is[j])
	}
}

// rank finds for each key how many of its warp that come before it have its digit, and counts the digits of the warp.
func (w *writer) rank(t *tile) {
	own := w.word(t.counts, w.To(b32, "and.b32", w.To(b32, "shl.b32", t.thread, 3), -256))
	lower := w.To(b32, "sub.s32", w.To(b32, "shl.b32", w.To(b32, "mov.b32", 1), t.lane), 1)
	for j, x := range t.keys {
		digit := w.digit(x, t.shift)
		t.at[j] = w.word(own, digit)
		same := w.To(b32, "mov.b32", -1)
		for bit := range 8 {
			is := w.To(pred, "setp.ne.s32", w.To(b32, "and.b32", digit, 1<<bit), 0)
			all := w.To(b32, "vote.sync.ballot.b32", is, -1)
			w.Op("@!%s not.b32 %s, %s", is, all, all)
			same = w.To(b32, "and.b32", same, all)
		}
		count := w.To(b32, "ld.shared.u32", "["+t.at[j]+"]")
		w.Op("bar.warp.sync -1")
		before := w.To(b32, "popc.b32", w.To(b32, "and.b32", same, lower))
		one := w.To(pred, "setp.eq.s32", before, 0)
		w.Op("@%s st.shared.u32 [%s], %s", one, t.at[j], w.To(b32, "add.s32", count, w.To(b32, "popc.b32", same)))
		w.Op("bar.warp.sync -1")
		t.places[j] = w.To(b32, "add.s32", count, before)
	}
	w.Op("bar.sync 0")
}

// sum makes the counts of a digit, one of each warp, what is before those in the tile. A thread has a digit.
func (w *writer) sum(t *tile) {
	mine := w.word(t.counts, t.thread)
	count := w.To(b32, "mov.b32", 0)
	var before [warps]string
	for n := range warps {
		before[n] = count
		count = w.To(b32, "add.s32", count, w.To(b32, "ld.shared.u32", offset(mine, 4*Threads*n)))
	}
	total := w.To(b32, "ld.global.u32", "["+w.word(w.Address("totals"), t.thread)+"]")
	tiles := w.To(b32, "ld.global.u32", "["+w.countOf(w.Address("counts"), t.thread, t.block)+"]")
	lower, _ := w.before(t.thread, count, t.room)
	all, _ := w.before(t.thread, total, t.room)
	for n := range warps {
		w.Op("st.shared.u32 %s, %s", offset(mine, 4*Threads*n), w.To(b32, "add.s32", lower, before[n]))
	}
	w.Op("st.shared.u32 [%s], %s", w.word(t.apart, t.thread), w.To(b32, "sub.s32", w.To(b32, "add.s32", all, tiles), lower))
	w.Op("bar.sync 0")
}

// shuffle puts the keys into the order of their digits.
func (w *writer) shuffle(t *tile) {
	for j, x := range t.keys {
		t.places[j] = w.To(b32, "add.s32", t.places[j], w.To(b32, "ld.shared.u32", "["+t.at[j]+"]"))
		w.Op("st.shared.u%d [%s], %s", 8*w.class().Bytes(), w.slot(t, t.places[j]), x)
	}
	w.Op("bar.sync 0")
}

// slot returns the address of a key in the tile when it is sorted.
func (w *writer) slot(t *tile, place string) string {
	return w.To(b64, "add.s64", t.sorted, w.To(b64, "mul.wide.u32", place, w.class().Bytes()))
}

// store stores the keys, of which neighbours go to neighbouring places as far as their digits are equal. It returns these
// places, and whether there is a key.
func (w *writer) store(t *tile) (places, is [each]string) {
	dst, step, out := w.Address("dst"), w.Param("dstStep"), w.code("out")
	place := t.thread
	for j := range each {
		x := w.To(w.class(), w.op("ld.shared.u"), "["+w.slot(t, place)+"]")
		apart := w.To(b32, "ld.shared.u32", "["+w.word(t.apart, w.digit(x, t.shift))+"]")
		is[j] = w.below(w.To(b64, "add.s64", t.begin, w.Wide(place)), t.n)
		places[j] = w.Wide(w.To(b32, "add.s32", apart, place))
		w.Op("@%s st.global.%s [%s], %s", is[j], w.memory(), w.at(dst, places[j], step), w.decode(out, x))
		place = w.To(b32, "add.s32", place, Threads)
	}
	return places, is
}

// along moves the words that go along.
func (w *writer) along(t *tile, item string, places, is [each]string) {
	ranks, to := w.Param("ranks"), w.Address("toRanks")
	given := w.To(pred, "setp.ne.s64", ranks, 0)
	ranks = w.To(b64, "cvta.to.global.u64", ranks)
	w.Op("bar.sync 0") // keys are loaded
	for _, place := range t.places {
		x := w.To(b32, "cvt.u32.u64", item)
		from := w.To(pred, "and.pred", given, w.below(item, t.n))
		w.Op("@%s ld.global.u32 %s, [%s]", from, x, w.at(ranks, item, "4"))
		w.Op("st.shared.u32 [%s], %s", w.word(t.sorted, place), x)
		item = w.To(b64, "add.s64", item, 32)
	}
	w.Op("bar.sync 0")
	place := w.word(t.sorted, t.thread)
	for j := range each {
		x := w.To(b32, "ld.shared.u32", offset(place, 4*Threads*j))
		w.Op("@%s st.global.u32 [%s], %s", is[j], w.at(to, places[j], "4"), x)
	}
}
