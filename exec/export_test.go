package exec

import (
	"time"
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/checked"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/internal/workers"
)

// SetLookClock lets workers time items with that clock until restore is called.
func SetLookClock(clock func() time.Duration) (restore func()) {
	launch.LookClock = clock
	return func() { launch.LookClock = workers.Now }
}

// ItemText returns what a launch that is watched calls an index.
func ItemText[I any](i I) string { return checked.ItemText[I](unsafe.Pointer(&i)) }
