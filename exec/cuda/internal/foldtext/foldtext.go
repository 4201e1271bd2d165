// Package foldtext writes folds of values in the memory of a device as PTX: any element types and reducers of package
// builtin, several of them in one pass.
//
// A part of a warp walks a leaf of the reduction tree, a thread for each lane; lanes are joined by shuffles, and leaves
// by the block that ends last. So each result has the bits of exec.Serial, see docs/determinism.md.
package foldtext

import (
	"fmt"
	"math/bits"
	"reflect"
	"strings"
	"sync"

	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
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

	columns columns
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
	f := &Fold{Entry: "gokkos_fold", columns: columnsOf(e, ops)}
	f.Bytes = f.columns.bytes()
	w := &writer{asm: &asm{}, fold: f, element: e, products: k.Products}
	f.PTX = ptxtext.Module(f.columns.tables(), w.leaves())
	return f
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
	acc      []string // registers of the parts
}

// outs returns the names of parameters, and the addresses, of the values of parts.
func (w *writer) outs() (names, outs, roots []string) {
	for n := range w.fold.Bytes {
		out, root := fmt.Sprintf("out%d", n), fmt.Sprintf("root%d", n)
		names = append(names, out, root)
		outs, roots = append(outs, w.Address(out)), append(roots, w.Address(root))
	}
	return names, outs, roots
}

// leaves returns the entry that reduces leaves: a block has a node of them, the same number for all blocks.
func (w *writer) leaves() string {
	l := &ptxtext.Leaves{Last: w.Param("last")}
	at := w.Param("at")
	l.Size, l.Lanes = w.Param("leaf"), w.Param("lanes")
	names, outs, roots := w.outs()
	params := []string{"first", "last", "at", "leaf", "lanes", "done", "x"}
	bases := []string{w.Address("x")}
	if w.products {
		params = append(params, "y")
		bases = append(bases, w.Address("y"))
	}
	v := &values{w.asm, w.fold.columns, outs, roots}
	w.acc = w.Registers(v)
	l.First = w.Param("first")
	l.LanesLog, l.SizeLog = w.Log(l.Lanes), w.Log(l.Size)
	l.Base = w.To(b64, "shr.u64", l.First, l.SizeLog)
	l.Open(&w.Writer)
	l.Each(v, w.acc, "", func(number, end, behind string) { w.items(bases, number, end, behind, l.Lanes, at) })
	l.JoinOwn(v, w.acc)
	w.IsLast(w.Address("done"), w.To(b32, "add.s32", w.Special("nctaid.x"), -1))
	l.JoinBlocks(v, w.acc, w.fold.columns.neighbours())
	return w.Entry(w.fold.Entry, append(params, names...), nil)
}

// neighbours returns how many values of leaves a lane joins at a time.
func (all columns) neighbours() int { return max(8/len(all.parts()), 1) }

// values are the partial results of leaves, see [ptxtext.Values].
type values struct {
	*asm
	of          columns
	outs, roots []string // by part, the addresses of the value of leaf 0 and of that of the root
}

func (v *values) Classes() (all []class) {
	for _, p := range v.of.parts() {
		all = append(all, p.class)
	}
	return all
}

func (v *values) Clear(dst []string) { v.of.clear(v.asm, dst) }

func (v *values) Load(dst []string, leaf, none string) {
	outs := v.outs
	for _, c := range v.of {
		columns{c}.clear(v.asm, dst)
		for k, p := range c.parts {
			v.Op("@!%s ld.global.%s %s, [%s]", none, p.class.Stored(), dst[k], v.elementAt(outs[k], leaf, p.class.Bytes()))
		}
		dst, outs = dst[len(c.parts):], outs[len(c.parts):]
	}
}

func (v *values) Store(leaf string, src []string) { v.store(leaf, v.outs, src) }

func (v *values) StoreRoot(src []string) { v.store(v.To(b64, "mov.b64", 0), v.roots, src) }

func (v *values) store(n string, outs, src []string) {
	for k, p := range v.of.parts() {
		v.Op("st.global.%s [%s], %s", p.class.Stored(), v.elementAt(outs[k], n, p.class.Bytes()), src[k])
	}
}

func (v *values) Join(dst, src []string) { v.of.join(v.asm, dst, src) }

// elementAt returns the address of element n.
func (a *asm) elementAt(base, n string, size int) string {
	return a.To(b64, "add.s64", base, a.To(b64, "shl.b64", n, bits.TrailingZeros(uint(size))))
}

// items runs the items of a lane: several at a time where neighbours are a warp apart.
func (w *writer) items(bases []string, number, end, behind, lanes, at string) {
	size := w.element.size
	var from []string
	for _, b := range bases {
		from = append(from, w.elementAt(b, number, size))
	}
	single, row := w.NewLabel("single"), w.NewLabel("row")
	w.Op("@%s bra %s", w.To(pred, "setp.ne.s64", lanes, warp), single)
	w.rows(from, number, end, at, single)

	w.Label(single)
	bytes := w.To(b64, "mul.lo.s64", lanes, size)
	w.Label(row)
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", number, end), behind)
	var loaded []string
	for _, p := range from {
		loaded = append(loaded, w.To(w.element.class, "ld.global.nc."+w.element.memory(), "["+p+"]"))
	}
	w.accumulate(w.value(loaded), number, 0, at)
	for _, p := range from {
		w.Op("add.s64 %s, %s, %s", p, p, bytes)
	}
	w.Op("add.s64 %s, %s, %s", number, number, lanes)
	w.Op("bra %s", row)
}

// rows runs items that are a warp apart, several at a time, whose loads are under way together: those of the next ones
// while the last ones are joined.
func (w *writer) rows(from []string, number, end, at, behind string) {
	n := w.unrolled()
	values := make([][]string, n)
	load := func(k, row int) {
		for m, f := range from {
			w.Op("ld.global.nc.%s %s, [%s+%d]", w.element.memory(), values[k][m], f, row*warp*w.element.size)
		}
	}
	step := func() {
		for _, p := range from {
			w.Op("add.s64 %s, %s, %d", p, p, n*warp*w.element.size)
		}
		w.Op("add.s64 %s, %s, %d", number, number, n*warp)
	}
	more := func(rows int) string {
		return w.To(pred, "setp.lt.s64", w.To(b64, "add.s64", number, warp*(rows-1)), end)
	}
	w.Op("@!%s bra %s", more(n), behind)
	for k := range values {
		for range from {
			values[k] = append(values[k], w.Fresh(w.element.class))
		}
		load(k, k)
	}
	again, rest := w.NewLabel("rows"), w.NewLabel("rest")
	w.Label(again)
	w.Op("@!%s bra %s", more(2*n), rest)
	for k, v := range values {
		w.accumulate(w.value(v), number, k*warp, at)
		load(k, n+k)
	}
	step()
	w.Op("bra %s", again)
	w.Label(rest)
	for k, v := range values {
		w.accumulate(w.value(v), number, k*warp, at)
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
func (w *writer) accumulate(x, number string, behind int, at string) {
	w.fold.columns.item(w.asm, w.acc, x, func() string {
		return w.To(b64, "add.s64", w.To(b64, "add.s64", number, behind), at)
	})
}
