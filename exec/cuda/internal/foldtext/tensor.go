package foldtext

import (
	"fmt"
	"reflect"
	"sync"

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
//	leaves          of a result
//	first, last     the results to make
//	x               the address of the first element
//	n, stride       for each loop over the results and then over the items of one, the outermost first: its length and
//	                its stride in elements
//	result, next    how many values lie from one result to the next, and from one leaf to the next
//	done            the address of 32 bits that are 0, and are 0 again behind the launch: for each result of Along, and for
//	                each 32 threads of Across that have results
//	blocks          of Along those of a result, of Across those of a leaf
//	out, root       for each part the address of the value of leaf 0 of the first of these results, and that of the value
//	                of this result
type Tensor struct {
	Along, Across string
	PTX           string
	Bytes         []int // of a value of each part
	Each          int   // lanes that a thread of Across walks

	fold *Fold
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
	t := &Tensor{Along: "gokkos_along", Across: "gokkos_across", Each: min(k.Lanes, k.each()), fold: &Fold{}}
	for _, op := range ops {
		c, _ := columnOf(value, op)
		t.fold.columns = append(t.fold.columns, c)
		for _, p := range c.parts {
			t.Bytes = append(t.Bytes, p.class.bytes())
		}
	}
	w := func() *tensorWriter {
		return &tensorWriter{asm: &asm{}, of: t, key: k, memory: e, element: value, wide: 1}
	}
	t.PTX = ".version 6.0\n.target sm_70\n.address_size 64\n" + t.fold.tables() + w().along() + w().across()
	written, _ := tensors.LoadOrStore(k, t)
	return written.(*Tensor)
}

// Append appends to each column the bytes of some results, as its form has them. They are left part by part, each part
// 8 bytes behind the one before it for each result.
func (t *Tensor) Append(columns [][]byte, left []byte, results int) {
	for k, c := range t.fold.columns {
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
	kept, walked              []loop
	result, next              string
	done, blocks              string
	outs, roots               []string
}

// A loop is over elements that are so far apart.
type loop struct{ n, stride string }

// An accs has the registers of partial results, by column and part.
type accs [][]string

// begin loads the parameters, and returns their names.
func (w *tensorWriter) begin() (names []string) {
	w.items, w.leaf, w.leaves, w.base = w.param("items"), w.param("leaf"), w.param("leaves"), w.address("x")
	names = []string{"items", "leaf", "leaves", "first", "last", "x"}
	for k := range w.key.Kept + w.key.Walked {
		n, stride := fmt.Sprint("n", k), fmt.Sprint("stride", k)
		names = append(names, n, stride)
		l := loop{w.param(n), w.to(b64, "mul.lo.s64", w.param(stride), literal(w.memory.size))}
		if k < w.key.Kept {
			w.kept = append(w.kept, l)
		} else {
			w.walked = append(w.walked, l)
		}
	}
	w.result, w.next, w.done, w.blocks = w.param("result"), w.param("next"), w.address("done"), w.param("blocks")
	names = append(names, "result", "next", "done", "blocks")
	for n := range w.of.Bytes {
		out, root := fmt.Sprint("out", n), fmt.Sprint("root", n)
		names = append(names, out, root)
		w.outs, w.roots = append(w.outs, w.address(out)), append(w.roots, w.address(root))
	}
	return names
}

// at returns where an item of some loops is, from an address on.
func (w *tensorWriter) at(loops []loop, base, item string) string {
	for d := len(loops) - 1; d >= 0; d-- {
		index := item
		if d > 0 {
			index = w.to(b64, "rem.u64", item, loops[d].n)
			item = w.to(b64, "div.u64", item, loops[d].n)
		}
		base = w.to(b64, "add.s64", base, w.to(b64, "mul.lo.s64", index, loops[d].stride))
	}
	return base
}

// load loads what lies at an address: a value, or one of each result of the thread.
func (w *tensorWriter) load(address string) string {
	if w.wide > 1 {
		return w.to(b32, "ld.global.nc.u32", "["+address+"]")
	}
	return w.to(w.memory.class, "ld.global.nc."+w.memory.memory(), "["+address+"]")
}

// loaded returns the values of what was loaded, as they are joined.
func (w *tensorWriter) loaded(x string) (values []string) {
	switch w.key.Format {
	case device.Float16:
		values = append(values, w.to(f32, "cvt.f32.f16", w.to(b16, "cvt.u16.u32", x)))
		if w.wide > 1 {
			values = append(values, w.to(f32, "cvt.f32.f16", w.to(b16, "cvt.u16.u32", w.to(b32, "shr.u32", x, "16"))))
		}
	case device.BFloat16:
		values = append(values, w.to(f32, "mov.b32", w.to(b32, "shl.b32", x, "16")))
		if w.wide > 1 {
			values = append(values, w.to(f32, "mov.b32", w.to(b32, "and.b32", x, literal(-1<<16))))
		}
	case device.Single:
		values = append(values, w.to(f64, "cvt.f64.f32", x))
	default:
		values = append(values, x)
	}
	return values
}

// identities returns registers with the identities.
func (w *tensorWriter) identities() (all accs) {
	for _, c := range w.of.fold.columns {
		var regs []string
		for _, p := range c.parts {
			r := w.fresh(p.class)
			w.set(p, r, p.literal(p.identity))
			regs = append(regs, r)
		}
		all = append(all, regs)
	}
	return all
}

// item joins a value, that of the item so far behind number.
func (w *tensorWriter) item(to accs, x, number string, behind int) {
	location := ""
	for n, c := range w.of.fold.columns {
		if c.at && location == "" {
			location = w.to(b64, "add.s64", number, literal(behind))
		}
		c.item(w.asm, to[n], x, location)
	}
}

// ifLess lets f be done where a is less than b.
func (w *tensorWriter) ifLess(a, b string, f func()) {
	behind := w.newLabel("less")
	name, x, y := "setp.ge.s64", a, b
	if a[0] != '%' { // a constant comes second
		name, x, y = "setp.le.s64", b, a
	}
	w.op("@%s bra %s", w.to(pred, name, x, y), behind)
	f()
	w.label(behind)
}

// store stores partial results as number place of the values of parts.
func (w *tensorWriter) store(x accs, outs []string, place string) {
	w.eachPart(x, outs, place, func(address string, p part, acc string) {
		w.op("st.global.%s [%s], %s", p.class.stored(), address, acc)
	})
}

func (w *tensorWriter) eachPart(x accs, outs []string, place string, f func(address string, p part, acc string)) {
	addresses := w.numbered(outs, place)
	for n, c := range w.of.fold.columns {
		for i, p := range c.parts {
			f(addresses[0], p, x[n][i])
			addresses = addresses[1:]
		}
	}
}

// numbered returns the addresses of number n of the values of parts.
func (w *tensorWriter) numbered(outs []string, n string) (addresses []string) {
	for k, bytes := range w.of.Bytes {
		addresses = append(addresses, w.to(b64, "add.s64", outs[k], w.to(b64, "mul.lo.s64", n, literal(bytes))))
	}
	return addresses
}

// place returns where the value of a leaf is.
func (w *tensorWriter) place(result, leaf string) string {
	return w.to(b64, "add.s64", w.to(b64, "mul.lo.s64", result, w.result), w.to(b64, "mul.lo.s64", leaf, w.next))
}

// above returns what the lane that is h above has.
func (w *tensorWriter) above(x accs, h string) (others accs) {
	for n, c := range w.of.fold.columns {
		var regs []string
		for k, p := range c.parts {
			regs = append(regs, w.down(p.class, x[n][k], h))
		}
		others = append(others, regs)
	}
	return others
}

// joinAll joins src into dst.
func (w *tensorWriter) joinAll(dst, src accs) {
	for n, c := range w.of.fold.columns {
		c.join(w.asm, dst[n], src[n])
	}
}
