package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Table counts events: how often, for how long, how fast. The zero value is ready.
type Table struct {
	mu          sync.Mutex
	rows        map[Event]*row
	first, last time.Time // when events began and ended
}

// row is the sum of all events that are alike: Items and Bytes are 0 in its key.
type row struct {
	calls, failed int
	took          time.Duration
	items, bytes  float64
}

// Listen is a [Listener].
func (t *Table) Listen(e Event) (end func(err error)) {
	start := time.Now()
	return func(err error) { t.add(e, start, time.Since(start), err != nil) }
}

func (t *Table) add(e Event, start time.Time, took time.Duration, failed bool) {
	key := e
	key.Items, key.Bytes = 0, 0
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows == nil {
		t.rows, t.first = map[Event]*row{}, start
	}
	r := t.rows[key]
	if r == nil {
		r = new(row)
		t.rows[key] = r
	}
	r.calls++
	r.took += took
	r.items += float64(e.Items)
	r.bytes += float64(e.Bytes)
	if failed {
		r.failed++
	}
	if start.Before(t.first) {
		t.first = start
	}
	if end := start.Add(took); end.After(t.last) {
		t.last = end
	}
}

// Empty reports whether no event has ended yet.
func (t *Table) Empty() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.rows) == 0
}

// String returns the table: regions with what they contain, what took longest first. The share is of the
// time from the first event to the end of the last. An event contains others, such as a launch those of its
// functor and a copy its launch, and each is counted. Rates are of the events' own time. Regions that are
// open, or were begun before the table listened, come last and without figures. What does not print in a label is
// written as Go escapes it.
func (t *Table) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "calls\tms\tµs each\tshare\tns/item\tGB/s\t  what")
	p := printer{w, t.last.Sub(t.first), map[string]bool{}}
	t.write(p, "", 0)
	for _, region := range t.regions() {
		if !p.written[region] {
			fmt.Fprintf(w, "\t\t\t\t\t\t  region %s, not measured\n", visible(region))
			t.write(p, region, 1)
		}
	}
	w.Flush()
	return strings.ReplaceAll("\n"+text.String(), "\n  ", "\n")[1:] // without the room before the first column
}

// regions returns the paths of all regions that events were in, outer ones first.
func (t *Table) regions() []string {
	var all []string
	for key := range t.rows {
		all = append(all, key.Region)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A printer is what the lines of a table have in common.
type printer struct {
	w       *tabwriter.Writer
	all     time.Duration   // from the first event to the last
	written map[string]bool // regions
}

// write writes the rows of a region, and below each region in it those of that.
func (t *Table) write(p printer, region string, depth int) {
	p.written[region] = true
	var keys []Event
	for key := range t.rows {
		if key.Region == region {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b Event) int {
		return cmp.Or(cmp.Compare(t.rows[b].took, t.rows[a].took), strings.Compare(a.text(), b.text()))
	})
	for _, key := range keys {
		r := t.rows[key]
		share, perItem, rate := "", "", ""
		if p.all > 0 {
			share = fmt.Sprintf("%.1f %%", 100*float64(r.took)/float64(p.all))
		}
		if r.items > 0 {
			perItem = fmt.Sprintf("%.3g", float64(r.took)/r.items)
		}
		if r.bytes > 0 && r.took > 0 && key.Kind != Allocation {
			rate = fmt.Sprintf("%.3g", r.bytes/float64(r.took))
		}
		what := strings.Repeat("  ", depth) + visible(key.text())
		if key.Kind == Allocation {
			what += fmt.Sprintf(", %.4g MB", r.bytes/1e6)
		}
		if r.failed > 0 {
			what += fmt.Sprintf(", %d failed", r.failed)
		}
		fmt.Fprintf(p.w, "%d\t%.3f\t%.1f\t%s\t%s\t%s\t  %s\n", r.calls, r.took.Seconds()*1e3, r.took.Seconds()*1e6/float64(r.calls), share, perItem, rate, what)
		if key.Kind == Region {
			if inner := joined(region, key.Label); !p.written[inner] {
				t.write(p, inner, depth+1)
			}
		}
	}
}

// visible returns text with what does not print as Go writes it between quotes, such as \n: a label must not break
// lines or columns, or steer a terminal.
func visible(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if unicode.IsPrint(r) && (r != utf8.RuneError || n > 1) {
			b.WriteString(text[:n])
		} else {
			quoted := strconv.Quote(text[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[n:]
	}
	return b.String()
}

// text names an event: its kind, its label or else its code, and where it ran.
func (e Event) text() string {
	name := cmp.Or(e.Label, e.Code, e.Policy)
	switch e.Kind {
	case Region:
		return "region " + name
	case Copy:
		return fmt.Sprintf("copy %s, %s to %s", name, e.From, e.Space)
	case Allocation:
		return fmt.Sprintf("allocation %s in %s", name, e.Space)
	}
	if e.Label != "" && e.Code != "" {
		name += " (" + e.Code + ")"
	}
	if name != "" { // a fold of a slice has none
		name += " "
	}
	return fmt.Sprintf("%v %son %s", e.Kind, name, e.Space)
}
