package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The instructions for min and max drop a NaN, and may take either of two zeros, but are one
// where the exact bodies are three. A sum of all values is NaN if one of them is; infinities of
// both signs make one as well, and cost time only.

var (
	lowest  = kernel{name: "min", body: minimum}
	highest = kernel{name: "max", body: maximum}
	total   = kernel{name: "sum", body: sum}
)

// copies returns n registers that hold the first vectors of a row at x, from the first one on again
// if these are fewer.
func (v vec) copies(x Register, n int) (r []VecVirtual) {
	row := lanes * v.elem.bytes / v.bytes()
	for m := range n {
		r = append(r, v.load(Mem{Base: x, Disp: m % row * v.bytes()}))
	}
	return r
}

// zeros returns n registers of zeros.
func (v vec) zeros(n int) (r []VecVirtual) {
	for range n {
		a := v.reg()
		v.xor(a, a, a)
		r = append(r, a)
	}
	return r
}

// reducePlain is reduce for floats of AVX2 that are numbers: it returns to the caller of the
// kernel unless one is NaN. A result of zero takes its sign from a second loop.
func (k kernel) reducePlain(v vec, x, n Register) {
	const most = 8 // registers, which hide how long an instruction takes
	op, signs := v.min, kernel{body: bitwise(vec.or)}
	if k.name == "max" {
		op, signs = v.max, kernel{body: bitwise(vec.and)}
	}
	acc, sums := v.copies(x, most), v.zeros(most/2)
	row := lanes * v.elem.bytes / v.bytes()
	v.inSteps(x, n, most, row, func(vectors int) {
		for m := 0; m < vectors; m += 2 {
			v.pair(x, m, sums[m/2], func(m int, t VecVirtual) { op(t, acc[m], acc[m]) })
		}
	})
	for _, s := range sums[1:] {
		v.add(s, sums[0], sums[0])
	}
	nan := total.butterfly(v, sums[:1])
	v.compare(nan, nan)
	JPS(LabelRef("exact"))
	for m, a := range acc[row:] {
		op(a, acc[m%row], acc[m%row])
	}
	first := k.butterfly(v, acc[:row])
	zero := v.zeros(1)[0]
	v.compare(first, zero)
	JEQ(LabelRef("zero"))
	v.result(first)
	Label("zero")
	x, n = rows("x")
	join, _ := signs.body(v)
	bits := v.row(x)
	Label("sign")
	for m, b := range bits {
		join(b, Mem{Base: x, Disp: m * v.bytes()})
	}
	ADDQ(U32(lanes*v.elem.bytes), x)
	DECQ(n)
	JNZ(LabelRef("sign"))
	first = signs.butterfly(v, bits)
	sign := v.sign()
	v.and(first, sign, sign)
	v.result(sign)
	Label("exact")
}

// pair calls f for two vectors at x, from number m on, and adds their sum to sums: an addition to
// sums waits for the one before.
func (v vec) pair(x Register, m int, sums VecVirtual, f func(m int, t VecVirtual)) {
	t, u := v.load(Mem{Base: x, Disp: m * v.bytes()}), v.load(Mem{Base: x, Disp: (m + 1) * v.bytes()})
	f(m, t)
	f(m+1, u)
	v.add(u, t, t)
	v.add(t, sums, sums)
}

// compare sets the flags for the first values of two registers.
func (v vec) compare(x, y VecVirtual) {
	if v.elem.bytes == 8 {
		VUCOMISD(x.AsX(), y.AsX())
		return
	}
	VUCOMISS(x.AsX(), y.AsX())
}

