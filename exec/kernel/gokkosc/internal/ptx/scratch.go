package ptx

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// blockMemory is the name of the shared memory of a block, as long as the launch says.
const blockMemory = "block"

const flagBytes = 16

// levelOf returns the level of scratch memory, and -1 of other memory.
func levelOf(m ir.Mem) int {
	if m.Own && m.Param >= 0 && m.Path[0].Field == "Scratch" {
		return m.Path[1].N
	}
	return -1
}

// inBlock reports whether a memory is shared memory.
func inBlock(m ir.Mem) bool { return m.Own && m.Param >= 0 && levelOf(m) != 1 }

// scratch returns the address of the scratch memory of a level.
func (w *writer) scratch(level int) string {
	if level == 0 {
		return w.To(b64, "mov.u64", blockMemory)
	}
	return w.To(b64, "add.s64", w.Address("far"), w.To(b64, "mul.lo.s64", w.Wide(w.Special("ctaid.x")), w.Param("bytes1")))
}

// own returns the address of a memory of the team.
func (w *writer) own(m ir.Mem) string {
	if level := levelOf(m); level >= 0 {
		return w.scratch(level)
	}
	return w.To(b64, "add.s64", w.team.flag, flagBytes)
}

// clearScratch lets scratch memory begin as zero.
func (w *writer) clearScratch() {
	cleared := false
	for level, space := range []string{"shared", "global"} {
		if !slices.ContainsFunc(w.k.Mems, func(m ir.Mem) bool { return levelOf(m) == level }) {
			continue
		}
		cleared = true
		again, behind := w.NewLabel("clear"), w.NewLabel("cleared")
		at := w.To(b64, "shl.b64", w.Wide(w.Special("tid.x")), 3)
		end, step := w.Param(fmt.Sprint("bytes", level)), w.To(b64, "shl.b64", w.Wide(w.Special("ntid.x")), 3)
		base, zero := w.scratch(level), w.To(b64, "mov.b64", 0)
		w.Label(again)
		w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", at, end), behind)
		w.Op("st.%s.u64 [%s], %s", space, w.To(b64, "add.s64", base, at), zero)
		w.Op("add.s64 %s, %s, %s", at, at, step)
		w.Op("bra %s", again)
		w.Label(behind)
	}
	if cleared {
		w.meet()
	}
}
