package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// reduceNumbers is reduce for floats that are numbers: it returns to the caller of the
// kernel unless one is NaN. VRANGE takes -0 as less than +0, but drops a NaN; a comparison
// of two registers finds one in either.
func (k kernel) reduceNumbers(v vec, x, n Register) {
	const takesSign = 0b0100 // of the value that is taken
	how := uint64(takesSign)
	if k.name == "max" {
		how |= 1
	}
	pick := func(a, b, dst Op) { v.pick(VRANGEPD, VRANGEPS, nil, nil)(Imm(how), a, b, dst) }
	const unordered = 3
	const most = 8 // registers, which hide how long an instruction takes
	var acc []VecVirtual
	first := v.row(x)
	for m := range most {
		a := v.reg()
		VMOVUPD(first[m%len(first)], a)
		acc = append(acc, a)
	}
	nan, pair := K(), K()
	KXORW(nan, nan, nan)
	row := len(first)
	v.inSteps(x, n, most, row, func(vectors int) {
		for m := 0; m < vectors; m += 2 {
			at, next := Mem{Base: x, Disp: m * v.bytes()}, Mem{Base: x, Disp: (m + 1) * v.bytes()}
			t := v.load(at)
			v.pick(VCMPPD, VCMPPS, nil, nil)(Imm(unordered), next, t, pair)
			pick(t, acc[m], acc[m])
			pick(next, acc[m+1], acc[m+1])
			KORW(pair, nan, nan)
		}
	})
	KTESTW(nan, nan)
	JNZ(LabelRef("exact"))
	for m, a := range acc[row:] {
		pick(a, acc[m%row], acc[m%row])
	}
	v.result(k.butterfly(v, acc[:row]))
	Label("exact")
}
