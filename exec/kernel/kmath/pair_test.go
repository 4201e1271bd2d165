package kmath

import "math"

// pair is the number high + low, |low| at most half of an ulp of high. What is not said to be exact has a relative
// error of about 2⁻¹⁰².
type pair struct{ high, low float64 }

func exactly(x float64) pair { return pair{x, 0} }

// sumOf returns x + y, exactly.
func sumOf(x, y float64) pair {
	s := x + y
	back := s - x
	return pair{s, (x - (s - back)) + (y - back)}
}

// productOf returns x·y, exactly.
func productOf(x, y float64) pair {
	p := float64(x * y)
	return pair{p, math.FMA(x, y, -p)}
}

// quickSum returns x + y for |x| >= |y|, exactly.
func quickSum(x, y float64) pair {
	s := x + y
	return pair{s, y - (s - x)}
}

func (x pair) add(y pair) pair {
	s, t := sumOf(x.high, y.high), sumOf(x.low, y.low)
	s = quickSum(s.high, s.low+t.high)
	return quickSum(s.high, s.low+t.low)
}

func (x pair) times(y pair) pair {
	p := productOf(x.high, y.high)
	return quickSum(p.high, p.low+(float64(x.high*y.low)+float64(x.low*y.high)))
}

func (x pair) over(y pair) pair {
	q := x.high / y.high
	rest := x.add(y.times(exactly(-q)))
	q2 := rest.high / y.high
	rest = rest.add(y.times(exactly(-q2)))
	return quickSum(q, q2).add(exactly(rest.high / y.high))
}

func (x pair) negative() pair { return pair{-x.high, -x.low} }

// scaled returns x·2ᵏ, exactly.
func (x pair) scaled(k int) pair { return pair{math.Ldexp(x.high, k), math.Ldexp(x.low, k)} }

// pairOf returns a number of many bits, rounded.
func pairOf(x *number) pair {
	high, _ := x.Float64()
	low, _ := minus(x, of(high)).Float64()
	return pair{high, low}
}

// pairsOf returns f(0), ..., f(n-1).
func pairsOf(n int, f func(k int) *number) (list []pair) {
	for k := range n {
		list = append(list, pairOf(f(k)))
	}
	return list
}

// polynomial returns c[0] + c[1]·x + ...
func polynomial(c []pair, x pair) pair {
	y := c[len(c)-1]
	for k := len(c) - 2; k >= 0; k-- {
		y = y.times(x).add(c[k])
	}
	return y
}
