package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What programs print is found, and what went wrong is told.
func TestRead(t *testing.T) {
	s := read("reduce 1200\nallreduce 800\nbits 0x1p+01\n")
	assert.Equal(t, sample{map[string]float64{"reduce": 1200, "allreduce": 800}, "0x1p+01"}, s)
	s = read("step 0: heat 0x1p+1, change 0x0p+00\n0.250 ns per point and step\nabc\n")
	assert.Equal(t, sample{map[string]float64{"ns": .25}, "abc"}, s)
	s = read("    2: 0x1p+1 2.0e+00\n1.5 ns per row and iteration\nx: abc\n")
	assert.Equal(t, sample{map[string]float64{"ns": 1.5}, "abc"}, s)
	d := &driver{mpiexec: "false", bin: "/", repeats: 1}
	_, err := d.best([]job{{ranks: 2, program: "p"}})
	require.ErrorContains(t, err, "false -n 2 /p -workers 0: exit status 1")
	d.mpiexec = "echo nothing"
	_, err = d.best([]job{{ranks: 2, program: "p"}})
	require.ErrorContains(t, err, "p [] with 2 ranks printed no times")
	require.EqualError(t, (&driver{repeats: 1}).tables(), "0 cores and 1 repeats, expected at least 1 of each")
	assert.Equal(t, []int{1, 2, 4, 6}, (&driver{cores: 6}).counts())
	assert.Equal(t, []int{1, 2, 4}, (&driver{cores: 4}).counts())
}
