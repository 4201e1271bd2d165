package kmath

import (
	"flag"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

var arguments = flag.Int("arguments", 4000, "how many random arguments each function is measured with")

// function is one of the package, of one argument or of two.
type function struct {
	name  string
	two   bool // arguments
	call  func(x, y float64) float64
	call3 func(x, y float32) float32
	exact func(x, y *number) *number
	near  func(x, y float64) wide // exact, but for what TestErrors bounds
	ulps  float64                 // of float64
	// draw returns arguments for which the result is neither 0 nor infinite.
	draw func(r *rand.Rand) (x, y float64)
}

func unary(name string, call func(float64) float64, call3 func(float32) float32, exact func(*number) *number, near func(float64) wide, ulps float64, draw func(r *rand.Rand) float64) function {
	return function{name, false, func(x, _ float64) float64 { return call(x) }, func(x, _ float32) float32 { return call3(x) },
		func(x, _ *number) *number { return exact(x) }, func(x, _ float64) wide { return near(x) }, ulps, func(r *rand.Rand) (x, y float64) { return draw(r), 0 }}
}

// anywhere draws a number of any exponent from 2ˡ to 2ʰ, positive or negative.
func anywhere(low, high int) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		x := math.Ldexp(1+r.Float64(), low+r.IntN(high-low))
		if r.IntN(2) == 0 {
			return -x
		}
		return x
	}
}

// between draws half of the numbers evenly, and half with any exponent, most of these not far below 1.
func between(low, high float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		if r.IntN(2) == 0 {
			return low + (high-low)*r.Float64()
		}
		for {
			smallest := -60
			if r.IntN(8) == 0 {
				smallest = -900
			}
			if x := anywhere(smallest, 12)(r); x >= low && x <= high {
				return x
			}
		}
	}
}

func positive(draw func(r *rand.Rand) float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Abs(draw(r)) }
}

// either draws from one of two.
func either(a, b func(r *rand.Rand) float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		if r.IntN(2) == 0 {
			return a(r)
		}
		return b(r)
	}
}

var functions = []function{
	unary("Exp", Exp[float64], Exp[float32], bigExp, func(x float64) wide { return nearExp(exactly(x)) }, 1, between(-745, 709.7)),
	unary("Exp2", Exp2[float64], Exp2[float32], func(x *number) *number { return bigExp(times(x, bigLn2)) }, nearExp2, 1, between(-1074, 1023.9)),
	unary("Expm1", Expm1[float64], Expm1[float32], bigExpm1, nearExpm1, 1, either(between(-50, 709.7), between(-2, 2))),
	unary("Log", Log[float64], Log[float32], bigLog, func(x float64) wide { return wide{logPair(exactly(x)), 0} }, 1, either(positive(anywhere(-1074, 1023)), between(.5, 2))),
	unary("Log2", Log2[float64], Log2[float32], func(x *number) *number { return over(bigLog(x), bigLn2) }, func(x float64) wide { return wide{logPair(exactly(x)).over(pairLn2), 0} }, 1, either(positive(anywhere(-1074, 1023)), between(.5, 2))),
	unary("Log1p", Log1p[float64], Log1p[float32], bigLog1p, func(x float64) wide { return wide{logPair(sumOf(1, x)), 0} }, 1, either(positive(anywhere(-60, 1023)), between(-1+0x1p-53, 2))),
	unary("Sin", Sin[float64], Sin[float32], func(x *number) *number { s, _ := bigSincos(x); return s }, nearSin, 1, either(anywhere(-30, 1023), between(-1000, 1000))),
	unary("Cos", Cos[float64], Cos[float32], func(x *number) *number { _, c := bigSincos(x); return c }, nearCos, 1, either(anywhere(-30, 1023), between(-1000, 1000))),
	unary("Tan", Tan[float64], Tan[float32], func(x *number) *number { s, c := bigSincos(x); return over(s, c) }, nearTan, 2, either(anywhere(-30, 1023), between(-1000, 1000))),
	unary("Atan", Atan[float64], Atan[float32], bigAtan, nearAtan, 1, either(anywhere(-40, 80), between(-3, 3))),
	unary("Tanh", Tanh[float64], Tanh[float32], func(x *number) *number {
		e := bigExpm1(scaled(x, 1))
		return over(e, add(e, of(2)))
	}, nearTanh, 2, between(-22, 22)),
	unary("Cbrt", Cbrt[float64], Cbrt[float32], bigCbrt, nearCbrt, 1, anywhere(-1074, 1023)),
	unary("Erf", Erf[float64], Erf[float32], bigErf, nearErf, 2, between(-6, 6)),
	{"Atan2", true, Atan2[float64], Atan2[float32], func(y, x *number) *number {
		a := bigAtan(over(y, x))
		switch {
		case x.Sign() > 0:
			return a
		case y.Sign() > 0:
			return add(a, bigPi)
		}
		return minus(a, bigPi)
	}, nearAtan2, 1, func(r *rand.Rand) (y, x float64) {
		d := either(anywhere(-1000, 1000), anywhere(-4, 4))
		y = d(r)
		return y, either(anywhere(-62, 62), anywhere(-4, 4))(r) * y
	}},
	{"Hypot", true, Hypot[float64], Hypot[float32], func(x, y *number) *number { return fresh().Sqrt(add(times(x, x), times(y, y))) }, nearHypot, 1,
		func(r *rand.Rand) (x, y float64) {
			if r.IntN(2) == 0 { // where the roundings of the squares and of their sum weigh most
				return 1 + .03*r.Float64(), 1 + .03*r.Float64()
			}
			x = anywhere(-1000, 1000)(r)
			return x, either(anywhere(-62, 62), anywhere(-4, 4))(r) * x
		}},
	{"Pow", true, Pow[float64], Pow[float32], func(x, y *number) *number { return bigExp(times(y, bigLog(x))) }, nearPow, 2,
		func(r *rand.Rand) (x, y float64) {
			for {
				x = math.Abs(either(anywhere(-1074, 1023), anywhere(-1, 1))(r))
				y = (2*r.Float64() - 1) * 1074 / math.Log2(x)
				if p := y * math.Log2(x); p > -1073 && p < 1023.9 {
					return x, y
				}
			}
		}},
}

