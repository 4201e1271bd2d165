package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	// rowsOfShort is the number of rows of a leaf that has less than 32 lanes.
	rowsOfShort = 8
	// half is the size of half a register of AVX2 in bytes.
	half = 16
)

// additive reports whether lanes start at 0 and are joined by addition.
func (k kernel) additive() bool { return k.name == "sum" || k.name == "sumSq" || k.name == "norm1" }

// leavesOf writes the kernel that reduces leaves one after the other.
func (k kernel) leavesOf(v vec) {
	if !v.float { // the order of integers is no matter
		return
	}
	v.leaves(k.name+"Leaves", []string{"x"}, strings.ReplaceAll(k.loop, "x[k]", "x[n*leaf+k]"), func(v vec, lanes int) adding {
		join, _ := k.body(v)
		return func(acc VecVirtual, at []Op) { join(acc, v.part(at[0], lanes)) }
	})
}

// dotLeaves writes the kernel that reduces leaves of products.
func dotLeaves(v vec) {
	v.leaves("dotLeaves", []string{"x", "y"}, "lanes[l] += T(x[n*leaf+k]*y[n*leaf+k])", func(v vec, lanes int) adding {
		return func(acc VecVirtual, at []Op) {
			t := v.load(v.part(at[0], lanes))
			v.mul(v.part(at[1], lanes), t, t)
			v.add(t, acc, acc)
		}
	})
}

// adding adds what is made of one vector of each operand to acc.
type adding func(acc VecVirtual, at []Op)

