package ptxtext

import "math/bits"

// Values are partial results: registers of some classes, and one place in memory for each leaf and one for
// the root.
type Values interface {
	// Classes returns those of the registers of a partial result.
	Classes() []Class
	// Clear writes the identity to registers.
	Clear(dst []string)
	// Load writes the value of a leaf to registers, the identity if the predicate none is true.
	Load(dst []string, leaf, none string)
	// Store writes registers as the value of a leaf.
	Store(leaf string, src []string)
	// StoreRoot writes registers as the value of the root.
	StoreRoot(src []string)
	// Join joins src into dst.
	Join(dst, src []string)
}

// Registers returns fresh registers for a partial result.
func (w *Writer) Registers(v Values) (acc []string) {
	for _, c := range v.Classes() {
		acc = append(acc, w.Fresh(c))
	}
	return acc
}

// down returns the partial result of the lane that is h above.
func (w *Writer) down(v Values, acc []string, h string) (others []string) {
	for n, c := range v.Classes() {
		others = append(others, w.Shuffle("down", c, acc[n], h))
	}
	return others
}

// Leaves are the registers of an entry that reduces leaves of the tree. Lane l of a leaf is a thread, and
// runs the items k of the leaf with k mod lanes = l in their order. The lanes of a leaf are neighbours in a
// warp.
type Leaves struct {
	First, Last, Size, Lanes string // the items First to Last-1, of whole leaves; items and lanes of a leaf
	SizeLog, LanesLog        string // of 32 bits
	Base                     string // the number of the first leaf

	w           *Writer
	count       string // leaves of all blocks
	width       string // leaves of a block, a power of two
	before      string // leaves of the blocks before
	end         string // the item behind the last one of the block
	lane        string // of the thread
	own, ofWarp string // the first items of the leaves of the thread, and of the first thread of its warp
	step        string // items from a leaf of the thread to its next one
}

// Open gives a block neighbouring leaves: as many as its threads have at a time, or twice, four times and so
// on as many if there are more of them than all blocks have threads for.
func (l *Leaves) Open(w *Writer) {
	l.w = w
	wide := func(special string) string { return w.Wide(w.Special(special)) }
	leafOf := func(thread string) string { return w.To("b64", "shr.u64", thread, l.LanesLog) }
	items := func(leaves string) string { return w.To("b64", "shl.b64", leaves, l.SizeLog) }
	sum := func(x, y string) string { return w.To("b64", "add.s64", x, y) }

	rounded := w.To("b64", "sub.s64", sum(w.To("b64", "sub.s64", l.Last, l.First), l.Size), 1)
	l.count = w.To("b64", "shr.u64", rounded, l.SizeLog)
	together, blocks, thread := leafOf(wide("ntid.x")), wide("nctaid.x"), wide("tid.x")
	l.width = w.To("b64", "mov.b64", together)
	wider, enough := w.NewLabel("wider"), w.NewLabel("wide")
	w.Label(wider)
	all := w.To("b64", "mul.lo.s64", l.width, blocks)
	w.Op("@%s bra %s", w.To("pred", "setp.ge.u64", all, l.count), enough)
	w.Op("shl.b64 %s, %s, 1", l.width, l.width)
	w.Op("bra %s", wider)
	w.Label(enough)
	l.before = w.To("b64", "mul.lo.s64", wide("ctaid.x"), l.width)
	begin := sum(l.First, items(l.before))
	l.end = w.To("b64", "min.s64", sum(begin, items(l.width)), l.Last)
	l.lane = w.To("b64", "and.b64", thread, w.To("b64", "sub.s64", l.Lanes, 1))
	l.own = sum(begin, items(leafOf(thread)))
	l.ofWarp = sum(begin, items(leafOf(w.To("b64", "and.b64", thread, -32))))
	l.step = items(together)
}

