// Package foldtext writes folds of values in the memory of a device as PTX: any element types and reducers of package
// builtin, several of them in one pass.
//
// A part of a warp walks a leaf of the reduction tree, a thread for each lane; lanes are joined by shuffles, and leaves
// by the block that ends last. So each result has the bits of exec.Serial, see docs/determinism.md.
package foldtext

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/gokkos/gokkos/reducers/concept"
)

// A Fold is a text, and how partial results are made of what it leaves.
//
// The parameters of the entry are
//
//	first, last   the items to run, which begin and end with leaves
//	at            the location of item 0
//	leaf, lanes   of the tree, powers of two
//	done          the address of 32 bits that are 0, and are 0 again behind the launch
//	x, y          the addresses of item 0, y of products only
//	out, root     for each part the address of the value of leaf 0, of 4 or 8 bytes each, see [Fold.Bytes], and that of
//	              the value of all
type Fold struct {
	Entry string
	PTX   string
	Bytes []int // of a value of each part

	columns []column
}

// Key tells folds apart.
type Key struct {
	Kind       reflect.Kind // of a value
	Products   bool
	Operations string // of all reducers
}

// KeyOf returns the key of a fold of values, or of products of two.
func KeyOf(k reflect.Kind, products bool, ops []concept.Operation) Key {
	var all []string
	for _, o := range ops {
		all = append(all, string(o.Join), string(o.Map))
	}
	return Key{k, products, strings.Join(all, ";")}
}

// Knows reports whether there is a text for an operation on values of a kind.
func Knows(k reflect.Kind, op concept.Operation) bool {
	e, ok := elementOf(k)
	if !ok {
		return false
	}
	_, ok = columnOf(e, op)
	return ok
}

// folds are those that were written, by key.
var folds sync.Map

// Of returns the fold of a key, by operations that are known.
func Of(k Key, ops []concept.Operation) *Fold {
	if f, ok := folds.Load(k); ok {
		return f.(*Fold)
	}
	f, _ := folds.LoadOrStore(k, write(k, ops))
	return f.(*Fold)
}

func write(k Key, ops []concept.Operation) *Fold {
	e, _ := elementOf(k.Kind)
	f := &Fold{Entry: "gokkos_fold"}
	for _, op := range ops {
		c, _ := columnOf(e, op)
		f.columns = append(f.columns, c)
		for _, p := range c.parts {
			f.Bytes = append(f.Bytes, p.class.bytes())
		}
	}
	w := &writer{fold: f, element: e, products: k.Products}
	f.PTX = ".version 6.0\n.target sm_70\n.address_size 64\n" + f.tables() + w.leaves()
	return f
}

// tables returns the declarations of the constants, of which there is one kind.
func (f *Fold) tables() string {
	for _, c := range f.columns {
		if c.tables != "" {
			return c.tables
		}
	}
	return ""
}

// Value returns the bytes of the partial results that have these parts, one column after the other.
func (f *Fold) Value(parts []uint64) (value []byte) {
	for _, c := range f.columns {
		n := len(c.parts)
		value = c.bytes(value, parts[:n])
		parts = parts[n:]
	}
	return value
}

const warp = 32

// A writer writes the entries of a fold.
type writer struct {
	*asm
	fold     *Fold
	element  element
	products bool
	accs     [][]string // registers, by column and part
}

// outs returns the names of parameters, and the addresses, of the values of parts.
func (w *writer) outs() (names, outs, roots []string) {
	for n := range w.fold.Bytes {
		out, root := fmt.Sprintf("out%d", n), fmt.Sprintf("root%d", n)
		names = append(names, out, root)
		outs, roots = append(outs, w.address(out)), append(roots, w.address(root))
	}
	return names, outs, roots
}

// leaves returns the entry that reduces leaves: a block has a node of them, the same number for all blocks.
func (w *writer) leaves() string {
	w.asm = &asm{}
	last, at, leaf, lanes := w.param("last"), w.param("at"), w.param("leaf"), w.param("lanes")
	names, outs, roots := w.outs()
	params := []string{"first", "last", "at", "leaf", "lanes", "done", "x"}
	bases := []string{w.address("x")}
	if w.products {
		params = append(params, "y")
		bases = append(bases, w.address("y"))
	}
	for _, c := range w.fold.columns {
		w.accs = append(w.accs, w.registers(c))
	}
	b := w.block(w.param("first"), last, leaf, lanes)

	next, done := w.newLabel("leaf"), w.newLabel("done")
	w.label(next)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", b.ofWarp, b.end), done) // the whole warp at once
	for n, c := range w.fold.columns {
		w.clear(c, w.accs[n])
	}
	end := w.to(b64, "min.s64", w.to(b64, "add.s64", b.own, leaf), last)
	number := w.to(b64, "add.s64", b.own, b.lane)
	w.items(bases, number, end, lanes, at)
	w.butterfly(w.to(b64, "sub.s64", end, b.own), b.lane, lanes)

	behind := w.newLabel("stored")
	w.op("@%s bra %s", w.to(pred, "setp.ne.s64", b.lane, "0"), behind)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", b.own, last), behind)
	w.store(w.to(b64, "shr.u64", b.own, b.leafLog), outs)
	w.label(behind)
	w.op("add.s64 %s, %s, %s", b.own, b.own, b.round)
	w.op("add.s64 %s, %s, %s", b.ofWarp, b.ofWarp, b.round)
	w.op("bra %s", next)
	w.label(done)
	w.tree(b, outs, roots)
	return w.entry(w.fold.Entry, append(params, names...))
}

