// Cg solves a sparse symmetric system by the method of conjugate gradients:
//
//	go run ./examples/cg -poisson 200
//	go run ./examples/cg -file bcsstk01.mtx
//
// The matrix is that of the Poisson equation on a square, or is in a Matrix Market file. The right side is that for which
// the solution is 1 everywhere. Products of rows are items of a range, and dot products are folds, so each iteration has
// the same residual, to the last bit, everywhere: on all spaces, and in the program cg of exec/mpi on any number of ranks.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gokkos/gokkos/examples/cg/krylov"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views/mtx"
)

// options are what a run is told.
type options struct {
	file                 string
	poisson, most, every int
	tolerance            float64
	timed                bool
}

func main() {
	var o options
	flag.StringVar(&o.file, "file", "", "a matrix in the Matrix Market's format")
	flag.IntVar(&o.poisson, "poisson", 100, "points along a side of the square, if there is no file")
	flag.IntVar(&o.most, "most", 1000, "the most iterations")
	flag.IntVar(&o.every, "every", 20, "iterations between two lines of output")
	flag.Float64Var(&o.tolerance, "tolerance", 1e-10, "the residual to stop at, as a part of the first one")
	flag.BoolVar(&o.timed, "time", false, "tell how long it takes")
	spaces.Main("cg", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) })
}

// run solves the system.
func run(w io.Writer, on exec.Space, o options) ([]any, error) {
	if o.poisson < 1 || o.most < 0 || o.every < 1 || !(o.tolerance >= 0 && o.tolerance < 1) {
		return nil, fmt.Errorf("%d points, %d iterations, a line for each %d and a tolerance of %v, "+
			"expected at least 1, 0, 1 and 0, and a tolerance below 1", o.poisson, o.most, o.every, o.tolerance)
	}
	a, err := matrix(o)
	if err != nil {
		return nil, err
	}
	s, err := newSystem(on, a)
	if err != nil {
		return nil, err
	}
	var norms []float64
	start := time.Now()
	line := func(k int, norm float64) { fmt.Fprintf(w, "%5d: %x %.3e\n", k, norm, norm) }
	x, err := krylov.Solve(s, o.tolerance, o.most, func(k int, norm float64) {
		norms = append(norms, norm)
		if k%o.every == 0 {
			line(k, norm)
		}
	})
	if err != nil {
		return nil, err
	}
	iterations := len(norms) - 1
	line(iterations, norms[iterations])
	if o.timed {
		fmt.Fprintf(w, "%.3f ns per row and iteration\n", float64(time.Since(start).Nanoseconds())/float64(a.Rows)/float64(max(iterations, 1)))
	}
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, x); err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "x: %x\n", h.Sum(nil))
	if norm := norms[iterations]; o.tolerance > 0 && !(norm <= o.tolerance*norms[0]*(1+1e-12)) { // norms are rounded
		return nil, fmt.Errorf("not solved: a residual of %.3e after %d iterations, expected at most %.3e; -most allows more, "+
			"and -tolerance 0 asks for none", norm, iterations, o.tolerance*norms[0])
	}
	return []any{norms, x}, nil
}

// bytesPerRow is about the memory that a row takes: 5 entries, in slices that grow, and elements of vectors.
const bytesPerRow = 2*5*16 + 6*8

// matrix reads the matrix, or makes it.
func matrix(o options) (*mtx.Matrix, error) {
	if o.file == "" {
		if err := spaces.Fits(bytesPerRow, o.poisson, o.poisson); err != nil {
			return nil, fmt.Errorf("-poisson %d: %w", o.poisson, err)
		}
		return krylov.Poisson(o.poisson, 0, o.poisson*o.poisson), nil
	}
	file, err := os.Open(o.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	a, err := mtx.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.file, err)
	}
	if a.Rows != a.Columns {
		return nil, fmt.Errorf("%s has %d rows and %d columns, expected as many", o.file, a.Rows, a.Columns)
	}
	return a, nil
}
