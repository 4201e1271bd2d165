package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// A reporter shows measurements.
type reporter interface {
	add(k kernel, n int, m []measurement) error
	end(typical, worst float64) error
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

func (l lines) end(float64, float64) error { return nil }

// table prints a table for each kernel and size.
type table struct{ w io.Writer }

func (t *table) add(k kernel, n int, all []measurement) error {
	var peer, limit float64 // the best
	for _, m := range all {
		switch {
		case m.Impl == readLimit:
			limit = m.Median
		case len(m.Impl) > 6 && m.Impl[:6] == "gokkos":
		case peer == 0 || m.Median < peer:
			peer = m.Median
		}
	}
	if len(all) == 0 {
		return nil
	}
	fmt.Fprintf(t.w, "\n%s, %d items, %d workers\n", k.name, n, all[0].Workers)
	w := tabwriter.NewWriter(t.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\tns/item\tleast\tGB/s\tallocs\tof best peer\tof read limit\t\n")
	for _, m := range all {
		rate := "-"
		if k.bytes > 0 {
			rate = fmt.Sprintf("%.1f", m.Rate)
		}
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%s\t%.3g\t%s\t%s\t\n", m.Impl, m.Median, m.Least, rate, m.Allocs, ratio(m.Median, peer), ratio(m.Median, limit))
	}
	return w.Flush()
}

func ratio(x, y float64) string {
	if y == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", x/y)
}

func (t *table) end(typical, worst float64) error {
	_, err := fmt.Fprintf(t.w, "\nnoise: the quartiles of the rounds are %.0f %% apart typically, %.0f %% at worst\n", 100*typical, 100*worst)
	return err
}