// Each reduces the leaves of a thread. For each of them, items runs the items of the lane from a number on,
// up to an end, and goes on at the label behind. If the predicate apart is true, nothing is joined: the value of each lane that
// has an item is stored as that of a leaf, numbered in order, and the entry ends. It is "" if that is never so, and "true" if it
// is always so.
func (l *Leaves) Each(v Values, acc []string, apart string, items func(number, end, behind string)) {
	w := l.w
	leaf, behind, done := w.NewLabel("leaf"), w.NewLabel("join"), w.NewLabel("done")
	w.Label(leaf)
	w.Op("@%s bra %s", w.To("pred", "setp.ge.s64", l.ofWarp, l.end), done) // the whole warp at once
	v.Clear(acc)
	end := w.To("b64", "min.s64", w.To("b64", "add.s64", l.own, l.Size), l.Last)
	items(w.To("b64", "add.s64", l.own, l.lane), end, behind)
	w.Label(behind)
	stored := w.NewLabel("stored")
	if apart != "" {
		l.storeLane(v, acc, apart, end, stored)
	}
	if apart != "true" {
		l.butterfly(v, acc, w.To("b64", "sub.s64", end, l.own))
		w.Op("@%s bra %s", w.To("pred", "setp.ne.s64", l.lane, 0), stored)
		w.Op("@%s bra %s", w.To("pred", "setp.ge.s64", l.own, l.Last), stored)
		v.Store(w.To("b64", "shr.u64", l.own, l.SizeLog), acc)
	}
	w.Label(stored)
	w.Op("add.s64 %s, %s, %s", l.own, l.own, l.step)
	w.Op("add.s64 %s, %s, %s", l.ofWarp, l.ofWarp, l.step)
	w.Op("bra %s", leaf)
	w.Label(done)
	switch apart {
	case "":
	case "true":
		w.Op("ret")
	default:
		w.Op("@%s ret", apart)
	}
}

// storeLane stores the value of the lane, if it has an item, and goes on at the label stored, if the predicate apart is true.
func (l *Leaves) storeLane(v Values, acc []string, apart, end, stored string) {
	w := l.w
	joined := w.NewLabel("together")
	if apart != "true" {
		w.Op("@!%s bra %s", apart, joined)
	}
	w.Op("@%s bra %s", w.To("pred", "setp.ge.s64", w.To("b64", "add.s64", l.own, l.lane), end), stored)
	first := w.To("b64", "shl.b64", w.To("b64", "shr.u64", l.own, l.SizeLog), l.LanesLog)
	v.Store(w.To("b64", "add.s64", first, l.lane), acc)
	w.Op("bra %s", stored)
	w.Label(joined)
}

// butterfly joins the lanes of a leaf that has so many items into lane 0: lane l with lane l+h for h =
// lanes/2, lanes/4 and so on, if lane l+h has an item. All threads of the warp take part in the shuffles.
func (l *Leaves) butterfly(v Values, acc []string, used string) {
	w := l.w
	h := w.To("b32", "cvt.u32.u64", w.To("b64", "shr.u64", l.Lanes, 1))
	half, joined := w.NewLabel("half"), w.NewLabel("joined")
	w.Label(half)
	w.Op("@%s bra %s", w.To("pred", "setp.eq.s32", h, 0), joined)
	others := w.down(v, acc, h)
	other := w.To("b64", "add.s64", l.lane, w.Wide(h))
	none := w.NewLabel("lane")
	w.Op("@%s bra %s", w.To("pred", "setp.ge.s64", other, used), none)
	v.Join(acc, others)
	w.Label(none)
	w.Op("shr.u32 %s, %s, 1", h, h)
	w.Op("bra %s", half)
	w.Label(joined)
}

// JoinOwn joins the leaves of a block along the tree. A block that is the only one ends with the root.
func (l *Leaves) JoinOwn(v Values, acc []string) {
	w := l.w
	own := w.To("b64", "min.s64", w.To("b64", "sub.s64", l.count, l.before), l.width)
	w.Op("bar.sync 0")
	alone := w.To("pred", "setp.eq.s32", w.Special("nctaid.x"), 1)
	w.Levels(v, acc, w.To("b64", "add.s64", l.Base, l.before), own, "1", 1, alone)
	w.Op("@%s ret", alone)
}

// JoinBlocks joins the values of all blocks along the tree, in the last block, and ends the entry. A lane
// takes some of them at a time, a power of two.
func (l *Leaves) JoinBlocks(v Values, acc []string, some int) {
	w := l.w
	log := w.Log(l.width)
	rounded := w.To("b64", "sub.s64", w.To("b64", "add.s64", l.count, l.width), 1)
	w.Levels(v, acc, l.Base, w.To("b64", "shr.u64", rounded, log), l.width, some, "")
	w.Op("ret")
}

// IsLast ends all blocks but the last one that comes here, which then sees all that the others have stored.
// The register last has the number of blocks less one. At the address done are 32 bits that are 0, and are 0
// again with the last block.
func (w *Writer) IsLast(done, last string) {
	w.Op("bar.sync 0")
	one := w.To("pred", "setp.eq.s32", w.Special("tid.x"), 0)
	before := w.To("b32", "mov.b32", -1) // which no number of blocks is
	w.Op("@%s fence.acq_rel.gpu", one)
	w.Op("@%s atom.global.inc.u32 %s, [%s], %s", one, before, done, last)
	is := w.Fresh("pred")
	w.Op("bar.red.or.pred %s, 0, %s", is, w.To("pred", "setp.eq.s32", before, last))
	w.Op("@!%s ret", is)
	w.Op("fence.acq_rel.gpu")
}