// leaves writes a kernel that reduces leaves of some operands one after the other. What is
// added differs by the number of lanes.
func (v vec) leaves(name string, operands []string, loop string, of func(v vec, lanes int) adding) {
	v.text(v.named(name), "func(dst, "+strings.Join(operands, ", ")+" []T, leaf int)",
		" takes len(dst) whole leaves; their length is a power of two:",
		"for n := range dst {", "\tlanes := make([]T, max(min(leaf/8, 32), 1))",
		"\tfor k := range leaf {", "\t\tl := k % len(lanes)", "\t\t"+loop, "\t}",
		"\tfor h := len(lanes) / 2; h > 0; h /= 2 {", "\t\tfor l := range h {",
		"\t\t\tlanes[l] += lanes[l+h]", "\t\t}", "\t}", "\tdst[n] = lanes[0]", "}")
	dst := Load(Param("dst").Base(), GP64())
	n := Load(Param("dst").Len(), GP64())
	var from []Register
	for _, x := range operands {
		from = append(from, Load(Param(x).Base(), GP64()))
	}
	leaf := Load(Param("leaf"), GP64())
	TESTQ(n, n)
	JZ(LabelRef("done"))
	names := map[int]string{1: "one", 2: "two", 4: "four", 8: "eight", 16: "sixteen", 32: "all"}
	for _, l := range []int{1, 2, 4, 8, 16} {
		CMPQ(leaf, U32(uint32(rowsOfShort*l)))
		JLE(LabelRef(names[l]))
	}
	for _, l := range []int{32, 16, 8, 4, 2, 1} {
		if l == lanes {
			SHRQ(Imm(log2(lanes)), leaf)
		}
		Label(names[l])
		part := v.of(l)
		add := of(part, l)
		if l*v.elem.bytes == half {
			full := vec{elem: v.elem}
			full.fours(of(full, 2*l), names[l], dst, n, from)
		}
		part.leavesIn(add, l, names[l], dst, n, from, leaf)
		if l > 1 {
			JMP(LabelRef("done"))
		}
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// of returns the registers for that many lanes, no wider than v.
func (v vec) of(lanes int) vec {
	bytes := lanes * v.elem.bytes
	return vec{elem: v.elem, wide: v.wide && bytes >= 64, half: bytes < 32}
}

// leavesIn is the loop over leaves of a number of lanes; times is how
// many rows there are of 1 or 32.
func (v vec) leavesIn(add adding, lanes int, label string, dst, n Register, from []Register, times Register) {
	row := lanes * v.elem.bytes
	Label(label + "Leaf")
	var acc []VecVirtual
	for range max(row/v.bytes(), 1) {
		a := v.reg()
		v.xor(a, a, a)
		acc = append(acc, a)
	}
	rows, left := rowsOfShort, GP64()
	if lanes == 1 || lanes == 32 {
		rows = 1
		MOVQ(times, left)
		Label(label + "Row")
	}
	for r := range rows {
		for m, a := range acc {
			at := make([]Op, len(from))
			for k, x := range from {
				at[k] = Mem{Base: x, Disp: r*row + m*v.bytes()}
			}
			add(a, at)
		}
	}
	for _, x := range from {
		ADDQ(U32(uint32(rows*row)), x)
	}
	if lanes == 1 || lanes == 32 {
		DECQ(left)
		JNZ(LabelRef(label + "Row"))
	}
	first := acc[0]
	switch {
	case lanes > 2:
		first = kernels[0].butterfly(v, acc)
	case lanes == 2:
		other := XMM()
		VPSHUFD(Imm(map[int]uint64{8: 0x4e, 4: 0xb1}[v.elem.bytes]), first, other)
		v.add(other, first, first)
	}
	v.store(first, Mem{Base: dst})
	ADDQ(Imm(uint64(v.elem.bytes)), dst)
	DECQ(n)
	JNZ(LabelRef(label + "Leaf"))
}

// fours is the loop over four leaves at a time whose rows are halves of a register: those of leaves 0 and 2
// are in one, and those of leaves 1 and 3.
func (v vec) fours(add adding, label string, dst, n Register, from []Register) {
	const fours, leaf = 4, rowsOfShort * half
	CMPQ(n, Imm(fours))
	JL(LabelRef(label + "Leaf"))
	Label(label + "Fours")
	acc := []VecVirtual{v.reg(), v.reg()}
	for _, a := range acc {
		v.xor(a, a, a)
	}
	for r := 0; r < leaf; r += 2 * half {
		for m, a := range acc {
			low, high := make([]Op, len(from)), make([]Op, len(from))
			for k, x := range from {
				near, far := v.load(Mem{Base: x, Disp: m*leaf + r}), Mem{Base: x, Disp: (m+2)*leaf + r}
				l, h := v.reg(), v.reg()
				VINSERTF128(Imm(1), far, near, l)
				VPERM2F128(Imm(0x31), far, near, h)
				low[k], high[k] = l, h
			}
			add(a, low)
			add(a, high)
		}
	}
	for _, x := range from {
		ADDQ(U32(fours*leaf), x)
	}
	first, second := v.reg(), v.reg() // the halves of a row, leaf by leaf
	VUNPCKLPD(acc[1], acc[0], first)
	VUNPCKHPD(acc[1], acc[0], second)
	v.add(second, first, first)
	if v.elem.bytes == 8 {
		VMOVUPD(first, Mem{Base: dst})
	} else {
		VHADDPS(first, first, first)
		VPERMPD(Imm(0x08), first, first)
		VMOVUPD(first.AsX(), Mem{Base: dst})
	}
	ADDQ(U32(uint32(fours*v.elem.bytes)), dst)
	SUBQ(Imm(fours), n)
	JZ(LabelRef("done"))
	CMPQ(n, Imm(fours))
	JGE(LabelRef(label + "Fours"))
}

// part returns the values at x that are there for that many lanes: where they are, if these
// fill a register.
func (v vec) part(x Op, lanes int) Op {
	r := XMM()
	switch lanes * v.elem.bytes {
	case 4:
		VMOVSS(x, r)
	case 8:
		VMOVSD(x, r)
	default:
		return x
	}
	return r
}

// nodeLeaves is how many leaves joinLeaves takes.
const nodeLeaves = 32

// joinLeaves writes the kernel that joins the leaves of nodes as the tree does, neighbours first.
func joinLeaves(v vec) {
	v.text(v.named("joinLeaves"), "func(dst, x []T)", " takes len(dst) nodes of 32 leaves:",
		"for n := range dst {", "\tsums := x[32*n:][:32]",
		"\tfor w := 16; w > 0; w /= 2 {", "\t\tfor l := range w {",
		"\t\t\tsums[l] = sums[2*l] + sums[2*l+1]", "\t\t}", "\t}", "\tdst[n] = sums[0]", "}")
	dst, n := Load(Param("dst").Base(), GP64()), Load(Param("dst").Len(), GP64())
	x := Load(Param("x").Base(), GP64())
	TESTQ(n, n)
	JZ(LabelRef("done"))
	add := VHADDPD // neighbours, of each half of two registers
	if v.elem.bytes == 4 {
		add = VHADDPS
	}
	Label("node")
	var r []VecVirtual
	for k := 0; k < nodeLeaves*v.elem.bytes; k += v.bytes() {
		r = append(r, v.load(Mem{Base: x, Disp: k}))
	}
	r = v.paired(r, add)
	if v.elem.bytes == 8 { // a half has two values, so the other neighbours are in the other half
		r = v.paired(r, func(second, first, dst Op) {
			high := v.reg()
			VPERM2F128(Imm(0x31), second, first, high)
			VINSERTF128(Imm(1), second.(VecVirtual).AsX(), first, dst)
			v.add(high, dst, dst)
		})
	}
	first := v.paired(r, add)[0]
	high := XMM()
	VEXTRACTF128(Imm(1), first, high)
	v.add(high, first.AsX(), first.AsX())
	for k := half; k > v.elem.bytes; k /= 2 {
		add(first.AsX(), first.AsX(), first.AsX())
	}
	v.store(first, Mem{Base: dst})
	ADDQ(U32(uint32(nodeLeaves*v.elem.bytes)), x)
	ADDQ(Imm(uint64(v.elem.bytes)), dst)
	DECQ(n)
	JNZ(LabelRef("node"))
	VZEROUPPER()
	Label("done")
	RET()
}

// paired makes one register of each two.
func (v vec) paired(r []VecVirtual, join func(second, first, dst Op)) (half []VecVirtual) {
	for k := 0; k < len(r); k += 2 {
		join(r[k+1], r[k], r[k])
		half = append(half, r[k])
	}
	return half
}
