// Ports shows three programs on their way from a literal translation of Kokkos to the form that is fast here:
//
//	go -C examples run ./ports -workers 1
//
// They are a step of the heat equation, an iteration of conjugate gradients, and the forces of a Lennard-Jones liquid. Each
// step of the way is a function of its own, in heat.go, cg.go and md.go; docs/porting.md goes through them. The program
// prints the time of each step, and holds the results against each other.
package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

// options are sizes, and for how long each step is repeated.
type options struct {
	heat, cg, md int
	seconds      float64
}

// noCard says why -space cuda is an error.
const noCard = "its arrays are slices: ./heat has a stencil for cards"

func main() {
	var o options
	flag.IntVar(&o.heat, "heat", 1000, "points along a side of the plate")
	flag.IntVar(&o.cg, "cg", 400, "points along a side of the Poisson problem")
	flag.IntVar(&o.md, "md", 16, "atoms along a side of the cube")
	flag.Float64Var(&o.seconds, "seconds", .5, "how long to repeat each step")
	spaces.Choice{Name: "goroutines", Timed: true, NoCard: noCard}.Main("ports", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) })
}

// A step is one form of a port. It returns what it computed.
type step struct {
	name string
	run  func() ([]float64, error)
}

// run measures all steps of all ports. The results of the forms that are fast are what is compared between spaces.
func run(w io.Writer, on exec.Space, o options) (results []any, err error) {
	if o.heat < 3 || o.cg < 1 || o.md < 3 || !(o.seconds >= 0) {
		return nil, fmt.Errorf("sizes %d, %d and %d for %v s, expected at least 3, 1, 3 and 0", o.heat, o.cg, o.md, o.seconds)
	}
	for _, err := range []error{
		arguments.Fits(4*8, o.heat, o.heat), arguments.Fits(400, o.cg, o.cg), arguments.Fits(1000, o.md, o.md, o.md),
	} {
		if err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(w, "on %s\n", on.Name())
	h, err := newHeat(on, o.heat)
	if err != nil {
		return nil, err
	}
	c, err := newSystem(on, o.cg)
	if err != nil {
		return nil, err
	}
	m, err := newLiquid(on, o.md)
	if err != nil {
		return nil, err
	}
	for _, p := range []port{
		{"heat", "point", (o.heat - 2) * (o.heat - 2), h.steps()},
		{"cg", "row", iterations * o.cg * o.cg, c.steps()},
		{"md", "pair", m.pairs(), m.steps()},
	} {
		last, err := p.run(w, o.seconds)
		if err != nil {
			return nil, fmt.Errorf("%s, %w", p.name, err)
		}
		results = append(results, last)
	}
	return results, nil
}

// A port is the steps from the literal form of a program to the fast one.
type port struct {
	name, item string
	items      int // of a step
	steps      []step
}

// run measures all steps, holds what they compute against the first, and returns that of the last.
func (p port) run(w io.Writer, seconds float64) (last []float64, err error) {
	var first []float64
	var literal float64
	for k, s := range p.steps {
		result, took, err := measure(s, seconds)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		if k == 0 {
			first, literal = slices.Clone(result), took // the next step may compute in the same memory
		}
		if err := near(first, result); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		last = result
		fmt.Fprintf(w, "%-5s%-34s%8.2f ns per %-6s%6.1f\n", p.name, s.name, took*1e9/float64(p.items), p.item, literal/took)
	}
	return last, nil
}

// measure returns what a step computes, and the shortest of its times.
func measure(s step, seconds float64) (result []float64, least float64, err error) {
	begin := time.Now()
	for n := 0; n < 2 || time.Since(begin).Seconds() < seconds; n++ {
		start := time.Now()
		if result, err = s.run(); err != nil {
			return nil, 0, err
		}
		if took := time.Since(start).Seconds(); n == 0 || took < least {
			least = took
		}
	}
	return result, least, nil
}

// near compares results that may be sums in another order.
func near(want, got []float64) error {
	for k := range want {
		if off := got[k] - want[k]; !(off*off <= 1e-18*(1+want[k]*want[k])) {
			return fmt.Errorf("result %d is %v, expected %v", k, got[k], want[k])
		}
	}
	return nil
}
