package ptx

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// scan returns the entry that runs a pass of a scan. A thread runs a leaf, whose items are joined one by one.
// The first pass begins with the identity, and leaves the result in sums. The last pass begins with the value
// in sums, which is the prefix by then.
func (w *writer) scan(name string) string {
	names, comments := w.captured()
	first := append(w.indexParams(comments), "first", "last", "status", "leaf", "sums", "identity", "final")
	comments["first"], comments["sums"] = "items first to last-1, of whole leaves", "of the leaf of item first"
	end, leaf := w.Param("last"), w.Param("leaf")
	w.openBox(end)
	thread, _ := w.thread()
	done := w.NewLabel("done")
	number := w.To(b64, "add.s64", w.Param("first"), w.To(b64, "mul.lo.s64", thread, leaf))
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", number, end), done)
	end = w.To(b64, "min.s64", end, w.To(b64, "add.s64", number, leaf))
	w.prologue()
	t := w.k.Accs[0].Type
	kept, acc := w.classOf(t), w.scalar("identity", t)
	if t == ir.Bool {
		kept = b32
	}
	at, final := w.at(w.Address("sums"), thread, kept.Bytes()), w.scalar("final", ir.Bool)
	begun, behind := w.NewLabel("begun"), w.NewLabel("behind")
	w.Op("@!%s bra %s", final, begun)
	before := w.To(kept, "ld.global."+kept.Stored(), at)
	if t == ir.Bool {
		before = w.To(pred, "setp.ne.s32", before, 0)
	}
	w.Op("mov.%s %s, %s", movable(t), acc, before)
	w.Label(begun)
	w.row(w.To(b64, "mov.b64", 1), number, end, []string{acc}, behind)
	w.Label(behind)
	w.Op("@%s bra %s", final, done)
	if t == ir.Bool {
		acc = w.To(b32, "selp.b32", 1, 0, acc)
	}
	w.Op("st.global.%s %s, %s", kept.Stored(), at, acc)
	w.Label(done)
	w.Op("ret")
	return w.Entry(name, append(first, names...), comments)
}
