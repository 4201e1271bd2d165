package ptx

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// unrolled is the number of items of a lane that run without a question whether there are more. Their loads
// are under way at the same time. maxUnrolled is the greatest number of values of such an item.
const (
	unrolled    = 4
	maxUnrolled = 60
)

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
		acc: w.Fresh(w.classOf(t)), out: w.Address(name("out")), root: w.Address(name("root")),
		identity: w.scalar(name("identity"), t), join: w.Param(name("join")),
	}
}

// leaves returns the entry that reduces leaves of the tree: lane l of a leaf is a thread, and these are
// neighbours in a warp.
func (w *writer) leaves(name string) string {
	names, comments := w.captured()
	first := append(append(w.indexParams(comments), "first", "last", "status", "leaf", "lanes", "done"), w.columns()...)
	comments["first"], comments["leaf"] = "items first to last-1, of whole leaves", "items of a leaf"
	comments["done"] = "counts blocks that have ended"
	l := &ptxtext.Leaves{First: w.Param("first"), Last: w.Param("last"), Size: w.Param("leaf"), Lanes: w.Param("lanes")}
	l.SizeLog, l.LanesLog = w.Log(l.Size), w.Log(l.Lanes)
	l.Open(&w.Writer)
	w.openBox(l.Last)
	w.prologue()
	v, accs := &values{w: w}, make([]string, len(w.k.Accs))
	for n := range w.k.Accs {
		v.columns = append(v.columns, w.column(n))
		accs[n] = v.columns[n].acc
	}
	apart := "true"
	if !w.k.Structured() {
		apart = w.To(pred, "setp.eq.s64", v.columns[0].join, len(joinOps))
	}
	l.Each(v, accs, apart, func(number, end, behind string) {
		if !hasLoop(w.k.Body) && w.k.Body.Count() <= maxUnrolled && !w.k.Index.Row {
			w.rows(l.Lanes, number, end, accs)
		}
		w.row(l.Lanes, number, end, accs, behind)
	})
	if apart != "true" {
		l.Base = w.To(b64, "shr.u64", l.First, l.SizeLog)
		l.JoinOwn(v, accs)
		blocks := w.To(b32, "add.s32", w.Special("nctaid.x"), -1)
		w.IsLast(w.Address("done"), blocks)
		l.JoinBlocks(v, accs, max(4/len(accs), 1))
	}
	return w.Entry(name, append(first, names...), comments)
}

// hasLoop reports whether a block has a loop.
func hasLoop(b *ir.Block) (found bool) {
	b.Walk(func(v *ir.Value) { found = found || v.Op == ir.Loop })
	return found
}

// rows runs several items of the lane at a time, as long as the conditions hold for all of them.
func (w *writer) rows(lanes, number, end string, accs []string) {
	again, single := w.NewLabel("rows"), w.NewLabel("single")
	far := "" // how far the last one is behind the first, where indices are integers: these alone are counted then
	if w.box.rank == 0 {
		far = w.To(b64, "mul.lo.s64", lanes, unrolled-1)
	}
	w.Label(again)
	numbers := []string{number}
	for len(numbers) < unrolled {
		numbers = append(numbers, w.To(b64, "add.s64", numbers[len(numbers)-1], lanes))
	}
	last := numbers[unrolled-1]
	if far != "" {
		last = w.To(b64, "add.s64", number, far)
	}
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", last, end), single)
	if w.box.rank > 0 {
		w.Op("@!%s bra %s", w.box.plain, single)
	}
	var items []item
	for n, number := range numbers {
		at := item{number: number, end: w.NewLabel("next"), sums: map[string]string{}}
		if n > 0 && far != "" {
			at.index = w.To(b64, "add.s64", items[n-1].index, lanes)
		} else {
			w.locate(&at, true)
		}
		items = append(items, at)
	}
	for _, at := range items {
		for _, p := range w.failing(at) {
			w.Op("@%s bra %s", p, single)
		}
	}
	for _, at := range items {
		w.accumulate(at, accs)
	}
	w.Op("add.s64 %s, %s, %s", number, last, lanes)
	w.Op("bra %s", again)
	w.Label(single)
}

// row runs the items of the lane one by one.
func (w *writer) row(lanes, number, end string, accs []string, behind string) {
	again := w.NewLabel("row")
	w.Label(again)
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", number, end), behind)
	at := item{number: number, end: w.NewLabel("next")}
	w.locate(&at, false)
	w.checks(at)
	w.accumulate(at, accs)
	step := lanes
	if w.k.Index.Row {
		step = w.box.rest
	}
	w.Op("add.s64 %s, %s, %s", number, number, step)
	w.Op("bra %s", again)
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
	w.Label(at.end)
}

// values are the partial results of leaves, see [ptxtext.Values].
type values struct {
	w       *writer
	columns []column
}

func (v *values) Classes() (all []class) {
	for _, a := range v.w.k.Accs {
		all = append(all, v.w.classOf(a.Type))
	}
	return all
}

func (v *values) Clear(dst []string) {
	for n, a := range v.w.k.Accs {
		v.w.Op("mov.%s %s, %s", movable(a.Type), dst[n], v.columns[n].identity)
	}
}

func (v *values) Load(dst []string, leaf, none string) {
	w := v.w
	for n, a := range w.k.Accs {
		w.Op("mov.%s %s, %s", movable(a.Type), dst[n], v.columns[n].identity)
		w.loadUnless(none, a.Elem, w.at(v.columns[n].out, leaf, a.Elem.Bytes()), dst[n])
	}
}

func (v *values) Store(leaf string, src []string) {
	for n, a := range v.w.k.Accs {
		v.w.storeAt("global", a.Elem, v.w.at(v.columns[n].out, leaf, a.Elem.Bytes()), src[n])
	}
}

func (v *values) StoreRoot(src []string) {
	for n, a := range v.w.k.Accs {
		v.w.storeAt("global", a.Elem, "["+v.columns[n].root+"]", src[n])
	}
}

func (v *values) Join(dst, src []string) {
	for n, a := range v.w.k.Accs {
		v.w.join(a.Type, v.columns[n].join, dst[n], src[n])
	}
}

// Joins are how values are joined: the code that an entry is given, by position. The code behind all of them leaves lanes apart.
var joinOps = []struct {
	op       ir.Op
	unsigned bool
}{{ir.Add, false}, {ir.Mul, false}, {ir.Min, false}, {ir.Max, false}, {ir.Min, true}, {ir.Max, true}, {ir.And, false}, {ir.Or, false}, {ir.Xor, false}}

// join joins src into dst, as the register with the code says. The code is the same for all threads.
func (w *writer) join(t ir.Type, code, dst, src string) {
	end := w.NewLabel("did")
	for n, j := range joinOps {
		bits := j.op == ir.And || j.op == ir.Or || j.op == ir.Xor
		if t.IsFloat() && (bits || j.unsigned) || t == ir.Bool && !bits {
			continue
		}
		other := w.NewLabel("not")
		w.Op("@%s bra %s", w.To(pred, "setp.ne.s64", code, n), other)
		w.Op("mov.%s %s, %s", movable(t), dst, w.binary(j.op, t, j.unsigned, dst, src))
		w.Op("bra %s", end)
		w.Label(other)
	}
	w.Label(end)
}
