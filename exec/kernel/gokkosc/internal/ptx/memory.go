package ptx

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// inMemory returns the type that loads and stores have of elements, and the class of the register: a bool
// is a byte.
func (w *writer) inMemory(t ir.Type) (string, class) {
	switch t {
	case ir.Bool:
		return "u8", b32
	case ir.I8, ir.I16: // loads extend to the register
		return kind(t, false), b32
	case ir.U8, ir.U16:
		return kind(t, true), b32
	case ir.I64, ir.I32:
		return kind(t, true), w.classOf(t)
	}
	return t.String(), w.classOf(t)
}

// element returns the address of an element, as an operand.
func (w *writer) element(v *ir.Value) string {
	return w.place(v.Index, w.k.Mems[v.Index].Elem.Bytes(), w.sumOf(v.Args[0]))
}

// at returns the address of an element whose number is in a register.
func (w *writer) at(base, n string, size int) string {
	if size > 1 {
		n = w.To(b64, "shl.b64", n, shiftOf(size))
	}
	return fmt.Sprintf("[%s]", w.To(b64, "add.s64", base, n))
}

// shiftOf returns the logarithm of a size.
func shiftOf(size int) int { return map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[size] }

// loadUnless loads an element into a register, unless another one is true.
func (w *writer) loadUnless(none string, t ir.Type, at, dst string) {
	typ, c := w.inMemory(t)
	if t != ir.Bool {
		w.Op("@!%s ld.global.%s %s, %s", none, typ, dst, at)
		return
	}
	x := w.To(c, "selp.b32", 1, 0, dst)
	w.Op("@!%s ld.global.%s %s, %s", none, typ, x, at)
	w.Op("setp.ne.s32 %s, %s, 0", dst, x)
}

// load writes a load. If no store of the kernel can be to that memory, the load goes through the cache that
// is not kept up to date. Memories overlap only if their elements have one type.
func (w *writer) load(v *ir.Value) {
	from := "global.nc"
	switch m := w.k.Mems[v.Index]; {
	case inBlock(m):
		from = "shared"
	case m.Own:
		from = "global"
	case m.Table != nil:
		from = "const"
	case w.stored[m.Elem]:
		from = "global"
	}
	at := w.element(v)
	w.reg[v] = w.loadAt(w.k.Mems[v.Index].Elem, from, at)
}

// tableName returns the name of an array of constants.
func tableName(mem int) string { return fmt.Sprintf("table%d", mem) }

// tables returns the declarations of arrays of constants: of bytes, in the order that devices have.
func tables(k *ir.Kernel) string {
	var b strings.Builder
	for n, m := range k.Mems {
		if m.Table == nil {
			continue
		}
		fmt.Fprintf(&b, "%s // %s\n", tableOf(tableName(n), m.Elem.Bytes(), m.Table), m.Name)
	}
	return b.String()
}

func (w *writer) loadAt(t ir.Type, from, at string) string {
	typ, c := w.inMemory(t)
	r := w.To(c, "ld."+from+"."+typ, at)
	if t == ir.Bool {
		r = w.To(pred, "setp.ne.s32", r, 0)
	}
	return r
}

func (w *writer) store(v *ir.Value) {
	x := v.Args[1]
	r := w.in(x)
	space := "global"
	if inBlock(w.k.Mems[v.Index]) {
		space = "shared"
	}
	w.storeAt(space, w.k.Mems[v.Index].Elem, w.element(v), r)
}

func (w *writer) storeAt(space string, t ir.Type, at, r string) {
	typ, _ := w.inMemory(t)
	if t.IsNarrow() {
		typ = kind(t, true)
	}
	if t == ir.Bool {
		r = w.To(b32, "selp.b32", 1, 0, r)
	}
	w.Op("st.%s.%s %s, %s", space, typ, at, r)
}
