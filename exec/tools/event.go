package tools

import "errors"

// A Kind is what an event is.
type Kind uint8

const (
	For        Kind = iota // a ParallelFor
	Reduce                 // a ParallelReduce of any number of reducers
	Scan                   // a ParallelScan, with all its passes
	Fold                   // a ParallelFold
	Copy                   // a views.DeepCopy; the launch that it makes is an event of its own
	Allocation             // of a view
	Region                 // see StartRegion
)

var kinds = [...]string{For: "for", Reduce: "reduce", Scan: "scan", Fold: "fold", Copy: "copy", Allocation: "allocation", Region: "region"}

// String returns the name of the kind in small letters, such as "for".
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "unknown"
}

// An Event is one thing that a program does. What a kind of events has not is "" or 0.
type Event struct {
	Kind   Kind
	Label  string // of the launch, the view or the region
	Code   string // where the functor of a launch is: "solver.go:41", or the name of its method
	Policy string // of a launch, its type
	Space  string // that a launch runs on; the memory of an allocation, or that a copy writes
	From   string // the memory that a copy reads
	Items  int    // of a launch
	Bytes  int    // that are copied or allocated, or that a fold reads
	Region string // the open regions, outermost first: "step/solve"
}

// ErrPanic is how an event ends that did not return.
var ErrPanic = errors.New("tools: it panicked, or ended its goroutine")
