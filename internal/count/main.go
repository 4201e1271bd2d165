// Count prints how large this repository is, and fails where that is above a budget:
//
//	go run ./internal/count
//
// Lines of code are lines with more than a comment. A public name is an exported declaration, methods apart, of a package
// that others may import. A type of partial results is one more of these in a program.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
)

// A budget is what a figure may be at most. It falls when the figure does.
type budget struct {
	what string
	of   func(*figures) int
	most int
}

var budgets = []budget{
	{"lines of code", func(f *figures) int { return f.sum.code }, 114_020},
	{"generated lines", func(f *figures) int { return f.sum.generated }, 60_000},
	{"public names", func(f *figures) int { return f.sum.names }, 784},
	{"symbols for a type of partial results", func(f *figures) int { return f.symbols }, 90},
	{"KB for a type of partial results", func(f *figures) int { return f.bytes >> 10 }, 14},
	{"kinds of kernels, accumulators and policies in the tests of exec", func(f *figures) int { return f.kinds }, 150},
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "count:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	f, err := count(".")
	if err != nil {
		return err
	}
	if err := f.instantiate(); err != nil {
		return err
	}
	if err := f.write(w); err != nil {
		return err
	}
	return f.check(w, budgets)
}

// write writes the table.
func (f *figures) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "files\tcode\ttests\tgenerated\tpublic names\t \n")
	for _, a := range append(f.areas, &f.sum) {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t  %s\n", a.files, a.code, a.tests, a.generated, a.names, a.name)
	}
	return t.Flush()
}

// check writes the figures that have a budget, and returns an error that names those above it.
func (f *figures) check(w io.Writer, budgets []budget) error {
	fmt.Fprintln(w)
	var above []string
	for _, b := range budgets {
		n := b.of(f)
		fmt.Fprintf(w, "%s: %d of %d\n", b.what, n, b.most)
		if n > b.most {
			above = append(above, fmt.Sprintf("%d %s, expected %d at most", n, b.what, b.most))
		}
	}
	if len(above) > 0 {
		return fmt.Errorf("%s", strings.Join(above, "; "))
	}
	return nil
}
