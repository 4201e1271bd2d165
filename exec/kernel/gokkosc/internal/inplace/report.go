package inplace

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
)

// targets are the names of all targets, in the order of reports.
var targets = []string{"go", "avx2", "avx512", "ptx"}

// A report lists functors, and for each its loops, or why it runs as a closure.
type report struct{ functors []*functor }

// reportFile is the name of the report in a program's folder. Paths in the report are absolute.
const reportFile = "report.json"

// keep writes a report to the folder of a program.
func (r *report) keep(folder string) error {
	text, err := json.Marshal(r.functors)
	if err == nil {
		err = generate.Put(filepath.Join(folder, reportFile), text)
	}
	if err != nil {
		return fmt.Errorf("gokkosc: %w", err)
	}
	return nil
}

// readReport returns the report of a program. It shortens the paths to relative ones, see short.
func readReport(folder string) (*report, error) {
	r := &report{}
	text, err := os.ReadFile(filepath.Join(folder, reportFile))
	if err == nil {
		err = json.Unmarshal(text, &r.functors)
	}
	if err != nil {
		return nil, fmt.Errorf("gokkosc: %w", err)
	}
	for _, f := range r.functors {
		f.File = short(f.File)
		for _, list := range [][]reason{f.Body, f.Closure} {
			for n := range list {
				if at := &list[n].At; *at != "" {
					*at = short(*at)
				}
			}
		}
	}
	return r, nil
}

// A functor is a line of a report.
type functor struct {
	Package string            `json:"package"`
	File    string            `json:"file"`
	Line    int               `json:"line"`
	Column  int               `json:"column"`
	Launch  string            `json:"launch"`
	Types   string            `json:"types,omitempty"`   // type arguments: "T = float64"
	Loops   []string          `json:"loops"`             // the targets that it is compiled for
	Without map[string]string `json:"without,omitempty"` // why it has no loop for others
	Body    []reason          `json:"body,omitempty"`    // why its loop has its body as it stands
	Closure []reason          `json:"closure,omitempty"` // why it runs as a closure
	Allowed bool              `json:"allowed,omitempty"` // the functor's line has the comment //gokkos:closure
	Long    []string          `json:"long,omitempty"`    // targets whose assembly is long
	Fuses   string            `json:"fuses,omitempty"`   // position of a product that Go fuses with a sum in other builds
	Unfused string            `json:"unfused,omitempty"` // text to write in place of that product
	Cost    string            `json:"cost,omitempty"`    // estimated cost of an item
}

// A reason is why a functor runs as a closure.
type reason struct {
	At     string `json:"at"`
	Reason string `json:"reason"`
	Help   string `json:"help,omitempty"`
}

// add adds the functors of a package.
func (r *report) add(c *generate.Package) {
	for _, k := range c.Compiled {
		if k.Site != nil {
			r.functors = append(r.functors, functorOf(c, k))
		}
	}
}

func functorOf(c *generate.Package, k *generate.Kernel) *functor {
	f := loopsOf(c, k)
	if len(f.Closure) > 0 && c.ByBody(k) {
		f.Loops, f.Body, f.Closure = targets[:1], f.Closure, nil
	}
	return f
}

// loopsOf returns the loops that are made of a functor's kernel, or why it has no kernel.
func loopsOf(c *generate.Package, k *generate.Kernel) *functor {
	f := &functor{Package: c.Path, File: k.Site.From.Filename, Line: k.Site.From.Line, Column: k.Site.From.Column, Launch: k.Site.Launch, Types: k.Site.Types, Allowed: k.Site.Accepted}
	if r := k.Refused; r != nil {
		for _, r := range append([]*front.Refusal{r}, k.Others...) {
			at := r.Pos
			at.Filename = filepath.Join(c.Dir, at.Filename)
			f.Closure = append(f.Closure, reason{at.String(), r.Reason, r.Help})
		}
		return f
	}
	f.Loops, f.Without = c.Loops(k)
	if len(f.Loops) == 0 {
		for _, name := range targets {
			of := reason{Reason: f.Without[name]}
			if of.Reason != "" && !slices.Contains(f.Closure, of) {
				f.Closure = append(f.Closure, of)
			}
		}
		f.Without = nil
		return f
	}
	f.Cost, f.Long = generate.Cost(k), k.Long
	if k.Fuses.IsValid() {
		f.Fuses, f.Unfused = k.Fuses.String(), k.Unfused
	}
	return f
}

// short returns a path relative to the working directory, if the relative path is shorter.
func short(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}

// write writes a report, and returns an error if functors are closures that must not be.
func (r *report) write(a *Arguments, stdout, stderr io.Writer) error {
	var strict []*functor
	for _, f := range r.functors {
		if len(f.Closure) > 0 && !f.Allowed {
			strict = append(strict, f)
		}
		switch {
		case a.JSON:
			line, err := json.Marshal(f)
			if err != nil {
				return fmt.Errorf("gokkosc: %w", err)
			}
			fmt.Fprintf(stdout, "%s\n", line)
		case a.Command == "report":
			fmt.Fprint(stdout, f)
		case len(f.Closure) > 0 && !f.Allowed:
			fmt.Fprint(stderr, f)
		}
	}
	if a.Strict && len(strict) > 0 {
		f := strict[0]
		return fmt.Errorf("gokkosc: %d of %d functors run as closures, the first of them at %s:%d; "+
			"change them, or write //gokkos:closure on their lines", len(strict), len(r.functors), f.File, f.Line)
	}
	return nil
}

// String returns what runs, and the reasons, each on a line.
func (f *functor) String() string {
	var b strings.Builder
	at, launch := fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column), f.Launch
	if f.Types != "" {
		launch += " with " + f.Types
	}
	if why := slices.Concat(f.Body, f.Closure); len(why) > 0 {
		runs := "as a closure"
		if len(f.Body) > 0 {
			runs = "as a loop for go that has its body as it stands, and no further loops"
		}
		fmt.Fprintf(&b, "%s: the functor of %s runs %s:\n", at, launch, runs)
		for _, r := range why {
			fmt.Fprintf(&b, "\t%v\n", r)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "%s: the functor of %s runs as loops for %s: %s\n", at, launch, generate.List(f.Loops), f.Cost)
	for _, name := range targets {
		if why := f.Without[name]; why != "" {
			fmt.Fprintf(&b, "\tnot for %s: %s\n", name, why)
		}
	}
	for _, long := range f.Long {
		fmt.Fprintf(&b, "\tthe loop for %s\n", long)
	}
	if f.Fuses != "" {
		fmt.Fprintf(&b, "\tin builds for other processors a closure: Go fuses the product at %s with a sum there; write %s to compile it for all\n", f.Fuses, f.Unfused)
	}
	return b.String()
}

func (r reason) String() string {
	s := r.Reason
	if r.At != "" {
		s = r.At + ": " + s
	}
	if r.Help != "" {
		s += "; " + r.Help
	}
	return s
}
