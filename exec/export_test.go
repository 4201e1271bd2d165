package exec

import (
	"time"
	"unsafe"

	"github.com/gokkos/gokkos/internal/workers"
)

// SetLookClock lets workers time items with that clock until restore is called.
func SetLookClock(clock func() time.Duration) (restore func()) {
	lookClock = clock
	return func() { lookClock = workers.Now }
}

// ItemText returns what a launch that is watched calls an index.
func ItemText[I any](i I) string { return itemText[I](unsafe.Pointer(&i)) }
