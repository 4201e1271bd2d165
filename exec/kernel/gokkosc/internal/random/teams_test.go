package random_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/random"
)

// Random functors of teams have the bits, and the panics, of closures.
func TestTeams(t *testing.T) {
	r, err := random.TryTeams(1, 30)
	require.NoError(t, err)
	require.Empty(t, r.Differ)
	require.Greater(t, r.Compiled, 22, r.Refused)
	require.Greater(t, r.Cards, 22)
	require.Greater(t, r.Done, 4*r.Left)
}
