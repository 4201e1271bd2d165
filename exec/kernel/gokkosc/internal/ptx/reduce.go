package ptx

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// unrolled is how many items of a lane are run one behind the other before one asks whether there are more,
// so that their loads are under way at the same time; and maxUnrolled how many values such an item has at most.
const (
	unrolled    = 4
	maxUnrolled = 60
)

// A column has the registers of an accumulator.
type column struct {
	acc, identity string
	out, root     string // where values of leaves go, and that of all
	join          string // how values are joined
}

// columns returns the parameters of the accumulators.
func (w *writer) columns() (names []string) {
	for n := range w.k.Accs {
		names = append(names, fmt.Sprintf("out%d", n), fmt.Sprintf("root%d", n), fmt.Sprintf("identity%d", n), fmt.Sprintf("join%d", n))
	}
	return names
}

// column loads the parameters of an accumulator.
func (w *writer) column(n int) column {
	name := func(of string) string { return fmt.Sprint(of, n) }
	t := w.k.Accs[n].Type
	return column{
		acc: w.fresh(w.classOf(t)), out: w.address(name("out")), root: w.address(name("root")),
		identity: w.scalar(name("identity"), t), join: w.param(name("join")),
	}
}

// leaves writes the entry that reduces leaves of the tree: lane l of a leaf is a thread, and these are
// neighbours in a warp. It returns the entry's parameters.
func (w *writer) leaves() string {
	names, comments := w.captured()
	first := append(append(w.indexParams(comments), "first", "last", "status", "leaf", "lanes", "done"), w.columns()...)
	comments["first"], comments["leaf"] = "items first to last-1, of whole leaves", "items of a leaf"
	comments["done"] = "counts blocks that have ended"
	l := w.lanes()
	w.openBox(l.last)
	w.prologue()
	columns, accs := make([]column, len(w.k.Accs)), make([]string, len(w.k.Accs))
	for n := range w.k.Accs {
		columns[n] = w.column(n)
		accs[n] = columns[n].acc
	}

	leaf, join, done := w.newLabel("leaf"), w.newLabel("join"), w.newLabel("done")
	w.label(leaf)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", "%s, %s", l.warp, l.end), done) // the whole warp at once
	for n, a := range w.k.Accs {
		w.op("mov.%s %s, %s", movable(a.Type), accs[n], columns[n].identity)
	}
	end := w.to(b64, "min.s64", "%s, %s", w.to(b64, "add.s64", "%s, %s", l.leaf, l.size), l.last)
	number := w.to(b64, "add.s64", "%s, %s", l.leaf, l.lane)
	if !hasLoop(w.k.Body) && w.k.Body.Count() <= maxUnrolled && !w.k.Index.Row {
		w.rows(l, number, end, accs)
	}
	w.row(l, number, end, accs, join)
	w.label(join)
	w.butterfly(l, end, columns)

	behind := w.newLabel("stored")
	w.op("@%s bra %s", w.to(pred, "setp.ne.s64", "%s, 0", l.lane), behind)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", "%s, %s", l.leaf, l.last), behind)
	w.storeValues(w.to(b64, "shr.u64", "%s, %s", l.leaf, l.log), columns)
	w.label(behind)
	w.op("add.s64 %s, %s, %s", l.leaf, l.leaf, l.step)
	w.op("add.s64 %s, %s, %s", l.warp, l.warp, l.step)
	w.op("bra %s", leaf)
	w.label(done)
	w.tree(l, columns)
	w.body.WriteString(w.late.String())
	return params(append(first, names...), comments)
}

// lanes are registers of a thread of the entry that reduces leaves, which says what it has and what its block has.
type lanes struct {
	first, last string
	size, log   string // items of a leaf, and their logarithm as 32 bits
	count, lane string // of the leaf, and the thread's own
	leaf, warp  string // first items of the thread's leaf, and of the first one of its warp
	step        string // items to the next leaf of the thread
	end         string // the item behind the last one of the block
	width       string // leaves of a block, a power of two
	before      string // leaves of the blocks before
	leaves      string // of all blocks
}