// Levels joins values in memory, of so many leaves from first on that are a stride apart, in all warps of a
// block. A lane takes some neighbours at a time, a power of two, and a warp those of its lanes: lane l joins
// the value of lane l+h, for h = 1, 2, 4, 8, 16. The results are neighbours again, each in the place of its
// first value, until there is one. That is the root if the predicate root is true, or is "".
func (w *Writer) Levels(v Values, acc []string, first, count, stride string, some int, root string) {
	shift := 4 + bits.Len(uint(some))
	thread := w.Special("tid.x")
	lane := w.Wide(w.To("b32", "and.b32", thread, 31))
	warps := w.Wide(w.To("b32", "shr.u32", w.Special("ntid.x"), 5))
	count, stride = w.To("b64", "mov.b64", count), w.To("b64", "mov.b64", stride)

	level, again, next, done := w.NewLabel("level"), w.NewLabel("node"), w.NewLabel("next"), w.NewLabel("ended")
	w.Label(level)
	nodes := w.To("b64", "shr.s64", w.To("b64", "add.s64", count, 1<<shift-1), shift)
	node := w.Wide(w.To("b32", "shr.u32", thread, 5))
	w.Label(again)
	w.Op("@%s bra %s", w.To("pred", "setp.ge.s64", node, nodes), next) // the whole warp at once
	number := w.To("b64", "mul.lo.s64", w.To("b64", "add.s64", w.To("b64", "shl.b64", node, 5), lane), some)
	leaf := w.To("b64", "add.s64", first, w.To("b64", "mul.lo.s64", number, stride))
	w.neighbours(v, acc, number, count, leaf, stride, some)
	w.joinWarp(v, acc, number, count, some)
	behind := w.NewLabel("kept")
	w.Op("@%s bra %s", w.To("pred", "setp.ne.s64", lane, 0), behind)
	inner := w.NewLabel("inner")
	w.Op("@%s bra %s", w.To("pred", "setp.gt.s64", nodes, 1), inner)
	if root != "" {
		w.Op("@!%s bra %s", root, inner)
	}
	v.StoreRoot(acc)
	w.Op("bra %s", behind)
	w.Label(inner)
	v.Store(leaf, acc)
	w.Label(behind)
	w.Op("add.s64 %s, %s, %s", node, node, warps)
	w.Op("bra %s", again)

	w.Label(next)
	w.Op("@%s bra %s", w.To("pred", "setp.le.s64", nodes, 1), done)
	w.Op("bar.sync 0")
	w.Op("mov.b64 %s, %s", count, nodes)
	w.Op("shl.b64 %s, %s, %d", stride, stride, shift)
	w.Op("bra %s", level)
	w.Label(done)
}

// neighbours loads some values from a leaf on, all before any is joined, and joins them. There are none from
// number count on.
func (w *Writer) neighbours(v Values, acc []string, number, count, leaf, stride string, some int) {
	values, none := make([][]string, some), make([]string, some)
	for i := range some {
		if i > 0 {
			leaf = w.To("b64", "add.s64", leaf, stride)
		}
		none[i] = w.To("pred", "setp.ge.s64", w.To("b64", "add.s64", number, i), count)
		if values[i] = acc; i > 0 {
			values[i] = w.Registers(v)
		}
		v.Load(values[i], leaf, none[i])
	}
	for h := 1; h < some; h *= 2 {
		for i := 0; i < some; i += 2 * h {
			behind := w.NewLabel("none")
			w.Op("@%s bra %s", none[i+h], behind)
			v.Join(values[i], values[i+h])
			w.Label(behind)
		}
	}
}

// joinWarp joins the values of the lanes of a warp, from a number on. There are none from number count on.
func (w *Writer) joinWarp(v Values, acc []string, number, count string, some int) {
	h := w.To("b32", "mov.b32", 1)
	half, behind := w.NewLabel("half"), w.NewLabel("lane")
	w.Label(half)
	others := w.down(v, acc, h)
	right := w.To("b64", "add.s64", number, w.To("b64", "mul.wide.u32", h, some))
	w.Op("@%s bra %s", w.To("pred", "setp.ge.s64", right, count), behind)
	v.Join(acc, others)
	w.Label(behind)
	w.Op("shl.b32 %s, %s, 1", h, h)
	w.Op("@%s bra %s", w.To("pred", "setp.lt.s32", h, 32), half)
}
