// Tutorial is a course of fifteen short lessons, what the exercises of Kokkos' tutorials teach:
//
//	go -C examples run ./tutorial
//
// Most of them compute one number, yᵀAx of a matrix and two vectors, each time by another means. A lesson is
// one function, to be read in the order of this list; what they print has the same bits on every space.
package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
)

// A lesson computes on a space and returns what it prints.
type lesson struct {
	name string
	run  func(on exec.Space) (results []any, err error)
}

var lessons = []lesson{
	{"launches", launches},
	{"errors", failures},
	{"views", overViews},
	{"ranges that own their loop", overSpans},
	{"boxes", overBoxes},
	{"layouts", layouts},
	{"memory spaces", mirrors},
	{"subviews", subviews},
	{"teams", teams},
	{"nested loops", nested},
	{"scratch memory", scratchMemory},
	{"several reducers", severalReducers},
	{"a reducer of one's own", ownReducer},
	{"scans", scans},
	{"atomics and scatters", contributions},
}

// noCard says why -space cuda is an error.
const noCard = "some of its sections are for the host: ./heat and ./walk run on a card"

func main() {
	only := flag.Int("lesson", 0, "the number of one lesson, 0 for all")
	spaces.Choice{Name: "all", NoCard: noCard}.Main("tutorial", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, *only) })
}

// run runs one lesson or all.
func run(w io.Writer, on exec.Space, only int) (all []any, err error) {
	if only < 0 || only > len(lessons) {
		return nil, fmt.Errorf("lesson %d, expected 0 to %d", only, len(lessons))
	}
	for k, l := range lessons {
		if only != 0 && only != k+1 {
			continue
		}
		results, err := l.run(on)
		if err != nil {
			return nil, fmt.Errorf("lesson %d, %s: %w", k+1, l.name, err)
		}
		fmt.Fprintf(w, "%2d %s: %v\n", k+1, l.name, results)
		all = append(all, results...)
	}
	return all, nil
}

// The matrix of the lessons has n rows and m columns.
const n, m = 300, 96

// problem returns A, x and y, whose elements are no round numbers.
func problem() (a views.View2[float64], x, y views.View1[float64], err error) {
	if a, err = views.New2[float64]("a", n, m); err != nil {
		return a, x, y, err
	}
	if x, err = views.New1[float64]("x", m); err != nil {
		return a, x, y, err
	}
	if y, err = views.New1[float64]("y", n); err != nil {
		return a, x, y, err
	}
	for i := range n {
		y.Set(i, 1/float64(i+1))
		for j := range m {
			a.Set(i, j, 1/float64(i+j+1))
			x.Set(j, 1/float64(j+3))
		}
	}
	return a, x, y, nil
}
