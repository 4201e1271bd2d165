package exec

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"sync"

	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
)

// Default returns the space of policies that carry none. The environment
// decides it, when it is first used:
//
//	GOKKOS_SPACE     serial, simgpu, or goroutines, which is the default, or another space
//	                 whose package the program imports, see [space.Register]
//	GOKKOS_WORKERS   the number of workers of goroutines, GOMAXPROCS by default
//	GOKKOS_SCHEDULE  the schedule of simgpu, see [SimGPU.WithSchedule], 0 by default
//	GOKKOS_DEVICE    the number of the device of a space that has several, 0 by default
//
// Any other value is an error, returned by every launch on the default space, and so is
// a schedule for another space: a run that is to test it would test nothing.
func Default() (Space, error) { return defaultSpace() }

var defaultSpace = sync.OnceValues(func() (Space, error) { return spaceFromEnv(os.Getenv) })

func spaceFromEnv(env func(name string) string) (Space, error) {
	name := env("GOKKOS_SPACE")
	if _, err := workersFromEnv(env); err != nil { // whatever the space
		return nil, err
	}
	if _, err := scheduleFromEnv(env); err != nil {
		return nil, err
	}
	if err := deviceFromEnv(env); err != nil {
		return nil, err
	}
	if seed := env("GOKKOS_SCHEDULE"); seed != "" && name != "simgpu" {
		return nil, fmt.Errorf("exec: GOKKOS_SCHEDULE=%q with GOKKOS_SPACE=%q, expected simgpu, the space that has schedules", seed, name)
	}
	on, err := space.Open(cmp.Or(name, "goroutines"), env)
	switch {
	case err == nil:
		return on, nil
	case name == "" || slices.Contains(space.Names(), name): // another variable may be wrong, which err names
		return nil, fmt.Errorf("%w (on the space of GOKKOS_SPACE=%q)", err, name)
	}
	return nil, fmt.Errorf("exec: GOKKOS_SPACE=%q: %w", name, err)
}

func init() {
	space.Register("serial", func(func(string) string) (Space, error) { return Serial{}, nil })
	space.Register("goroutines", func(env func(string) string) (Space, error) {
		n, err := workersFromEnv(env)
		return NewGoroutines(n), err
	})
	space.Register("simgpu", func(env func(string) string) (Space, error) {
		seed, err := scheduleFromEnv(env)
		return NewSimGPU(gpu.Device{}).WithSchedule(seed), err
	})
}

func workersFromEnv(env func(string) string) (int, error) {
	value := env("GOKKOS_WORKERS")
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxWorkers {
		return 0, fmt.Errorf("exec: GOKKOS_WORKERS=%q, expected a number of workers, 1 to %d", value, maxWorkers)
	}
	return n, nil
}

// deviceFromEnv returns what is wrong with the number of a device, which a space of devices reads.
func deviceFromEnv(env func(string) string) error {
	value := env("GOKKOS_DEVICE")
	if n, err := strconv.Atoi(value); value != "" && (err != nil || n < 0) {
		return fmt.Errorf("exec: GOKKOS_DEVICE=%q, expected the number of a device, from 0 on", value)
	}
	return nil
}

func scheduleFromEnv(env func(string) string) (uint64, error) {
	value := env("GOKKOS_SCHEDULE")
	if value == "" {
		return 0, nil
	}
	seed, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("exec: GOKKOS_SCHEDULE=%q, expected the number of a schedule, 0 to %d", value, uint64(math.MaxUint64))
	}
	return seed, nil
}
