package exec

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpaceFromEnv(t *testing.T) {
	tests := []struct {
		space, workers string
		want           string
		concurrency    int
	}{
		{"", "", "goroutines", runtime.GOMAXPROCS(0)},
		{"goroutines", "", "goroutines", runtime.GOMAXPROCS(0)},
		{"goroutines", "7", "goroutines", 7},
		{"", "3", "goroutines", 3},
		{"serial", "", "serial", 1},
		{"serial", "4", "serial", 1},
		{"simgpu", "4", "simgpu", 1},
	}
	for _, test := range tests {
		space, err := spaceFromEnv(test.space, test.workers)
		require.NoError(t, err)
		assert.Equal(t, test.want, space.Name(), "%+v", test)
		assert.Equal(t, test.concurrency, space.Concurrency(), "%+v", test)
	}
	for _, test := range []struct{ space, workers, want string }{
		{"cuda", "", `GOKKOS_SPACE="cuda", expected serial, goroutines or simgpu`},
		{"Serial", "", `GOKKOS_SPACE="Serial"`},
		{"", "many", `GOKKOS_WORKERS="many", expected a number`},
		{"", "0", `GOKKOS_WORKERS="0"`},
		{"", "5000", `GOKKOS_WORKERS="5000", expected a number of workers, 1 to 4096`},
		{"goroutines", "-1", `GOKKOS_WORKERS="-1"`},
		{"serial", "x", `GOKKOS_WORKERS="x"`},
	} {
		space, err := spaceFromEnv(test.space, test.workers)
		assert.ErrorContains(t, err, test.want)
		assert.Nil(t, space)
	}
}
