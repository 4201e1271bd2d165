package ptx

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// meet lets all threads of the block come here. If one has stopped, all end.
func (w *writer) meet() {
	w.Op("bar.sync 0")
	flag := w.To(b32, "ld.volatile.shared.u32", "["+w.team.flag+"]")
	w.Op("@%s ret", w.To(pred, "setp.ne.s32", flag, 0))
}

// across returns the value of another thread of the member.
func (w *writer) across(v *ir.Value) string {
	lane := w.To(b32, "cvt.u32.u64", w.To(b64, "and.b64", w.in(v.Args[1]), w.To(b64, "sub.s64", w.team.many, 1)))
	w.Members = w.team.members
	return w.Shuffle("idx", w.classOf(v.Type), w.in(v.Args[0]), w.To(b32, "add.s32", lane, w.team.warp))
}

// accumulated returns two values of an accumulator of the launch as one.
func (w *writer) accumulated(v *ir.Value) string {
	dst := w.Fresh(w.classOf(v.Type))
	w.Op("mov.%s %s, %s", movable(v.Type), dst, w.in(v.Args[0]))
	w.join(v.Type, w.accs[v.Index].join, dst, w.in(v.Args[1]))
	return dst
}

// atomics are the operations of cards that give the bits of any order.
var atomics = map[string]string{"add": "u", "min": "s", "max": "s", "and": "b", "or": "b", "xor": "b", "exchange": "b", "compareexchange": "b", "load": "b"}

// atomic writes an atomic operation on integers.
func (w *writer) atomic(v *ir.Value) {
	kind, ok := atomics[v.Func]
	if !ok || !v.Type.IsInt() {
		w.refuse(v.Pos, "an atomic operation by %s on elements of type %s has no form for cards", v.Func, v.Type)
		return
	}
	if v.Unsigned {
		kind = "u"
	}
	name, space, args := v.Func, "sys.global", []any{w.element(v)} // cards may share a launch
	for _, a := range v.Args[1:] {
		args = append(args, w.in(a))
	}
	switch name {
	case "load":
		name, args = "or", append(args, 0)
	case "exchange":
		name = "exch"
	case "compareexchange":
		name = "cas"
	}
	if inBlock(w.k.Mems[v.Index]) {
		space = "shared"
	}
	w.reg[v] = w.To(w.classOf(v.Type), fmt.Sprintf("atom.%s.%s.%s%d", space, name, kind, 8*v.Type.Bytes()), args...)
}