// lanes gives a block neighbouring leaves: as many as its threads have at a time, or twice, four times and so on as many if
// there are more of them than all blocks have threads for.
func (w *writer) lanes() *lanes {
	l := &lanes{first: w.param("first"), last: w.param("last"), size: w.param("leaf"), count: w.param("lanes")}
	log := func(x string) string { // of a power of two
		return w.to(b32, "popc.b64", "%s", w.to(b64, "sub.s64", "%s, 1", x))
	}
	l.log = log(l.size)
	each := log(l.count)
	special := func(name string) string {
		return w.to(b64, "cvt.u64.u32", "%s", w.to(b32, "mov.u32", "%%%s", name))
	}
	leafOf := func(thread string) string { return w.to(b64, "shr.u64", "%s, %s", thread, each) }
	items := func(leaves string) string { return w.to(b64, "shl.b64", "%s, %s", leaves, l.log) }
	sum := func(x, y string) string { return w.to(b64, "add.s64", "%s, %s", x, y) }

	rounded := w.to(b64, "sub.s64", "%s, 1", sum(w.to(b64, "sub.s64", "%s, %s", l.last, l.first), l.size))
	l.leaves = w.to(b64, "shr.u64", "%s, %s", rounded, l.log)
	together, blocks, thread := leafOf(special("ntid.x")), special("nctaid.x"), special("tid.x")
	l.width = w.to(b64, "mov.b64", "%s", together)
	wider, wide := w.newLabel("wider"), w.newLabel("wide")
	w.label(wider)
	w.op("@%s bra %s", w.to(pred, "setp.ge.u64", "%s, %s", w.to(b64, "mul.lo.s64", "%s, %s", l.width, blocks), l.leaves), wide)
	w.op("shl.b64 %s, %s, 1", l.width, l.width)
	w.op("bra %s", wider)
	w.label(wide)
	l.before = w.to(b64, "mul.lo.s64", "%s, %s", special("ctaid.x"), l.width)
	begin := sum(l.first, items(l.before))
	l.end = w.to(b64, "min.s64", "%s, %s", sum(begin, items(l.width)), l.last)
	l.lane = w.to(b64, "and.b64", "%s, %s", thread, w.to(b64, "sub.s64", "%s, 1", l.count))
	l.leaf = sum(begin, items(leafOf(thread)))
	l.warp = sum(begin, items(leafOf(w.to(b64, "and.b64", "%s, -32", thread))))
	l.step = items(together)
	return l
}

// storeValues stores what there is of all accumulators as element n of theirs.
func (w *writer) storeValues(n string, columns []column) {
	for k, a := range w.k.Accs {
		w.storeAt(a.Elem, w.at(columns[k].out, n, a.Elem.Bytes()), columns[k].acc)
	}
}

// hasLoop reports whether a block has a loop.
func hasLoop(b *ir.Block) (found bool) {
	b.Walk(func(v *ir.Value) { found = found || v.Op == ir.Loop })
	return found
}

// rows runs several items of the lane at a time, as long as there are so many for which the conditions hold.
func (w *writer) rows(l *lanes, number, end string, accs []string) {
	again, single := w.newLabel("rows"), w.newLabel("single")
	far := "" // how far the last one is behind the first, where indices are integers: these alone are counted then
	if w.box.rank == 0 {
		far = w.to(b64, "mul.lo.s64", "%s, %d", l.count, unrolled-1)
	}
	w.label(again)
	numbers := []string{number}
	for len(numbers) < unrolled {
		numbers = append(numbers, w.to(b64, "add.s64", "%s, %s", numbers[len(numbers)-1], l.count))
	}
	last := numbers[unrolled-1]
	if far != "" {
		last = w.to(b64, "add.s64", "%s, %s", number, far)
	}
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", "%s, %s", last, end), single)
	if w.box.rank > 0 {
		w.op("@!%s bra %s", w.box.plain, single)
	}
	var items []item
	for n, number := range numbers {
		at := item{number: number, end: w.newLabel("next"), sums: map[string]string{}}
		if n > 0 && far != "" {
			at.index = w.to(b64, "add.s64", "%s, %s", items[n-1].index, l.count)
		} else {
			w.locate(&at, true)
		}
		items = append(items, at)
	}
	for _, at := range items {
		for _, p := range w.failing(at) {
			w.op("@%s bra %s", p, single)
		}
	}
	for _, at := range items {
		w.accumulate(at, accs)
	}
	w.op("add.s64 %s, %s, %s", number, last, l.count)
	w.op("bra %s", again)
	w.label(single)
}

