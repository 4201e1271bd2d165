package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// group is how many leaves have their accumulators in one register.
const group = 4

// near is how many bytes before its use memory is fetched by a kernel of leaves in step. The processor does not
// foresee that itself where so many places share a set of the cache, which takes four times as long.
const near = 2 * line

// A scanning says what a kernel of leaves in step writes.
type scanning struct {
	name   string
	before []string // of the loop, what comes before the addition
	after  []string
}

var scannings = []scanning{
	{name: "sumInStep"},
	{name: "exclusiveInStep", before: []string{"\t\tdst[i] = accs[k]"}},
	{name: "inclusiveInStep", after: []string{"\t\tdst[i] = accs[k]"}},
}

func (s scanning) writes() bool { return s.before != nil || s.after != nil }

// text begins a kernel that takes so many leaves.
func (s scanning) text(v vec, takes string) {
	signature := "func(src []T, leaf, lines int, accs []T)"
	if s.writes() {
		signature = "func(dst, src []T, leaf, lines int, accs []T)"
	}
	loop := append([]string{"n := lines * 64 / sizeof(T)", "for k := range accs {", "\tfor i := k * leaf; i < k*leaf+n; i++ {"}, s.before...)
	loop = append(append(loop, "\t\taccs[k] += src[i]"), s.after...)
	v.text(s.name+v.elem.title(), signature, " takes that many lines, at least one, of each of "+takes+" leaves:", append(loop, "\t}", "}")...)
}

// inStep writes the kernel that scans four leaves, or adds up four or eight. A value of each leaf of a group is in
// one register: leaves are transposed, and results back. Additions of two groups do not wait for one another.
//
// Leaves are often a multiple of a page apart. A load waits for the stores before it that are at its place in
// another page: so one group is written at a time. And such lines share a set of the L1 cache, which has room for
// those of few leaves: so a group is read for a line before the other one is.
func (e elem) inStep(s scanning) {
	v, takes := vec{elem: e, half: e.bytes == 4}, "four or eight"
	if s.writes() {
		takes = "four"
	}
	s.text(v, takes)
	from := Load(Param("src").Base(), GP64())
	var to Register
	if s.writes() {
		to = Load(Param("dst").Base(), GP64())
	}
	stride, triple := Load(Param("leaf"), GP64()), GP64()
	n, accs := Load(Param("lines"), GP64()), Load(Param("accs").Base(), GP64())
	SHLQ(Imm(log2(e.bytes)), stride)
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, triple)
	x := inStepLoop{v: v, scanning: s, stride: stride, triple: triple, n: n, accs: accs, from: []Register{from}, to: to}
	if !s.writes() {
		CMPQ(Load(Param("accs").Len(), GP64()), Imm(2*group))
		JL(LabelRef("four"))
		both, second := x, GP64()
		LEAQ(Mem{Base: from, Index: stride, Scale: group}, second)
		both.from = append(both.from[:1:1], second)
		both.write("eight")
	}
	x.write("four")
}

// inStepLoop is the loop over some groups, the leaves of each from a place on.
type inStepLoop struct {
	v vec
	scanning
	stride, triple, n, accs Register
	from                    []Register // the first leaf of each group
	to                      Register
}

func (x inStepLoop) write(label string) {
	v := x.v
	place := func(g int) Mem { return Mem{Base: x.accs, Disp: g * group * v.elem.bytes} }
	leaves := func(base Register) [group]Mem {
		return [group]Mem{{Base: base}, {Base: base, Index: x.stride, Scale: 1},
			{Base: base, Index: x.stride, Scale: 2}, {Base: base, Index: x.triple, Scale: 1}}
	}
	Label(label)
	var acc []VecVirtual
	for g := range x.from {
		acc = append(acc, v.load(place(g)))
	}
	Label(label + "Line")
	for g := range acc {
		at := acc[g]
		fetched := leaves(x.from[g])
		places := fetched[:]
		if x.writes() {
			written := leaves(x.to)
			places = append(places, written[:]...)
		}
		for _, x := range places {
			PREFETCHT0(x.Offset(near))
		}
		for d := 0; d < line; d += 16 {
			rows := v.transposed(v.quarters(leaves(x.from[g]), d))
			before := make([]VecVirtual, len(rows))
			for r, y := range rows {
				before[r] = at
				at = v.reg()
				v.add(y, before[r], at)
			}
			if x.writes() {
				results := before
				if x.after != nil {
					results = append(before[1:], at)
				}
				v.storeQuarters(v.transposed(results), leaves(x.to), d)
			}
		}
		VMOVAPS(at, acc[g])
	}
	for g := range x.from {
		ADDQ(Imm(line), x.from[g])
	}
	if x.writes() {
		ADDQ(Imm(line), x.to)
	}
	DECQ(x.n)
	JNZ(LabelRef(label + "Line"))
	for g := range acc {
		VMOVUPS(acc[g], place(g))
	}
	VZEROUPPER()
	RET()
}

// quarters loads 16 bytes at a place of each of four leaves: a register for each, or one for leaves 0 and 2
// and one for leaves 1 and 3 if a register has 32 bytes.
func (v vec) quarters(from [group]Mem, disp int) (x []VecVirtual) {
	if v.half {
		for _, leaf := range from {
			x = append(x, v.load(leaf.Offset(disp)))
		}
		return x
	}
	for k := range 2 {
		near, both := XMM(), v.reg()
		VMOVUPD(from[k].Offset(disp), near)
		VINSERTF128(Imm(1), from[k+2].Offset(disp), near.AsY(), both)
		x = append(x, both)
	}
	return x
}

// storeQuarters is the reverse of quarters.
func (v vec) storeQuarters(x []VecVirtual, to [group]Mem, disp int) {
	for k, r := range x {
		VMOVUPD(r.AsX(), to[k].Offset(disp))
		if !v.half {
			VEXTRACTF128(Imm(1), r, to[k+2].Offset(disp))
		}
	}
}

// transposed makes rows of columns: of two or four registers those with the first values, the second ones, and
// so on.
func (v vec) transposed(x []VecVirtual) (rows []VecVirtual) {
	unpack := func(low, high func(...Op), a, b VecVirtual) (l, h VecVirtual) {
		l, h = v.reg(), v.reg()
		low(b, a, l)
		high(b, a, h)
		return l, h
	}
	if v.elem.bytes == 8 {
		low, high := unpack(VUNPCKLPD, VUNPCKHPD, x[0], x[1])
		return []VecVirtual{low, high}
	}
	a, b := unpack(VUNPCKLPS, VUNPCKHPS, x[0], x[1])
	c, d := unpack(VUNPCKLPS, VUNPCKHPS, x[2], x[3])
	for _, pair := range [][2]VecVirtual{{a, c}, {b, d}} {
		low, high := unpack(VUNPCKLPD, VUNPCKHPD, pair[0], pair[1])
		rows = append(rows, low, high)
	}
	return rows
}
