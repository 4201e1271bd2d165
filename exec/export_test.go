package exec

import (
	"time"

	"github.com/gokkos/gokkos/internal/workers"
)

// SetPollClock lets workers time items with that clock until restore is called.
func SetPollClock(clock func() time.Duration) (restore func()) {
	pollClock = clock
	return func() { pollClock = workers.Now }
}
