// Package check is what a simulated GPU that watches its kernels has found: see
// [github.com/gokkos/gokkos/exec.SimGPU.WithChecks].
//
// A kernel that races gives right results on a CPU for years, and wrong ones on a device. A
// launch that is watched sees each access that the functor makes, and ends with an [*Error]
// that names the lines and the items or members of what no barrier orders. Its results are not
// stored.
//
// Accesses are seen in packages that are built for it, by a flag of the compiler:
//
//	go test -gcflags=-race ./...
//
// Without the flag, or with -race, whose detector takes the place of this one, a launch that is
// watched sees nothing.
package check

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// What a finding is. An [*Error] wraps those of its findings.
var (
	ErrRace          = errors.New("race: two accesses to the same memory, one of them a write, that nothing orders")
	ErrUninitialised = errors.New("uninitialised: scratch memory is read before it is written")
	ErrResult        = errors.New("result: a functor touches the result place of its own launch")
	ErrScan          = errors.New("scan: a functor writes in the pass that is not final")
)

// An Access is one that a functor makes.
type Access struct {
	By       string // who makes it, such as "item 12" or "team 3, member 17"
	Does     string // "reads", "writes" or "updates", as atomic operations do
	File     string // path of the source
	Line     int
	Function string
}

func (a Access) String() string {
	return fmt.Sprintf("%s %s at %s:%d", a.By, a.Does, filepath.Base(a.File), a.Line)
}

// A Finding is what happens between two lines, or at one.
type Finding struct {
	Err    error // ErrRace and its kin
	Now    Access
	Before Access // the earlier access of a race, in the order of the schedule
	Count  int    // how often this was seen
	Others []string
}

// String returns the finding as lines of text.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\n\t%v", f.Err, f.Now)
	if f.Before.File != "" {
		fmt.Fprintf(&b, "\n\t%v, earlier in this schedule", f.Before)
	}
	if f.Count > 1 {
		fmt.Fprintf(&b, "\n\tseen %d times", f.Count)
		if len(f.Others) > 0 {
			fmt.Fprintf(&b, ", then by %s", strings.Join(f.Others, ", "))
		}
	}
	return b.String()
}

// An Error is what was found in a launch.
type Error struct {
	Launch   string // its label, and where it ran
	Findings []Finding
	More     int // findings that are left out
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "check: %s:", e.Launch)
	for _, f := range e.Findings {
		fmt.Fprintf(&b, "\n%v", f)
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\nand %d more findings", e.More)
	}
	return b.String()
}

// Unwrap returns the errors of the findings.
func (e *Error) Unwrap() []error {
	errs := make([]error, len(e.Findings))
	for k, f := range e.Findings {
		errs[k] = f.Err
	}
	return errs
}
