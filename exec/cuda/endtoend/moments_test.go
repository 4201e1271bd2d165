//go:build linux && (amd64 || arm64)

package endtoend

import (
	"bytes"
	"errors"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/multiple_reduce/moments"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/examples/spaces/prefix"
)

// The program finds the bits of all its spaces on the machine that executes a card's texts.
func TestMoments(t *testing.T) {
	s := device(t)
	card := moments.Space{Name: "cuda", Open: func() (exec.Space, func() error, error) {
		return s, func() error { return nil }, nil
	}}
	run := func(more moments.Space, args ...string) (string, string, int) {
		var stdout, stderr bytes.Buffer
		status := moments.Run(t.Context(), args, &stdout, &stderr, more)
		return stdout.String(), stderr.String(), status
	}
	hash := regexp.MustCompile(`hash: (\w+)`)
	for _, args := range [][]string{{"-D", "6,5,7,40"}, {"-D", "20,9,8,33", "-reduce", "0,1,2"}, {"-D", "3,4,5,6", "-reduce", "none"}, {"-D", "2,30,30,7", "-type", "f64"}} {
		out, failed, status := run(card, append(args, "3", "0")...)
		assert.Zero(t, status, failed)
		assert.Contains(t, out, "space cuda")
		assert.Contains(t, out, "runs: 4 compared\nbits: identical\nverify: ok\n")
		all := hash.FindAllStringSubmatch(out, -1)
		assert.Len(t, all, 4)
		alone, failed, status := run(card, append(args, "-space", "cuda", "3", "0")...)
		assert.Zero(t, status, failed)
		assert.Contains(t, alone, all[0][0])
		assert.Contains(t, alone, "runs: 1, nothing to compare it with")
	}
	none := moments.Space{Name: "cuda", Open: func() (exec.Space, func() error, error) { return nil, nil, errors.New("no card") }}
	_, failed, status := run(none, "-space", "cuda")
	assert.Equal(t, 1, status)
	assert.Equal(t, "multiple_reduce: -space cuda: no card\n", failed)
	usage, _, _ := run(none, "-h")
	assert.Contains(t, usage, "serial, goroutines, simgpu, cuda, or all")
}

// The machine comes to the hash that is printed for the other spaces.
func TestHash(t *testing.T) {
	hash, err := prefix.Hash(device(t))
	require.NoError(t, err)
	assert.Equal(t, uint64(0x8c4416932827abb3), hash)
}