// row runs the items of the lane one by one.
func (w *writer) row(l *lanes, number, end string, accs []string, behind string) {
	again := w.newLabel("row")
	w.label(again)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", "%s, %s", number, end), behind)
	at := item{number: number, end: w.newLabel("next")}
	w.locate(&at, false)
	w.checks(at)
	w.accumulate(at, accs)
	step := l.count
	if w.k.Index.Row {
		step = w.box.rest
	}
	w.op("add.s64 %s, %s, %s", number, number, step)
	w.op("bra %s", again)
}

// accumulate runs an item.
func (w *writer) accumulate(at item, accs []string) {
	w.of(at)
	types := make([]ir.Type, len(accs))
	for n, p := range w.k.Body.Params {
		w.reg[p], types[n] = accs[n], p.Type
	}
	w.block(w.k.Body, at)
	w.yield(w.k.Body, types, accs)
	w.label(at.end)
}

// butterfly joins the lanes of a leaf into lane 0: lane l with lane l+h for h = lanes/2, lanes/4 and so on,
// where lane l+h has an item. All threads of the warp take part in the shuffles.
func (w *writer) butterfly(l *lanes, end string, columns []column) {
	used := w.to(b64, "sub.s64", "%s, %s", end, l.leaf) // what lanes from h on have is not used any more
	h := w.to(b32, "cvt.u32.u64", "%s", w.to(b64, "shr.u64", "%s, 1", l.count))
	half, end32 := w.newLabel("half"), w.newLabel("joined")
	w.label(half)
	w.op("@%s bra %s", w.to(pred, "setp.eq.s32", "%s, 0", h), end32)
	others := w.others(columns, h)
	other := w.to(b64, "add.s64", "%s, %s", l.lane, w.to(b64, "cvt.u64.u32", "%s", h))
	behind := w.newLabel("lane")
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", "%s, %s", other, used), behind)
	w.joinAll(columns, others)
	w.label(behind)
	w.op("shr.u32 %s, %s, 1", h, h)
	w.op("bra %s", half)
	w.label(end32)
}

// others returns what the lane that is h above has of all accumulators.
func (w *writer) others(columns []column, h string) (others []string) {
	for n, a := range w.k.Accs {
		others = append(others, w.shuffle(a.Type, columns[n].acc, h))
	}
	return others
}

// joinAll joins values into all accumulators.
func (w *writer) joinAll(columns []column, others []string) {
	for n, a := range w.k.Accs {
		w.join(a.Type, columns[n].join, columns[n].acc, others[n])
	}
}

// shuffle returns what lane l+h has in a register.
func (w *writer) shuffle(t ir.Type, x, h string) string {
	down := func(x string) string { return w.to(b32, "shfl.sync.down.b32", "%s, %s, 31, -1", x, h) }
	switch t {
	case ir.F64, ir.I64:
		low, high := w.halves(x)
		return w.to(w.classOf(t), "mov.b64", "{%s, %s}", down(low), down(high))
	case ir.F32:
		return w.to(f32, "mov.b32", "%s", down(w.to(b32, "mov.b32", "%s", x)))
	case ir.Bool:
		return w.to(pred, "setp.ne.s32", "%s, 0", down(w.to(b32, "selp.b32", "1, 0, %s", x)))
	}
	return down(x)
}

// Joins are how values are joined: the code that an entry is given, by position.
var joinOps = []struct {
	op       ir.Op
	unsigned bool
}{{ir.Add, false}, {ir.Mul, false}, {ir.Min, false}, {ir.Max, false}, {ir.Min, true}, {ir.Max, true}, {ir.And, false}, {ir.Or, false}, {ir.Xor, false}}

// join joins src into dst, as the register with the code says. It is the same for all threads.
func (w *writer) join(t ir.Type, code, dst, src string) {
	end := w.newLabel("did")
	for n, j := range joinOps {
		bits := j.op == ir.And || j.op == ir.Or || j.op == ir.Xor
		if t.IsFloat() && (bits || j.unsigned) || t == ir.Bool && !bits {
			continue
		}
		other := w.newLabel("not")
		w.op("@%s bra %s", w.to(pred, "setp.ne.s64", "%s, %d", code, n), other)
		w.op("mov.%s %s, %s", movable(t), dst, w.binary(j.op, t, j.unsigned, dst, src))
		w.op("bra %s", end)
		w.label(other)
	}
	w.label(end)
}
