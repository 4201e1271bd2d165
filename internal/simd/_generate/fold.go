package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rows loads the address and the number of whole rows of a slice.
func rows(param string) (x, n Register) {
	x = Load(Param(param).Base(), GP64())
	n = Load(Param(param).Len(), GP64())
	SHRQ(Imm(5), n)
	return x, n
}

// row returns the registers that hold a row which begins at a displacement.
func (v vec) row(at Register) (r []VecVirtual) {
	for n := 0; n < lanes*v.elem.bytes; n += v.bytes() {
		r = append(r, v.load(Mem{Base: at, Disp: n}))
	}
	return r
}

// distance returns how far ahead of n rows to fetch: not at all in long slices.
func distance(n Register) Register {
	far, none := GP64(), GP64()
	MOVQ(U32(ahead), far)
	XORQ(none, none)
	CMPQ(n, Imm(piece/lanes))
	CMOVQGT(none, far)
	return far
}

// fetch fetches the row that is far behind x into the cache.
func (v vec) fetch(x, far Register) {
	for n := 0; n < lanes*v.elem.bytes; n += line {
		PREFETCHT0(Mem{Base: x, Index: far, Scale: 1, Disp: n})
	}
}

// loop joins n rows at x into acc.
func (v vec) loop(acc []VecVirtual, x, n Register, join joining) {
	far := distance(n)
	Label("row")
	v.fetch(x, far)
	for k, a := range acc {
		join(a, Mem{Base: x, Disp: k * v.bytes()})
	}
	ADDQ(U32(lanes*v.elem.bytes), x)
	DECQ(n)
	JNZ(LabelRef("row"))
}

// inSteps writes a loop over n rows at x that takes so many vectors at a time, and then row by row, of as many vectors. Behind
// it is the label "numbers".
func (v vec) inSteps(x, n Register, most, row int, join func(vectors int)) {
	step := func(vectors int) {
		join(vectors)
		ADDQ(U32(uint32(vectors*v.bytes())), x)
	}
	Label("many")
	CMPQ(n, U32(uint32(most/row)))
	JL(LabelRef("few"))
	step(most)
	SUBQ(U32(uint32(most/row)), n)
	JMP(LabelRef("many"))
	Label("few")
	TESTQ(n, n)
	JZ(LabelRef("numbers"))
	step(row)
	DECQ(n)
	JMP(LabelRef("few"))
	Label("numbers")
}

// turned returns the body of a kernel with a turning that is not nil.
func (k kernel) turned(v vec) (joining, turning) {
	join, turn := k.body(v)
	if turn == nil {
		turn = func(VecVirtual) {}
	}
	return join, turn
}

// fold writes the kernel that joins rows into lanes.
func (k kernel) fold(v vec) {
	v.text(v.named(k.name), "func(lanes *[32]T, x []T)", " takes whole rows:",
		"for k := range x {", "\tl := k % 32", "\t"+k.loop, "}")
	at := Load(Param("lanes"), GP64())
	x, n := rows("x")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	join, turn := k.turned(v)
	acc := v.row(at)
	for _, a := range acc {
		turn(a)
	}
	v.loop(acc, x, n, join)
	for n, a := range acc {
		turn(a)
		VMOVUPD(a, Mem{Base: at, Disp: n * v.bytes()})
	}
	VZEROUPPER()
	Label("done")
	RET()
}

// join writes the kernel that joins the lanes of rows with each other.
func (k kernel) join(v vec) {
	v.text(v.named("join"+title(k.name)), "func(dst, x []T)", " takes len(dst) rows of lanes, at least one:",
		"for r := range dst {", "\tlanes := x[32*r:][:32]", "\tfor h := 16; h > 0; h /= 2 {", "\t\tfor l := range h {",
		"\t\t\t"+strings.ReplaceAll(k.loop, "x[k]", "lanes[l+h]"), "\t\t}", "\t}", "\tdst[r] = lanes[0]", "}")
	dst := Load(Param("dst").Base(), GP64())
	n := Load(Param("dst").Len(), GP64())
	x := Load(Param("x").Base(), GP64())
	Label("row")
	v.store(k.butterfly(v, v.row(x)), Mem{Base: dst})
	ADDQ(U32(lanes*v.elem.bytes), x)
	ADDQ(Imm(uint64(v.elem.bytes)), dst)
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// reduce writes the kernel that joins rows, of which there is at least one.
func (k kernel) reduce(v vec) {
	v.text(v.named(k.name+"Of"), "func(x []T) T", " takes whole rows, at least one:",
		"ret = x[0]", "for k := range x {", "\t"+strings.ReplaceAll(k.loop, "lanes[l]", "ret"), "}", "return ret")
	x, n := rows("x")
	if v.float {
		if v.wide {
			k.reduceNumbers(v, x, n)
		} else {
			k.reducePlain(v, x, n)
		}
		x, n = rows("x")
	}
	join, turn := k.turned(v)
	acc := v.row(x)
	for _, a := range acc {
		turn(a)
	}
	v.loop(acc, x, n, join)
	for _, a := range acc {
		turn(a)
	}
	v.result(k.butterfly(v, acc))
}

// result returns the first value of a register.
func (v vec) result(first VecVirtual) {
	result, err := ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	v.store(first, result.Addr)
	VZEROUPPER()
	RET()
}

// store stores the first value of a register.
func (v vec) store(x VecVirtual, at Mem) {
	if v.elem.bytes == 8 {
		VMOVSD(x.AsX(), at)
		return
	}
	VMOVSS(x.AsX(), at)
}

// butterfly joins the halves of a row, then those of the first half, and so on, and
// returns a register whose first value is the result.
func (k kernel) butterfly(v vec, r []VecVirtual) VecVirtual {
	join, turn := k.turned(v)
	for ; len(r) > 1; r = r[:len(r)/2] {
		half := len(r) / 2
		for n, a := range r[:half] {
			turn(a)
			join(a, r[n+half])
			turn(a)
		}
	}
	low := r[0]
	narrow := vec{elem: v.elem}
	join, turn = k.turned(narrow)
	if v.wide {
		high := YMM()
		VEXTRACTF64X4(Imm(1), low, high)
		low = low.AsY().(VecVirtual)
		turn(low)
		join(low, high)
		turn(low)
	}
	if !v.half {
		high := YMM()
		VEXTRACTF128(Imm(1), low, high.AsX())
		turn(low)
		join(low, high)
		turn(low)
	}
	if v.half {
		low = low.AsY().(VecVirtual)
	}
	for _, swap := range []uint64{0x4e, 0xb1}[:8/v.elem.bytes] { // halves of 8 and of 4 bytes
		high := YMM()
		VPSHUFD(Imm(swap), low, high)
		turn(low)
		join(low, high)
		turn(low)
	}
	return low
}
