package space_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
)

// idle is a space that runs nothing.
type idle struct{ of string }

func (idle) Name() string                       { return "idle" }
func (idle) Concurrency() int                   { return 1 }
func (idle) Launch(space.Grid, space.Job) error { return nil }

// A name is never taken back, so this registers its own in a process of its own.
func TestRegistry(t *testing.T) {
	if os.Getenv("GOKKOS_TEST_REGISTRY") == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestRegistry$", "-test.v")
		child.Env = append(os.Environ(), "GOKKOS_TEST_REGISTRY=1")
		output, err := child.CombinedOutput()
		require.NoError(t, err, "%s", output)
		require.Contains(t, string(output), "--- PASS: TestRegistry")
		return
	}
	before := space.Names()
	require.NotContains(t, before, "idle")
	env := func(key string) string { return "value of " + key }
	_, err := space.Open("idle", env)
	require.EqualError(t, err, `space: no space is called "idle", expected one of `+strings.Join(before, ", "))
	open := func(env func(string) string) (space.Space, error) { return idle{env("IDLE")}, nil }
	space.Register("idle", open)
	space.Register("busy", func(func(string) string) (space.Space, error) { return nil, assert.AnError })
	names := slices.Sorted(slices.Values(append(before, "idle", "busy")))
	assert.Equal(t, names, space.Names())
	on, err := space.Open("idle", env)
	require.NoError(t, err)
	assert.Equal(t, idle{"value of IDLE"}, on)
	_, err = space.Open("busy", env)
	require.ErrorIs(t, err, assert.AnError)
	_, err = space.Open("Idle", env)
	require.EqualError(t, err, `space: no space is called "Idle", expected one of `+strings.Join(names, ", "))

	assert.PanicsWithValue(t, `space: Register("idle"), which is registered already`, func() { space.Register("idle", open) })
	assert.PanicsWithValue(t, `space: Register(""), expected a name and a function`, func() { space.Register("", open) })
	assert.PanicsWithValue(t, `space: Register("none"), expected a name and a function`, func() { space.Register("none", nil) })
}
