// Heat lets heat spread over a plate, or with -k through a block:
//
//	go run ./examples/heat -n 400 -m 600 -steps 2000 -every 100 -frames /tmp/plates
//	go run ./examples/heat -n 64 -m 64 -k 64 -steps 100
//
// One edge is hot, the others are cold. It prints the heat and the largest change of a step, and draws a PNG file for
// each line that it prints; of a block it draws the plane in the middle. The lines of a plate are those that the program
// heat of exec/mpi prints on any number of ranks, down to the last bit: both have the functor and the tree in
// common.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gokkos/gokkos/examples/arguments"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

// options are what a run is told.
type options struct {
	n, m, k, steps, every int
	frames                string
	timed                 bool
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 200, "rows of the plate")
	flag.IntVar(&o.m, "m", 200, "columns of the plate")
	flag.IntVar(&o.k, "k", 0, "depth of a block, 0 for a plate")
	flag.IntVar(&o.steps, "steps", 200, "steps of time")
	flag.IntVar(&o.every, "every", 50, "steps between two lines of output")
	flag.StringVar(&o.frames, "frames", "", "a folder for pictures, as PNG, which is made if it is not there")
	flag.BoolVar(&o.timed, "time", false, "tell how long it takes")
	spaces.Main("heat", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) })
}

// A body is the temperatures of a step and of the one before.
type body interface {
	step() error
	// report returns the heat of the body, and how much it has changed in the last step.
	report() (heat, change float64, err error)
	// plane returns rows of temperatures to be drawn.
	plane() [][]float64
	temperatures() []float64
}

// newBody returns a body that is hot on one side and cold elsewhere.
func newBody(on exec.Space, o options) (body, error) {
	if o.k > 0 {
		return newBlock(on, o.n, o.m, o.k)
	}
	return newSheet(on, o.n, o.m)
}

// run lets heat spread.
func run(w io.Writer, on exec.Space, o options) ([]any, error) {
	if o.n < 3 || o.m < 3 || o.k < 0 || o.k == 1 || o.k == 2 || o.steps < 0 || o.every < 1 {
		return nil, fmt.Errorf("%d rows, %d columns, depth %d, %d steps and a line for each %d, expected at least 3, 3, 3 (or 0), 0 and 1", o.n, o.m, o.k, o.steps, o.every)
	}
	if err := arguments.Fits(2*8, o.n, o.m, max(o.k, 1)); err != nil {
		return nil, err
	}
	if o.frames != "" {
		if err := os.MkdirAll(o.frames, 0o755); err != nil {
			return nil, err
		}
	}
	b, err := newBody(on, o)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	for step := 0; ; step++ {
		if step%o.every == 0 || step == o.steps {
			if err := show(w, b, step, o.frames); err != nil {
				return nil, err
			}
		}
		if step == o.steps {
			break
		}
		if err := b.step(); err != nil {
			return nil, err
		}
	}
	all := b.temperatures()
	if o.timed {
		fmt.Fprintf(w, "%.3f ns per point and step\n", float64(time.Since(start).Nanoseconds())/float64(len(all))/float64(max(o.steps, 1)))
	}
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, all); err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "%x\n", h.Sum(nil))
	return []any{all}, nil
}

// show prints a line, and draws a frame unless the folder is "".
func show(w io.Writer, b body, step int, folder string) error {
	heat, change, err := b.report()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "step %d: heat %x, change %x\n", step, heat, change)
	if folder == "" {
		return nil
	}
	return draw(filepath.Join(folder, fmt.Sprintf("heat%06d.png", step)), b.plane())
}
