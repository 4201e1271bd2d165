package main

import (
	"fmt"
	"math/bits"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// unroll is the number of vectors of which a loop takes all the rows at a time.
const unroll = 4

// emitRows writes the kernel that joins rows side by side, for one type and instruction
// set.
func (k kernel) emitRows(v vec) {
	title := string(v.name[0]-'a'+'A') + v.name[1:]
	name := k.name + "Row" + title + v.isa()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst, x []%s, stride, rows int)", v.name))
	Pragma("noescape")
	loop := strings.NewReplacer("lanes[l]", "dst[j]", "x[k]", "x[r*stride+j]").Replace(k.loop)
	Doc(
		fmt.Sprintf("%s takes a multiple of %d values, and a row at least:", name, v.bytes()/v.elem.bytes),
		"",
		"\tfor r := range rows {",
		"\t\tfor j := range dst {",
		"\t\t\t"+loop,
		"\t\t}",
		"\t}",
	)

	dst := Load(Param("dst").Base(), GP64())
	n := Load(Param("dst").Len(), GP64())
	x := Load(Param("x").Base(), GP64())
	stride := Load(Param("stride"), GP64())
	rows := Load(Param("rows"), GP64())
	SHLQ(Imm(uint64(bits.TrailingZeros(uint(v.elem.bytes)))), stride)
	join, turn := k.body(v)
	if turn == nil {
		turn = func(VecVirtual) {}
	}
	// some takes all the rows of some vectors, which stay in registers.
	some := func(label string, vectors int) {
		at, left := GP64(), GP64()
		MOVQ(x, at)
		MOVQ(rows, left)
		var acc []VecVirtual
		for m := range vectors {
			a := v.load(Mem{Base: dst, Disp: m * v.bytes()})
			turn(a)
			acc = append(acc, a)
		}
		Label(label)
		for m, a := range acc {
			join(a, Mem{Base: at, Disp: m * v.bytes()})
		}
		ADDQ(stride, at)
		DECQ(left)
		JNZ(LabelRef(label))
		for m, a := range acc {
			turn(a)
			VMOVUPD(a, Mem{Base: dst, Disp: m * v.bytes()})
		}
		ADDQ(U32(uint32(vectors*v.bytes())), dst)
		ADDQ(U32(uint32(vectors*v.bytes())), x)
		SUBQ(U32(uint32(vectors*v.bytes()/v.elem.bytes)), n)
	}
	Label("some")
	CMPQ(n, U32(uint32(unroll*v.bytes()/v.elem.bytes)))
	JL(LabelRef("one"))
	some("someRows", unroll)
	JMP(LabelRef("some"))
	Label("one")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	some("oneRows", 1)
	JMP(LabelRef("one"))
	Label("done")
	VZEROUPPER()
	RET()
}
