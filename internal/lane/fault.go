package lane

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// A Panic is the panic of a lane.
type Panic struct {
	Lane  int // its rank; -1 for a panic in the function given to Do
	Value any
	Stack []byte // of the lane, as by debug.Stack
}

func (p *Panic) Error() string {
	if p.Lane < 0 {
		return fmt.Sprintf("lane: panic: %v\n\n%s", p.Value, p.Stack)
	}
	return fmt.Sprintf("lane: panic in lane %d: %v\n\n%s", p.Lane, p.Value, p.Stack)
}

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// A Misuse is what a lane panics with when it is the call that is at fault, and not the code
// that panics.
type Misuse struct{ Err error }

func (m *Misuse) Error() string { return m.Err.Error() }

// Unwrap returns what was wrong with the call.
func (m *Misuse) Unwrap() error { return m.Err }

// An Exit is a runtime.Goexit of a lane. Only observers see it.
type Exit struct{ Lane int }

func (x *Exit) Error() string { return fmt.Sprintf("lane: lane %d called runtime.Goexit", x.Lane) }

// A Divergence says where the lanes of a block wait for one another for ever.
type Divergence struct {
	Lanes    int     // of the block
	Places   []Place // where lanes wait, by lowest lane
	Returned []Span  // the lanes that have returned
}

// A Place is a meeting in which lanes wait.
type Place struct {
	Function, File string // both empty, and Line 0, when the site is not known
	Line           int
	Deferred       bool // the call was deferred: the line is where the deferring function ended
	Op             Op
	Scope          Span   // the lanes that should meet
	Lanes          []Span // those that wait here
	After          string // the recovered panic of a deferred call: "a panic at x.go:12"; or ""
}

// A Span is the lanes from Begin to End-1.
type Span struct{ Begin, End int }

// Count returns the number of lanes in the spans.
func Count(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += s.End - s.Begin
	}
	return n
}

func (d *Divergence) Error() string {
	var b strings.Builder
	for i, p := range d.Places {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s%v at %s", p.how(), p.Op, at(p.File, p.Line))
		if p.After != "" {
			fmt.Fprintf(&b, " after %s", p.After)
		}
		if p.Scope != (Span{0, d.Lanes}) {
			fmt.Fprintf(&b, " of lanes %s", list([]Span{p.Scope}))
		}
		expected := p.Scope.End - p.Scope.Begin
		fmt.Fprintf(&b, ": %d of %d lanes arrived (%s)", Count(p.Lanes), expected, list(p.Lanes))
	}
	switch n := Count(d.Returned); n {
	case 0:
	case 1:
		fmt.Fprintf(&b, "; lane %s returned early", list(d.Returned))
	default:
		fmt.Fprintf(&b, "; %d lanes returned early (%s)", n, list(d.Returned))
	}
	return b.String()
}

func (p Place) how() string {
	if p.Deferred {
		return "deferred "
	}
	return ""
}

func at(file string, line int) string {
	if line == 0 {
		return "an unknown line"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// list writes spans as "0-3, 5".
func list(spans []Span) string {
	text := make([]string, len(spans))
	for i, s := range spans {
		text[i] = fmt.Sprint(s.Begin)
		if s.End-s.Begin > 1 {
			text[i] += fmt.Sprintf("-%d", s.End-1)
		}
	}
	return strings.Join(text, ", ")
}

// add adds a rank, which is above those in the spans.
func add(spans []Span, rank int) []Span {
	if n := len(spans); n > 0 && spans[n-1].End == rank {
		spans[n-1].End++
		return spans
	}
	return append(spans, Span{rank, rank + 1})
}

// known are the lines of sites that a return address alone does not lead to, as *runtime.Frame
// by uintptr.
var known sync.Map

// Name tells the line of a site whose function was inlined into its caller: the return address
// leads to the line inside of the inlined function only.
func Name(site uintptr, line runtime.Frame) { known.LoadOrStore(site, &line) }

// strandedAt is where a lane waited for a meeting that could not come about.
type strandedAt struct {
	wait
	after    string        // as in Place
	deferred runtime.Frame // the line, if the runtime made the call
}

func (w strandedAt) place() Place {
	p := Place{Op: w.op, After: w.after, Deferred: w.deferred.Line > 0}
	p.Scope = Span{w.scope.begin, w.scope.end}
	if w.site == 0 {
		return p
	}
	frame, _ := runtime.CallersFrames([]uintptr{w.site}).Next()
	if line, ok := known.Load(w.site); ok {
		frame = *line.(*runtime.Frame)
	}
	if p.Deferred {
		frame = w.deferred
	}
	p.Function, p.File, p.Line = frame.Function, frame.File, frame.Line
	return p
}
