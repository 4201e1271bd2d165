package foldtext

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Tensor is the text of folds of many parts of an array, in one launch: the leaves of results, which the last block of a
// result joins.
//
// Its entry Along gives a leaf to as many threads as it has lanes: those next to each other read neighbours of one
// result. A block has leaves of one result. Across gives 32 results or pairs of them to the threads of a warp, each of which
// walks [Tensor.Each] lanes of a leaf; the warps of a block have the lanes of one leaf.
//
// The parameters of Along and Across are
//
//	items, leaf     of a result, a power of two
//	from, leaves    the first leaf, and how many there are from it on
//	first, last     the results to make
//	x               the address of the first element
//	n, stride       for each loop over the results and then over the items of one, the outermost first: its length and
//	                its stride in elements
//	result, next    how many values lie from one result to the next, and from one leaf to the next
//	done            the address of 32 bits that are 0, and are 0 again behind the launch: for each result of Along, and for
//	                each 32 threads of Across that have results
//	blocks          of Along those of a result, of Across those of a leaf
//	out, root       for each part the address of the value of the first leaf of the first of these results, and that of the
//	                value of this result
//
// Nodes, of the same parameters, joins up to 8 values of each result in place of leaves, such as those that several launches
// have left. A thread has one result.
type Tensor struct {
	Along, Across string
	Nodes         string
	PTX           string
	Bytes         []int // of a value of each part
	Each          int   // lanes that a thread of Across walks

	columns columns
}

// TensorKey tells them apart.
type TensorKey struct {
	Kind         reflect.Kind
	Format       device.Format
	Operations   string
	Kept, Walked int // loops over the results, and over the items of one
	Lanes        int
	Pairs        bool // a thread of Across has two neighbouring results, whose values of 16 bits it loads as one word
}

// Results returns how many results a thread of Across has.
func (k TensorKey) Results() int {
	if k.Pairs {
		return 2
	}
	return 1
}

// each returns how many lanes a thread of Across walks at most.
func (k TensorKey) each() int { return 8 / k.Results() }

// atOnce returns how many loads of a thread of Across are on their way at a time: as many as are fastest on an H200.
func (k TensorKey) atOnce(size int) int {
	switch {
	case k.Pairs:
		return 8
	case size == 4:
		return 32
	}
	return 16
}

// tensors are those that were written, by key.
var tensors sync.Map

// KnowsFormat reports whether there is a text for an operation on values of a kind and a format.
func KnowsFormat(k reflect.Kind, f device.Format, op concept.Operation) bool {
	return Knows(folded(k, f), op)
}

// folded returns the kind that values of a kind and a format are folded as.
func folded(k reflect.Kind, f device.Format) reflect.Kind {
	switch f {
	case device.Float16, device.BFloat16:
		return reflect.Float32
	case device.Single:
		return reflect.Float64
	}
	return k
}

// TensorOf returns the text of a key, by operations that are known.
func TensorOf(k TensorKey, ops []concept.Operation) *Tensor {
	if t, ok := tensors.Load(k); ok {
		return t.(*Tensor)
	}
	e, _ := elementOf(k.Kind)
	value, _ := elementOf(folded(k.Kind, k.Format))
	t := &Tensor{Along: "gokkos_along", Across: "gokkos_across", Nodes: "gokkos_nodes", Each: min(k.Lanes, k.each()), columns: columnsOf(value, ops)}
	t.Bytes = t.columns.bytes()
	w := func() *tensorWriter {
		return &tensorWriter{asm: &asm{}, of: t, key: k, memory: e, element: value, wide: 1}
	}
	t.PTX = ptxtext.Module(t.columns.tables(), w().along(), w().across(), w().nodes())
	written, _ := tensors.LoadOrStore(k, t)
	return written.(*Tensor)
}

// Append appends to each column the bytes of some results, as its form has them. They are left part by part, each part
// 8 bytes behind the one before it for each result.
func (t *Tensor) Append(columns [][]byte, left []byte, results int) {
	for k, c := range t.columns {
		from := left[:8*results*len(c.parts)]
		left = left[len(from):]
		if c.isStored() {
			columns[k] = append(columns[k], from[:c.parts[0].size*results]...)
			continue
		}
		parts := make([]uint64, len(c.parts))
		for r := range results {
			for p := range parts {
				parts[p] = c.parts[p].read(from[8*results*p:], r)
			}
			columns[k] = c.bytes(columns[k], parts)
		}
	}
}

// A tensorWriter writes an entry.
type tensorWriter struct {
	*asm
	of              *Tensor
	key             TensorKey
	memory, element element // values as they are in memory, and as they are joined
	wide            int     // results of a thread

	items, leaf, leaves, base string
	from                      string
	kept, walked              []loop
	result, next              string
	done, blocks              string
	outs, roots               []string
}

// A loop is over elements that are so far apart.
type loop struct{ n, stride string }

