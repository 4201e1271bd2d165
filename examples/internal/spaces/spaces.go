// Package spaces runs a program on the spaces that its flags name, and compares the bits of its results.
package spaces

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strings"

	"github.com/gokkos/gokkos/examples/arguments"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
)

// names are the spaces in the order in which they run.
var names = []string{"serial", "goroutines", "simgpu"}

// A Choice is the spaces that a program runs on.
type Choice struct {
	Name    string // serial, goroutines, simgpu, or all for one after the other
	Workers int    // of goroutines, 0 for one per core
	Timed   bool   // the program prints how long it takes, which is shown for each space
}

// Main is the main function of a program of this name, which runs on all spaces unless -space says otherwise. Flags
// of its own are declared before.
func Main(name string, program Program) { run("all", name, false, program) }

// TimedMain is Main for a program that prints how long it takes. It runs on goroutines only unless -space says otherwise.
func TimedMain(name string, program Program) { run("goroutines", name, true, program) }

func run(space, name string, timed bool, program Program) {
	c := Choice{Timed: timed}
	flag.StringVar(&c.Name, "space", space, "serial, goroutines, simgpu, or all to compare their bits")
	flag.IntVar(&c.Workers, "workers", 0, "workers of goroutines, 0 for one per core")
	arguments.Parse(name)
	if err := c.Run(os.Stdout, program); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// A Program computes on a space, prints what it has to say, and returns its results: numbers, and slices
// and structs of numbers of a fixed size, as binary.Write takes them.
type Program func(w io.Writer, on exec.Space) (results []any, err error)

// Run runs a program on each space, and prints a hash of the results. Other bits on one of the spaces are
// an error. What the program prints is shown for the first space only, unless it is timed.
func (c Choice) Run(w io.Writer, program Program) error {
	chosen := names
	if c.Name != "all" {
		chosen = []string{c.Name}
	}
	var first uint64
	for k, name := range chosen {
		out := w
		if k > 0 && !c.Timed {
			out = io.Discard
		}
		sum, err := c.on(name, out, program)
		if err != nil {
			return err
		}
		if k == 0 {
			first = sum
		}
		if sum != first {
			return fmt.Errorf("bits: %016x on %s, %016x on %s", sum, name, first, chosen[0])
		}
	}
	identical := ""
	if len(chosen) > 1 {
		identical = "identical, "
	}
	_, err := fmt.Fprintf(w, "bits: %s%016x on %s\n", identical, first, strings.Join(chosen, ", "))
	return err
}

// on runs a program on the space of a name, and returns a hash of the results.
func (c Choice) on(name string, w io.Writer, program Program) (sum uint64, err error) {
	if c.Workers < 0 {
		return 0, fmt.Errorf("%d workers, expected 0 or more", c.Workers)
	}
	var space exec.Space
	switch name {
	case "serial":
		space = exec.Serial{}
	case "goroutines":
		workers := exec.NewGoroutines(c.Workers)
		defer workers.Close()
		space = workers
	case "simgpu":
		device := exec.NewSimGPU(gpu.H200())
		defer device.Close()
		space = device
	default:
		return 0, fmt.Errorf("space %q, expected all or one of %q", name, names)
	}
	results, err := program(w, space)
	if err != nil {
		return 0, fmt.Errorf("on %s: %w", name, err)
	}
	h := fnv.New64a()
	for k, x := range results {
		switch n := x.(type) {
		case int:
			x = int64(n)
		case []int:
			wide := make([]int64, len(n))
			for i := range n {
				wide[i] = int64(n[i])
			}
			x = wide
		}
		if err := binary.Write(h, binary.LittleEndian, x); err != nil {
			return 0, fmt.Errorf("result %d: %w", k, err)
		}
	}
	return h.Sum64(), nil
}
