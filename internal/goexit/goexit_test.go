package goexit

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// ends returns what Runs reports after f, which does not return, and what recover returns.
func ends(f func()) (exits bool, value any) {
	var done sync.WaitGroup
	done.Go(func() {
		defer func() {
			value = recover()
			exits = Runs()
		}()
		f()
	})
	done.Wait()
	return exits, value
}

// A panic with nil is told from runtime.Goexit, also where one happens while the other is under way.
func TestPanicWithNilIsNoGoexit(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=1")
	for _, c := range []struct {
		name  string
		f     func()
		exits bool
	}{
		{"Goexit", runtime.Goexit, true},
		{"nil", func() { panic(nil) }, false},
		{"Goexit in a panic", func() { defer runtime.Goexit(); panic(nil) }, true},
		{"panic in a Goexit", func() { defer func() { panic(nil) }(); runtime.Goexit() }, false},
	} {
		exits, value := ends(c.f)
		assert.Equal(t, c.exits, exits, c.name)
		assert.Nil(t, value, c.name)
	}
	t.Setenv("GODEBUG", "panicnil=0")
	_, value := ends(func() { panic(nil) })
	assert.IsType(t, new(runtime.PanicNilError), value)
}