// minMax writes the kernel that finds both ends of rows, of which there is at least one.
func minMax(v vec) {
	v.text(v.named("minMaxOf"), "func(x []T) (low, high, all T)",
		" takes whole rows, at least one. low and high are not to be used if all is NaN, which it is if one value is; if one of them is zero, its sign may be wrong:",
		"low, high = x[0], x[0]", "for k := range x {", "\tlow, high = min(low, x[k]), max(high, x[k])", "\tall += x[k]", "}", "return low, high, all")
	x, n := rows("x")
	vectors := min(4, lanes*v.elem.bytes/v.bytes())
	low, high, all := v.copies(x, vectors), v.copies(x, vectors), v.zeros(vectors)
	Label("row")
	for m := 0; m < lanes*v.elem.bytes/v.bytes(); m += 2 {
		v.pair(x, m, all[m/2], func(m int, t VecVirtual) {
			v.min(t, low[m%vectors], low[m%vectors])
			v.max(t, high[m%vectors], high[m%vectors])
		})
	}
	ADDQ(U32(lanes*v.elem.bytes), x)
	DECQ(n)
	JNZ(LabelRef("row"))
	v.ends(low, high)
	v.returns(2, total.butterfly(v, all))
	VZEROUPPER()
	RET()
}

// ends returns the first two results of a kernel.
func (v vec) ends(low, high []VecVirtual) {
	v.returns(0, lowest.butterfly(v, low))
	v.returns(1, highest.butterfly(v, high))
}

// returns sets a result to the first value of a register.
func (v vec) returns(index int, first VecVirtual) {
	result, err := ReturnIndex(index).Resolve()
	if err != nil {
		panic(err)
	}
	v.store(first, result.Addr)
}

// moments writes the kernel that reduces leaves of 32 lanes by sum and by sum of squares, and finds
// both ends of all of them.
//
// The lanes of both sums of float64 are all the registers of AVX2. So a leaf is read in columns, of
// as many lanes as fill four: no line of the cache is read twice.
func moments(v vec) {
	v.text(v.named("moments"), "func(sums, squares, x []T, leaf int) (low, high T)",
		" is sumLeaves and sumSqLeaves of leaves of 256 values at least, and minMaxOf these; there is at least one leaf, and a square is NaN if a value is.")
	sums, squares := Load(Param("sums").Base(), GP64()), Load(Param("squares").Base(), GP64())
	n := Load(Param("sums").Len(), GP64())
	x, leaf := Load(Param("x").Base(), GP64()), Load(Param("leaf"), GP64())
	row := lanes * v.elem.bytes
	vectors := min(4, row/v.bytes())
	columns := row / v.bytes() / vectors
	const extremes = 2 // with the sums no more than 14 registers: some instructions know 16 only
	var spilled Mem
	if columns > 1 {
		spilled = AllocLocal(2 * vectors * v.bytes())
	}
	low, high := v.copies(x, extremes), v.copies(x, extremes)
	SHRQ(Imm(log2(lanes)), leaf)
	Label("leaf")
	var acc, sq []VecVirtual
	at, left := GP64(), GP64()
	for c := range columns {
		label := []string{"row", "second"}[c]
		MOVQ(x, at)
		MOVQ(leaf, left)
		acc, sq = v.zeros(vectors), v.zeros(vectors)
		Label(label)
		for m := range vectors {
			t, u := v.load(Mem{Base: at, Disp: (c*vectors + m) * v.bytes()}), v.reg()
			v.mul(t, t, u)
			v.add(t, acc[m], acc[m])
			v.min(t, low[m%extremes], low[m%extremes])
			v.max(t, high[m%extremes], high[m%extremes])
			v.add(u, sq[m], sq[m])
		}
		ADDQ(U32(uint32(row)), at)
		DECQ(left)
		JNZ(LabelRef(label))
		for m := range vectors {
			place := func(k int) Mem { return spilled.Offset((k*vectors + m) * v.bytes()) }
			switch {
			case c < columns-1:
				VMOVUPD(acc[m], place(0))
				VMOVUPD(sq[m], place(1))
			case columns > 1:
				v.add(place(0), acc[m], acc[m])
				v.add(place(1), sq[m], sq[m])
			}
		}
	}
	MOVQ(at, x)
	v.store(total.butterfly(v, acc), Mem{Base: sums})
	v.store(total.butterfly(v, sq), Mem{Base: squares})
	ADDQ(Imm(uint64(v.elem.bytes)), sums)
	ADDQ(Imm(uint64(v.elem.bytes)), squares)
	DECQ(n)
	JNZ(LabelRef("leaf"))
	v.ends(low, high)
	VZEROUPPER()
	RET()
}
