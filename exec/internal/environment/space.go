// Package environment reads the environment variables that launches depend on.
package environment

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/workers"
)

// Default returns the space of policies that name no space.
func Default() (space.Space, error) { return defaultSpace() }

var defaultSpace = sync.OnceValues(func() (space.Space, error) { return SpaceOf(os.Getenv) })

// SpaceOf returns the space that the variables in env name. See exec.Default.
func SpaceOf(env func(name string) string) (space.Space, error) {
	name := env("GOKKOS_SPACE")
	if _, err := Workers(env); err != nil { // on any space
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
	case name == "" || slices.Contains(space.Names(), name): // err names another variable, which is wrong
		return nil, fmt.Errorf("%w (on the space of GOKKOS_SPACE=%q)", err, name)
	}
	return nil, fmt.Errorf("exec: GOKKOS_SPACE=%q: %w", name, err)
}

// Workers returns the number of workers in GOKKOS_WORKERS, or 0 if it is empty.
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

// checkDevice returns an error if GOKKOS_DEVICE names no devices by numbers from 0 on. Spaces of devices read it.
func checkDevice(env func(string) string) error {
	value := env("GOKKOS_DEVICE")
	if value == "" || value == "all" {
		return nil
	}
	for number := range strings.SplitSeq(value, ",") {
		if n, err := strconv.Atoi(number); err != nil || n < 0 {
			return fmt.Errorf("exec: GOKKOS_DEVICE=%q, expected the number of a device, from 0 on, numbers such as 0,1, or all", value)
		}
	}
	return nil
}

// Schedule returns the number of a schedule in GOKKOS_SCHEDULE, or 0 if it is empty.
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
