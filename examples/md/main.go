// Md moves the atoms of a Lennard-Jones liquid that melts from a crystal:
//
//	go -C examples run ./md -cells 10 -steps 200 -out /tmp/energy.svg
//
// Atoms that are near each other come from a list of cells. The list of pairs is a half list: each pair is there once,
// and its force goes to two atoms by a scatter, which joins contributions along the tree. So all spaces give the same
// trajectory, to the last bit, and after a thousand steps, too, where a sum in another order would have led to
// another one.
//
// It prints temperature, pressure and energies, and how far the total energy drifts, which velocity Verlet keeps small. All
// is in units of Lennard and Jones. The start is that of the benchmark lj of LAMMPS: density .8442, temperature 1.44,
// cut-off 2.5, steps of .005; there, too, the potential is -6.7734 and the pressure -5.0197.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/examples/internal/plot"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

// options are what a run is told.
type options struct {
	cells, steps, every int
	step                float64
	out                 string
}

// noCard says why -space cuda is an error.
const noCard = "it sorts atoms, and contributes to cells that the data choose, on the host: use goroutines"

func main() {
	var o options
	flag.IntVar(&o.cells, "cells", 6, "cells of the crystal along a side, with four atoms each")
	flag.IntVar(&o.steps, "steps", 100, "steps of time")
	flag.IntVar(&o.every, "every", 20, "steps between two lines of output")
	flag.Float64Var(&o.step, "dt", .005, "length of a step")
	flag.StringVar(&o.out, "out", "", "file for a plot of the energy, as SVG")
	spaces.Choice{Name: "all", NoCard: noCard}.Main("md", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) })
}

// run moves the atoms.
func run(w io.Writer, on exec.Space, o options) ([]any, error) {
	if o.cells < 6 || o.steps < 0 || o.every < 1 || !(o.step > 0 && o.step <= .1) {
		return nil, fmt.Errorf("-cells %d, expected 6 or more; -steps %d, 0 or more; -dt %v, above 0 and up to 0.1; -every %d, 1 or more", o.cells, o.steps, o.step, o.every)
	}
	const bytesPerAtom = 4*24 + 48*8 // vectors, and pairs in lists that grow
	if err := arguments.Fits(4*bytesPerAtom, o.cells, o.cells, o.cells); err != nil {
		return nil, fmt.Errorf("-cells %d: %w", o.cells, err)
	}
	a, err := newAtoms(on, o.cells)
	if err != nil {
		return nil, err
	}
	if err := a.forces(); err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "%d atoms, %d pairs\n%6s %12s %12s %12s %14s\n", a.n, a.pairs(), "step", "temperature", "pressure", "potential", "total")
	var energies, times []float64
	for k := 0; ; k++ {
		if k%o.every == 0 || k == o.steps {
			s, err := a.state()
			if err != nil {
				return nil, err
			}
			if err := finite(s.total, k); err != nil {
				return nil, err
			}
			fmt.Fprintf(w, "%6d %12.6f %12.6f %12.6f %14.8f\n", k, s.temperature, s.pressure, s.potential, s.total)
			energies, times = append(energies, s.total), append(times, float64(k)*o.step)
		}
		if k == o.steps {
			break
		}
		if err := a.step(o.step); err != nil {
			return nil, err
		}
	}
	drift := 0.0
	for _, e := range energies {
		drift = max(drift, math.Abs(e/energies[0]-1))
	}
	fmt.Fprintf(w, "energy off by at most %.2e of itself; %d lists of pairs\n", drift, a.lists)
	if o.out != "" {
		series := []plot.Series{{Name: fmt.Sprintf("%d atoms, steps of %g", a.n, o.step), X: times, Y: energies, Line: true}}
		if err := (plot.Chart{Title: "Total energy per atom", X: "time", Y: "energy", Series: series}).Save(o.out); err != nil {
			return nil, err
		}
	}
	x, _ := a.x.Slice()
	return []any{energies, x}, nil
}

// finite is an error if an energy after so many steps is none.
func finite(energy float64, steps int) error {
	if math.IsNaN(energy) || math.IsInf(energy, 0) {
		return fmt.Errorf("the energy is %v after %d steps, expected a finite one: a smaller -dt may help", energy, steps)
	}
	return nil
}
