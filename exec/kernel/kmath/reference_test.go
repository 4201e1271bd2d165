package kmath

import (
	"math"
	"math/big"
)

// The references are computed with 200 bits, of which more than 120 are right.
const precision = 200

type number = big.Float

func of(x float64) *number       { return new(number).SetPrec(precision).SetFloat64(x) }
func fresh() *number             { return new(number).SetPrec(precision) }
func add(x, y *number) *number   { return fresh().Add(x, y) }
func minus(x, y *number) *number { return fresh().Sub(x, y) }
func times(x, y *number) *number { return fresh().Mul(x, y) }
func over(x, y *number) *number  { return fresh().Quo(x, y) }
func negative(x *number) *number { return fresh().Neg(x) }

func scaled(x *number, k int) *number { return fresh().SetMantExp(x, k) }

// series returns first·(1 + r(1) + r(1)r(2) + ...), until terms are too small to count.
func series(first *number, ratio func(n int64) *number) *number {
	sum, term := fresh().Set(first), fresh().Set(first)
	for n := int64(1); term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-precision; n++ {
		term.Mul(term, ratio(n))
		sum.Add(sum, term)
	}
	return sum
}

var (
	bigLn2 = lnNear(of(2))
	bigPi  = scaled(minus(scaled(atanSeries(over(of(1), of(5))), 2), atanSeries(over(of(1), of(239)))), 2) // Machin
)

// atanSeries returns the arctangent of a small number.
func atanSeries(x *number) *number {
	z := times(x, x)
	sum, power := fresh().Set(x), fresh().Set(x)
	for n := int64(1); power.Sign() != 0 && power.MantExp(nil) > sum.MantExp(nil)-precision; n++ {
		power.Mul(power, z).Neg(power)
		sum.Add(sum, over(power, of(float64(2*n+1))))
	}
	return sum
}

// lnNear returns ln(x) = 2·atanh((x-1)/(x+1)) of a number near 1.
func lnNear(x *number) *number { return twiceAtanh(over(minus(x, of(1)), add(x, of(1)))) }

func twiceAtanh(s *number) *number {
	z := times(s, s)
	sum, power := fresh().Set(s), fresh().Set(s)
	for n := int64(1); power.Sign() != 0 && power.MantExp(nil) > sum.MantExp(nil)-precision; n++ {
		power.Mul(power, z)
		sum.Add(sum, over(power, of(float64(2*n+1))))
	}
	return scaled(sum, 1)
}

// bigLog returns ln(x) of a positive number.
func bigLog(x *number) *number {
	m := fresh()
	k := x.MantExp(m)
	if m.Cmp(of(math.Sqrt2/2)) < 0 {
		m.SetMantExp(m, 1)
		k--
	}
	// Near 1, by a division by what float64 says.
	f, _ := m.Float64()
	if f == 1 {
		return add(lnNear(m), times(of(float64(k)), bigLn2))
	}
	g := of(math.Log(f))
	near := times(m, bigExp(negative(g)))
	return add(add(g, lnNear(near)), times(of(float64(k)), bigLn2))
}

func bigLog1p(x *number) *number {
	if x.MantExp(nil) < -60 { // of which 1 + x would lose bits
		return twiceAtanh(over(x, add(x, of(2))))
	}
	return bigLog(add(of(1), x))
}

// bigExp returns eˣ, bigExpm1 that less 1.
func bigExp(x *number) *number {
	e, k := bigExpm1Near(x)
	return scaled(add(e, of(1)), k)
}

func bigExpm1(x *number) *number {
	e, k := bigExpm1Near(x)
	if k == 0 {
		return e
	}
	return minus(scaled(add(e, of(1)), k), of(1))
}

