package exec_test

import (
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/internal/environment"
)

// variables returns a lookup of GOKKOS_SPACE, GOKKOS_WORKERS and GOKKOS_SCHEDULE.
func variables(space, workers, schedule string) func(string) string {
	values := map[string]string{"GOKKOS_SPACE": space, "GOKKOS_WORKERS": workers, "GOKKOS_SCHEDULE": schedule}
	return func(name string) string { return values[name] }
}

func TestSpaceFromEnv(t *testing.T) {
	for _, test := range []struct {
		space, workers, schedule string

		want        string
		concurrency int
		seed        uint64
	}{
		{"", "", "", "goroutines", runtime.GOMAXPROCS(0), 0},
		{"goroutines", "", "", "goroutines", runtime.GOMAXPROCS(0), 0},
		{"goroutines", "7", "", "goroutines", 7, 0},
		{"", "3", "", "goroutines", 3, 0},
		{"serial", "", "", "serial", 1, 0},
		{"serial", "4", "", "serial", 1, 0},
		{"simgpu", "4", "", "simgpu", 1, 0},
		{"simgpu", "", "0", "simgpu", 1, 0},
		{"simgpu", "", "3", "simgpu", 1, 3},
		{"simgpu", "4", "18446744073709551615", "simgpu", 1, math.MaxUint64},
	} {
		space, err := environment.SpaceOf(variables(test.space, test.workers, test.schedule))
		require.NoError(t, err)
		assert.Equal(t, test.want, space.Name(), "%+v", test)
		assert.Equal(t, test.concurrency, space.Concurrency(), "%+v", test)
		if test.want == "simgpu" {
			assert.Equal(t, test.seed, reflect.ValueOf(space).Elem().FieldByName("schedule").Uint(), "%+v", test)
		}
	}
}

// A bad number of a device is an error on every space, a good one is none on spaces without devices.
func TestDeviceHasNoSilentValues(t *testing.T) {
	for _, name := range []string{"", "serial", "goroutines", "simgpu"} {
		for value, bad := range map[string]bool{"": false, "0": false, "3": false, "0,2": false, "all": false, "0,": true, "x": true, "-1": true, "1.5": true} {
			_, err := environment.SpaceOf(func(variable string) string {
				return map[string]string{"GOKKOS_SPACE": name, "GOKKOS_DEVICE": value}[variable]
			})
			if bad {
				assert.ErrorContains(t, err, "exec: GOKKOS_DEVICE=\""+value+"\", expected the number of a device, from 0 on")
			} else {
				assert.NoError(t, err)
			}
		}
	}
}

func TestSpaceFromEnv_BadValues(t *testing.T) {
	for _, test := range []struct{ space, workers, schedule, want string }{
		{"cuda", "", "", `GOKKOS_SPACE="cuda": space: no space is called "cuda", expected one of goroutines, serial, simgpu; a program knows it that imports _ "github.com/gokkos/gokkos/exec/cuda"`},
		{"mpi", "", "", `goroutines, serial, simgpu; a program gets it from Run of an import of "github.com/gokkos/gokkos/exec/mpi"`},
		{"serial", "", "x", `exec: GOKKOS_SCHEDULE="x", expected the number of a schedule`},
		{"cuda", "", "1", `GOKKOS_SCHEDULE="1" with GOKKOS_SPACE="cuda", expected simgpu`},
		{"Serial", "", "", `GOKKOS_SPACE="Serial"`},
		{"", "many", "", `GOKKOS_WORKERS="many", expected a number`},
		{"", "0", "", `GOKKOS_WORKERS="0"`},
		{"", "5000", "", `GOKKOS_WORKERS="5000", expected a number of workers, 1 to 4096`},
		{"goroutines", "-1", "", `GOKKOS_WORKERS="-1"`},
		{"serial", "x", "", `GOKKOS_WORKERS="x"`},
		{"simgpu", "", "any", `GOKKOS_SCHEDULE="any", expected the number of a schedule, 0 to 18446744073709551615`},
		{"simgpu", "", "-1", `GOKKOS_SCHEDULE="-1"`},
		{"simgpu", "", "1.5", `GOKKOS_SCHEDULE="1.5"`},
		{"simgpu", "", "18446744073709551616", `GOKKOS_SCHEDULE="18446744073709551616"`},
		{"serial", "", "1", `GOKKOS_SCHEDULE="1" with GOKKOS_SPACE="serial", expected simgpu`},
		{"goroutines", "2", "0", `GOKKOS_SCHEDULE="0" with GOKKOS_SPACE="goroutines", expected simgpu`},
		{"", "", "1", `GOKKOS_SCHEDULE="1" with GOKKOS_SPACE="", expected simgpu`},
	} {
		space, err := environment.SpaceOf(variables(test.space, test.workers, test.schedule))
		assert.ErrorContains(t, err, test.want)
		assert.Nil(t, space)
		if _, _, schedule := strings.Cut(test.want, `GOKKOS_SCHEDULE=`); schedule {
			assert.Regexp(t, "^exec: GOKKOS_SCHEDULE=", err, "the variable that is wrong is named first")
		}
	}
}
