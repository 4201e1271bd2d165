//go:build linux && (amd64 || arm64)

package endtoend

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/multiple_reduce/moments"
	"github.com/gokkos/gokkos/examples/walk/prefix"
)

// The program finds the bits of all its spaces on the machine that executes a card's texts.
func TestMoments(t *testing.T) {
	standIn(t) // which GOKKOS_CUDA names from here on
	run := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		status := moments.Run(t.Context(), args, &stdout, &stderr)
		assert.Zero(t, status, stderr.String())
		return stdout.String()
	}
	hash := regexp.MustCompile(`hash: (\w+)`)
	for _, args := range [][]string{{"-D", "6,5,7,40"}, {"-D", "20,9,8,33", "-reduce", "0,1,2"}, {"-D", "3,4,5,6", "-reduce", "none"}, {"-D", "2,30,30,7", "-type", "f64"}} {
		out := run(append(args, "-space", "all,cuda", "3", "0")...)
		assert.Contains(t, out, "space cuda")
		assert.Contains(t, out, "runs: 4 compared\nbits: identical\nverify: ok\n")
		all := hash.FindAllStringSubmatch(out, -1)
		assert.Len(t, all, 4)
		alone := run(append(args, "-space", "cuda", "3", "0")...)
		assert.Contains(t, alone, all[0][0])
		assert.Contains(t, alone, "runs: 1, nothing to compare it with")
	}
}

// The machine comes to the hash that is printed for the other spaces.
func TestHash(t *testing.T) {
	hash, err := prefix.Hash(standIn(t))
	require.NoError(t, err)
	assert.Equal(t, uint64(0x8c4416932827abb3), hash)
}
