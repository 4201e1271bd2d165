package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rowsOfShort is the number of rows of a leaf that has less than 32 lanes.
const rowsOfShort = 8

// additive reports whether lanes start at 0 and are joined by addition.
func (k kernel) additive() bool { return k.name == "sum" || k.name == "sumSq" || k.name == "norm1" }

// leavesOf writes the kernel that reduces leaves one after the other.
func (k kernel) leavesOf(v vec) {
	if !v.float { // the order of integers is no matter
		return
	}
	v.text(v.named(k.name+"Leaves"), "func(dst, x []T, leaf int)",
		" takes len(dst) whole leaves; their length is a power of two:",
		"for n := range dst {", "\tlanes := make([]T, max(min(leaf/8, 32), 1))",
		"\tfor k := range leaf {", "\t\tl := k % len(lanes)",
		"\t\t"+strings.ReplaceAll(k.loop, "x[k]", "x[n*leaf+k]"), "\t}",
		"\tfor h := len(lanes) / 2; h > 0; h /= 2 {", "\t\tfor l := range h {",
		"\t\t\tlanes[l] += lanes[l+h]", "\t\t}", "\t}", "\tdst[n] = lanes[0]", "}")
	dst := Load(Param("dst").Base(), GP64())
	n := Load(Param("dst").Len(), GP64())
	x := Load(Param("x").Base(), GP64())
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
		k.leavesIn(v.of(l), l, names[l], dst, n, x, leaf)
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
func (k kernel) leavesIn(v vec, lanes int, label string, dst, n, x, times Register) {
	Label(label)
	join, _ := k.body(v)
	row := lanes * v.elem.bytes
	Label(label + "Leaf")
	var acc []VecVirtual
	for range max(row/v.bytes(), 1) {
		a := v.reg()
		v.xor(a, a, a)
		acc = append(acc, a)
	}
	add := func(row int) {
		for m, a := range acc {
			join(a, v.part(Mem{Base: x, Disp: row + m*v.bytes()}, lanes))
		}
	}
	rows, left := rowsOfShort, GP64()
	if lanes == 1 || lanes == 32 {
		rows = 1
		MOVQ(times, left)
		Label(label + "Row")
	}
	for r := range rows {
		add(r * row)
	}
	ADDQ(U32(uint32(rows*row)), x)
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

// part returns the values at x that are there for that many lanes: in memory, if these
// fill a register.
func (v vec) part(x Mem, lanes int) Op {
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
