package random

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Random kernels have the bits of their closures in the interpreter, before and after the passes, and in
// the loops of all back ends.
func TestRandomKernels(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 60
	}
	r, err := Try(1, n, 2)
	require.NoError(t, err)
	for _, f := range r.Failures {
		t.Errorf("%v", f)
	}
	assert.Greater(t, r.Compiled, n/2, "refused: %v", r.Refused)
	assert.Greater(t, r.Devices, n/8, "as PTX: there is none of points, rows, structs and values")
	for reason := range r.Refused { // all that is made can be lowered
		assert.Contains(t, reason, "this stores in a loop")
	}
}

// So have those that are written by hand.
func TestWrittenKernels(t *testing.T) {
	r, err := Written()
	require.NoError(t, err)
	for _, f := range r.Failures {
		t.Errorf("%v", f)
	}
	assert.Equal(t, len(written)-1, r.Compiled, "refused: %v", r.Refused)
	assert.Greater(t, r.Vectors, len(written)/2)
}
