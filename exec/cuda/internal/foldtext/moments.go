package foldtext

import (
	"fmt"
	"math"
	"strings"
)

// moments are those of builtin.Variance: each operation is rounded.
func moments(e element) column {
	n, mean, m2 := part{element: integer(b64, false)}, part{element: e}, part{element: e}
	return column{
		parts:  []part{n, mean, m2},
		tables: inverses(),
		item: func(a *asm, acc []string, x, _ string) {
			a.set(n, acc[0], a.add(n.element, acc[0], "1"))
			d := a.sub(e, x, acc[1])
			a.set(mean, acc[1], a.add(e, acc[1], a.share(e, d, acc[0])))
			a.set(m2, acc[2], a.add(e, acc[2], a.multiply(e, d, a.sub(e, x, acc[1]))))
		},
		join: func(a *asm, dst, src []string) {
			all := a.add(n.element, dst[0], src[0])
			share := a.divide(e, a.number(e, src[0]), a.number(e, all))
			d := a.sub(e, src[1], dst[1])
			a.set(mean, dst[1], a.add(e, dst[1], a.multiply(e, d, share)))
			square := a.multiply(e, a.multiply(e, a.multiply(e, d, d), share), a.number(e, dst[0]))
			a.set(m2, dst[2], a.add(e, dst[2], a.add(e, src[2], square)))
			a.set(n, dst[0], all)
		},
		bytes: func(b []byte, parts []uint64) []byte {
			return e.bytes(e.bytes(n.bytes(b, parts[0]), parts[1]), parts[2])
		},
	}
}

func (a *asm) number(e element, n string) string {
	return a.To(e.class, "cvt.rn."+e.arithmetic()+".s64", n)
}

func (a *asm) divide(e element, x, y string) string {
	return a.To(e.class, "div.rn."+e.arithmetic(), x, y)
}

// few is up to which count the inverses are there. It is that of the items of a lane, of leaves that are as large as those
// of most folds.
const few = 128

// inverses has n and 1/n for the numbers from 0 to few.
func inverses() string {
	words := []string{"0x0", "0x0"}
	for n := 1.0; n <= few; n++ {
		words = append(words, fmt.Sprintf("0x%x", math.Float64bits(n)), fmt.Sprintf("0x%x", math.Float64bits(1/n)))
	}
	return fmt.Sprintf("\n.const .align 8 .b64 inverses[%d] = {%s};\n", len(words), strings.Join(words, ", "))
}

// share returns d/n, rounded once, for n > 0; of -0 it may be 0. A division is many instructions, and more where d is 0, as it
// is where values are equal. With i = 1/n of float64,
//
//	float64  q = d*i, and then q + (d-q*n)*i, in which d-q*n is exact
//	float32  d*i, computed as a float64
//
// is off by less than 2⁻⁵⁰ of itself before it is rounded, and d/n lies between two numbers, at least 1/2n of their
// distance from the middle: so that is rounded as d/n is. It holds where n has few bits, and nothing is too small to have
// all of its own.
func (a *asm) share(e element, d, n string) string {
	q := a.Fresh(e.class)
	slow, end := a.NewLabel("divide"), a.NewLabel("divided")
	usual := a.To(pred, "and.pred", a.usual(e, d), a.To(pred, "setp.le.u64", n, few))
	a.Op("@!%s bra %s", usual, slow)
	at := a.To(b64, "add.s64", a.To(b64, "mov.u64", "inverses"), a.To(b64, "shl.b64", n, "4"))
	inverse := a.To(f64, "ld.const.f64", "["+at+"+8]")
	if e.class == f32 {
		a.Op("cvt.rn.f32.f64 %s, %s", q, a.To(f64, "mul.rn.f64", a.To(f64, "cvt.f64.f32", d), inverse))
	} else {
		about := a.To(f64, "mul.rn.f64", d, inverse)
		less := a.To(f64, "fma.rn.f64", a.To(f64, "neg.f64", about), a.To(f64, "ld.const.f64", "["+at+"]"), d)
		a.Op("fma.rn.f64 %s, %s, %s, %s", q, less, inverse, about)
	}
	a.Op("bra %s", end)
	a.Label(slow)
	a.Op("mov.%s %s, %s", e.class, q, a.divide(e, d, a.number(e, n)))
	a.Label(end)
	return q
}

// usual reports whether a number is 0, or finite and far from the least ones.
func (a *asm) usual(e element, x string) string {
	high, least, most := "", uint32(math.Float64bits(0x1p-900)>>32), uint32(math.Float64bits(math.Inf(1))>>32)
	if e.class == f32 {
		high, least, most = a.To(b32, "mov.b32", x), math.Float32bits(0x1p-100), math.Float32bits(float32(math.Inf(1)))
	} else {
		_, high = a.Halves(x)
	}
	magnitude := a.To(b32, "and.b32", high, math.MaxInt32)
	from := a.To(b32, "sub.s32", magnitude, least)
	zero := a.To(pred, "setp.eq."+e.arithmetic(), x, e.literal(0))
	return a.To(pred, "or.pred", zero, a.To(pred, "setp.lt.u32", from, most-least))
}