// ulpsOff returns how far a result is from the exact one, in units of its last place.
func ulpsOff(got float64, exact *number, bits, lowest int) float64 {
	unit := max(exact.MantExp(nil)-bits, lowest)
	off, _ := scaled(minus(of(got), exact), -unit).Float64()
	return math.Abs(off)
}

// precise is how many bits a result has, and the exponent of the smallest unit of its last place.
type precise struct{ bits, lowest int }

var (
	double = precise{53, -1074}
	float  = precise{24, -149}
)

// sample draws arguments and returns the result of the function, or false where that or an argument is not finite.
func (f *function) sample(r *rand.Rand, p precise) (x, y, got float64, ok bool) {
	x, y = f.draw(r)
	if p == double {
		got = f.call(x, y)
	} else {
		x3, y3 := float32(x), float32(y)
		x, y, got = float64(x3), float64(y3), float64(f.call3(x3, y3))
		ok = x == 0 || y == 0 && f.two
	}
	return x, y, got, !ok && !math.IsInf(x, 0) && !math.IsInf(y, 0) && !math.IsInf(got, 0)
}

// measured is the largest error of a function in ulps, and where it is, and the largest relative error of what
// that was measured with.
type measured struct{ off, x, y, reference float64 }

// measure draws n arguments, the same ones on each machine. About 4000 of them are computed with all bits as
// well, and those of the largest error.
func measure(f *function, n int, seed uint64, p precise) measured {
	const block = 1000
	var next atomic.Int64
	var mu sync.Mutex
	var all measured
	var g sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() {
			var m measured
			for at := next.Add(1) - 1; at*block < int64(n); at = next.Add(1) - 1 {
				r := rand.New(rand.NewPCG(seed, uint64(at)))
				for k := range block {
					x, y, got, ok := f.sample(r, p)
					if !ok {
						continue
					}
					near := f.near(x, y)
					if (int(at)*block+k)%((n+3999)/4000) == 0 {
						m.reference = max(m.reference, near.off(f.exact(of(x), of(y))))
					}
					if off := ulpsOffNear(got, near, p.bits, p.lowest); off > m.off || off != off {
						m.off, m.x, m.y = off, x, y
					}
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all.reference = max(all.reference, m.reference)
			if !(m.off <= all.off) {
				all.off, all.x, all.y = m.off, m.x, m.y
			}
		})
	}
	g.Wait()
	got := f.call(all.x, all.y)
	if p == float {
		got = float64(f.call3(float32(all.x), float32(all.y)))
	}
	all.off = ulpsOff(got, f.exact(of(all.x), of(all.y)), p.bits, p.lowest)
	return all
}

