package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A trace without events, a file that is none and one that is no trace are errors that name the file.
func TestNothingToReportIsAnError(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.json")
	for _, text := range []string{"", "[", "[\n", "[\n]\n"} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		err := report(name)
		require.ErrorContains(t, err, name+" has no events, expected those of a program that ran with GOKKOS_TOOLS=trace=")
	}
	require.NoError(t, os.WriteFile(name, []byte("hello"), 0o600))
	require.ErrorContains(t, report(name), name+": ")
	require.ErrorIs(t, report(name+".none"), os.ErrNotExist)
	require.NoError(t, os.WriteFile(name, []byte("[\n{\"cat\":\"for\"},\n]"), 0o600))
	require.NoError(t, report(name))
}
