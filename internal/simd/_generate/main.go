// Command _generate writes the kernels of package simd: run go generate there.
package main

import (
	"flag"
	"math/bits"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	// lanes is the number of values in a row, one for each lane.
	lanes = 32
	// ahead is how many bytes before their use values are fetched into the cache: a
	// piece of a launch with several folds, so that the next piece comes while the
	// other folds work on this one. Memory after x may be fetched, but is not read.
	ahead = 8192
	// piece is the number of values in a piece. Longer slices come alone, and are
	// fetched by the processor itself, to which more would be in the way.
	piece = 1024
	// line is the size of a cache line in bytes.
	line = 64
)

// An elem is a type of values.
type elem struct {
	name  string
	bytes int
	float bool
}

var (
	float64s = elem{"float64", 8, true}
	float32s = elem{"float32", 4, true}
	int64s   = elem{"int64", 8, false}
	int32s   = elem{"int32", 4, false}
	uint64s  = elem{"uint64", 8, false}
	uint32s  = elem{"uint32", 4, false}

	floats  = []elem{float64s, float32s}
	ints    = []elem{int64s, int32s}
	all     = append(floats, ints...)
	ordered = append(all, uint64s, uint32s)
)

// title returns the name as a part of another.
func (e elem) title() string { return string(e.name[0]-'a'+'A') + e.name[1:] }

// A kernel is a loop over the rows of x.
type kernel struct {
	name  string
	loop  string // what it does with lane l and the value x[k]
	elems []elem
	body  body
	forms form
}

// form says what else a kernel is made for.
type form int

const (
	rowsOnly form = iota
	joined        // it joins lanes with each other as well
	reduced       // and rows without lanes, as their order is no matter
)

type (
	// A body returns what to do with a register that holds some lanes, for one
	// type and instruction set. It may prepare constants before.
	body func(v vec) (joining, turning)
	// joining joins the values of x, memory or a register, into acc.
	joining func(acc VecVirtual, x Op)
	// turning takes acc into another form before the loop, and back after it. It
	// may be nil.
	turning func(acc VecVirtual)
)

var kernels = []kernel{
	{"sum", "lanes[l] += x[k]", all, sum, joined},
	{"sumSq", "lanes[l] += T(x[k]*x[k])", floats, sumSq, rowsOnly},
	{"norm1", "lanes[l] += abs(x[k])", floats, norm1, rowsOnly},
	{"min", "lanes[l] = min(lanes[l], x[k])", ordered, minimum, reduced},
	{"max", "lanes[l] = max(lanes[l], x[k])", ordered, maximum, reduced},
	{"aMax", "lanes[l] = max(lanes[l], abs(x[k]))", floats, aMax, rowsOnly},
	{"and", "lanes[l] &= x[k]", ints, bitwise(vec.and), joined},
	{"or", "lanes[l] |= x[k]", ints, bitwise(vec.or), joined},
	{"xor", "lanes[l] ^= x[k]", ints, bitwise(vec.xor), joined},
}

func sum(v vec) (joining, turning) {
	return func(acc VecVirtual, x Op) { v.add(x, acc, acc) }, nil
}

// sumSq rounds the product before it is added, as the Go code does.
func sumSq(v vec) (joining, turning) {
	return func(acc VecVirtual, x Op) {
		t := v.load(x)
		v.mul(t, t, t)
		v.add(t, acc, acc)
	}, nil
}

func norm1(v vec) (joining, turning) {
	magnitude := v.magnitude()
	return func(acc VecVirtual, x Op) {
		t := v.reg()
		v.and(x, magnitude, t)
		v.add(t, acc, acc)
	}, nil
}

// minimum of floats: the instruction returns its second operand if the two are zeros
// or one is NaN, so both orders are taken. They differ in these cases only, where "or"
// makes -0 of one -0, and NaN of one NaN.
func minimum(v vec) (joining, turning) {
	if !v.float {
		return v.whole(v.min)
	}
	return func(acc VecVirtual, x Op) {
		s, t := v.load(x), v.reg()
		v.min(s, acc, t)
		v.min(acc, s, s)
		v.or(s, t, acc)
	}, nil
}

