package main

import (
	"math"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
)

// A market is what all options share: interest for a year without risk, and how much prices vary in a year.
type market struct{ rate, volatility float64 }

// options are European options, and what comes out of them.
type options struct {
	spot, strike, years []float64 // price now, agreed price, and time until then
	call, put           []float64 // what the right to buy is worth, and the right to sell
}

// price computes what options are worth by the formula of Black and Scholes.
//
//gokkos:kernel
func price(m market, o options) func(i int) {
	return func(i int) {
		root := float64(m.volatility * math.Sqrt(o.years[i]))
		drift := m.rate + float64(.5*float64(m.volatility*m.volatility))
		d := (kmath.Log(o.spot[i]/o.strike[i]) + float64(drift*o.years[i])) / root
		late := o.strike[i] * kmath.Exp(-float64(m.rate*o.years[i]))
		first, second := normal(d), normal(d-root)
		o.call[i] = float64(o.spot[i]*first) - float64(late*second)
		o.put[i] = float64(late*(1-second)) - float64(o.spot[i]*(1-first))
	}
}

// normal is the probability that a normal variable is below x, to 7.5e-8: formula 26.2.17 of Abramowitz and
// Stegun, Handbook of Mathematical Functions.
func normal(x float64) float64 {
	t := 1 / (1 + float64(.2316419*math.Abs(x)))
	p := 1.330274429
	p = float64(p*t) - 1.821255978
	p = float64(p*t) + 1.781477937
	p = float64(p*t) - .356563782
	p = float64(p*t) + .319381530
	tail := float64(float64(p*t) * .3989422804014327 * kmath.Exp(-float64(.5*float64(x*x))))
	if x < 0 {
		return tail
	}
	return 1 - tail
}
