package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	levels "github.com/gokkos/gokkos/exec/kernel"
)

// beyond is how many times as long as a lower level a level may take without a mark.
const beyond = 1.1

// lower returns the fastest of the lower levels of a form, a closure among them, and how many times as long a measurement
// takes: the least of the rounds of each, as others on the machine only add to them. It has no name if there are none.
func lower(all []measurement, m measurement) (of measurement, ratio float64) {
	form, level := levelOf(m.Impl)
	for _, b := range all {
		if f, l := levelOf(b.Impl); f == form && l < level && b.Missing == "" && (of.Impl == "" || b.Least < of.Least) {
			of = b
		}
	}
	return of, m.Least / of.Least
}

// highest returns the measurement of the highest level of a form.
func highest(all []measurement, form string) (high measurement) {
	of := levels.Closure
	for _, m := range all {
		if f, level := levelOf(m.Impl); f == form && level >= of && m.Missing == "" {
			high, of = m, level
		}
	}
	return high
}

// first returns the measurement of what one writes first, and the same compiled where it stands. The second is the first
// if it has no loop.
func first(all []measurement) (written, inPlace measurement) {
	for _, form := range firsts {
		if written = best(all, func(name string) bool { return name == form }); written.Impl != "" {
			return written, highest(all, form)
		}
	}
	return written, written
}

// A summary has what all rows of a program come to: geometric means of forms beside their peers, the worst rows, and levels
// that are slower than lower ones.
type summary struct {
	forms, peers []string                // in their order
	ratios       map[[2]string][]float64 // by form and peer
	worst        []row                   // compiled in place, beside its peer
	slower       []row                   // a level beside the best lower one
}

// A row is a kernel at a size with what it takes beside a peer.
type row struct {
	name, impl, peer string
	ratio            float64
}

// comparedWith are the peers of a summary.
var comparedWith = []struct {
	name string
	is   func(impl string) bool
}{{kokkos, onKokkos}, {"C++", func(name string) bool { return strings.HasPrefix(name, "cpp-") }}, {plain, func(name string) bool { return name == plain }}}

// add takes the measurements of a kernel.
func (s *summary) add(k kernel, n int, all []measurement) {
	name := k.name + ", " + label(k, n)
	written, inPlace := first(all)
	forms := map[string]measurement{"written first": written, "the same, compiled in place": inPlace, "the best form": best(all, ours)}
	order := []string{"written first", "the same, compiled in place", "the best form"}
	for _, m := range all {
		if form, level := levelOf(m.Impl); ours(form) && m.Missing == "" {
			forms[m.Impl] = m
			order = append(order, m.Impl)
			if of, ratio := lower(all, m); level > levels.Closure && of.Impl != "" && ratio > beyond {
				s.slower = append(s.slower, row{name, m.Impl, of.Impl, ratio})
			}
		}
	}
	compared := false
	for _, p := range comparedWith {
		peer := best(all, p.is)
		if peer.Impl == "" {
			continue
		}
		for _, form := range order {
			if m := forms[form]; m.Impl != "" {
				s.note(form, p.name, m.Median/peer.Median)
			}
		}
		if !compared && inPlace.Impl != "" { // beside the first peer that there is
			s.worst = append(s.worst, row{name, inPlace.Impl, peer.Impl, inPlace.Median / peer.Median})
			compared = true
		}
	}
}

// note takes a ratio.
func (s *summary) note(form, peer string, ratio float64) {
	if s.ratios == nil {
		s.ratios = map[[2]string][]float64{}
	}
	if !slices.Contains(s.forms, form) {
		s.forms = append(s.forms, form)
	}
	if !slices.Contains(s.peers, peer) {
		s.peers = append(s.peers, peer)
	}
	at := [2]string{form, peer}
	s.ratios[at] = append(s.ratios[at], ratio)
}

// write prints the summary, if there is more than one row to sum up.
func (s *summary) write(out io.Writer) error {
	if len(s.worst) > 1 {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprint(w, "\ngeometric means, of as many rows")
		for _, p := range s.peers {
			fmt.Fprintf(w, "\tof %s\t", p)
		}
		fmt.Fprintln(w)
		for _, form := range s.forms {
			fmt.Fprint(w, form)
			for _, p := range s.peers {
				if r := s.ratios[[2]string{form, p}]; r != nil {
					fmt.Fprintf(w, "\t%.2f\t%d", geometricMean(r), len(r))
				} else {
					fmt.Fprint(w, "\t-\t")
				}
			}
			fmt.Fprintln(w)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	worstRows(out, "compiled in place, the worst rows", s.worst, 8)
	worstRows(out, fmt.Sprintf("levels that take more than %.1f times as long as a lower one", beyond), s.slower, len(s.slower))
	return nil
}

// worstRows prints the rows with the largest ratios.
func worstRows(out io.Writer, title string, list []row, most int) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	list = slices.SortedFunc(slices.Values(list), func(a, b row) int { return cmp.Compare(b.ratio, a.ratio) })
	for _, r := range list[:min(most, len(list))] {
		fmt.Fprintf(out, "%.2f  %s: %s beside %s\n", r.ratio, r.name, r.impl, r.peer)
	}
}

// geometricMean returns that of numbers above 0.
func geometricMean(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x)))
}
