package environment

import (
	"io"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/watch" // for go test -gcflags=-race, too
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

// What a build cannot see is said once, on standard error.
func TestBlind(t *testing.T) {
	says := func(f func()) string {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		before, checks, on := os.Stderr, Checks, WatchedOn
		os.Stderr, Checks, seen = w, true, sync.Once{}
		WatchedOn = func(space.Space) bool { return true }
		defer func() { Checks, WatchedOn, seen = checks, on, sync.Once{} }()
		f()
		os.Stderr = before
		require.NoError(t, w.Close())
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		return string(text)
	}
	assert.Equal(t, "gokkos: GOKKOS_SIMGPU=check: no kernel is watched\n", says(func() { TellBlind("no kernel is watched"); TellBlind("again") }))
	assert.Equal(t, !memory.ChecksDimensions, says(func() { Seen(); Seen() }) != "")
	assert.Equal(t, !watch.Possible, says(func() { assert.Equal(t, watch.Possible, Watches(nil)) }) != "")
}
