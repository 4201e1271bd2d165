package sorts

import (
	"sync"

	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// Marks is the name of the entry of a [Mark]. Its parameters are n, src, step, equal, marks. A thread makes byte k of marks 1
// if item k is dropped, else 0.
const Marks = "gokkos_marks"

// A Mark tells texts apart that compare numbers with the bits equal, or, with Heads, with the number before: the first item
// is never dropped then. Floats are compared as floats.
type Mark struct {
	Bytes        int
	Float, Heads bool
}

var marks sync.Map // texts by mark

// Text returns the text.
func (m Mark) Text() string {
	if text, ok := marks.Load(m); ok {
		return text.(string)
	}
	w := &writer{Key: Key{Bytes: m.Bytes}}
	class, load, compare := w.class(), w.memory(), w.op("setp.eq.s")
	if m.Float {
		class, load, compare = "f64", "f64", "setp.eq.f64"
		if m.Bytes == 4 {
			class, load, compare = "f32", "f32", "setp.eq.f32"
		}
	}
	item := w.To(b64, "add.s64", w.To(b64, "mul.wide.u32", w.Special("ctaid.x"), Threads), w.Wide(w.Special("tid.x")))
	w.Op("@!%s ret", w.below(item, w.Param("n")))
	src, step := w.Address("src"), w.Param("step")
	x := w.To(class, "ld.global."+load, "["+w.at(src, item, step)+"]")
	none := w.To(b32, "mov.b32", 0)
	y, some := w.Fresh(class), ""
	if m.Heads {
		some = w.To(pred, "setp.ne.s64", item, 0)
		before := w.To(b64, "sub.s64", item, w.To(b64, "selp.b64", 1, 0, some))
		w.Op("ld.global.%s %s, [%s]", load, y, w.at(src, before, step))
	} else {
		w.Op("ld.param.%s %s, [equal]", class.Stored(), y)
	}
	is := w.To(pred, compare, x, y)
	if m.Heads {
		is = w.To(pred, "and.pred", is, some)
	}
	mark := w.To(b32, "selp.b32", 1, none, is)
	w.Op("st.global.u8 [%s], %s", w.To(b64, "add.s64", w.Address("marks"), item), mark)
	w.Op("ret")
	text := ptxtext.Module(w.Entry(Marks, []string{"n", "src", "step", "equal", "marks"}, nil))
	marks.Store(m, text)
	return text
}
