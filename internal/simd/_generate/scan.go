package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// scan writes the kernel that scans four leaves and writes past the cache. It needs AVX.
//
// The two stores of a line follow one another, and all loads come before the first store.
// With a store of one value at a time the processor has parts of four lines to keep. A load
// at the same place of another page, as the next leaf is, makes it send the part that it has
// to memory, and that takes as long as tens of whole lines.
func scan(e elem, inclusive bool) {
	name, loop := "exclusiveScan", []string{"\t\tdst[i] = accs[k]", "\t\taccs[k] += src[i]"}
	if inclusive {
		name, loop = "inclusiveScan", []string{"\t\taccs[k] += src[i]", "\t\tdst[i] = accs[k]"}
	}
	vec{elem: e}.text(name+e.title(), "func(dst, src []T, leaf, lines int, accs *[4]T)",
		" takes that many lines of each leaf; each begins with a line of dst:",
		"n := lines * 64 / sizeof(T)",
		"for k := range accs {", "\tfor i := k * leaf; i < k*leaf+n; i++ {", loop[0], loop[1], "\t}", "}")
	dst, src := Load(Param("dst").Base(), GP64()), Load(Param("src").Base(), GP64())
	stride := Load(Param("leaf"), GP64())
	n, accs := Load(Param("lines"), GP64()), Load(Param("accs"), GP64())
	triple := GP64()
	SHLQ(Imm(log2(e.bytes)), stride)
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, triple)
	in := func(base Register) [4]Mem { // the four leaves
		return [4]Mem{{Base: base}, {Base: base, Index: stride, Scale: 1},
			{Base: base, Index: stride, Scale: 2}, {Base: base, Index: triple, Scale: 1}}
	}
	var acc [4]VecVirtual
	for k := range acc {
		acc[k] = XMM()
		e.move(Mem{Base: accs, Disp: k * e.bytes}, acc[k])
	}
	Label("line")
	var halves [2][4]Register
	for quarter := range 4 {
		for k, from := range in(src) {
			results := e.sixteen(acc[k], from.Offset(quarter*line/4), inclusive)
			half := &halves[quarter/2][k]
			if quarter%2 == 0 {
				*half = results.AsY()
				continue
			}
			VINSERTF128(Imm(1), results, *half, *half)
		}
	}
	for k, to := range in(dst) {
		VMOVNTPS(halves[0][k], to)
		VMOVNTPS(halves[1][k], to.Offset(line/2))
	}
	ADDQ(Imm(line), src)
	ADDQ(Imm(line), dst)
	DECQ(n)
	JNZ(LabelRef("line"))
	for k := range acc {
		e.move(acc[k], Mem{Base: accs, Disp: k * e.bytes})
	}
	SFENCE()
	VZEROUPPER()
	RET()
}

// sixteen adds the values of 16 bytes to acc, one by one, and returns what it was before each,
// or after each if inclusive.
func (e elem) sixteen(acc VecVirtual, from Mem, inclusive bool) VecVirtual {
	results := XMM()
	for n := range 16 / e.bytes {
		if inclusive {
			e.add(from.Offset(n*e.bytes), acc)
		}
		switch {
		case n == 0:
			VMOVAPS(acc, results)
		case e.bytes == 8:
			VUNPCKLPD(acc, results, results)
		default:
			VINSERTPS(Imm(uint64(n<<4)), acc, results, results)
		}
		if !inclusive {
			e.add(from.Offset(n*e.bytes), acc)
		}
	}
	return results
}

// move moves one value.
func (e elem) move(x, dst Op) { vec{elem: e}.pick(VMOVSD, VMOVSS, VMOVSD, VMOVSS)(x, dst) }

// add adds the value at x to acc.
func (e elem) add(x Mem, acc VecVirtual) {
	switch e {
	case float64s:
		VADDSD(x, acc, acc)
	case float32s:
		VADDSS(x, acc, acc)
	default:
		t := XMM()
		e.move(x, t)
		vec{elem: e}.add(t, acc, acc)
	}
}
