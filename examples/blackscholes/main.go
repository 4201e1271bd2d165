// Blackscholes prices European options:
//
//	go -C examples run ./blackscholes -n 1000000
//
// One functor prices an option, with logarithms and exponentials of package kmath, which have the same bits on every
// processor. It runs as a closure and compiled (see docs/kernels.md). The program prints the times, and how well
// the prices of calls and puts agree, and exits with status 1 unless all have the same bits.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/examples/internal/levels"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/random"
)

// noCard says why -space cuda is an error.
const noCard = "its options are slices: views in the memory of the card can take their place"

func main() {
	n := flag.Int("n", 1_000_000, "options")
	spaces.Choice{Name: "goroutines", Workers: 1, Timed: true, NoCard: noCard}.Main("blackscholes", func(w io.Writer, on exec.Space) ([]any, error) {
		return run(w, on, *n)
	})
}

// run prices n options, and checks the prices.
func run(w io.Writer, space exec.Space, n int) ([]any, error) {
	if n < 1 {
		return nil, fmt.Errorf("%d options, expected at least 1", n)
	}
	if err := arguments.Fits(6*8, n); err != nil { // five arrays, and results to compare
		return nil, fmt.Errorf("-n %d: %w", n, err)
	}
	m := market{rate: .02, volatility: .3}
	p := policy.Range(0, n).On(space)
	o, both, err := draw(p, n)
	if err != nil {
		return nil, err
	}
	f := Price(m, o)
	if _, err := levels.Compare(w, 3, both, func() error { return exec.ParallelFor(p, f) }); err != nil {
		return nil, err
	}
	// Who has a call and owes a put buys at the strike in any case.
	var off, calls float64
	err = exec.ParallelReduce2(p, func(i int, off, calls *float64) {
		parity := o.spot[i] - float64(o.strike[i]*math.Exp(-float64(m.rate*o.years[i])))
		*off = max(*off, math.Abs(o.call[i]-o.put[i]-parity))
		*calls += o.call[i]
	}, builtin.Max(&off), builtin.Sum(&calls))
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "a call costs %.4f on average; calls and puts agree to %.1g\n", calls/float64(n), off)
	if !(off <= 1e-10) { // NaN, too
		return nil, fmt.Errorf("calls and puts differ by %g from what they should, expected at most 1e-10", off)
	}
	return []any{both}, nil
}

// draw makes options at random. both is the memory of calls and puts.
func draw(p policy.RangePolicy, n int) (o options, both []float64, err error) {
	pool := random.New(7)
	both = make([]float64, 2*n)
	o = options{make([]float64, n), make([]float64, n), make([]float64, n), both[:n], both[n:]}
	err = exec.ParallelFor(p, func(i int) {
		g := pool.At(i)
		o.spot[i] = 5 + float64(25*g.Float64())
		o.strike[i] = 1 + float64(99*g.Float64())
		o.years[i] = .25 + float64(9.75*g.Float64())
	})
	return o, both, err
}
