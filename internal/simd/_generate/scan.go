package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// scan writes the kernel that scans four leaves and writes past the cache. It needs nothing
// that not all processors have.
func scan(e elem, inclusive bool) {
	name, loop := "exclusiveScan", []string{"\t\tdst[i] = accs[k]", "\t\taccs[k] += src[i]"}
	if inclusive {
		name, loop = "inclusiveScan", []string{"\t\taccs[k] += src[i]", "\t\tdst[i] = accs[k]"}
	}
	vec{elem: e}.text(name+e.title(), "func(dst, src []T, leaf int, accs *[4]T)", " takes four leaves of one value at least:",
		"for k := range accs {", "\tfor i := k * leaf; i < (k+1)*leaf; i++ {", loop[0], loop[1], "\t}", "}")
	dst, src := Load(Param("dst").Base(), GP64()), Load(Param("src").Base(), GP64())
	n, accs := Load(Param("leaf"), GP64()), Load(Param("accs"), GP64())
	stride, triple := GP64(), GP64()
	MOVQ(n, stride)
	SHLQ(Imm(log2(e.bytes)), stride)
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, triple)
	next := func(base Register) [4]Mem { // the next value of each leaf
		return [4]Mem{{Base: base}, {Base: base, Index: stride, Scale: 1},
			{Base: base, Index: stride, Scale: 2}, {Base: base, Index: triple, Scale: 1}}
	}
	s := scalarOf(e)
	var acc [4]Register
	for k := range acc {
		acc[k] = s.reg()
		s.move(Mem{Base: accs, Disp: k * e.bytes}, acc[k])
	}
	Label("item")
	from, to := next(src), next(dst)
	for k := range acc {
		if inclusive {
			s.add(from[k], acc[k])
		}
		s.writePast(acc[k], to[k])
		if !inclusive {
			s.add(from[k], acc[k])
		}
	}
	ADDQ(Imm(uint64(e.bytes)), src)
	ADDQ(Imm(uint64(e.bytes)), dst)
	DECQ(n)
	JNZ(LabelRef("item"))
	for k := range acc {
		s.move(acc[k], Mem{Base: accs, Disp: k * e.bytes})
	}
	SFENCE()
	RET()
}

// A scalar is a register with one value, as its methods compute with it.
type scalar struct {
	reg       func() Register
	move, add func(x, dst Op)
	writePast func(x Register, dst Mem) // the cache
}

func scalarOf(e elem) scalar {
	gp32, gp64, xmm := func() Register { return GP32() }, func() Register { return GP64() }, func() Register { return XMM() }
	write64, write32 := func(x Register, dst Mem) { MOVNTIQ(x, dst) }, func(x Register, dst Mem) { MOVNTIL(x, dst) }
	switch e {
	case int64s:
		return scalar{gp64, MOVQ, ADDQ, write64}
	case int32s:
		return scalar{gp32, MOVL, ADDL, write32}
	case float64s:
		return scalar{xmm, MOVSD, ADDSD, func(x Register, dst Mem) {
			t := GP64()
			MOVQ(x, t)
			write64(t, dst)
		}}
	}
	return scalar{xmm, MOVSS, ADDSS, func(x Register, dst Mem) {
		t := GP32()
		MOVD(x, t)
		write32(t, dst)
	}}
}
