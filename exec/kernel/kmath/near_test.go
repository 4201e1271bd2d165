package kmath

import (
	"math"
	"math/big"
	"math/bits"
)

// References that are fast enough for ten million arguments. TestErrors holds them against those with 200 bits.

// wide is the number m·2ᵏ, for results outside of the exponents of float64.
type wide struct {
	m pair
	k int
}

// factorial returns n! with the sign of (-1)ˢ.
func factorial(n, s int) *number {
	x := of(1)
	for k := 2; k <= n; k++ {
		x = times(x, of(float64(k)))
	}
	if s%2 != 0 {
		x.Neg(x)
	}
	return x
}

var (
	pairLn2       = pairOf(bigLn2)
	pairPi        = pairOf(bigPi)
	termsOfExpm1  = pairsOf(12, func(k int) *number { return over(of(1), factorial(k+1, 0)) })   // of (eʳ-1)/r in r
	termsOfSin    = pairsOf(14, func(k int) *number { return over(of(1), factorial(2*k+1, k)) }) // of sin(r)/r in r²
	termsOfCos    = pairsOf(14, func(k int) *number { return over(of(1), factorial(2*k, k)) })   // in r²
	termsOfAtanh  = pairsOf(400, func(k int) *number { return over(of(1), of(float64(2*k+1))) }) // of atanh(s)/s in s²
	logsOf64ths   = pairsOf(93, func(k int) *number { return bigLog(over(of(float64(max(k, 1))), of(64))) })
	twoByRootOfPi = pairOf(over(of(2), fresh().Sqrt(bigPi)))
)

// expm1Pair returns eʳ-1 for |r| <= ln(2)/2.
func expm1Pair(r pair) pair {
	const halvings = 6
	r = r.scaled(-halvings)
	e := polynomial(termsOfExpm1, r).times(r)
	for range halvings { // e²ʳ-1 = (eʳ-1)² + 2(eʳ-1)
		e = e.times(e).add(e.scaled(1))
	}
	return e
}

func nearExp(x pair) wide {
	k := math.RoundToEven(x.high / math.Ln2)
	e := expm1Pair(x.add(pairLn2.times(exactly(-k))))
	return wide{e.add(exactly(1)), int(k)}
}

func nearExp2(x float64) wide {
	k := math.RoundToEven(x)
	return wide{expm1Pair(pairLn2.times(exactly(x - k))).add(exactly(1)), int(k)}
}

func nearExpm1(x float64) wide {
	k := math.RoundToEven(x / math.Ln2)
	e := expm1Pair(exactly(x).add(pairLn2.times(exactly(-k))))
	if k == 0 {
		return wide{e, 0}
	}
	return wide{e.add(sumOf(1, -math.Ldexp(1, -int(k)))), int(k)}
}

func nearTanh(x float64) wide {
	e := nearExpm1(2 * x)
	m := e.m.scaled(e.k)
	return wide{m.over(m.add(exactly(2))), 0}
}

// logPair returns ln(x) of a positive number: k·ln(2) + ln(c) + 2·atanh((m-c)/(m+c)), where x is m·2ᵏ and c a
// multiple of 1/64.
func logPair(x pair) pair {
	m, k := math.Frexp(x.high)
	if m < math.Sqrt2/2 {
		k--
	}
	x = x.scaled(-k)
	at := math.RoundToEven(64 * x.high)
	c := exactly(at / 64)
	s := x.add(c.negative()).over(x.add(c))
	l := polynomial(termsOfAtanh[:10], s.times(s)).times(s).scaled(1)
	return pairLn2.times(exactly(float64(k))).add(logsOf64ths[int(at)].add(l))
}

func nearPow(x, y float64) wide { return nearExp(logPair(exactly(x)).times(exactly(y))) }

// sincosPair returns the sine and cosine of |r| <= π/4.
func sincosPair(r pair) (sine, cosine pair) {
	z := r.times(r)
	return polynomial(termsOfSin, z).times(r), polynomial(termsOfCos, z)
}

// wordsOf2ByPi are the first 1280 bits of 2/π, the lowest first.
var wordsOf2ByPi = func() (words [20]uint64) {
	x := new(number).SetPrec(1400).Quo(new(number).SetInt64(2), widePi)
	n, _ := x.SetMantExp(x, 64*len(words)).Int(nil)
	lowest := new(big.Int).SetUint64(math.MaxUint64)
	for i := range words {
		words[i] = new(big.Int).And(n, lowest).Uint64()
		n.Rsh(n, 64)
	}
	return words
}()