// begin loads the parameters, and returns their names.
func (w *tensorWriter) begin() (names []string) {
	w.items, w.leaf, w.leaves, w.base = w.Param("items"), w.Param("leaf"), w.Param("leaves"), w.Address("x")
	w.from = w.Param("from")
	names = []string{"items", "leaf", "from", "leaves", "first", "last", "x"}
	for k := range w.key.Kept + w.key.Walked {
		n, stride := fmt.Sprint("n", k), fmt.Sprint("stride", k)
		names = append(names, n, stride)
		l := loop{w.Param(n), w.To(b64, "mul.lo.s64", w.Param(stride), w.memory.size)}
		if k < w.key.Kept {
			w.kept = append(w.kept, l)
		} else {
			w.walked = append(w.walked, l)
		}
	}
	w.result, w.next, w.done, w.blocks = w.Param("result"), w.Param("next"), w.Address("done"), w.Param("blocks")
	names = append(names, "result", "next", "done", "blocks")
	for n := range w.of.Bytes {
		out, root := fmt.Sprint("out", n), fmt.Sprint("root", n)
		names = append(names, out, root)
		w.outs, w.roots = append(w.outs, w.Address(out)), append(w.roots, w.Address(root))
	}
	return names
}

// at returns where an item of some loops is, from an address on.
func (w *tensorWriter) at(loops []loop, base, item string) string {
	for d := len(loops) - 1; d >= 0; d-- {
		index := item
		if d > 0 {
			index = w.To(b64, "rem.u64", item, loops[d].n)
			item = w.To(b64, "div.u64", item, loops[d].n)
		}
		base = w.To(b64, "add.s64", base, w.To(b64, "mul.lo.s64", index, loops[d].stride))
	}
	return base
}

// load loads what lies at an address: a value, or one of each result of the thread.
func (w *tensorWriter) load(address string) string {
	if w.wide > 1 {
		return w.To(b32, "ld.global.nc.u32", "["+address+"]")
	}
	return w.To(w.memory.class, "ld.global.nc."+w.memory.memory(), "["+address+"]")
}

// loaded returns the values of what was loaded, as they are joined.
func (w *tensorWriter) loaded(x string) (values []string) {
	switch w.key.Format {
	case device.Float16:
		values = append(values, w.To(f32, "cvt.f32.f16", w.To(b16, "cvt.u16.u32", x)))
		if w.wide > 1 {
			values = append(values, w.To(f32, "cvt.f32.f16", w.To(b16, "cvt.u16.u32", w.To(b32, "shr.u32", x, "16"))))
		}
	case device.BFloat16:
		values = append(values, w.To(f32, "mov.b32", w.To(b32, "shl.b32", x, "16")))
		if w.wide > 1 {
			values = append(values, w.To(f32, "mov.b32", w.To(b32, "and.b32", x, -1<<16)))
		}
	case device.Single:
		values = append(values, w.To(f64, "cvt.f64.f32", x))
	default:
		values = append(values, x)
	}
	return values
}

// identities returns registers with the identities.
func (w *tensorWriter) identities() (acc []string) {
	for _, p := range w.of.columns.parts() {
		r := w.Fresh(p.class)
		w.set(p, r, p.literal(p.identity))
		acc = append(acc, r)
	}
	return acc
}

// item joins a value, that of the item so far behind number.
func (w *tensorWriter) item(acc []string, x, number string, behind int) {
	w.of.columns.item(w.asm, acc, x, func() string { return w.To(b64, "add.s64", number, behind) })
}

// ifLess lets f be done where a is less than b.
func (w *tensorWriter) ifLess(a, b string, f func()) {
	behind := w.NewLabel("less")
	name, x, y := "setp.ge.s64", a, b
	if a[0] != '%' { // a constant comes second
		name, x, y = "setp.le.s64", b, a
	}
	w.Op("@%s bra %s", w.To(pred, name, x, y), behind)
	f()
	w.Label(behind)
}

// store stores partial results as number place of the values of parts.
func (w *tensorWriter) store(x, outs []string, place string) {
	w.eachPart(x, outs, place, func(address string, p part, acc string) {
		w.Op("st.global.%s [%s], %s", p.class.Stored(), address, acc)
	})
}

func (w *tensorWriter) eachPart(x, outs []string, place string, f func(address string, p part, acc string)) {
	addresses := w.numbered(outs, place)
	for k, p := range w.of.columns.parts() {
		f(addresses[k], p, x[k])
	}
}

// numbered returns the addresses of number n of the values of parts.
func (w *tensorWriter) numbered(outs []string, n string) (addresses []string) {
	for k, bytes := range w.of.Bytes {
		addresses = append(addresses, w.To(b64, "add.s64", outs[k], w.To(b64, "mul.lo.s64", n, bytes)))
	}
	return addresses
}

// place returns where the value of a leaf is.
func (w *tensorWriter) place(result, leaf string) string {
	return w.To(b64, "add.s64", w.To(b64, "mul.lo.s64", result, w.result), w.To(b64, "mul.lo.s64", leaf, w.next))
}

// above returns what the lane that is h above has.
func (w *tensorWriter) above(x []string, h int) (others []string) {
	for k, p := range w.of.columns.parts() {
		others = append(others, w.Shuffle("down", p.class, x[k], h))
	}
	return others
}

// join joins src into dst.
func (w *tensorWriter) join(dst, src []string) { w.of.columns.join(w.asm, dst, src) }
