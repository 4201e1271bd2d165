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
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gokkos/gokkos/examples/cg/krylov"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views/mtx"
)

func main() {
	var o krylov.Options
	o.Flags()
	spaces.Main("cg", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) })
}

// run solves the system.
func run(w io.Writer, on exec.Space, o krylov.Options) ([]any, error) {
	if err := o.Check(); err != nil {
		return nil, err
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
	x, err := krylov.Solve(s, o.Tolerance, o.Most, func(k int, norm float64) {
		norms = append(norms, norm)
		if k%o.Every == 0 {
			line(k, norm)
		}
	})
	if x == nil {
		return nil, err
	}
	iterations := len(norms) - 1
	line(iterations, norms[iterations])
	if o.Timed {
		fmt.Fprintf(w, "%.3f ns per row and iteration\n", float64(time.Since(start).Nanoseconds())/float64(a.Rows)/float64(max(iterations, 1)))
	}
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, x); err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "x: %x\n", h.Sum(nil))
	return []any{norms, x}, err
}

// matrix reads the matrix, or makes it.
func matrix(o krylov.Options) (*mtx.Matrix, error) {
	if o.File == "" {
		n, err := krylov.Points(o.Poisson)
		if err != nil {
			return nil, err
		}
		return krylov.Poisson(o.Poisson, 0, n)
	}
	file, err := os.Open(o.File)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	a, err := mtx.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.File, err)
	}
	if a.Rows != a.Columns {
		return nil, fmt.Errorf("%s has %d rows and %d columns, expected as many", o.File, a.Rows, a.Columns)
	}
	return a, nil
}