// lessHalfPis returns k and x - k·π/2, for the nearest k.
func lessHalfPis(x float64) (k uint64, r pair) {
	if math.Abs(x) < math.Pi/4 {
		return 0, exactly(x)
	}
	// x·2/π is an integer times 2⁻ˢʰⁱᶠᵗ: 2 bits above that matter, and 256 below.
	m, e := math.Frexp(math.Abs(x))
	mantissa, shift := uint64(math.Ldexp(m, 53)), 64*len(wordsOf2ByPi)-(e-53)
	var product [len(wordsOf2ByPi) + 3]uint64
	var carry uint64
	for i, w := range wordsOf2ByPi {
		high, low := bits.Mul64(w, mantissa)
		low, c := bits.Add64(low, carry, 0)
		product[i], carry = low, high+c
	}
	product[len(wordsOf2ByPi)] = carry
	from := func(at int) uint64 {
		return product[at/64]>>(at%64) | product[at/64+1]<<1<<(63-at%64)
	}
	k = from(shift)
	flip := uint64(0)
	if from(shift-64)>>63 != 0 { // the next k is nearer
		k, flip = k+1, math.MaxUint64
	}
	for i := 4; i > 0; i-- { // what flipping the bits leaves out of a negative number is too small to count
		w := from(shift-64*i) ^ flip
		r = r.add(sumOf(math.Ldexp(float64(w>>32), 32-64*i), math.Ldexp(float64(w&(1<<32-1)), -64*i)))
	}
	r = r.times(pairPi.scaled(-1))
	if flip != 0 != (x < 0) {
		r = r.negative()
	}
	if x < 0 {
		k = -k
	}
	return k, r
}

func nearSincos(x float64) (sine, cosine pair) {
	k, r := lessHalfPis(x)
	sine, cosine = sincosPair(r)
	if k&1 != 0 {
		sine, cosine = cosine, sine.negative()
	}
	if k&2 != 0 {
		sine, cosine = sine.negative(), cosine.negative()
	}
	return sine, cosine
}

func nearSin(x float64) wide {
	s, _ := nearSincos(x)
	return wide{s, 0}
}

func nearCos(x float64) wide {
	_, c := nearSincos(x)
	return wide{c, 0}
}

func nearTan(x float64) wide {
	s, c := nearSincos(x)
	return wide{s.over(c), 0}
}

// atanPair returns the arctangent of a positive number, by what float64 says, and the angle between the two.
func atanPair(x pair) pair {
	if x.high > 1 {
		return pairPi.scaled(-1).add(atanPair(exactly(1).over(x)).negative())
	}
	a := exactly(math.Atan(x.high))
	s, c := sincosPair(a)
	return a.add(x.times(c).add(s.negative()).over(c.add(x.times(s))))
}

func nearAtan(x float64) wide {
	if x < 0 {
		return wide{atanPair(exactly(-x)).negative(), 0}
	}
	return wide{atanPair(exactly(x)), 0}
}

func nearAtan2(y, x float64) wide {
	n, i := math.Frexp(math.Abs(y))
	d, k := math.Frexp(math.Abs(x))
	a := atanPair(exactly(n).over(exactly(d)).scaled(i - k))
	if x < 0 {
		a = pairPi.add(a.negative())
	}
	if y < 0 {
		a = a.negative()
	}
	return wide{a, 0}
}

func nearCbrt(x float64) wide {
	m, e := math.Frexp(x)
	for e%3 != 0 {
		m, e = m/2, e+1
	}
	y := exactly(math.Cbrt(m))
	y2 := y.times(y)
	return wide{y.add(exactly(m).add(y2.times(y).negative()).over(y2.times(exactly(3)))), e / 3}
}

func nearHypot(x, y float64) wide {
	_, e := math.Frexp(max(math.Abs(x), math.Abs(y)))
	x, y = math.Ldexp(x, -e), math.Ldexp(y, -e)
	sum := productOf(x, x).add(productOf(y, y))
	root := exactly(math.Sqrt(sum.high))
	return wide{root.add(sum.add(root.times(root).negative()).over(root.scaled(1))), e}
}

// nearErf returns 2/√π·x·e⁻ᶻ·(1 + 2z/3 + (2z)²/(3·5) + ...) for z = x².
func nearErf(x float64) wide {
	z := productOf(x, x)
	term, sum := exactly(1), exactly(1)
	for n := 1; term.high > 0x1p-110*sum.high; n++ {
		term = term.times(z.scaled(1)).times(termsOfAtanh[n])
		sum = sum.add(term)
	}
	e := nearExp(z.negative())
	return wide{e.m.times(sum).times(twoByRootOfPi).times(exactly(x)), e.k}
}

// ulpsOffNear is ulpsOff for a result as a pair.
func ulpsOffNear(got float64, x wide, bits, lowest int) float64 {
	m, e := math.Frexp(x.m.high)
	if math.Abs(m) == .5 && m*x.m.low < 0 { // below the power of 2
		e--
	}
	unit := max(e+x.k-bits, lowest)
	return math.Abs(math.Ldexp((math.Ldexp(got, -x.k)-x.m.high)-x.m.low, x.k-unit))
}

// off returns how far a pair is from a number, relative to it.
func (x wide) off(exact *number) float64 {
	m := scaled(add(of(x.m.high), of(x.m.low)), x.k)
	off, _ := over(minus(m, exact), exact).Float64()
	return math.Abs(off)
}