// maximum of floats is minimum, except that signs need "and": -0 of two -0 only. AVX2
// needs more instructions for this than for the negative of the minimum of -x.
func maximum(v vec) (joining, turning) {
	if !v.float {
		return v.whole(v.max)
	}
	if v.wide {
		magnitude := v.magnitude()
		return func(acc VecVirtual, x Op) {
			s, t := v.load(x), v.reg()
			v.max(s, acc, t)
			v.max(acc, s, acc)
			const majority = 0xe8 // "or" where magnitude has bits, else "and"
			VPTERNLOGQ(Imm(majority), magnitude, t, acc)
		}, nil
	}
	sign := v.sign()
	join := func(acc VecVirtual, x Op) {
		s, t := v.reg(), v.reg()
		v.xor(x, sign, s)
		v.min(s, acc, t)
		v.min(acc, s, s)
		v.or(s, t, acc)
	}
	return join, func(acc VecVirtual) { v.xor(acc, sign, acc) }
}

// aMax takes lanes from +0 on, which have no sign to think of.
func aMax(v vec) (joining, turning) {
	magnitude := v.magnitude()
	return func(acc VecVirtual, x Op) {
		s, t := v.reg(), v.reg()
		v.and(x, magnitude, s)
		v.max(s, acc, t)
		v.max(acc, s, s)
		v.or(s, t, acc)
	}, nil
}

// whole is min or max of integers. AVX2 compares large ones as signed only, so that
// unsigned ones take another form.
func (v vec) whole(op func(a, b, dst Op)) (joining, turning) {
	if v.elem != uint64s || v.wide {
		return func(acc VecVirtual, x Op) { op(x, acc, acc) }, nil
	}
	sign := v.sign()
	join := func(acc VecVirtual, x Op) {
		s := v.reg()
		v.xor(x, sign, s)
		op(s, acc, acc)
	}
	return join, func(acc VecVirtual) { v.xor(acc, sign, acc) }
}

func bitwise(op func(v vec, a, b, dst Op)) body {
	return func(v vec) (joining, turning) {
		return func(acc VecVirtual, x Op) { op(v, x, acc, acc) }, nil
	}
}

// A vec is a register full of values, as its methods compute with them: dst = b op a,
// where only a may be in memory. They are AVX2 instructions, or AVX512F if wide.
type vec struct {
	elem
	wide bool
	half bool // half of one of AVX2
}

func (v vec) bytes() int {
	switch {
	case v.wide:
		return 64
	case v.half:
		return 16
	}
	return 32
}

func (v vec) isa() string {
	if v.wide {
		return "AVX512"
	}
	return "AVX2"
}

func (v vec) reg() VecVirtual {
	switch {
	case v.wide:
		return ZMM()
	case v.half:
		return XMM()
	}
	return YMM()
}

func (v vec) load(x Op) VecVirtual {
	r := v.reg()
	VMOVUPD(x, r)
	return r
}

// magnitude returns a constant that has all bits but the sign.
func (v vec) magnitude() VecVirtual {
	return v.shifted(v.pick(VPSRLQ, VPSRLD, nil, nil), 1)
}

// sign returns a constant that has only the sign.
func (v vec) sign() VecVirtual {
	shift := VPSLLQ
	if v.elem.bytes == 4 {
		shift = VPSLLD
	}
	return v.shifted(shift, 8*v.elem.bytes-1)
}

func (v vec) shifted(shift func(...Op), bits int) VecVirtual {
	ones := v.reg()
	if v.wide {
		VPTERNLOGQ(Imm(0xff), ones, ones, ones)
	} else {
		VPCMPEQD(ones, ones, ones)
	}
	shift(Imm(uint64(bits)), ones, ones)
	return ones
}

// pick returns the instruction for the type: float64, float32, int64, int32. It is
// the same for unsigned integers, unless they are ordered.
func (v vec) pick(f64, f32, i64, i32 func(...Op)) func(...Op) {
	switch v.elem {
	case float64s:
		return f64
	case float32s:
		return f32
	case int64s, uint64s:
		return i64
	}
	return i32
}

func (v vec) add(a, b, dst Op) { v.pick(VADDPD, VADDPS, VPADDQ, VPADDD)(a, b, dst) }

func (v vec) mul(a, b, dst Op) { v.pick(VMULPD, VMULPS, nil, nil)(a, b, dst) }

func (v vec) min(a, b, dst Op) {
	switch {
	case !v.float && v.elem.bytes == 8 && !v.wide:
		v.choose(a, b, dst, false)
		return
	case v.elem == uint64s:
		VPMINUQ(a, b, dst)
		return
	case v.elem == uint32s:
		VPMINUD(a, b, dst)
		return
	}
	v.pick(VMINPD, VMINPS, VPMINSQ, VPMINSD)(a, b, dst)
}

