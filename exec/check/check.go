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
	"encoding/json"
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
	ErrAccumulator   = errors.New("accumulator: a functor touches an accumulator that it was not given")
	ErrScan          = errors.New("scan: a functor writes in the pass that is not final")
	ErrHost          = errors.New("host: another goroutine touches what a functor works with, while it runs")
	ErrSide          = errors.New("side: memory of a device is touched while no launch runs there")
	ErrMirror        = errors.New("mirror: what is read has another value in its mirror since the two were copied")
	ErrMemory        = errors.New("memory: a functor on a device touches memory of the host")
	ErrLaw           = errors.New("law: a reducer does not keep a law of reducers on partial results of this launch")
)

// An Option is what a launch is watched for that not every kernel can pass that is right: see
// [github.com/gokkos/gokkos/exec.SimGPU.WithChecks].
type Option uint8

const (
	// DeviceMemory asks for [ErrMemory]: functors may touch the memory of the device, scratch memory
	// and what is their own, as those of a card may. Memory of the host are slices and views there,
	// variables of packages, and variables around the functor that it captures by reference: those
	// that are assigned to later or have more than 128 bytes.
	DeviceMemory Option = 1 << iota
	// Mirrors asks for [ErrMirror]: an element is read in a view on the host or in its mirror on the
	// device, made by views.Mirror, MirrorView or MirrorCopy since the option was given, and only the
	// other of the two has another value than when views.DeepCopy copied one to the other. A kernel
	// that reads so ends with the error; what the host reads so is told when the space is closed. A
	// view whose content comes from elsewhere by DeepCopy is no mirror any more. Nor is one on the
	// host whose mirror was copied to other memory there: its old content may be wanted.
	Mirrors
)

// An Access is one that a functor makes, or the host. Of a law, it is the Join of the reducer, whose
// File is "" where only the compiler knows it.
type Access struct {
	By       string `json:"by"`   // who makes it, such as "item 12" or "team 3, member 17 of sub-group 0"
	Does     string `json:"does"` // "reads", "writes", "updates", as atomic operations do, or "joins"
	File     string `json:"file"` // path of the source
	Line     int    `json:"line"`
	Function string `json:"function"`
	After    Call   `json:"after,omitzero"`  // the barrier of the team before it
	Before   Call   `json:"before,omitzero"` // and the one behind it
}

// A Call is a place in the source. It is the zero value if it is not known, or if there is none.
type Call struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func (c Call) String() string { return fmt.Sprintf("%s:%d", filepath.Base(c.File), c.Line) }

func (a Access) String() string {
	does := a.Does
	if strings.HasPrefix(a.By, "items ") { // of a span
		does = strings.TrimSuffix(does, "s")
	}
	s := a.By + " " + does
	if a.File != "" {
		s += fmt.Sprintf(" at %v", Call{a.File, a.Line})
	}
	switch none := (Call{}); {
	case a.After != none && a.Before != none:
		s += fmt.Sprintf(", between the barriers at %v and %v", a.After, a.Before)
	case a.After != none:
		s += fmt.Sprintf(", after the barrier at %v", a.After)
	case a.Before != none:
		s += fmt.Sprintf(", before the barrier at %v", a.Before)
	}
	return s
}

// A Finding is what happens between two lines, or at one. As JSON it has these fields, and kind in
// place of Err: "race", "uninitialised", "result", "accumulator", "scan", "host", "side", "mirror", "memory" or "law".
type Finding struct {
	Err    error    `json:"-"` // ErrRace and its kin
	Now    Access   `json:"now"`
	Before Access   `json:"before,omitzero"`  // the earlier access, in the order of the schedule, or the zero value
	Place  string   `json:"place,omitempty"`  // what they touch, such as `"x" [30 30] at [2 7]`, or "" if that is not known
	Law    string   `json:"law,omitempty"`    // which law does not hold, such as "a + b is not b + a"
	Values []string `json:"values,omitempty"` // on which partial results, such as "a = 1"
	Count  int      `json:"count"`            // how often this was seen
	Others []string `json:"others,omitempty"` // by whom else: the first few
	Do     string   `json:"do,omitempty"`     // what to do about it
}

// kind returns the first word of what the finding is.
func (f Finding) kind() string {
	kind, _, _ := strings.Cut(fmt.Sprint(f.Err), ":")
	return kind
}

// MarshalJSON implements [json.Marshaler].
func (f Finding) MarshalJSON() ([]byte, error) {
	type fields Finding
	return json.Marshal(struct {
		Kind string `json:"kind"`
		fields
	}{f.kind(), fields(f)})
}

// String returns the finding as lines of text.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\n\t%v", f.Err, f.Now)
	if f.Before.File != "" {
		fmt.Fprintf(&b, "\n\t%v, earlier in this schedule", f.Before)
	}
	if f.Law != "" {
		fmt.Fprintf(&b, "\n\t%s", f.Law)
	}
	for _, v := range f.Values {
		fmt.Fprintf(&b, "\n\t\t%s", v)
	}
	if f.Place != "" {
		fmt.Fprintf(&b, "\n\tof %s", f.Place)
	}
	if f.Count > 1 {
		fmt.Fprintf(&b, "\n\tseen %d times", f.Count)
		if len(f.Others) > 0 {
			fmt.Fprintf(&b, ", then by %s", strings.Join(f.Others, "; "))
		}
	}
	if f.Do != "" {
		fmt.Fprintf(&b, "\n\tdo: %s", f.Do)
	}
	return b.String()
}

// An Error is what was found in a launch: at most 20 findings, in the order of their errors above,
// then of their files and lines.
type Error struct {
	Launch   string    `json:"launch"` // its label, and where it ran
	Findings []Finding `json:"findings"`
	More     int       `json:"more,omitempty"` // findings that are left out
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
