// Montecarlo computes numbers from samples at random, with the standard error of each:
//
//	go -C examples run ./montecarlo -n 1000000
//
// They are π, from points in a square; the volume of a ball in four dimensions; the price of an Asian option, which
// has no formula; and the mean of an exponential variable, with antithetic samples. Sample i draws from stream i of a
// random.Pool, so the numbers do not depend on who draws them, and builtin.Variance joins mean and squared
// distances along the tree: all spaces print the same digits.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/random"
)

// noCard says why -space cuda is an error.
const noCard = "its functor calls samples that are values: a card needs a functor for each estimate"

func main() {
	n := flag.Int("n", 200_000, "samples")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	spaces.Choice{Name: "all", Ranks: true, NoCard: noCard}.Main("montecarlo", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, *n, *seed) })
}

// An estimate is the mean of a function of random numbers.
type estimate struct {
	name   string
	exact  float64 // NaN where nobody knows
	sample func(g *random.Generator) float64
}

var estimates = []estimate{
	{"pi", math.Pi, func(g *random.Generator) float64 { return 4 * inside(g, 2) }},
	{"ball in 4 dimensions", math.Pi * math.Pi / 2, func(g *random.Generator) float64 { return 16 * inside(g, 4) }},
	{"Asian option", math.NaN(), asian},
	{"antithetic exponential", 1, antithetic},
}

// run computes all estimates of n samples.
func run(w io.Writer, on exec.Space, n int, seed uint64) (results []any, err error) {
	if n < 2 || int64(n) > 1<<53 {
		return nil, fmt.Errorf("%d samples, expected 2 to 2^53, up to which a float64 counts", n)
	}
	pool := random.New(seed)
	for k, e := range estimates {
		stream := pool.Split(k)
		var m builtin.Moments[float64]
		p := policy.Range(0, n).On(on).WithLabel(e.name)
		if err := exec.ParallelReduce(p, func(i int, acc *builtin.Moments[float64]) {
			g := stream.At(i)
			acc.Add(e.sample(&g))
		}, builtin.Variance(&m)); err != nil {
			return nil, err
		}
		off := math.Sqrt(m.SampleVariance() / float64(n))
		results = append(results, m.Mean, off)
		fmt.Fprintf(w, "%-22s %.6f +- %.6f", e.name, m.Mean, off)
		if !math.IsNaN(e.exact) {
			fmt.Fprintf(w, ", off by %.1f of these", math.Abs(m.Mean-e.exact)/off)
		}
		fmt.Fprintln(w)
	}
	return results, nil
}

// inside is 1 if a point of the unit cube lies in the unit ball, and 0 otherwise.
func inside(g *random.Generator, dimensions int) float64 {
	sum := 0.0
	for range dimensions {
		x := g.Float64()
		sum += float64(x * x)
	}
	if sum < 1 {
		return 1
	}
	return 0
}

// asian is what a call on the mean price of 12 months pays, at a price and a strike of 100, an interest of 5 % and a
// volatility of 20 % a year, discounted.
func asian(g *random.Generator) float64 {
	const month, rate, volatility = 1.0 / 12, .05, .2
	price, sum := 100.0, 0.0
	for range 12 {
		factor := kmath.Exp(float64((rate-volatility*volatility/2)*month) + float64(volatility*root*g.Normal()))
		price = float64(price * factor) // rounded before it is added
		sum += price
	}
	return kmath.Exp(-rate) * max(sum/12-100, 0)
}

// root is the square root of a month in years.
var root = math.Sqrt(1.0 / 12)

// antithetic is the mean of two exponential variables, of u and of 1-u: what is too large in one is too small in the
// other.
func antithetic(g *random.Generator) float64 {
	u := 1 - g.Float64()
	if u == 1 {
		return 0
	}
	return -.5 * (kmath.Log(u) + kmath.Log1p(-u))
}
