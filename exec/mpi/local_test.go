package mpi

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Local panics with what a rank panicked with, also with nil, and names a rank that has ended its goroutine.
func TestLocalTellsPanicsFromGoexit(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=1")
	for name, c := range map[string]struct {
		end    func()
		value  any
		panics bool
		err    string
	}{
		"returns":             {func() {}, nil, false, ""},
		"panics":              {func() { panic("with a text") }, "with a text", true, ""},
		"panics with nil":     {func() { panic(nil) }, nil, true, ""},
		"ends its goroutine":  {runtime.Goexit, nil, false, "rank 1: its goroutine was ended, as by runtime.Goexit"},
		"ends it in a panic":  {func() { defer runtime.Goexit(); panic(nil) }, nil, false, "rank 1: its goroutine was ended"},
		"recovers from a nil": {func() { defer func() { _ = recover() }(); panic(nil) }, nil, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			returned := false
			var err error
			func() {
				defer func() { assert.Equal(t, c.value, recover()) }()
				err = Local(3, func(r *Comm) error {
					if r.Rank() == 1 {
						c.end()
					}
					return nil
				})
				returned = true
			}()
			assert.Equal(t, c.panics, !returned)
			if c.err == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.err)
				assert.True(t, errors.Is(err, errEnded))
			}
		})
	}
}
