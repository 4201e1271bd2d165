package exec

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"

	"github.com/gokkos/gokkos/exec/gpu"
)

// Default returns the space of policies that carry none. The environment
// decides it, when it is first used:
//
//	GOKKOS_SPACE     serial, simgpu, or goroutines, which is the default
//	GOKKOS_WORKERS   the number of workers of goroutines, GOMAXPROCS by default
//	GOKKOS_SCHEDULE  the schedule of simgpu, see [SimGPU.WithSchedule], 0 by default
//
// Any other value is an error, returned by every launch on the default space, and so is
// a schedule for another space: a run that is to test it would test nothing.
func Default() (Space, error) { return defaultSpace() }

var defaultSpace = sync.OnceValues(func() (Space, error) { return spaceFromEnv(os.Getenv) })

func spaceFromEnv(env func(name string) string) (Space, error) {
	name := env("GOKKOS_SPACE")
	workers, err := workersFromEnv(env("GOKKOS_WORKERS"))
	if err != nil {
		return nil, err
	}
	seed, err := scheduleFromEnv(env("GOKKOS_SCHEDULE"), name)
	if err != nil {
		return nil, err
	}
	switch name {
	case "serial":
		return Serial{}, nil
	case "", "goroutines":
		return NewGoroutines(workers), nil
	case "simgpu":
		return NewSimGPU(gpu.Device{}).WithSchedule(seed), nil
	}
	return nil, fmt.Errorf("exec: GOKKOS_SPACE=%q, expected serial, goroutines or simgpu", name)
}

func workersFromEnv(value string) (int, error) {
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxWorkers {
		return 0, fmt.Errorf("exec: GOKKOS_WORKERS=%q, expected a number of workers, 1 to %d", value, maxWorkers)
	}
	return n, nil
}

func scheduleFromEnv(value, space string) (uint64, error) {
	if value == "" {
		return 0, nil
	}
	if space != "simgpu" {
		return 0, fmt.Errorf("exec: GOKKOS_SCHEDULE=%q with GOKKOS_SPACE=%q, expected simgpu, the space that has schedules", value, space)
	}
	seed, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("exec: GOKKOS_SCHEDULE=%q, expected the number of a schedule, 0 to %d", value, uint64(math.MaxUint64))
	}
	return seed, nil
}
