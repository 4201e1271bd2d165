// Heat lets heat spread over a plate, or with -k through a block:
//
//	go -C examples run ./heat -n 400 -m 600 -steps 2000 -every 100 -frames /tmp/plates
//	go -C examples run ./heat -n 64 -m 64 -k 64 -steps 100
//
// A card runs it as gokkosc compiles it:
//
//	go -C examples tool gokkosc run -ptx ./heat -space all,cuda
//
// One edge is hot, the others are cold. It prints the heat and the largest change of a step, and draws a PNG file for
// each line that it prints; of a block it draws the plane in the middle.
//
// The plate may be spread over ranks. The program prints the same lines, down to the last bit, on any number of them:
//
//	go -C examples build -o /tmp/heat ./heat
//	mpirun --bind-to none --oversubscribe -n 4 /tmp/heat -space mpi
//
// Each rank has some rows of the plate, or with -tile some tiles, a region with shorter edges. The temperatures are the
// same either way; their sum is joined in another order.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gokkos/gokkos/examples/heat/plate"
	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
)

// options are what a run is told.
type options struct {
	n, m, k, tile, steps, every int
	frames, file                string
	timed                       bool
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 200, "rows of the plate")
	flag.IntVar(&o.m, "m", 200, "columns of the plate")
	flag.IntVar(&o.k, "k", 0, "depth of a block, 0 for a plate")
	flag.IntVar(&o.tile, "tile", 0, "with -space mpi, points along a side of a tile, 0 for rows in place of tiles")
	flag.IntVar(&o.steps, "steps", 200, "steps of time")
	flag.IntVar(&o.every, "every", 50, "steps between two lines of output")
	flag.StringVar(&o.frames, "frames", "", "a folder for pictures, as PNG, which is made if it is not there")
	flag.StringVar(&o.file, "o", "", "a file in NumPy's format for the temperatures at the end")
	flag.BoolVar(&o.timed, "time", false, "tell how long it takes")
	spaces.Choice{Name: "all", Ranks: true}.Main("heat", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) })
}

// A body is the temperatures of a step and of the one before.
type body interface {
	Step() error
	// Report returns the heat of the body, and how much it has changed in the last step.
	Report() (heat, change float64, err error)
	// Temperatures returns the temperatures of all points, on the first rank.
	Temperatures() ([]float64, error)
	Write(path string) error
}

// newBody returns a body that is hot on one side and cold elsewhere.
func newBody(on exec.Space, o options) (body, error) {
	ranks, spread := on.(mpi.Space)
	switch {
	case spread && o.k > 0:
		return nil, fmt.Errorf("-k %d with -space mpi, expected 0: a block is not spread over ranks", o.k)
	case spread && o.tile > 0:
		return newTiles(ranks, o)
	case spread:
		return newRows(ranks, o)
	case o.tile > 0:
		return nil, fmt.Errorf("-tile %d without ranks, expected 0, or -space mpi", o.tile)
	case o.k > 0:
		return plate.NewBlock(on, o.n, o.m, o.k)
	}
	return plate.NewSheet(on, o.n, o.m)
}

// run lets heat spread.
func run(w io.Writer, on exec.Space, o options) ([]any, error) {
	if o.n < 3 || o.m < 3 || o.k < 0 || o.k == 1 || o.k == 2 || o.tile < 0 || o.steps < 0 || o.every < 1 {
		return nil, fmt.Errorf("%d rows, %d columns, depth %d, tiles of %d, %d steps and a line for each %d, expected at least 3, 3, 3 (or 0), 0, 0 and 1",
			o.n, o.m, o.k, o.tile, o.steps, o.every)
	}
	if err := arguments.Fits(3*8, o.n, o.m, max(o.k, 1)); err != nil { // two steps, and of ranks all on the first one
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
			if err := show(w, b, step, o); err != nil {
				return nil, err
			}
		}
		if step == o.steps {
			break
		}
		if err := b.Step(); err != nil {
			return nil, err
		}
	}
	if o.timed {
		points := float64(o.n) * float64(o.m) * float64(max(o.k, 1))
		fmt.Fprintf(w, "%.3f ns per point and step\n", float64(time.Since(start).Nanoseconds())/points/float64(max(o.steps, 1)))
	}
	if o.file != "" {
		if err := b.Write(o.file); err != nil {
			return nil, err
		}
	}
	all, err := b.Temperatures()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, all); err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "%x\n", h.Sum(nil))
	return []any{all}, nil
}

// show prints a line, and draws a frame if there is a folder for frames.
func show(w io.Writer, b body, step int, o options) error {
	heat, change, err := b.Report()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "step %d: heat %x, change %x\n", step, heat, change)
	if o.frames == "" {
		return nil
	}
	all, err := b.Temperatures()
	if err != nil || all == nil {
		return err
	}
	columns := o.m
	if o.k > 0 { // the plane in the middle
		all, columns = all[o.n/2*o.m*o.k:][:o.m*o.k], o.k
	}
	return draw(filepath.Join(o.frames, fmt.Sprintf("heat%06d.png", step)), slices.Collect(slices.Chunk(all, columns)))
}
