// Command cg solves a sparse symmetric system by conjugate gradients, by rows on any number of
// ranks. The residuals and the solution that it prints have the same bits on one rank and on
// many, with any number of workers:
//
//	go build ./examples/cg
//	./cg -poisson 200
//	mpirun --bind-to none --oversubscribe -n 4 ./cg -poisson 200
//	mpirun --bind-to none --oversubscribe -n 4 ./cg -file bcsstk01.mtx
//
// The matrix is that of the Poisson equation on a square, or is in a Matrix Market file, of
// which each rank keeps its rows. The right side is that for which the solution is 1 everywhere.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gokkos/gokkos/examples/arguments"
	"github.com/gokkos/gokkos/examples/cg/krylov"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/mtx"
)

// options are what a run is told.
type options struct {
	krylov.Options
	workers int
}

func main() {
	var o options
	o.Flags()
	flag.IntVar(&o.workers, "workers", 0, "workers of each rank, 0 for one per core")
	arguments.Parse("cg")
	if err := mpi.Run(func(world *mpi.Comm) error { return run(world, o, os.Stdout) }); err != nil {
		fmt.Fprintln(os.Stderr, "cg:", err)
		os.Exit(1)
	}
}

// run solves the system, and prints on the first rank.
func run(world *mpi.Comm, o options, w io.Writer) error {
	if err := o.Check(); err != nil {
		return err
	}
	if o.workers < 0 {
		return fmt.Errorf("%d workers, expected 0 or more", o.workers)
	}
	inner := exec.NewGoroutines(o.workers)
	defer inner.Close()
	rows, a, err := matrix(mpi.On(world, inner), o)
	if err != nil {
		return err
	}
	s, err := newSystem(world, inner, rows, a)
	if err != nil {
		return err
	}
	line := func(format string, args ...any) {
		if world.Rank() == 0 {
			fmt.Fprintf(w, format+"\n", args...)
		}
	}
	iterations, last, start := 0, 0.0, time.Now()
	x, unsolved := krylov.Solve(s, o.Tolerance, o.Most, func(k int, norm float64) {
		if iterations, last = k, norm; k%o.Every == 0 {
			line("%5d: %x %.3e", k, norm, norm)
		}
	})
	if x == nil {
		return unsolved
	}
	line("%5d: %x %.3e", iterations, last, last)
	if o.Timed {
		line("%.3f ns per row and iteration", float64(time.Since(start).Nanoseconds())/float64(rows.Plan().Items)/float64(max(iterations, 1)))
	}
	all, err := s.gather(x)
	if err != nil {
		return err
	}
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, all); err != nil {
		return err
	}
	line("x: %x", h.Sum(nil))
	return unsolved
}

// matrix returns the rows of all ranks, and the matrix as far as it is this one's.
func matrix(on mpi.Space, o options) (rows policy.RangePolicy, a *mtx.Matrix, err error) {
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
		a, err := krylov.Poisson(o.Poisson, begin, end)
		return rows, a, err
	}
	f, err := os.Open(o.File)
	if err != nil {
		return rows, nil, err
	}
	defer f.Close()
	from, err := mtx.NewReader(f)
	if err != nil {
		return rows, nil, err
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
	a, err = from.Rows(begin, end)
	return rows, a, err
}
