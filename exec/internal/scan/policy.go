package scan

import (
	"github.com/gokkos/gokkos/exec/space/device"
)

// A leavesScanner is a policy that knows the functor of a scan, and runs it for several leaves at once.
type leavesScanner[A any] interface {
	// ScanLeaves runs the items begin to end-1, in leaves of leaf items, each leaf with an accumulator
	// of its own. It does not panic.
	ScanLeaves(begin, end, leaf int, accs []A, final bool)
}

// A valuesScanner is a policy that names the values in memory that a scan joins, and the place of the
// results. It does not name the reducer.
type valuesScanner interface{ ScanValues() device.Scan }
