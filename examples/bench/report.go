package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// A reporter shows measurements.
type reporter interface {
	add(k kernel, n int, m []measurement) error
	end(noise) error
}

func newReporter(o *options, w io.Writer) reporter {
	switch {
	case o.json:
		return lines{w}
	case o.markdown:
		return &markdown{w: w, about: o.about()}
	}
	return &table{w: w, about: o.about()}
}

// lines prints a line of JSON for each measurement.
type lines struct{ w io.Writer }

func (l lines) add(_ kernel, _ int, m []measurement) error {
	encoder := json.NewEncoder(l.w)
	for _, m := range m {
		if err := encoder.Encode(m); err != nil {
			return err
		}
	}
	return nil
}

func (l lines) end(noise) error { return nil }

// table prints a table for each kernel and size.
type table struct {
	w     io.Writer
	about string // what the figures are
	sum   summary
}

func (t *table) add(k kernel, n int, all []measurement) error {
	if len(all) == 0 {
		return nil
	}
	t.sum.add(k, n, all)
	peer := best(all, isPeer)
	limit := best(all, func(name string) bool { return name == readLimit })
	fmt.Fprintf(t.w, "\n%s, %s, %s\n", k.name, counted(n, "item"), counted(all[0].Workers, "worker"))
	w := tabwriter.NewWriter(t.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\tns/item\tleast\tCPU\tGB/s\tallocs\tof best peer\tof read limit\tof lower level\treversed\t\n")
	for _, m := range all {
		if m.Missing != "" {
			continue
		}
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%s\t%s\t%.3g\t%s\t%s\t%s\t%s\t\n", m.Impl, m.Median, m.Least, figure("%.4g", m.CPU),
			figure("%.1f", m.Rate), m.Allocs, ratio(m.Median, peer), ratio(m.Median, limit), ofLower(all, m), figure("%.2f", m.Orders))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, m := range all {
		if m.Missing != "" {
			first, _, _ := strings.Cut(m.Missing, "\n")
			fmt.Fprintf(t.w, "%s: not measured: %s\n", m.Impl, first)
		}
	}
	return nil
}

// isPeer reports whether an implementation is one of others.
func isPeer(name string) bool { return !ours(name) && name != readLimit }

// best returns the measurement with the least median among some implementations, or one
// without a name.
func best(all []measurement, which func(name string) bool) (least measurement) {
	for _, m := range all {
		if m.Missing == "" && which(m.Impl) && (least.Impl == "" || m.Median < least.Median) {
			least = m
		}
	}
	return least
}

// figure formats x, or what is not known as a dash.
func figure(format string, x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf(format, x)
}

func ratio(x float64, y measurement) string {
	if y.Impl == "" {
		return "-"
	}
	return fmt.Sprintf("%.2f", x/y.Median)
}

// ofLower is how many times as long a level takes as the best lower one, with a mark beyond 1.1.
func ofLower(all []measurement, m measurement) string {
	of, ratio := lower(all, m)
	switch {
	case of.Impl == "":
		return "-"
	case ratio > beyond:
		return fmt.Sprintf("%.2f !", ratio)
	}
	return fmt.Sprintf("%.2f", ratio)
}

func (t *table) end(n noise) error {
	if err := t.sum.write(t.w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.w, "\n%s; %s\n", t.about, n)
	return err
}

// String says how far figures lie apart: by the quartiles of their rounds, and if rounds have
// run in two orders, by these.
func (n noise) String() string {
	s := fmt.Sprintf("noise: the quartiles of the rounds are %.0f %% apart typically, %.0f %% at worst",
		100*among(n.spread, .5), 100*among(n.spread, .999))
	if len(n.orders) > 0 {
		s += fmt.Sprintf("\norders: reversed rounds take %.2f times as long as listed ones in the middle, %.2f to %.2f for 9 of 10 measurements, %.2f to %.2f for all",
			among(n.orders, .5), among(n.orders, .05), among(n.orders, .95), among(n.orders, 0), among(n.orders, .999))
	}
	return s
}
