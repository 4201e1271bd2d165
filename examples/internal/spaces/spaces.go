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

	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
)

// A Choice is the spaces that a program runs on. A program sets what it is without flags.
type Choice struct {
	Name    string // the value of -space: names with commas between them, of which all is three
	Workers int    // of goroutines, 0 for one per core
	Timed   bool   // the program prints how long it takes, which is shown for each space
	Ranks   bool   // the program runs over ranks, too: the first one has the results
	NoCard  string // why the program does not run on a card, and what to do; empty if it does

	given bool      // -workers is given
	world *mpi.Comm // nil where the program does not run over ranks
}

// A Program computes on a space, prints what it has to say, and returns its results: numbers, and slices
// and structs of numbers of a fixed size, as binary.Write takes them.
type Program func(w io.Writer, on exec.Space) (results []any, err error)

// Main is the main function of a program of this name, which has declared flags of its own before. The choice is what
// it runs on unless GOKKOS_SPACE or -space say otherwise.
func (c Choice) Main(name string, program Program) {
	c.Flags(flag.CommandLine)
	arguments.Parse(name)
	if err := c.Start(func(c Choice) error { return c.Run(os.Stdout, program) }); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Run runs a program on each space, and prints a hash of the results. Other bits on one of the spaces are
// an error. What the program prints is shown for the first space only, unless it is timed. Of ranks, the first one prints.
func (c Choice) Run(w io.Writer, program Program) error {
	if !c.First() {
		w = io.Discard
	}
	all, closed, err := c.Open()
	if err != nil {
		return err
	}
	defer closed()
	var first uint64
	var names []string
	for k, s := range all {
		out := w
		if k > 0 && !c.Timed {
			out = io.Discard
		}
		results, err := program(out, s.On)
		if err != nil {
			return fmt.Errorf("on %s: %w", s.Name, err)
		}
		sum, err := hash(results)
		if err != nil {
			return err
		}
		if k == 0 {
			first = sum
		}
		if sum != first && c.First() { // the results over ranks are those of the first one
			return fmt.Errorf("bits: %016x on %s, %016x on %s", sum, s.Name, first, all[0].Name)
		}
		names = append(names, s.Name)
	}
	identical := ""
	if len(names) > 1 {
		identical = "identical, "
	}
	_, err = fmt.Fprintf(w, "bits: %s%016x on %s\n", identical, first, strings.Join(names, ", "))
	return err
}

// hash returns a hash of results.
func hash(results []any) (uint64, error) {
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
