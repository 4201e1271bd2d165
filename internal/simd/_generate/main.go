// Command _generate writes the kernels of package simd: run go generate there.
package main

import (
	"fmt"

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

	floats = []elem{float64s, float32s}
	ints   = []elem{int64s, int32s}
	all    = append(floats, ints...)
)

// A kernel is a loop over the rows of x.
type kernel struct {
	name  string
	loop  string // what it does with lane l and the value x[k]
	elems []elem
	body  body
}

type (
	// A body returns what to do with a register that holds some lanes, for one
	// type and instruction set. It may prepare constants before.
	body func(v vec) (joining, turning)
	// joining joins the values at x into acc.
	joining func(acc VecVirtual, x Mem)
	// turning takes acc into another form before the loop, and back after it. It
	// may be nil.
	turning func(acc VecVirtual)
)

var kernels = []kernel{
	{"sum", "lanes[l] += x[k]", all, sum},
	{"sumSq", "lanes[l] += T(x[k]*x[k])", floats, sumSq},
	{"norm1", "lanes[l] += abs(x[k])", floats, norm1},
	{"min", "lanes[l] = min(lanes[l], x[k])", all, minimum},
	{"max", "lanes[l] = max(lanes[l], x[k])", all, maximum},
	{"aMax", "lanes[l] = max(lanes[l], abs(x[k]))", floats, aMax},
	{"and", "lanes[l] &= x[k]", ints, bitwise(vec.and)},
	{"or", "lanes[l] |= x[k]", ints, bitwise(vec.or)},
	{"xor", "lanes[l] ^= x[k]", ints, bitwise(vec.xor)},
}

func sum(v vec) (joining, turning) {
	return func(acc VecVirtual, x Mem) { v.add(x, acc, acc) }, nil
}

// sumSq rounds the product before it is added, as the Go code does.
func sumSq(v vec) (joining, turning) {
	return func(acc VecVirtual, x Mem) {
		t := v.load(x)
		v.mul(t, t, t)
		v.add(t, acc, acc)
	}, nil
}

func norm1(v vec) (joining, turning) {
	magnitude := v.magnitude()
	return func(acc VecVirtual, x Mem) {
		t := v.reg()
		v.and(x, magnitude, t)
		v.add(t, acc, acc)
	}, nil
}

// minimum of floats: the instruction returns its second operand if the two are zeros
// or one is NaN, so both orders are taken. They differ in these cases only, where "or"
// makes -0 of one -0, and NaN of one NaN.
func minimum(v vec) (joining, turning) {
	return func(acc VecVirtual, x Mem) {
		if !v.float {
			v.min(x, acc, acc)
			return
		}
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
		return func(acc VecVirtual, x Mem) { v.max(x, acc, acc) }, nil
	}
	if v.wide {
		magnitude := v.magnitude()
		return func(acc VecVirtual, x Mem) {
			s, t := v.load(x), v.reg()
			v.max(s, acc, t)
			v.max(acc, s, acc)
			const majority = 0xe8 // "or" where magnitude has bits, else "and"
			VPTERNLOGQ(Imm(majority), magnitude, t, acc)
		}, nil
	}
	sign := v.sign()
	join := func(acc VecVirtual, x Mem) {
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
	return func(acc VecVirtual, x Mem) {
		s, t := v.reg(), v.reg()
		v.and(x, magnitude, s)
		v.max(s, acc, t)
		v.max(acc, s, s)
		v.or(s, t, acc)
	}, nil
}

func bitwise(op func(v vec, a, b, dst Op)) body {
	return func(v vec) (joining, turning) {
		return func(acc VecVirtual, x Mem) { op(v, x, acc, acc) }, nil
	}
}

// A vec is a register full of values, as its methods compute with them: dst = b op a,
// where only a may be in memory. They are AVX2 instructions, or AVX512F if wide.
type vec struct {
	elem
	wide bool
}

func (v vec) bytes() int {
	if v.wide {
		return 64
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
	if v.wide {
		return ZMM()
	}
	return YMM()
}

func (v vec) load(x Mem) VecVirtual {
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
	return v.shifted(v.pick(VPSLLQ, VPSLLD, nil, nil), 8*v.elem.bytes-1)
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

// pick returns the instruction for the type: float64, float32, int64, int32.
func (v vec) pick(f64, f32, i64, i32 func(...Op)) func(...Op) {
	switch v.elem {
	case float64s:
		return f64
	case float32s:
		return f32
	case int64s:
		return i64
	}
	return i32
}

func (v vec) add(a, b, dst Op) { v.pick(VADDPD, VADDPS, VPADDQ, VPADDD)(a, b, dst) }

func (v vec) mul(a, b, dst Op) { v.pick(VMULPD, VMULPS, nil, nil)(a, b, dst) }

func (v vec) min(a, b, dst Op) {
	if v.elem == int64s && !v.wide {
		v.choose(a, b, dst, false)
		return
	}
	v.pick(VMINPD, VMINPS, VPMINSQ, VPMINSD)(a, b, dst)
}

func (v vec) max(a, b, dst Op) {
	if v.elem == int64s && !v.wide {
		v.choose(a, b, dst, true)
		return
	}
	v.pick(VMAXPD, VMAXPS, VPMAXSQ, VPMAXSD)(a, b, dst)
}

// choose is min or max of int64, which AVX2 has no instruction for.
func (v vec) choose(a, b, dst Op, greater bool) {
	x, takes := v.load(a.(Mem)), v.reg()
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

// emit writes the kernel for one type and instruction set.
func (k kernel) emit(v vec) {
	title := string(v.name[0]-'a'+'A') + v.name[1:]
	name := k.name + title + v.isa()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(lanes *[%d]%s, x []%s)", lanes, v.name, v.name))
	Pragma("noescape")
	Doc(
		name+" takes whole rows:",
		"",
		"\tfor k := range x {",
		fmt.Sprintf("\t\tl := k %% %d", lanes),
		"\t\t"+k.loop,
		"\t}",
	)

	at := Load(Param("lanes"), GP64())
	x := Load(Param("x").Base(), GP64())
	rows := Load(Param("x").Len(), GP64())
	SHRQ(Imm(5), rows)
	JZ(LabelRef("done"))

	join, turn := k.body(v)
	if turn == nil {
		turn = func(VecVirtual) {}
	}
	row := lanes * v.elem.bytes
	var acc []VecVirtual
	for n := 0; n < row; n += v.bytes() {
		a := v.load(Mem{Base: at, Disp: n})
		turn(a)
		acc = append(acc, a)
	}
	Label("row")
	for n := 0; n < row; n += line {
		PREFETCHT0(Mem{Base: x, Disp: n + ahead})
	}
	for n, a := range acc {
		join(a, Mem{Base: x, Disp: n * v.bytes()})
	}
	ADDQ(U32(row), x)
	DECQ(rows)
	JNZ(LabelRef("row"))
	for n, a := range acc {
		turn(a)
		VMOVUPD(a, Mem{Base: at, Disp: n * v.bytes()})
	}
	VZEROUPPER()
	Label("done")
	RET()
}

func main() {
	ConstraintExpr("!noasm")
	for _, k := range kernels {
		for _, e := range k.elems {
			k.emit(vec{e, false})
			k.emit(vec{e, true})
		}
	}
	Generate()
}
