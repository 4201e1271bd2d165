package random

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Kernels written by hand and random kernels have the bits of their closures. The test runs them in the
// interpreter, before and after the passes, and in the loops of all back ends.
func TestKernels(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 60
	}
	r, err := Try(append(Written(), Seeds(1, n)...), false, 2)
	require.NoError(t, err)
	for _, f := range r.Failures {
		t.Errorf("%v", f)
	}
	assert.Greater(t, r.Compiled, len(written)+n/2, "refused: %v", r.Refused)
	assert.Greater(t, r.Vectors, len(written)/2+n/3, "refused: %v", r.Refused)
	assert.Greater(t, r.Devices, n/8, "as PTX: there is none of points, rows, structs and values")
	for name, reason := range r.Refused { // all random kernels can be lowered, but for meanings that Go leaves open
		assert.Regexp(t, "this stores in a loop|a call changes .* in an expression that has it, too|Go may fuse the products of complex numbers|"+
			"a function literal stores something, and is called inside of an expression|this contributes to a scatter, and .* behind it", reason, name)
	}
}

// The same kernels as unmarked literals have the bits of their closures, in all ways of capturing parameters.
func TestKernelsInPlace(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 30
	}
	r, err := Try(append(Written(), Seeds(5000, n)...), true, 2)
	require.NoError(t, err)
	for _, f := range r.Failures {
		t.Errorf("%v", f)
	}
	assert.Greater(t, r.Compiled+r.Bodies, len(written)+n/4, "refused: %v", r.Refused) // in place are numbers behind pointers, too
	assert.Greater(t, r.Vectors, len(written)/2+n/3, "refused: %v", r.Refused)
	assert.Greater(t, r.Bodies, len(written)/12, "refused: %v", r.Refused)
	for name, reason := range r.Refused {
		assert.NotContains(t, reason, "gokkosc fails", name)
	}
}
