// Package environment reads what the variables of the environment say about launches.
package environment

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"sync"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/workers"
)

// Default returns the space of policies that carry none.
func Default() (space.Space, error) { return defaultSpace() }

var defaultSpace = sync.OnceValues(func() (space.Space, error) { return SpaceOf(os.Getenv) })

// SpaceOf returns the space that variables name. See exec.Default.
func SpaceOf(env func(name string) string) (space.Space, error) {
	name := env("GOKKOS_SPACE")
	if _, err := Workers(env); err != nil { // whatever the space
		return nil, err
	}
	if _, err := Schedule(env); err != nil {
		return nil, err
	}
	if err := checkDevice(env); err != nil {
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

// Workers returns the number of workers that GOKKOS_WORKERS names, or 0.
func Workers(env func(string) string) (int, error) {
	value := env("GOKKOS_WORKERS")
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > workers.Most {
		return 0, fmt.Errorf("exec: GOKKOS_WORKERS=%q, expected a number of workers, 1 to %d", value, workers.Most)
	}
	return n, nil
}

// checkDevice returns what is wrong with the number of a device, which a space of devices reads.
func checkDevice(env func(string) string) error {
	value := env("GOKKOS_DEVICE")
	if n, err := strconv.Atoi(value); value != "" && (err != nil || n < 0) {
		return fmt.Errorf("exec: GOKKOS_DEVICE=%q, expected the number of a device, from 0 on", value)
	}
	return nil
}

// Schedule returns the schedule that GOKKOS_SCHEDULE names, or 0.
func Schedule(env func(string) string) (uint64, error) {
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
