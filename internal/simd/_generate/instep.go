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

// inStep writes the kernel that scans groups of four leaves, or adds them up, two groups at a time. A value of each leaf of
// a group is in one register: leaves are transposed, and results back. Additions of two groups do not wait for one another.
//
// Leaves are often a multiple of a page apart. A load waits for the stores before it that are at its place in
// another page: so one group is written at a time. And such lines share a set of the L1 cache, which has room for
// those of few leaves: so a group is read for a line before the other one is.
func (e elem) inStep(s scanning) {
	v := vec{elem: e, half: e.bytes == 4}
	s.text(v, "the")
	x := inStepLoop{v: v, scanning: s, src: Load(Param("src").Base(), GP64())}
	if s.writes() {
		x.dst = Load(Param("dst").Base(), GP64())
	}
	x.stride, x.triple = Load(Param("leaf"), GP64()), GP64()
	x.lines, x.accs, x.left = Load(Param("lines"), GP64()), Load(Param("accs").Base(), GP64()), Load(Param("accs").Len(), GP64())
	SHLQ(Imm(log2(e.bytes)), x.stride)
	LEAQ(Mem{Base: x.stride, Index: x.stride, Scale: 2}, x.triple)
	if !s.writes() {
		CMPQ(x.left, Imm(2*group))
		JL(LabelRef("four"))
		x.write("eight", 2)
		TESTQ(x.left, x.left)
		JZ(LabelRef("done"))
	}
	x.write("four", 1)
	Label("done")
	VZEROUPPER()
	RET()
}

// inStepLoop is the loop over leaves, of which so many are left.
type inStepLoop struct {
	v vec
	scanning
	src, dst, stride, triple, lines, accs, left Register
}

// write writes the loop that takes so many groups at a time, of which there is one.
func (x inStepLoop) write(label string, groups int) {
	v := x.v
	place := func(g int) Mem { return Mem{Base: x.accs, Disp: g * group * v.elem.bytes} }
	leaves := func(base Register) [group]Mem {
		return [group]Mem{{Base: base}, {Base: base, Index: x.stride, Scale: 1},
			{Base: base, Index: x.stride, Scale: 2}, {Base: base, Index: x.triple, Scale: 1}}
	}
	Label(label)
	var from []Register // the first leaf of each group
	var acc []VecVirtual
	for g := range groups {
		from, acc = append(from, GP64()), append(acc, v.load(place(g)))
		if g == 0 {
			MOVQ(x.src, from[g])
		} else {
			LEAQ(Mem{Base: x.src, Index: x.stride, Scale: group}, from[g])
		}
	}
	n, to := GP64(), GP64()
	MOVQ(x.lines, n)
	if x.writes() {
		MOVQ(x.dst, to)
	}
	Label(label + "Line")
	for g := range acc {
		x.line(acc[g], leaves(from[g]), leaves(to))
	}
	for g := range from {
		ADDQ(Imm(line), from[g])
	}
	if x.writes() {
		ADDQ(Imm(line), to)
	}
	DECQ(n)
	JNZ(LabelRef(label + "Line"))
	for g := range acc {
		VMOVUPS(acc[g], place(g))
	}
	LEAQ(Mem{Base: x.src, Index: x.stride, Scale: uint8(groups * group)}, x.src)
	if x.writes() {
		LEAQ(Mem{Base: x.dst, Index: x.stride, Scale: uint8(groups * group)}, x.dst)
	}
	ADDQ(Imm(uint64(groups*group*v.elem.bytes)), x.accs)
	SUBQ(Imm(uint64(groups*group)), x.left)
	CMPQ(x.left, Imm(uint64(groups*group)))
	JGE(LabelRef(label))
}

// quarters loads 16 bytes at a place of each of four leaves: a register for each, or one for leaves 0 and 2
// line writes a line of a group of leaves, whose sums so far are in acc.
func (x inStepLoop) line(acc VecVirtual, from, to [group]Mem) {
	v, at := x.v, acc
	places := from[:]
	if x.writes() {
		places = append(places, to[:]...)
	}
	for _, x := range places {
		PREFETCHT0(x.Offset(near))
	}
	for d := 0; d < line; d += 16 {
		rows := v.transposed(v.quarters(from, d))
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
			v.storeQuarters(v.transposed(results), to, d)
		}
	}
	VMOVAPS(at, acc)
}

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
