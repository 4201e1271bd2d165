package simt

import (
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space/device"
)

// events is told what happens on a simulated device, in order, while it happens. The
// launch report listens to it; so can whatever checks or counts more.
type events interface {
	kernel(k gpu.Kernel)                     // a kernel begins
	block(rank int)                          // a block of it begins
	barrier()                                // all threads of the block have met
	shuffle(warps, bytes int)                // warps moved a value of that size between lanes
	atomic(n int)                            // blocks joined n values into global memory
	team() device.TeamObserver               // listens to the members of teams
	combined(column int, group, grid string) // how a column's values are joined
}
