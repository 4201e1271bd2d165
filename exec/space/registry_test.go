package space

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// idle is a space that runs nothing.
type idle struct{ of string }

func (idle) Name() string           { return "idle" }
func (idle) Concurrency() int       { return 1 }
func (idle) Launch(Grid, Job) error { return nil }

func TestRegistry(t *testing.T) {
	defer func(before map[string]Opener) { registry.openers = before }(registry.openers)
	registry.openers = nil
	env := func(key string) string { return "value of " + key }
	_, err := Open("idle", env)
	require.EqualError(t, err, `space: no space is called "idle", expected one of `)
	open := func(env func(string) string) (Space, error) { return idle{env("IDLE")}, nil }
	Register("idle", open)
	Register("busy", func(func(string) string) (Space, error) { return nil, assert.AnError })
	assert.Equal(t, []string{"busy", "idle"}, Names())
	on, err := Open("idle", env)
	require.NoError(t, err)
	assert.Equal(t, idle{"value of IDLE"}, on)
	_, err = Open("busy", env)
	require.ErrorIs(t, err, assert.AnError)
	_, err = Open("Idle", env)
	require.EqualError(t, err, `space: no space is called "Idle", expected one of busy, idle`)

	assert.PanicsWithValue(t, `space: Register("idle"), which is registered already`, func() { Register("idle", open) })
	assert.PanicsWithValue(t, `space: Register(""), expected a name and a function`, func() { Register("", open) })
	assert.PanicsWithValue(t, `space: Register("none"), expected a name and a function`, func() { Register("none", nil) })
}