// A block has registers that say which leaves the block has, and which the thread.
type block struct {
	leafLog     string // of 32 bits
	lane        string
	own, ofWarp string // the first items of the leaves of the thread, and of the first thread of its warp
	round       string // items from a leaf of the thread to its next one
	end         string // the item behind the block's last one
	base, first string // the leaf that out begins with, and how many are before the block's first one
	width       string // leaves of a block, a power of two
	count       string // leaves of all blocks
}

// block computes what a block has. It takes more leaves than threads have at a time if there are more of them than all
// blocks have threads for.
func (w *writer) block(first, last, leaf, lanes string) (b block) {
	log := func(x string) string { return w.to(b32, "popc.b64", w.to(b64, "sub.s64", x, "1")) }
	lanesLog := log(lanes)
	b.leafLog = log(leaf)
	leafOf := func(thread string) string { return w.to(b64, "shr.u64", thread, lanesLog) }
	items := func(leaves string) string { return w.to(b64, "shl.b64", leaves, b.leafLog) }
	b.base = w.to(b64, "shr.u64", first, b.leafLog)
	b.count = w.to(b64, "shr.u64", w.to(b64, "sub.s64", w.to(b64, "add.s64", w.to(b64, "sub.s64", last, first), leaf), "1"), b.leafLog)
	together := leafOf(w.special("%ntid.x"))
	blocks, thread := w.special("%nctaid.x"), w.special("%tid.x")
	b.width = w.to(b64, "mov.b64", together)
	wider, wide := w.newLabel("wider"), w.newLabel("wide")
	w.label(wider)
	w.op("@%s bra %s", w.to(pred, "setp.ge.u64", w.to(b64, "mul.lo.s64", b.width, blocks), b.count), wide)
	w.op("shl.b64 %s, %s, 1", b.width, b.width)
	w.op("bra %s", wider)
	w.label(wide)
	b.first = w.to(b64, "mul.lo.s64", w.special("%ctaid.x"), b.width)
	begin := w.to(b64, "add.s64", first, items(b.first))
	b.end = w.to(b64, "min.s64", w.to(b64, "add.s64", begin, items(b.width)), last)
	b.lane = w.to(b64, "and.b64", thread, w.to(b64, "sub.s64", lanes, "1"))
	b.own = w.to(b64, "add.s64", begin, items(leafOf(thread)))
	b.ofWarp = w.to(b64, "add.s64", begin, items(leafOf(w.to(b64, "and.b64", thread, "-32"))))
	b.round = items(together)
	return b
}

// registers returns fresh registers for what a column has.
func (w *writer) registers(c column) (regs []string) {
	for _, p := range c.parts {
		regs = append(regs, w.fresh(p.class))
	}
	return regs
}

// clear moves the identity to the registers of a column.
func (w *writer) clear(c column, regs []string) {
	for k, p := range c.parts {
		w.op("mov.%s %s, %s", p.class.moved(), regs[k], p.literal(p.identity))
	}
}

// store stores what there is as element n of the parts.
func (w *writer) store(n string, outs []string) {
	k := 0
	for c, of := range w.fold.columns {
		for i, p := range of.parts {
			w.op("st.global.%s [%s], %s", p.class.stored(), w.elementAt(outs[k], n, p.class.bytes()), w.accs[c][i])
			k++
		}
	}
}

// elementAt returns the address of element n.
func (w *writer) elementAt(base, n string, size int) string {
	shift := map[int]string{1: "0", 2: "1", 4: "2", 8: "3"}[size]
	return w.to(b64, "add.s64", base, w.to(b64, "shl.b64", n, shift))
}

