package tools

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
)

// record is an event in a trace file, as chrome://tracing reads it. Times are microseconds.
type record struct {
	Name  string  `json:"name"`
	Kind  string  `json:"cat"`
	Phase string  `json:"ph"`
	Start float64 `json:"ts"`
	Took  float64 `json:"dur"`
	PID   int     `json:"pid"`
	Track int     `json:"tid"`
	About about   `json:"args"`
}

// about is what a trace file says of an event besides.
type about struct {
	Label  string `json:"label,omitempty"`
	Code   string `json:"code,omitempty"`
	Policy string `json:"policy,omitempty"`
	Space  string `json:"space,omitempty"`
	From   string `json:"from,omitempty"`
	Items  int    `json:"items,omitempty"`
	Bytes  int    `json:"bytes,omitempty"`
	Region string `json:"region,omitempty"`
	Error  string `json:"error,omitempty"`
}

// WriteTrace returns a listener that writes a trace for chrome://tracing and ui.perfetto.dev, one event in
// each write, when it has ended. Events of one time are drawn below each other, in the order in which they
// began. The array is not closed, which these programs take. After an error of w nothing more is written,
// and report is called with it, once.
func WriteTrace(w io.Writer, report func(error)) Listener {
	t := &tracer{w: w, report: report, zero: time.Now()}
	return t.listen
}

type tracer struct {
	mu     sync.Mutex
	w      io.Writer
	report func(error)
	zero   time.Time
	tracks []bool // those that an event has
	begun  bool
	failed bool
}

func (t *tracer) listen(e Event) func(error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	track := slices.Index(t.tracks, false)
	if track < 0 {
		track = len(t.tracks)
		t.tracks = append(t.tracks, true)
	}
	t.tracks[track] = true
	start := time.Since(t.zero)
	return func(err error) { t.end(e, track, start, err) }
}

func (t *tracer) end(e Event, track int, start time.Duration, err error) {
	r := record{
		Name: cmp.Or(e.Label, e.Code, e.Policy, e.Kind.String()), Kind: e.Kind.String(), Phase: "X", PID: 1, Track: track + 1,
		Start: float64(start) / 1e3, Took: float64(time.Since(t.zero)-start) / 1e3,
		About: about{Label: e.Label, Code: e.Code, Policy: e.Policy, Space: e.Space, From: e.From, Items: e.Items, Bytes: e.Bytes, Region: e.Region},
	}
	if err != nil {
		r.About.Error = err.Error()
	}
	line, _ := json.Marshal(r) // of strings and numbers
	if err := t.write(line, track); err != nil {
		t.report(fmt.Errorf("tools: the trace ends here: %w", err))
	}
}

// write adds a line and gives the track of its event back. It returns the first error of the file.
func (t *tracer) write(line []byte, track int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tracks[track] = false
	if t.failed {
		return nil
	}
	before := "[\n"
	if t.begun {
		before = ",\n"
	}
	t.begun = true
	_, err := t.w.Write(append([]byte(before), line...))
	t.failed = err != nil
	return err
}

// longestLine is the most bytes of a line of a trace: beyond them, the file is none.
const longestLine = 1 << 30

// ReadTrace adds the events of a trace that [WriteTrace] has written. A last line that is cut is left out, unless
// there are no other events.
func (t *Table) ReadTrace(r io.Reader) error {
	lines := bufio.NewReaderSize(r, 1<<16)
	var cut error
	events := 0
	for n := 1; ; n++ {
		text, err := line(lines)
		if err != nil && err != io.EOF {
			return fmt.Errorf("tools: line %d of the trace: %w", n, err)
		}
		text = bytes.TrimSuffix(bytes.TrimRight(text, "\r\n"), []byte(","))
		if blank := len(text) == 0 || string(text) == "[" || string(text) == "]"; !blank {
			if cut != nil {
				return cut
			}
			if bad := t.read(text); bad != nil {
				cut = fmt.Errorf("tools: line %d of the trace: %w", n, bad)
			} else {
				events++
			}
		}
		if err == io.EOF && events == 0 {
			return cut
		}
		if err == io.EOF {
			return nil
		}
	}
}

// line returns the next line. Of a line that does not begin as one of a trace, it returns the beginning and an
// error: a file that is no trace may have no end.
func line(r *bufio.Reader) (text []byte, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		text = append(text, piece...)
		switch {
		case err != bufio.ErrBufferFull:
			return text, err
		case text[0] != '{':
			return nil, fmt.Errorf("it begins with %q, expected an event, in braces", text[:16])
		case len(text) > longestLine:
			return nil, fmt.Errorf("more than %d bytes", longestLine)
		}
	}
}

// read adds the event of a line.
func (t *Table) read(text []byte) error {
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	kind := slices.Index(kinds[:], r.Kind)
	const long = math.MaxInt64 / 2e3 // microseconds that a time can hold, and twice that in nanoseconds
	switch {
	case kind < 0:
		return fmt.Errorf("an event of kind %q, expected one of %s", r.Kind, strings.Join(kinds[:], ", "))
	case !(r.Start >= 0 && r.Start < long && r.Took >= 0 && r.Took < long):
		return fmt.Errorf("an event of %g µs that begins at %g µs, expected 0 to %g", r.Took, r.Start, long)
	case r.About.Items < 0 || r.About.Bytes < 0:
		return fmt.Errorf("an event of %d items and %d bytes, expected at least 0", r.About.Items, r.About.Bytes)
	}
	a := r.About
	e := Event{
		Kind: Kind(kind), Label: a.Label, Code: a.Code, Policy: a.Policy, Space: a.Space, From: a.From,
		Items: a.Items, Bytes: a.Bytes, Region: a.Region,
	}
	t.add(e, time.Unix(0, int64(r.Start*1e3)), time.Duration(r.Took*1e3), a.Error != "")
	return nil
}
