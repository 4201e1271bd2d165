package scan

import "github.com/gokkos/gokkos/exec/space"

// A leavesScanner is a policy that knows what the functor of a scan does, and does it for
// several leaves at once.
type leavesScanner[A any] interface {
	// ScanLeaves runs the items begin to end, which are leaves of that length, each with
	// an accumulator of its own. It does not panic.
	ScanLeaves(begin, end, leaf int, accs []A, final bool)
}

// A valuesScanner is a policy that knows which values in memory a scan joins, and where its results go. It says nothing of
// the reducer.
type valuesScanner interface{ ScanValues() space.Scan }
