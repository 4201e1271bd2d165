package exec_test

import (
	"time"
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/checked"
	looks "github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/internal/workers"
)

// setLookClock lets workers time items with that clock until restore is called.
func setLookClock(clock func() time.Duration) (restore func()) {
	looks.LookClock = clock
	return func() { looks.LookClock = workers.Now }
}

// itemText returns what a launch that is watched calls an index.
func itemText[I any](i I) string { return checked.ItemText[I](unsafe.Pointer(&i)) }