func (v vec) max(a, b, dst Op) {
	switch {
	case !v.float && v.elem.bytes == 8 && !v.wide:
		v.choose(a, b, dst, true)
		return
	case v.elem == uint64s:
		VPMAXUQ(a, b, dst)
		return
	case v.elem == uint32s:
		VPMAXUD(a, b, dst)
		return
	}
	v.pick(VMAXPD, VMAXPS, VPMAXSQ, VPMAXSD)(a, b, dst)
}

// choose is min or max of int64, which AVX2 has no instruction for.
func (v vec) choose(a, b, dst Op, greater bool) {
	x, takes := v.load(a), v.reg()
	if greater {
		VPCMPGTQ(b, x, takes) // x > b
	} else {
		VPCMPGTQ(x, b, takes)
	}
	VBLENDVPD(takes, x, b, dst)
}

func (v vec) and(a, b, dst Op) { v.logic(VPANDQ, VANDPD, VPAND, a, b, dst) }
func (v vec) or(a, b, dst Op)  { v.logic(VPORQ, VORPD, VPOR, a, b, dst) }
func (v vec) xor(a, b, dst Op) { v.logic(VPXORQ, VXORPD, VPXOR, a, b, dst) }

// logic is a bitwise instruction, of AVX2 one that suits the unit where the values
// are. The wide one for floats is not in AVX512F.
func (v vec) logic(wide, float func(...Op), integer func(a, b, dst Op), a, b, dst Op) {
	switch {
	case v.wide:
		wide(a, b, dst)
	case v.float:
		float(a, b, dst)
	default:
		integer(a, b, dst)
	}
}

// name returns the name of the function for the type and the instruction set.
func (v vec) named(name string) string { return name + v.title() + v.isa() }

// text begins a function and says in its comment what it computes.
func (v vec) text(name, signature string, takes string, loop ...string) {
	TEXT(name, NOSPLIT, strings.ReplaceAll(signature, "T", v.elem.name))
	Pragma("noescape")
	doc := []string{name + takes, ""}
	for _, line := range loop {
		doc = append(doc, "\t"+line)
	}
	Doc(doc...)
}

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

// join writes the kernel that joins lanes with each other.
func (k kernel) join(v vec) {
	v.text(v.named("join"+strings.ToUpper(k.name[:1])+k.name[1:]), "func(lanes *[32]T)", " joins the lanes into the first one:",
		"for h := 16; h > 0; h /= 2 {", "\tfor l := range h {",
		"\t\t"+strings.ReplaceAll(k.loop, "x[k]", "lanes[l+h]"), "\t}", "}")
	at := Load(Param("lanes"), GP64())
	first := k.butterfly(v, v.row(at))
	v.store(first, Mem{Base: at})
	VZEROUPPER()
	RET()
}

