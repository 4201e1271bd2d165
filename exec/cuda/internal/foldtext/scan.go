package foldtext

import (
	"reflect"
	"slices"
	"sync"

	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Scan is the text of a scan of values, in three launches: the sums of leaves, the prefixes of nodes of 32 leaves, the
// results. A thread walks a leaf, as its items are joined one by one; a warp brings tiles of 32 leaves by 32 items to
// shared memory, so that neighbours in memory are loaded and stored together; 64 items with Pairs. Nodes are joined by shuffles.
//
// The parameters of the entry Sums are
//
//	items, leaf   how many there are, and of a leaf, a power of two
//	src, step     the address of item 0, and the bytes from one to the next
//	leaves        how many there are
//	sums          the address of the sum of leaf 0, each of Bytes bytes
//	nodes         the address of the sum of the first 32 leaves
//
// those of Nodes, of which one block is launched,
//
//	leaves
//	nodes         as above: their sums become their prefixes
//	nodes2        the same of 32 of these; what is there before is of no matter
//	nodes3        and of 32 of those
//	initial       the prefix of item 0, 64 bits
//	root          the address of the sum of all
//
// and those of Items those of Sums and then dst and dstStep, which may be src and step.
//
// Sums and Items are launched with a block of 32 threads for each 32 leaves. With Given they have the
// parameters leaves, sums and nodes: Sums makes nodes of the sums of leaves, and Items makes prefixes of these sums.
type Scan struct {
	Sums, Nodes, Items string
	PTX                string
	Bytes              int // of a sum

	column column
	e      element
}

// MostLeaves is how many leaves Nodes can join.
const MostLeaves = warp * warp * warp * warp

// A ScanKey tells scans apart.
type ScanKey struct {
	Kind      reflect.Kind
	Join      concept.Op
	Identity  uint64 // a value in 64 bits
	Inclusive bool
	// Pairs has lanes load and store two neighbours at a time, of 4 bytes: items are neighbours in memory, the number of
	// them and a leaf are even, and addresses multiples of 8.
	Pairs bool
	Given bool // a functor makes the values, and has joined those of each leaf
}

// scans are those that were written, by key.
var scans sync.Map

// scanned are the operations whose accumulators are values.
var scanned = []concept.Op{concept.OpSum, concept.OpProd, concept.OpMin, concept.OpMax, concept.OpAnd, concept.OpOr, concept.OpXor}

// ScanOf returns the scan of a key. It is not ok if there is no text for it.
func ScanOf(k ScanKey) (s *Scan, ok bool) {
	if s, ok := scans.Load(k); ok {
		return s.(*Scan), true
	}
	e, ok := elementOf(k.Kind)
	if !ok || !slices.Contains(scanned, k.Join) {
		return nil, false
	}
	c, ok := simple(e, concept.Operation{Join: k.Join})
	if !ok {
		return nil, false
	}
	c.parts[0].identity = e.extended(k.Identity)
	s = &Scan{Sums: "gokkos_scan_sums", Nodes: "gokkos_scan_nodes", Items: "gokkos_scan_items", Bytes: e.class.Bytes(), column: c, e: e}
	wide := 1
	if k.Pairs {
		wide = 2
	}
	w := func() *scanWriter { return &scanWriter{asm: &asm{}, scan: s, part: c.parts[0], wide: wide} }
	sums, items := w().sums, func() string { return w().items(k.Inclusive) }
	if k.Given {
		sums, items = func() string { return w().between(s.Sums, false) }, func() string { return w().between(s.Items, true) }
	}
	s.PTX = ptxtext.Module(sums(), w().nodes(), items())
	written, _ := scans.LoadOrStore(k, s)
	return written.(*Scan), true
}

// Value returns the bytes of a value that the device has left.
func (s *Scan) Value(sum []byte) []byte { return sum[:s.e.size:s.e.size] }

// Part returns a value as the device has it.
func (s *Scan) Part(value uint64) uint64 { return s.e.extended(value) }

// extended returns a value as it is in a register: integers have a sign.
func (e element) extended(x uint64) uint64 {
	if shift := 64 - 8*e.size; !e.float() && !e.unsigned {
		return uint64(int64(x<<shift) >> shift)
	}
	return x
}

// A scanWriter writes an entry.
type scanWriter struct {
	*asm
	scan *Scan
	part part
	wide int // items that a lane loads at a time
}

// join joins src into dst.
func (w *scanWriter) join(dst, src string) {
	w.scan.column.join(w.asm, []string{dst}, []string{src})
}

// identity returns a register with the identity.
func (w *scanWriter) identity() string {
	r := w.Fresh(w.part.class)
	w.set(w.part, r, w.part.literal(w.part.identity))
	return r
}

// joined returns identity (+) a (+) b.
func (w *scanWriter) joined(all ...string) string {
	r := w.identity()
	for _, x := range all {
		w.join(r, x)
	}
	return r
}

// either returns a where a predicate is true, else b.
func (w *scanWriter) either(p, a, b string) string {
	return w.To(w.part.class, "selp."+string(w.part.class), a, b, p)
}

// place returns the address of sum n.
func (w *scanWriter) place(base, n string) string {
	return w.To(b64, "add.s64", base, w.To(b64, "mul.lo.s64", n, w.bytes()))
}

// up joins what the lanes have, of which the numbers from count on have nothing, to the sum of them in lane 0. It returns
// what lanes had at the bottom of each level, too.
func (w *scanWriter) up(x, number, count string) (levels []string, sum string) {
	for h := 1; h < warp; h *= 2 {
		levels = append(levels, x)
		right := w.To(b64, "add.s64", number, h)
		other := w.Shuffle("down", w.part.class, x, h)
		x = w.either(w.To(pred, "setp.lt.u64", right, count), w.joined(x, other), w.joined(x))
	}
	return levels, x
}

// prefixes returns the prefix of what each lane has, where that of all is prefix.
func (w *scanWriter) prefixes(levels []string, lane, prefix string) string {
	for k := len(levels) - 1; k >= 0; k-- {
		h := 1 << k
		left := w.Shuffle("idx", w.part.class, levels[k], w.To(b32, "and.b32", lane, warp-2*h))
		isRight := w.To(pred, "setp.ne.s32", w.To(b32, "and.b32", lane, h), "0")
		prefix = w.either(isRight, w.joined(prefix, left), prefix)
	}
	return prefix
}
