package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	levels "github.com/gokkos/gokkos/exec/kernel"
)

// markdown prints one table with a row for each kernel and size: what one writes first beside
// the same compiled where it stands, the best of ours, and that beside the best of others; no form is left out. Of a
// compiled form there is the level that runs.
type markdown struct {
	w     io.Writer
	about string // what the figures are
	begun bool
	sum   summary
}

// firsts are what one writes first, the first that a kernel has.
var firsts = []string{"gokkos-index", "gokkos-team", "gokkos-fold"}

// columns are those of all peers on their own; of C++ the one that is written first, of Kokkos
// the best one.
var columns = []string{plain, "errgroup", "gonum", kokkos, cppFirst}

func (t *markdown) add(k kernel, n int, all []measurement) error {
	if len(all) == 0 {
		return nil
	}
	if !t.begun {
		fmt.Fprintf(t.w, "| kernel, items | written first | in place | best form | other forms | %s | best C++ | of best peer |\n", strings.Join(columns, " | "))
		fmt.Fprintln(t.w, strings.Repeat("|---", 7+len(columns))+"|")
		t.begun = true
	}
	t.sum.add(k, n, all)
	first, inPlace := first(all)
	all = slices.DeleteFunc(slices.Clone(all), func(m measurement) bool {
		form, level := levelOf(m.Impl)
		return level > levels.Closure && m.Impl != highest(all, form).Impl && m.Missing == ""
	})
	better := best(all, ours)
	cpp := best(all, func(name string) bool { return strings.HasPrefix(name, "cpp-") })
	row := []string{k.name + ", " + label(k, n), named(first, "gokkos-"), cell(inPlace), named(better, "gokkos-")}
	if inPlace.Impl == first.Impl {
		row[2] = ""
	}
	if better.Impl == first.Impl || better.Impl == inPlace.Impl {
		row[3] = "the same"
	}
	var others []string
	for _, m := range all {
		if ours(m.Impl) && m.Impl != first.Impl && m.Impl != inPlace.Impl && m.Impl != better.Impl && m.Missing == "" {
			others = append(others, named(m, "gokkos-"))
		}
	}
	row = append(row, strings.Join(others, ", "))
	for _, name := range columns {
		row = append(row, cell(best(all, func(impl string) bool { return strings.HasPrefix(impl, name) })))
	}
	for _, m := range all {
		if m.Impl == cppFirst && m.Missing != "" {
			row[len(row)-1] = "not measured"
		}
	}
	if cpp.Impl == cppFirst {
		row = append(row, "the same")
	} else {
		row = append(row, named(cpp, "cpp-"))
	}
	_, err := fmt.Fprintf(t.w, "| %s | %s |\n", strings.Join(row, " | "), mark(better, best(all, isPeer)))
	return err
}

func (t *markdown) end(n noise) error {
	if err := t.sum.write(t.w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.w, "\n%s; %s\n", t.about, n)
	return err
}

// named is the cell of a measurement with the name of the implementation, less a prefix.
func named(m measurement, prefix string) string {
	if m.Impl == "" {
		return ""
	}
	return strings.TrimPrefix(m.Impl, prefix) + " " + cell(m)
}

// cell is the time of an item, and in parentheses the processor time where more than one core
// took part.
func cell(m measurement) string {
	if m.Impl == "" {
		return ""
	}
	if m.CPU > 1.15*m.Median {
		return digits(m.Median) + " (" + digits(m.CPU) + ")"
	}
	return digits(m.Median)
}

// mark is how many times as long a takes as a peer, in bold if that is slower.
func mark(a, peer measurement) string {
	switch {
	case a.Impl == "" || peer.Impl == "":
		return ""
	case a.Median > peer.Median*1.005:
		return "**" + digits(a.Median/peer.Median) + "**"
	}
	return digits(a.Median / peer.Median)
}

// digits formats x with two digits, more before the point.
func digits(x float64) string {
	switch {
	case x >= 9.95:
		return fmt.Sprintf("%.0f", x)
	case x >= .995:
		return fmt.Sprintf("%.1f", x)
	case x >= .0995:
		return strings.TrimPrefix(fmt.Sprintf("%.2f", x), "0")
	}
	return strings.TrimPrefix(fmt.Sprintf("%.3f", x), "0")
}

// label tells how large a run of a kernel is.
func label(k kernel, n int) string {
	if k.shape != nil {
		return k.shape(n)
	}
	return count(n)
}

// count formats a number of items, with a power of ten if it has at most two other digits.
func count(n int) string {
	short := fmt.Sprintf("%.1e", float64(n))
	if x, err := strconv.ParseFloat(short, 64); n < 1000 || err != nil || x != float64(n) {
		return fmt.Sprint(n)
	}
	mantissa, exponent, _ := strings.Cut(short, "e+")
	return strings.TrimSuffix(mantissa, ".0") + "e" + strings.TrimLeft(exponent, "0")
}