// reduce writes the kernel that joins rows, of which there is at least one.
func (k kernel) reduce(v vec) {
	v.text(v.named(k.name+"Of"), "func(x []T) T", " takes whole rows, at least one:",
		"ret = x[0]", "for k := range x {", "\t"+strings.ReplaceAll(k.loop, "lanes[l]", "ret"), "}", "return ret")
	x, n := rows("x")
	if v.wide && v.float {
		k.reduceNumbers(v, x, n)
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

// index writes the kernel that looks for a value from the front or from the back.
func index(v vec, last bool) {
	name, loop := v.named("index"), "for k := 0; k < len(x); k++ {"
	if last {
		name, loop = v.named("lastIndex"), "for k := len(x) - 1; k >= 0; k-- {"
	}
	v.text(name, "func(x []T, value T) int", " takes whole rows, and returns the first index of the row of k, or -1:",
		loop, "\tif x[k] == value {", "\t\treturn k &^ 31", "\t}", "}", "return -1")
	x, n := rows("x")
	row := lanes * v.elem.bytes
	begin := GP64()
	MOVQ(x, begin)
	value := v.reg()
	first := XMM()
	if v.elem.bytes == 8 {
		VMOVQ(Load(Param("value"), GP64()), first)
		VPBROADCASTQ(first, value)
	} else {
		VMOVD(Load(Param("value"), GP32()), first)
		VPBROADCASTD(first, value)
	}
	if last {
		end := GP64()
		MOVQ(n, end)
		SHLQ(Imm(log2(row)), end)
		ADDQ(end, x)
	}
	TESTQ(n, n)
	JZ(LabelRef("none"))
	Label("row")
	if last {
		SUBQ(U32(row), x)
	}
	v.anyEqual(x, value)
	JNZ(LabelRef("found"))
	if !last {
		ADDQ(U32(row), x)
	}
	DECQ(n)
	JNZ(LabelRef("row"))
	Label("none")
	none := GP64()
	MOVQ(I32(-1), none)
	Store(none, ReturnIndex(0))
	VZEROUPPER()
	RET()
	Label("found")
	SUBQ(begin, x)
	SHRQ(Imm(log2(v.elem.bytes)), x)
	Store(x, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// log2 returns the exponent of a power of two.
func log2(n int) uint64 { return uint64(bits.TrailingZeros(uint(n))) }

// anyEqual clears the zero flag if a value of the row at x is equal to those of value.
func (v vec) anyEqual(x Register, value VecVirtual) {
	if v.wide {
		mask := K()
		for n := 0; n < lanes*v.elem.bytes; n += v.bytes() {
			m := mask
			if n > 0 {
				m = K()
			}
			v.pick(nil, nil, VPCMPEQQ, VPCMPEQD)(Mem{Base: x, Disp: n}, value, m)
			if n > 0 {
				KORW(m, mask, mask)
			}
		}
		KORTESTW(mask, mask)
		return
	}
	var all VecVirtual
	for n := 0; n < lanes*v.elem.bytes; n += v.bytes() {
		t := v.reg()
		v.pick(nil, nil, VPCMPEQQ, VPCMPEQD)(Mem{Base: x, Disp: n}, value, t)
		if all == nil {
			all = t
		} else {
			VPOR(t, all, all)
		}
	}
	VPTEST(all, all)
}

// multiply writes the kernel that multiplies rows.
func multiply(v vec) {
	v.text(v.named("mul"), "func(dst, x, y []T)", " takes whole rows of slices of one length:",
		"for k := range dst {", "\tdst[k] = x[k] * y[k]", "}")
	dst, n := rows("dst")
	x, y := Load(Param("x").Base(), GP64()), Load(Param("y").Base(), GP64())
	TESTQ(n, n)
	JZ(LabelRef("done"))
	row := lanes * v.elem.bytes
	Label("row")
	for n := 0; n < row; n += v.bytes() {
		t := v.load(Mem{Base: x, Disp: n})
		v.mul(Mem{Base: y, Disp: n}, t, t)
		VMOVUPD(t, Mem{Base: dst, Disp: n})
	}
	for _, at := range []Register{x, y, dst} {
		ADDQ(U32(row), at)
	}
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	Label("done")
	RET()
}

// dot writes the kernel that joins the products of rows into lanes.
func dot(v vec) {
	v.text(v.named("dot"), "func(lanes *[32]T, x, y []T)", " takes whole rows of slices of one length:",
		"for k := range x {", "\tlanes[k%32] += T(x[k] * y[k])", "}")
	at := Load(Param("lanes"), GP64())
	x, n := rows("x")
	y := Load(Param("y").Base(), GP64())
	TESTQ(n, n)
	JZ(LabelRef("done"))
	acc := v.row(at)
	Label("row")
	for n, a := range acc {
		t := v.load(Mem{Base: x, Disp: n * v.bytes()})
		v.mul(Mem{Base: y, Disp: n * v.bytes()}, t, t)
		v.add(t, a, a)
	}
	for _, at := range []Register{x, y} {
		ADDQ(U32(lanes*v.elem.bytes), at)
	}
	DECQ(n)
	JNZ(LabelRef("row"))
	for n, a := range acc {
		VMOVUPD(a, Mem{Base: at, Disp: n * v.bytes()})
	}
	VZEROUPPER()
	Label("done")
	RET()
}

func main() {
	sideBySide := flag.Bool("rows", false, "write the kernels of rows, not those of folds")
	flag.Parse()
	ConstraintExpr("!noasm")
	if *sideBySide {
		writeRows()
	} else {
		writeFolds()
	}
	Generate()
}

// writeFolds writes the kernels that join values into lanes, and lanes with each other.
func writeFolds() {
	for _, wide := range []bool{false, true} {
		for _, k := range kernels {
			for _, e := range k.elems {
				v := vec{elem: e, wide: wide}
				k.fold(v)
				if k.additive() {
					k.leavesOf(v)
				}
				if k.forms >= joined {
					k.join(v)
				}
				if k.forms >= reduced {
					k.reduce(v)
				}
			}
		}
		for _, e := range ints {
			index(vec{elem: e, wide: wide}, false)
			index(vec{elem: e, wide: wide}, true)
		}
		for _, e := range floats {
			multiply(vec{elem: e, wide: wide})
			dot(vec{elem: e, wide: wide})
		}
	}
	for _, e := range all {
		scan(e, false)
		scan(e, true)
	}
}
