package environment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "github.com/gokkos/gokkos/internal/watch" // for go test -gcflags=-race
)

func TestWatchFromEnv(t *testing.T) {
	for value, want := range map[string]bool{"": false, "check": true} {
		got, err := watchFromEnv(value)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := watchFromEnv("chek")
	assert.EqualError(t, err, `exec: GOKKOS_SIMGPU="chek", expected check, or nothing`)
}