// bigExpm1Near returns e and k, (e+1)·2ᵏ = eˣ with e near 0.
func bigExpm1Near(x *number) (e *number, k int) {
	f, _ := over(x, bigLn2).Float64()
	k = int(math.RoundToEven(f))
	const halvings = 10
	r := scaled(minus(x, times(of(float64(k)), bigLn2)), -halvings)
	if r.Sign() == 0 {
		return r, k
	}
	e = series(r, func(n int64) *number { return over(r, of(float64(n+1))) })
	for range halvings { // e²ʳ-1 = (eʳ-1)² + 2(eʳ-1)
		e = add(times(e, e), scaled(e, 1))
	}
	return e, k
}

// bigSincos returns the sine and cosine.
func bigSincos(x *number) (sine, cosine *number) {
	wide := func() *number { return new(number).SetPrec(1400) }
	halfPi := wide().Quo(widePi, wide().SetInt64(2))
	q := wide().Quo(wide().Set(x), halfPi)
	half := wide().SetFloat64(.5)
	if q.Sign() < 0 {
		half.Neg(half)
	}
	n, _ := q.Add(q, half).Int(nil)
	r := fresh().Set(wide().Sub(wide().Set(x), halfPi.Mul(halfPi, wide().SetInt(n))))
	z := negative(times(r, r))
	s := fresh()
	if r.Sign() != 0 {
		s = series(r, func(n int64) *number { return over(z, of(float64(2*n*(2*n+1)))) })
	}
	c := series(of(1), func(n int64) *number { return over(z, of(float64((2*n-1)*2*n))) })
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 0:
		return s, c
	case 1:
		return c, negative(s)
	case 2:
		return negative(s), negative(c)
	}
	return negative(c), s
}

// widePi has the bits that numbers as large as 2¹⁰²⁴ need.
var widePi = func() *number {
	const bits = 1400
	atan := func(n int64) *number { // of 1/n
		x := new(number).SetPrec(bits).Quo(new(number).SetPrec(bits).SetInt64(1), new(number).SetPrec(bits).SetInt64(n))
		z := new(number).SetPrec(bits).Mul(x, x)
		sum, power := new(number).SetPrec(bits).Set(x), new(number).SetPrec(bits).Set(x)
		for k := int64(1); power.MantExp(nil) > -bits-10; k++ {
			power.Mul(power, z).Neg(power)
			sum.Add(sum, new(number).SetPrec(bits).Quo(power, new(number).SetPrec(bits).SetInt64(2*k+1)))
		}
		return sum
	}
	a := atan(5)
	a.Mul(a, new(number).SetInt64(4))
	a.Sub(a, atan(239))
	return a.Mul(a, new(number).SetInt64(4))
}()

func bigAtan(x *number) *number {
	if x.Sign() < 0 {
		return negative(bigAtan(negative(x)))
	}
	if x.Cmp(of(1)) > 0 {
		return minus(scaled(bigPi, -1), bigAtan(over(of(1), x)))
	}
	const halvings = 6
	for range halvings { // tan(a/2) = t / (1 + √(1+t²))
		x = over(x, add(of(1), fresh().Sqrt(add(of(1), times(x, x)))))
	}
	if x.Sign() == 0 {
		return x
	}
	return scaled(atanSeries(x), halvings)
}

func bigErf(x *number) *number {
	const bits = 320 // terms cancel
	z := new(number).SetPrec(bits).Mul(x, x)
	z.Neg(z)
	term, sum := new(number).SetPrec(bits).Set(x), new(number).SetPrec(bits).Set(x)
	for n := int64(1); term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-bits; n++ {
		term.Mul(term, z).Quo(term, new(number).SetInt64(n))
		sum.Add(sum, new(number).SetPrec(bits).Quo(term, new(number).SetInt64(2*n+1)))
	}
	return times(fresh().Set(sum), over(of(2), fresh().Sqrt(bigPi)))
}

func bigCbrt(x *number) *number {
	f, _ := x.Float64()
	y := of(math.Cbrt(f))
	for range 3 {
		y = minus(y, over(minus(times(times(y, y), y), x), times(of(3), times(y, y))))
	}
	return y
}
