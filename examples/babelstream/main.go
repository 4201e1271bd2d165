// Babelstream measures how fast memory is, with the five kernels of BabelStream, its options, and its table, so that
// lines can be compared with those of the C++ program:
//
//	go -C examples run ./babelstream -s 33554432 -n 100 -space goroutines
//
//	Copy   c = a          Add    c = a + b          Dot    Σ a·b
//	Mul    b = .4·c       Triad  a = b + .4·c
//
// As there, the first round does not count, and a rate is that of the fastest round. The arrays and the sum are checked
// at the end, by one element computed beside, and all elements are held against each other by the sums that are
// compared between spaces.
//
// Source: T. Deakin, J. Price, M. Martineau, S. McIntosh-Smith, Evaluating attainable memory bandwidth of parallel
// programming models via BabelStream, IJCSE 17 (2018).
package main

import (
	"flag"
	"fmt"
	"io"
	"unsafe"

	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

// options are those of BabelStream.
type options struct {
	size, times       int
	float, triad, csv bool
	mebibytes         bool
}

// noCard says why -space cuda is an error.
const noCard = "its arrays are slices, and its functors get spans: cards take views, and an index"

func main() {
	var o options
	for _, name := range []string{"arraysize", "s"} {
		flag.IntVar(&o.size, name, 1<<25, "elements of an array")
	}
	for _, name := range []string{"numtimes", "n"} {
		flag.IntVar(&o.times, name, 100, "rounds, of which the first does not count")
	}
	flag.BoolVar(&o.float, "float", false, "float32 in place of float64")
	flag.BoolVar(&o.triad, "triad-only", false, "only the triad")
	flag.BoolVar(&o.csv, "csv", false, "the table as CSV")
	flag.BoolVar(&o.mebibytes, "mibibytes", false, "MiB in place of MB")
	spaces.Choice{Name: "goroutines", Timed: true, NoCard: noCard}.Main("babelstream", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) })
}

// run measures all kernels, prints the table, and returns the sums that rounds gave.
func run(w io.Writer, on exec.Space, o options) ([]any, error) {
	if o.size < 1 || o.times < 2 {
		return nil, fmt.Errorf("%d elements and %d rounds, expected at least 1 and 2", o.size, o.times)
	}
	if err := arguments.Fits(3*map[bool]int{false: 8, true: 4}[o.float], o.size); err != nil {
		return nil, err
	}
	if o.float {
		return measure[float32](w, on, o)
	}
	return measure[float64](w, on, o)
}

func measure[T float](w io.Writer, on exec.Space, o options) ([]any, error) {
	head(w, on, o, unsafe.Sizeof(T(0)))
	s, err := newStream[T](on, o.size)
	if err != nil {
		return nil, err
	}
	rows, err := s.rounds(o.times, o.triad)
	if err != nil {
		return nil, err
	}
	table(w, rows, o, unsafe.Sizeof(T(0)))
	if err := s.check(o.times, o.triad); err != nil {
		return nil, err
	}
	return s.results()
}
