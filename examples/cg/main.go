// Cg solves a sparse symmetric system by the method of conjugate gradients:
//
//	go -C examples run ./cg -poisson 200
//	go -C examples run ./cg -file /tmp/bcsstk01.mtx
//
// The matrix is that of the Poisson equation on a square, or is in a Matrix Market file. The right side is that for which
// the solution is 1 everywhere. Products of rows are items of a range, and dot products are folds, so each iteration has
// the same residual, to the last bit, on all spaces, and on any number of ranks, each of which keeps its rows:
//
//	go -C examples build -o /tmp/cg ./cg
//	mpirun --bind-to none --oversubscribe -n 4 /tmp/cg -space mpi -poisson 200
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
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/mtx"
)

// noCard says why -space cuda is an error.
const noCard = "its vectors and the matrix are slices: views in the memory of the card can take their place"

func main() {
	var o krylov.Options
	o.Flags()
	spaces.Choice{Name: "all", Ranks: true, NoCard: noCard}.Main("cg", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) })
}

// run solves the system.
func run(w io.Writer, on exec.Space, o krylov.Options) ([]any, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	rows, a, err := matrix(on, o)
	if err != nil {
		return nil, err
	}
	s, err := newSystem(on, rows, a)
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
		fmt.Fprintf(w, "%.3f ns per row and iteration\n", float64(time.Since(start).Nanoseconds())/float64(rows.Plan().Items)/float64(max(iterations, 1)))
	}
	all, lost := s.whole(x)
	if lost != nil {
		return nil, lost
	}
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, all); err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "x: %x\n", h.Sum(nil))
	return []any{norms, all}, err
}

// A system is A·x = b on one space, or the rows of it that a rank has.
type system interface {
	krylov.System
	// whole returns the elements of x of all ranks, on the first one.
	whole(x []float64) ([]float64, error)
}

// newSystem returns the system with a right side for which the solution is 1 everywhere.
func newSystem(on exec.Space, rows policy.RangePolicy, a *mtx.Matrix) (system, error) {
	if ranks, spread := on.(mpi.Space); spread {
		return newSpread(ranks, rows, a)
	}
	return newLocal(rows, a)
}

// matrix reads the matrix, or makes it. It returns its rows, and those that are on this rank.
func matrix(on exec.Space, o krylov.Options) (rows policy.RangePolicy, a *mtx.Matrix, err error) {
	if o.File == "" {
		n, err := krylov.Points(o.Poisson)
		if err != nil {
			return rows, nil, err
		}
		rows = policy.Range(0, n).On(on)
		begin, end, err := mpi.Part(on, rows)
		if err != nil {
			return rows, nil, err
		}
		a, err = krylov.Poisson(o.Poisson, begin, end)
		return rows, a, err
	}
	file, err := os.Open(o.File)
	if err != nil {
		return rows, nil, err
	}
	defer file.Close()
	from, err := mtx.NewReader(file)
	if err != nil {
		return rows, nil, fmt.Errorf("%s: %w", o.File, err)
	}
	h := from.Header
	if h.Rows != h.Columns {
		return rows, nil, fmt.Errorf("%s has %d rows and %d columns, expected as many", o.File, h.Rows, h.Columns)
	}
	rows = policy.Range(0, h.Rows).On(on)
	begin, end, err := mpi.Part(on, rows)
	if err != nil {
		return rows, nil, err
	}
	if a, err = from.Rows(begin, end); err != nil {
		err = fmt.Errorf("%s: %w", o.File, err)
	}
	return rows, a, err
}
