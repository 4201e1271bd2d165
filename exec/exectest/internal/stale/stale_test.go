package stale_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/exectest/internal/stale"
	"github.com/gokkos/gokkos/internal/attached"
)

// Kernels whose sources have changed since they were compiled are named, with what makes them anew.
func TestKernelSaysThatItIsOfAnOlderSource(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "solver")
	require.NoError(t, os.Mkdir(folder, 0o755))
	for path, text := range map[string]string{
		filepath.Join(root, "go.mod"):          "module example.com/stale // ours\n",
		filepath.Join(folder, "a.go"):          "package solver\n\nfunc axpy() {}\n",
		filepath.Join(folder, "z_kernels.go"):  "package solver\n\n//gokkos:source . axpy 00\n",
		filepath.Join(folder, "axpy_other.go"): "package solver\n",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	assert.Empty(t, stale.Kernels(folder), "they are not in the program")
	attached.Add("example.com/stale/solver")
	attached.Add("example.com/stale2/solver")
	assert.Equal(t, []string{"the compiled kernels of package example.com/stale/solver are of an older source: axpy has changed; go generate example.com/stale/solver makes them anew"}, stale.Kernels(folder))
	assert.Empty(t, stale.Kernels(""))
	require.NoError(t, os.RemoveAll(folder))
	assert.Len(t, stale.Kernels(root), 1, "a program reads the sources once")
}