// Arguments at which functions change how they compute, and where others go wrong.
func TestErrorsAtEdges(t *testing.T) {
	at := []float64{5e-324, 0x1p-1022, 0x1p-54, 0x1p-27, .25, .5, .75, 1, 1.5, 2, 3, 6, 22, 40, 0x1p20, 0x1p28, 0x1p53, 1e300, math.MaxFloat64,
		ln2 / 2, ln2, tanEighth, tanThreeEighths, math.Pi / 4, math.Pi / 2, math.Pi, math.Sqrt2, math.Sqrt2 / 2, 709.782712893384, 745.13, 1074, 6381956970095103 * 0x1p797} // the last is the nearest to a multiple of π/2
	var arguments []float64
	for _, x := range at {
		for _, x := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1))} {
			if x > 0 && x <= math.MaxFloat64 {
				arguments = append(arguments, x, -x)
			}
		}
	}
	for _, f := range functions {
		for _, x := range arguments {
			ys := arguments
			if !f.two {
				ys = ys[:1]
			}
			for _, y := range ys {
				if f.call(x, y) == 0 || f.call(x, y) == -1 || math.IsInf(f.call(x, y), 0) || math.IsNaN(f.call(x, y)) || (f.name == "Log2" || f.name == "Log1p" || f.name == "Log") && x < 0 || f.name == "Pow" && x < 0 || f.name == "Erf" && math.Abs(x) > 6 || f.name == "Tanh" && math.Abs(x) > 22 {
					continue
				}
				if off := ulpsOff(f.call(x, y), f.exact(of(x), of(y)), 53, -1074); !(off <= f.ulps) {
					t.Errorf("%s(%v, %v) = %v is off by %v ulps, expected %v", f.name, x, y, f.call(x, y), off, f.ulps)
				}
			}
		}
	}
}

// Here the rounding of a square, of the sum and of the root add up to more than one ulp, if nothing is
// done about it.
func TestHypotOfNearlyEqualSides(t *testing.T) {
	for _, p := range [][2]float64{{1.0150833099324008, 1.0029324534399788}, {1.0092816712731654, 1.0075833591366528}, {1.0042846154350513, 1.017716700048694}} {
		for _, unit := range []float64{1, 0x1p-500, 0x1p600, -1} {
			x, y := p[0]*unit, p[1]*unit
			exact := fresh().Sqrt(add(times(of(x), of(x)), times(of(y), of(y))))
			if off := ulpsOff(Hypot(x, y), exact, 53, -1074); !(off <= 1) {
				t.Errorf("Hypot(%v, %v) is off by %v ulps, expected 1", x, y, off)
			}
		}
	}
}

// The errors are those that the documentation promises. With -arguments 10000000 -v, what it prints
// is the table of docs/math.md.
func TestErrors(t *testing.T) {
	n := *arguments
	if testing.Short() {
		n /= 8
	}
	for _, f := range functions {
		for _, p := range []precise{double, float} {
			ulps := f.ulps
			if p == float {
				ulps = 1
			}
			m := measure(&f, n, uint64(p.bits), p)
			t.Logf("%-6s %d bits: %.3f at %v, %v; reference %.1g", f.name, p.bits, m.off, m.x, m.y, m.reference)
			if !(m.off <= ulps) {
				t.Errorf("%s(%v, %v) of %d bits is off by %v ulps, expected %v", f.name, m.x, m.y, p.bits, m.off, ulps)
			}
			if !(m.reference <= 0x1p-92) {
				t.Errorf("%s of %d bits: the reference is off by %v, expected 2⁻⁹²", f.name, p.bits, m.reference)
			}
		}
	}
}

func TestSincosIsSinAndCos(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := either(anywhere(-1074, 1023), between(-1000, 1000))
	for range 100_000 {
		x := draw(r)
		s, c := Sincos(x)
		s3, c3 := Sincos(float32(x))
		if s != Sin(x) || c != Cos(x) || math.Abs(x) < math.MaxFloat32 && (s3 != Sin(float32(x)) || c3 != Cos(float32(x))) {
			t.Fatalf("Sincos(%v) = %v, %v, expected %v, %v; of float32 %v, %v", x, s, c, Sin(x), Cos(x), s3, c3)
		}
	}
}
