package exec

import (
	"fmt"
	"os"
	"strconv"
	"sync"

	"github.com/gokkos/gokkos/exec/gpu"
)

// Default returns the space of policies that carry none. The environment
// decides it, when it is first used:
//
//	GOKKOS_SPACE    serial, simgpu, or goroutines, which is the default
//	GOKKOS_WORKERS  the number of workers of goroutines, GOMAXPROCS by default
//
// Any other value is an error, returned by every launch on the default space.
func Default() (Space, error) { return defaultSpace() }

var defaultSpace = sync.OnceValues(func() (Space, error) {
	return spaceFromEnv(os.Getenv("GOKKOS_SPACE"), os.Getenv("GOKKOS_WORKERS"))
})

func spaceFromEnv(name, workers string) (Space, error) {
	n := 0
	if workers != "" {
		var err error
		if n, err = strconv.Atoi(workers); err != nil || n < 1 || n > maxWorkers {
			return nil, fmt.Errorf("exec: GOKKOS_WORKERS=%q, expected a number of workers, 1 to %d", workers, maxWorkers)
		}
	}
	switch name {
	case "serial":
		return Serial{}, nil
	case "", "goroutines":
		return NewGoroutines(n), nil
	case "simgpu":
		return NewSimGPU(gpu.Device{}), nil
	}
	return nil, fmt.Errorf("exec: GOKKOS_SPACE=%q, expected serial, goroutines or simgpu", name)
}