// items runs the items of a lane: several at a time where neighbours are a warp apart.
func (w *writer) items(bases []string, number, end, lanes, at string) {
	size := w.element.size
	var from []string
	for _, b := range bases {
		from = append(from, w.elementAt(b, number, size))
	}
	single, row, behind := w.newLabel("single"), w.newLabel("row"), w.newLabel("joined")
	w.op("@%s bra %s", w.to(pred, "setp.ne.s64", lanes, fmt.Sprint(warp)), single)
	w.rows(from, number, end, at, single)

	w.label(single)
	bytes := w.to(b64, "mul.lo.s64", lanes, fmt.Sprint(size))
	w.label(row)
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", number, end), behind)
	var loaded []string
	for _, p := range from {
		loaded = append(loaded, w.to(w.element.class, "ld.global.nc."+w.element.memory(), "["+p+"]"))
	}
	w.accumulate(w.value(loaded), number, "0", at)
	for _, p := range from {
		w.op("add.s64 %s, %s, %s", p, p, bytes)
	}
	w.op("add.s64 %s, %s, %s", number, number, lanes)
	w.op("bra %s", row)
	w.label(behind)
}

// rows runs items that are a warp apart, several at a time, whose loads are under way together: those of the next ones
// while the last ones are joined.
func (w *writer) rows(from []string, number, end, at, behind string) {
	n := w.unrolled()
	values := make([][]string, n)
	load := func(k, row int) {
		for m, f := range from {
			w.op("ld.global.nc.%s %s, [%s+%d]", w.element.memory(), values[k][m], f, row*warp*w.element.size)
		}
	}
	step := func() {
		for _, p := range from {
			w.op("add.s64 %s, %s, %d", p, p, n*warp*w.element.size)
		}
		w.op("add.s64 %s, %s, %d", number, number, n*warp)
	}
	more := func(rows int) string {
		return w.to(pred, "setp.lt.s64", w.to(b64, "add.s64", number, fmt.Sprint(warp*(rows-1))), end)
	}
	w.op("@!%s bra %s", more(n), behind)
	for k := range values {
		for range from {
			values[k] = append(values[k], w.fresh(w.element.class))
		}
		load(k, k)
	}
	again, rest := w.newLabel("rows"), w.newLabel("rest")
	w.label(again)
	w.op("@!%s bra %s", more(2*n), rest)
	for k, v := range values {
		w.accumulate(w.value(v), number, fmt.Sprint(k*warp), at)
		load(k, n+k)
	}
	step()
	w.op("bra %s", again)
	w.label(rest)
	for k, v := range values {
		w.accumulate(w.value(v), number, fmt.Sprint(k*warp), at)
	}
	step()
}

// unrolled is how many items of a lane are under way, where a leaf has all lanes of a warp: more of them read longer pieces
// of a leaf, and fewer leave registers for more parts, so that as many warps run at a time.
func (w *writer) unrolled() int {
	n := 32
	for k := 1; k < len(w.fold.Bytes); k *= 2 {
		n /= 2
	}
	if w.products {
		n /= 2
	}
	return max(n, 4)
}

// value returns the value of an item, of what is loaded for it.
func (w *writer) value(loaded []string) string {
	if w.products {
		return w.multiply(w.element, loaded[0], loaded[1])
	}
	return loaded[0]
}

// accumulate joins a value, that of the item so far behind number.
func (w *writer) accumulate(x, number, behind, at string) {
	location := ""
	for n, c := range w.fold.columns {
		if c.at && location == "" {
			location = w.to(b64, "add.s64", w.to(b64, "add.s64", number, behind), at)
		}
		c.item(w.asm, w.accs[n], x, location)
	}
}

// butterfly joins the lanes of a leaf into lane 0: lane l with lane l+h for h = lanes/2, lanes/4 and so on, where
// lane l+h has an item. All threads of the warp take part in the shuffles.
func (w *writer) butterfly(used, lane, lanes string) {
	h := w.to(b32, "cvt.u32.u64", w.to(b64, "shr.u64", lanes, "1"))
	half, joined, behind := w.newLabel("half"), w.newLabel("whole"), w.newLabel("lane")
	w.label(half)
	w.op("@%s bra %s", w.to(pred, "setp.eq.s32", h, "0"), joined)
	others := w.others(h)
	other := w.to(b64, "add.s64", lane, w.to(b64, "cvt.u64.u32", h))
	w.op("@%s bra %s", w.to(pred, "setp.ge.s64", other, used), behind)
	for n, c := range w.fold.columns {
		c.join(w.asm, w.accs[n], others[n])
	}
	w.label(behind)
	w.op("shr.u32 %s, %s, 1", h, h)
	w.op("bra %s", half)
	w.label(joined)
}

// others returns what the lane that is h above has.
func (w *writer) others(h string) (others [][]string) {
	for n, c := range w.fold.columns {
		var regs []string
		for k, p := range c.parts {
			regs = append(regs, w.down(p.class, w.accs[n][k], h))
		}
		others = append(others, regs)
	}
	return others
}
