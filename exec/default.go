package exec

import (
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/space"
)

// Default returns the space of policies that name no space. The environment decides it at its first use:
//
//	GOKKOS_SPACE     serial, simgpu, or goroutines, which is the default, or another space
//	                 whose package the program imports, see [space.Register]
//	GOKKOS_WORKERS   the number of workers of goroutines, GOMAXPROCS by default
//	GOKKOS_SCHEDULE  the schedule of simgpu, see [SimGPU.WithSchedule], 0 by default
//	GOKKOS_DEVICE    the devices of a space that has several: a number, numbers such as 0,2, or all; 0 by default
//
// Any other value is an error, which every launch on the default space returns. So is a schedule for another
// space than simgpu: a run with it would test no schedule.
func Default() (Space, error) { return environment.Default() }

func init() {
	space.Register("serial", func(func(string) string) (Space, error) { return Serial{}, nil })
	space.Register("goroutines", func(env func(string) string) (Space, error) {
		n, err := environment.Workers(env)
		return NewGoroutines(n), err
	})
	space.Register("simgpu", func(env func(string) string) (Space, error) {
		seed, err := environment.Schedule(env)
		return NewSimGPU(gpu.Device{}).WithSchedule(seed), err
	})
}
